"""`manage.py serve` as a process of its own, to be talked to over HTTP and killed."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
START_S = 120  # on a busy machine


class Server:
    """Listens on a free port, which it keeps over a restart."""

    def __init__(self, *, database_url: str, log: Path, **environment: str) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self.environment = {**os.environ, "DATABASE_URL": database_url, **environment}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises `RuntimeError` with what it printed if it does not come up."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"it does not serve:\n{self.log.read_text()}")
            time.sleep(0.05)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Another command on the same database."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=30)
            self.process = None

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/healthz", timeout=5):
                return True
        except (URLError, OSError):
            return False


@contextmanager
def scratch_database(folder: Path) -> Iterator[str]:
    """The address of an empty database, gone afterwards: on the server of DATABASE_URL where
    that is PostgreSQL, a file in `folder` otherwise."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith(("postgres:", "postgresql:")):
        yield f"sqlite:///{folder / 'pyramid.sqlite3'}"
        return
    name = f"pyramid_scratch_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            server.execute(drop.format(sql.Identifier(name)))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
