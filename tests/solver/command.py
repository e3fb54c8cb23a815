"""The command line as a process of its own."""

import json
import subprocess
import sys
from typing import Any

from tests.serving import ROOT

SOLVER = (sys.executable, "-m", "solver")
INTERPRETED = (sys.executable, "-m", "tests.solver.interpreted")


def run(
    *arguments: str, given: str | bytes = b"", program: tuple[str, ...] = SOLVER
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*program, *arguments],
        cwd=ROOT,
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def answers(*arguments: str, given: str | bytes, **options: Any) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in run(*arguments, given=given, **options).stdout.split("\n")[:-1]
    ]


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """To be written to and read from as it runs; unbuffered on this side."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*SOLVER, *arguments], cwd=ROOT, bufsize=0, **{**pipes, **options})
