"""Compiles the solver's Python sources to machine code, in place, where there is a C compiler.

Without one, or without Python's header files, the same sources run interpreted: equal answers,
some fifty times slower. What was compiled is replaced as soon as a source has changed: an old
extension module is removed first, so that it can never stand in for a newer source. New ones are
put in place once all are made: what is broken off leaves the solver interpreted.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL = ROOT / "solver" / "kernel"
BUILD = ROOT / "build" / "solver"
NEW = BUILD / "new"
STAMP = BUILD / "compiled.json"
# No index in the kernel is negative or out of bounds: the interpreted runs would show it.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}


def main() -> None:
    modules = [path.stem for path in sorted(KERNEL.glob("*.py")) if is_compiled(path)]
    if is_current(modules):
        return
    try:
        BUILD.mkdir(parents=True, exist_ok=True)
        with (BUILD / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two at once take turns
            if not is_current(modules):  # the other has not done it
                replace_old(modules)
    except OSError as error:
        if machine_code():  # of older sources, as far as can be told
            sys.exit(
                f"The solver's machine code in {KERNEL} is old and cannot be replaced: {error}"
            )
        say(f"The solver cannot be compiled here and runs interpreted: {error}")


def replace_old(modules: list[str]) -> None:
    STAMP.unlink(missing_ok=True)
    for old in machine_code():
        old.unlink()
    say("Compiling the solver, once …")
    started = time.monotonic()
    wanted = digest(modules)
    shutil.rmtree(NEW, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, __file__, *modules], capture_output=True, text=True, check=False
    )
    (BUILD / "compile.log").write_text(done.stdout + done.stderr)
    if done.returncode:
        say(
            "It could not be compiled (see build/solver/compile.log) and runs interpreted: equal "
            "answers, some fifty times slower. It takes a C compiler and Python's headers, on "
            "Debian and Ubuntu: apt-get install gcc python3-dev"
        )
    else:
        for made in sorted((NEW / "solver" / "kernel").iterdir()):  # all of them, or none
            shutil.move(made, KERNEL / made.name)
        say(f"Compiled in {time.monotonic() - started:.0f} s.")
    STAMP.write_text(json.dumps({"of": wanted, "made": len(machine_code())}))


def machine_code() -> list[Path]:
    return [*KERNEL.glob("*.so"), *KERNEL.glob("*.pyd")]


def is_compiled(path: Path) -> bool:
    return path.read_text(encoding="utf-8").count("\nimport cython\n") == 1


def is_current(modules: list[str]) -> bool:
    """Whether what lies there is what these sources make here, be it nothing at all."""
    try:
        stamp = json.loads(STAMP.read_text())
        return bool(stamp == {"of": digest(modules), "made": len(machine_code())})
    except (OSError, ValueError):
        return False


def digest(modules: list[str]) -> str:
    """Of the sources, and of what they are compiled with and for."""
    sources = [KERNEL / f"{name}.py" for name in modules] + sorted(KERNEL.glob("*.pxd"))
    total = hashlib.sha256()
    for part in (
        sys.version,
        sysconfig.get_config_var("EXT_SUFFIX") or "",
        str(has_compiler()),
        Path(__file__).read_text(encoding="utf-8"),
        *(path.name + path.read_text(encoding="utf-8") for path in sources),
    ):
        total.update(part.encode())
    return total.hexdigest()


def has_compiler() -> bool:
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    return shutil.which(compiler) is not None and headers.exists()


def compile_all(modules: list[str]) -> None:
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    extensions = cythonize(
        [
            Extension(
                f"solver.kernel.{name}", [f"solver/kernel/{name}.py"], extra_compile_args=["-O3"]
            )
            for name in modules
        ],
        build_dir=str(BUILD),
        compiler_directives=DIRECTIVES,
    )
    project = Distribution({"name": "pyramid", "ext_modules": extensions})
    command = project.get_command_obj("build_ext")
    command.build_lib = str(NEW)
    command.build_temp = str(BUILD)
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    os.chdir(ROOT)
    compile_all(sys.argv[1:]) if sys.argv[1:] else main()
