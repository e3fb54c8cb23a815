"""What a server does by itself: idle games are closed and old sessions go, without any cron job."""

import json
import logging
import time
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any
from urllib.request import Request, urlopen

import pytest
import time_machine
from django.core.management import CommandError
from django.utils import timezone

from accounts.models import Session
from game.models import Game
from pyramid_site import housekeeping
from tests.accounts.playing import by_tier
from tests.caller import Caller
from tests.serving import Server, scratch_database

AGE = "from game.models import Game; Game.objects.update(last_entry_at='2026-01-01T00:00:00Z')"


@pytest.fixture
def idle(player: Caller) -> Game:
    with time_machine.travel(timezone.now() - timedelta(days=8), tick=False):
        table = by_tier(player)
        table.play("d")
    return Game.objects.get(pk=table.id)


@pytest.mark.django_db(transaction=True)
def test_idle_games_are_closed_and_sessions_that_have_run_out_go(idle: Game) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    housekeeping.do_chores()
    idle.refresh_from_db()
    assert idle.status == "lost"
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_chore_that_fails_is_logged_and_keeps_no_other_from_being_done(
    idle: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(housekeeping, "CHORES", ("no_such_chore", "close_idle"))
    with caplog.at_level(logging.ERROR):
        housekeeping.do_chores()
    assert "no_such_chore failed" in caplog.text
    assert caplog.records[0].exc_info is not None
    assert caplog.records[0].exc_info[0] is CommandError
    idle.refresh_from_db()
    assert idle.status == "lost"


@pytest.mark.django_db(transaction=True)
def test_the_house_is_kept_again_and_again_until_it_is_told_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[float] = []
    monkeypatch.setattr(housekeeping, "EVERY_S", 0.01)
    monkeypatch.setattr(housekeeping, "do_chores", lambda: done.append(time.monotonic()))
    stop = Event()
    thread = housekeeping.keep_house(stop)
    deadline = time.monotonic() + 30
    while len(done) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    stop.set()
    thread.join(timeout=30)
    assert len(done) >= 3
    assert not thread.is_alive()


def test_a_server_closes_idle_games_when_it_starts(tmp_path: Path) -> None:
    with scratch_database(tmp_path) as database_url:
        server = Server(database_url=database_url, log=tmp_path / "server.log")
        server.start()
        try:
            token = _ask(f"{server.url}/api/v1/guests/", None, {})["token"]
            asked = {"rules": "classic", "tier": "easy"}
            game = _ask(f"{server.url}/api/v1/games/", token, asked)["id"]
            server.stop()
            assert server.manage("shell", "-c", AGE).returncode == 0
            server.start()
            address = f"{server.url}/api/v1/games/{game}/"
            deadline = time.monotonic() + 60
            while _ask(address, token)["status"] != "lost" and time.monotonic() < deadline:
                time.sleep(0.1)
            assert _ask(address, token)["status"] == "lost"
        finally:
            server.kill()


def _ask(address: str, token: str | None, body: dict[str, str] | None = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, headers), timeout=30) as answer:
        return json.load(answer)
