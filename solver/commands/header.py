"""What the command line says of itself, on standard error or as its version."""

import sys
import tomllib
from pathlib import Path
from typing import Final

from solver.search import COMPILED

KERNEL: Final = (
    "The solver runs compiled."
    if COMPILED
    else "The solver runs interpreted, some fifty times slower. For the compiled one install a C\n"
    "compiler and Python's headers (on Debian and Ubuntu: apt-get install gcc python3-dev),\n"
    "then let make build it: make test, or .venv/bin/python scripts/compile_solver.py"
)


def version() -> str:
    file = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    return f"pyramid {project['version']}. {KERNEL}"


def say(text: str) -> None:
    if sys.stderr is not None:  # it may be closed, and print would turn to standard output
        print(text, file=sys.stderr)
