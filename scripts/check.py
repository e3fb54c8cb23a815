"""`make check`: every check that reads the code instead of running it, then what failed."""

import difflib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPENAPI = Path("docs/openapi.yaml")
IMPORT_LINTER = "from importlinter.cli import lint_imports_command as main; main()"

Answer = tuple[bool, str]  # whether all is well, and what is to be said


def main() -> int:
    os.chdir(ROOT)
    # No check needs the database, and Django would ask it how far its migrations are.
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    failed = [name for name, check in CHECKS.items() if not passes(name, check)]
    print(f"Failed: {', '.join(failed)}." if failed else "All checks passed.")
    return 1 if failed else 0


def passes(name: str, check: Callable[[], Answer]) -> bool:
    started = time.monotonic()
    well, text = check()
    verdict = "ok" if well else "FAILED"
    print(f"{name:<14}{verdict:<8}{time.monotonic() - started:5.1f} s", flush=True)
    if not well:
        print(text.rstrip(), end="\n\n", flush=True)
    return well


def python(*arguments: str) -> Answer:
    done = subprocess.run(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode == 0, done.stdout


def openapi_file_is_current() -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder, OPENAPI.name)
        well, text = python(
            "manage.py", "spectacular", "--file", str(fresh), "--validate", "--fail-on-warn"
        )
        if not well:
            return well, text
        now = fresh.read_text().splitlines()
    kept = OPENAPI.read_text().splitlines() if OPENAPI.exists() else []
    changes = difflib.unified_diff(kept, now, str(OPENAPI), "the code", lineterm="", n=1)
    text = "\n".join(changes)
    return not text, f"{text}\nmake schema writes it anew."


CHECKS: dict[str, Callable[[], Answer]] = {
    "format": lambda: python("-m", "ruff", "format", "--check", "."),
    "lint": lambda: python("-m", "ruff", "check", "."),
    "types": lambda: python("-m", "mypy", "."),
    "imports": lambda: python("-c", IMPORT_LINTER),
    "migrations": lambda: python("manage.py", "makemigrations", "--check", "--dry-run"),
    "translations": lambda: python("scripts/check_messages.py"),
    "OpenAPI file": openapi_file_is_current,
}

if __name__ == "__main__":
    sys.exit(main())
