"""What the environment makes of the settings: read anew in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def setting(expression: str, **environment: str) -> Any:
    script = f"import json; from pyramid_site import settings as s; print(json.dumps({expression}))"
    inherited = {name: text for name, text in os.environ.items() if not name.endswith("_URL")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**inherited, "SECRET_KEY": "only-for-tests", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_options_of_the_database_s_address_are_kept() -> None:
    address = "postgres://somebody@db.example/pyramid?sslmode=require&connect_timeout=3"
    options = setting("s.DATABASES['default']['OPTIONS']", DATABASE_URL=address)
    assert options["sslmode"] == "require"
    assert options["connect_timeout"] == 3
    assert options["pool"]


def test_sqlite_takes_its_write_lock_first() -> None:
    options = setting("s.DATABASES['default']['OPTIONS']")
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_behind_tls_no_cookie_goes_without_it() -> None:
    names = "[s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.LANGUAGE_COOKIE_SECURE]"
    assert setting(names, HTTPS="on") == [True, True, True]
    assert setting("s.SECURE_HSTS_SECONDS", HTTPS="on") > 0


def test_a_redis_that_hangs_is_not_waited_for() -> None:
    options = setting("s.CACHES['default']['OPTIONS']", REDIS_URL="redis://redis.example/0")
    assert 0 < options["socket_timeout"] <= 2
    assert 0 < options["socket_connect_timeout"] <= 2


def test_what_is_told_is_heard_in_one_database_of_a_redis_only() -> None:
    prefix = "s.CHANNEL_LAYERS['default']['CONFIG']['prefix']"
    addresses = ["redis://redis.example", "redis://redis.example/0", "redis://redis.example/1"]
    names = [setting(prefix, REDIS_URL=address) for address in addresses]
    assert names[0] == names[1] != names[2]
