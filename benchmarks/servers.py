"""Servers to measure: real processes on free loopback ports."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
START_S = 30  # how long a server may take to listen
STOP_S = 10

Address = tuple[str, int]


PYTHON = sys.executable
OURS = (PYTHON, "manage.py", "serve", "--no-migrate", "--port", "{port}")
# Verbosity 0: no access log, as ours has none.
STOCK_DAPHNE = (PYTHON, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", "{port}")


@contextmanager
def server(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Address]:
    """Runs a server until the block ends, and answers where it listens.

    `{port}` in the command stands for the port. Raises `RuntimeError` with what the server
    printed when it does not come to listen.
    """
    address = ("127.0.0.1", _free_port())
    with TemporaryFile() as log:
        process = subprocess.Popen(
            [word.replace("{port}", str(address[1])) for word in command],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(process, address, log)
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run(command: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """What a command prints to stdout. Raises `RuntimeError` with all it printed if it fails."""
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{command}:\n{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(process: subprocess.Popen[bytes], address: Address, log: IO[bytes]) -> None:
    deadline = monotonic() + START_S
    while monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(address) == 0:
                return
        sleep(0.05)
    printed = os.pread(log.fileno(), 1 << 16, 0).decode(errors="replace")
    raise RuntimeError(f"{process.args} does not listen:\n{printed}")
