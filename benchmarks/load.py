"""A light load: some connections, each sending its next request when the last one is answered.

Requests are bytes made beforehand and answers are only looked at for status and length, so that
the load itself costs little beside the server; `Load.client_s` says how little.
"""

import gc
import selectors
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time

from benchmarks.servers import Address

PATIENCE_S = 10  # how long an answer may take


@dataclass(frozen=True, slots=True)
class Request:
    kind: str
    content: bytes  # as it goes over the wire


@dataclass(slots=True)
class Load:
    """What came of a load: answers, the time they took, and the load's own CPU time, in seconds."""

    answers: int = 0
    duration_s: float = 0
    client_s: float = 0
    latencies_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.duration_s


class UnexpectedAnswer(Exception):
    """Anything but 200."""


def post(path: str, body: bytes, headers: Mapping[str, str] | None = None) -> bytes:
    """A POST of JSON with what a browser or client library would send along."""
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "User-Agent: benchmark",
        "Accept: application/json, application/problem+json",
        "Accept-Language: en",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    )
    return "\r\n".join((*lines, "", "")).encode() + body


def load(address: Address, scripts: Sequence[Iterator[Request]], seconds: float) -> Load:
    """Plays each script on a connection of its own, until the time is over or one has ended.

    Answers that come later are waited for, so that each script stands between two requests, but
    not counted. Raises `UnexpectedAnswer`.
    """
    done = Load()
    with selectors.DefaultSelector() as selector:
        connections = [_Connection(address, script) for script in scripts]
        gc.disable()
        cpu, start = process_time(), perf_counter()
        deadline = start + seconds
        waiting = 0
        for connection in connections:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            waiting += connection.send_next()
        while waiting:
            events = selector.select(PATIENCE_S)
            if not events:
                raise UnexpectedAnswer(f"no answer in {PATIENCE_S} s")
            for key, _ in events:
                connection = key.data
                if not connection.receive():
                    continue
                now = perf_counter()
                waiting -= 1
                if now <= deadline:
                    done.answers += 1
                    done.duration_s = now - start
                    done.latencies_s[connection.kind].append(now - connection.sent)
                    if connection.send_next():
                        waiting += 1
                    else:
                        deadline = now
        done.client_s = process_time() - cpu
        gc.enable()
        for connection in connections:
            connection.socket.close()
    return done


class _Connection:
    def __init__(self, address: Address, script: Iterator[Request]) -> None:
        self.socket = socket.create_connection(address, PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.script = script
        self.received = b""
        self.kind = ""
        self.sent = 0.0

    def send_next(self) -> bool:
        request = next(self.script, None)
        if request is None:
            return False
        self.kind = request.kind
        self.received = b""
        self.sent = perf_counter()
        self.socket.sendall(request.content)
        return True

    def receive(self) -> bool:
        """Takes what has come; whether that was the rest of the answer."""
        arrived = self.socket.recv(65536)
        self.received += arrived
        head, end, body = self.received.partition(b"\r\n\r\n")
        if not arrived or (end and not head.startswith(b"HTTP/1.1 200 ")):
            raise UnexpectedAnswer(self.received.decode(errors="replace") or "connection closed")
        return bool(end) and _is_whole(head, body)


def _is_whole(head: bytes, body: bytes) -> bool:
    """Whether the body of an answer, by length or in chunks, is all there."""
    _, found, rest = head.lower().partition(b"\r\ncontent-length:")
    if found:
        return len(body) >= int(rest.partition(b"\r\n")[0])
    return body.endswith(b"0\r\n\r\n")
