"""`make` finds a Python that will do, or says what to install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

SCRIPT = ROOT / "scripts" / "environment.sh"

# What a Python does that is asked for its objections, or to run environment.py.
GOOD = 'case "$1" in -c) ;; *) echo "$0 $*" ;; esac'
OLD = 'echo "is Python 3.9"'
BARE = 'echo "has no ensurepip: install python3.13-venv"'
ABSENT = "exit 127"  # a version manager's stand-in for one that is not installed


def run(folder: Path, pythons: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """environment.sh in a project without an environment, with only these Pythons about."""
    programs = folder / "bin"
    scripts = folder / "scripts"
    programs.mkdir()
    scripts.mkdir()
    script = scripts / SCRIPT.name
    script.write_text(SCRIPT.read_text())
    for name in ("dirname", "cat"):
        (programs / name).symlink_to(str(shutil.which(name)))
    for name, deed in pythons.items():
        (programs / name).write_text(f"#!/bin/sh\n{deed}\n")
        (programs / name).chmod(0o755)
    return subprocess.run(
        ["/bin/sh", script, "runtime"],
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
    )


def test_the_newest_python_that_will_do_is_taken(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        {"python3.14": ABSENT, "python3.13": BARE, "python3.12": GOOD, "python3.11": GOOD},
    )
    assert done.stdout.strip().endswith("bin/python3.12 scripts/environment.py runtime")
    assert done.returncode == 0


def test_a_python_without_its_venv_module_is_named_with_what_to_install(tmp_path: Path) -> None:
    done = run(tmp_path, {"python3.13": BARE, "python3": OLD})
    assert done.returncode == 1
    assert "python3.13 has no ensurepip: install python3.13-venv" in done.stderr
    assert "python3 is Python 3.9" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr


def test_no_python_at_all_is_said_too(tmp_path: Path) -> None:
    done = run(tmp_path, {})
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "found none" in done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose locks ask for nothing."""
    for name in ("environment.sh", "environment.py"):
        target = tmp_path / "scripts" / name
        target.parent.mkdir(exist_ok=True)
        target.write_text((ROOT / "scripts" / name).read_text())
    (tmp_path / "scripts" / "compile_solver.py").touch()  # with nothing to compile
    (tmp_path / "requirements").mkdir()
    for name in ("runtime", "dev"):
        (tmp_path / "requirements" / f"{name}.txt").write_text(f"# {name}\n")
    return tmp_path


def environment(project: Path, wanted: str) -> str:
    python = Path(sys.base_prefix) / "bin"
    done = subprocess.run(
        ["/bin/sh", "scripts/environment.sh", wanted],
        cwd=project,
        env={**os.environ, "PATH": f"{python}:/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def test_an_environment_is_filled_once_and_again_when_it_must_be(project: Path) -> None:
    assert "Making .venv" in environment(project, "runtime")
    assert environment(project, "runtime") == ""

    assert "requirements/dev.txt" in environment(project, "dev")  # the tools come on top
    assert environment(project, "dev") == ""
    assert environment(project, "runtime") == ""  # dev has it all

    (project / "requirements" / "dev.txt").write_text("# changed\n")
    assert "Installing" in environment(project, "dev")

    (project / ".venv" / "installed.json").write_text('{"dev"')  # broken off
    assert "Installing" in environment(project, "dev")

    (project / ".venv" / "bin" / "python").unlink()  # its Python was removed from the machine
    assert "Making .venv" in environment(project, "dev")
