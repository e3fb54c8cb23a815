"""What is skipped is told in the last line, and how to get it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

MARKERS = ("postgresql", "redis", "browser", "soak")
POSTGRESQL = {"DATABASE_URL": "postgres://localhost/x"}
REDIS = {"REDIS_URL": "redis://localhost/0"}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A test for each marker, and one without."""
    tests = ["def test_plain(): pass"]
    tests += [f"@pytest.mark.{marker}\ndef test_{marker}(): pass" for marker in MARKERS]
    (tmp_path / "test_suite.py").write_text("import pytest\n" + "\n".join(tests))
    markers = "\n".join(f"  {marker}: …" for marker in MARKERS)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers =\n{markers}\n")
    return tmp_path


def run(suite: Path, *arguments: str, **environment: str) -> tuple[int, list[str]]:
    """Exit status and last lines, on a machine without a browser."""
    plugins = ["-p", "tests.skipping", "-p", "no:django", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, *arguments, str(suite)],
        cwd=ROOT,
        env={"PATH": "", "PYTHONUTF8": "1", **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.returncode, done.stdout.splitlines()[-3:]


def test_without_any_service_their_tests_are_skipped(suite: Path) -> None:
    status, lines = run(suite)
    assert status == 0
    assert lines[-2].startswith("1 passed, 3 skipped, 1 deselected")
    assert lines[-1] == (
        "3 skipped: 1 for Chromium (install it), 1 for PostgreSQL (set DATABASE_URL), "
        "1 for Redis (set REDIS_URL). Left to other runs: 1 soak (make soak)."
    )


def test_on_the_services_nothing_is_skipped_and_the_browser_is_left_out(suite: Path) -> None:
    status, lines = run(suite, CI="true", **POSTGRESQL, **REDIS)
    assert status == 0
    assert lines[-2].startswith("3 passed, 2 deselected")
    assert lines[-1] == (
        "Nothing skipped. Left to other runs: 1 browser (unset DATABASE_URL), 1 soak (make soak)."
    )


def test_tests_in_parallel_are_told_of_alike(suite: Path) -> None:
    assert run(suite, "-n1")[1][-1] == run(suite)[1][-1]


def test_a_soak_test_runs_when_asked_for(suite: Path) -> None:
    assert run(suite, "--soak", "-m", "soak")[1][-2].startswith("1 passed, 4 deselected")


def test_a_missing_browser_fails_the_run_in_ci(suite: Path) -> None:
    status, lines = run(suite, CI="true")
    assert status == 1
    assert lines[-1] == "In CI only the services may be missing."
    assert run(suite, "-k", "not browser", CI="true")[0] == 0
