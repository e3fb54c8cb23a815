"""The solver's kernel is compiled where that is possible, and never stays behind its sources."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.serving import ROOT

KERNEL = Path("solver", "kernel")
SOURCE = """
import cython

ANSWER = cython.declare(cython.int, 1)


def answer() -> tuple[int, bool]:
    return ANSWER, cython.compiled
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose kernel is one small module."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "compile_solver.py", tmp_path / "scripts")
    (tmp_path / KERNEL).mkdir(parents=True)
    for folder in (KERNEL.parent, KERNEL):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / KERNEL / "small.py").write_text(SOURCE)
    return tmp_path


def start(project: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "scripts/compile_solver.py"],
        cwd=project,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def compiled(project: Path, **environment: str) -> str:
    """What it says."""
    process = start(project, **environment)
    said, _ = process.communicate()
    assert process.returncode == 0, said
    return said


def answer(project: Path) -> tuple[int, bool]:
    """What the kernel answers, and whether it is machine code."""
    code = "from solver.kernel import small; print(*small.answer())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True
    )
    number, machine = done.stdout.split()
    return int(number), machine == "True"


def machine_code(project: Path) -> list[Path]:
    return list((project / KERNEL).glob("*.so"))


@pytest.mark.compiled
def test_it_compiles_once_and_again_when_a_source_has_changed(project: Path) -> None:
    assert "Compiled in" in compiled(project)
    assert answer(project) == (1, True)
    assert compiled(project) == ""

    small = project / KERNEL / "small.py"
    small.write_text(SOURCE.replace("int, 1)", "int, 2)"))
    assert "Compiled in" in compiled(project)
    assert answer(project) == (2, True)

    machine_code(project)[0].unlink()  # somebody cleaned up
    assert "Compiled in" in compiled(project)
    assert answer(project) == (2, True)

    small.write_text("def answer(:\n\nimport cython\n")
    assert "It could not be compiled" in compiled(project)
    assert machine_code(project) == []  # the old one does not stand in
    assert compiled(project) == ""  # and it is not tried again


def test_without_a_compiler_it_says_what_to_install_and_the_sources_run(project: Path) -> None:
    said = compiled(project, CC="/nonexistent")
    assert "runs interpreted: equal answers" in said
    assert "apt-get install gcc python3-dev" in said
    assert machine_code(project) == []
    assert answer(project) == (1, False)
    assert compiled(project, CC="/nonexistent") == ""


@pytest.mark.compiled
def test_it_compiles_once_a_compiler_has_come(project: Path) -> None:
    compiled(project, CC="/nonexistent")
    assert "Compiled in" in compiled(project)
    assert answer(project) == (1, True)


def test_what_is_broken_off_leaves_nothing(project: Path) -> None:
    old = project / KERNEL / "small.cpython-00.so"
    old.write_bytes(b"of an older source")
    process = start(project)
    assert process.stdout
    assert "Compiling" in process.stdout.readline()
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert machine_code(project) == []
    assert answer(project) == (1, False)


@pytest.mark.compiled
def test_what_was_broken_off_is_done_the_next_time(project: Path) -> None:
    (project / "build" / "solver" / "new" / "solver" / "kernel").mkdir(parents=True)
    (project / "build" / "solver" / "new" / "solver" / "kernel" / "half.so").touch()
    (project / "build" / "solver" / "compiled.json").write_text('{"of"')
    assert "Compiled in" in compiled(project)
    assert len(machine_code(project)) == 1


@pytest.mark.compiled
def test_two_at_once_compile_once(project: Path) -> None:
    both = [start(project) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert sorted("Compiled in" in text for text in said) == [False, True]
    assert answer(project) == (1, True)


def test_where_nothing_can_be_written_the_sources_run(project: Path) -> None:
    (project / "build").touch()  # no folder can be made there
    assert "cannot be compiled here and runs interpreted" in compiled(project)
    assert answer(project) == (1, False)


def test_old_machine_code_that_cannot_be_replaced_is_an_error(project: Path) -> None:
    (project / "build").touch()
    (project / KERNEL / "small.cpython-00.so").touch()
    process = start(project)
    assert "is old and cannot be replaced" in process.communicate()[0]
    assert process.returncode == 1
