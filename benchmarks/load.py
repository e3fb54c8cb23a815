"""A light load: some talks, each asking its next question when the last one is answered.

Questions are bytes made beforehand and answers are hardly looked at, so that the load itself costs
little beside the server; `Load.client_s` says how little.
"""

import gc
import selectors
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Protocol

from benchmarks.servers import Address
from benchmarks.wire import Wire

PATIENCE_S = 10  # how long an answer may take


@dataclass(frozen=True, slots=True)
class Request:
    kind: str
    content: bytes  # as it goes over the wire


@dataclass(frozen=True, slots=True)
class Question:
    """For a socket. `content`: a frame as it goes over the wire."""

    kind: str
    content: bytes
    wire: Wire


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
    """Anything but 200, or a state."""


class Talk(Protocol):
    kind: str  # of the question that was asked last
    sent: float  # and when

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """Where answers may come in."""

    def ask_next(self) -> bool:
        """Whether there was something left to ask."""

    def hear(self, readable: socket.socket) -> bool:
        """Takes what has come; whether that was the rest of the answer."""

    def close(self) -> None:
        """Is called when the load is over."""


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


def load(talks: Sequence[Talk], seconds: float) -> Load:
    """Has them talk all at once, until the time is over or one has nothing left to ask.

    Answers that come later are waited for, so that each talk stands between two questions, but
    not counted. Raises `UnexpectedAnswer`.
    """
    done = Load()
    with selectors.DefaultSelector() as selector:
        gc.disable()
        for talk in talks:
            for each in talk.sockets:
                selector.register(each, selectors.EVENT_READ, talk)
        cpu, start = process_time(), perf_counter()
        deadline = start + seconds
        waiting = sum(talk.ask_next() for talk in talks)
        while waiting:
            events = selector.select(PATIENCE_S)
            if not events:
                raise UnexpectedAnswer(f"no answer in {PATIENCE_S} s")
            for key, _ in events:
                talk = key.data
                if not talk.hear(key.fileobj):
                    continue
                now = perf_counter()
                waiting -= 1
                if now <= deadline:
                    done.answers += 1
                    done.duration_s = now - start
                    done.latencies_s[talk.kind].append(now - talk.sent)
                    if talk.ask_next():
                        waiting += 1
                    else:
                        deadline = now
        done.client_s = process_time() - cpu
        gc.enable()
    for talk in talks:
        talk.close()
    return done


class HTTPTalk:
    """Plays a script on a connection of its own."""

    def __init__(self, address: Address, script: Iterator[Request]) -> None:
        self.socket = socket.create_connection(address, PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.script = script
        self.received = b""
        self.kind = ""
        self.sent = 0.0

    @property
    def sockets(self) -> Sequence[socket.socket]:
        return [self.socket]

    def ask_next(self) -> bool:
        request = next(self.script, None)
        if request is None:
            return False
        self.kind = request.kind
        self.received = b""
        self.sent = perf_counter()
        self.socket.sendall(request.content)
        return True

    def hear(self, readable: socket.socket) -> bool:
        arrived = self.socket.recv(65536)
        self.received += arrived
        head, end, body = self.received.partition(b"\r\n\r\n")
        if not arrived or (end and not head.startswith(b"HTTP/1.1 200 ")):
            raise UnexpectedAnswer(self.received.decode(errors="replace") or "connection closed")
        return bool(end) and _is_whole(head, body)

    def close(self) -> None:
        self.socket.close()


class SocketTalk:
    """Puts questions one after the other, each at its socket."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.wires = {each.wire.socket: each.wire for each in questions}
        self.questions = iter(questions)
        self.kind = ""
        self.sent = 0.0

    @property
    def sockets(self) -> Sequence[socket.socket]:
        return [*self.wires]

    def ask_next(self) -> bool:
        question = next(self.questions, None)
        if question is None:
            return False
        self.kind = question.kind
        self.sent = perf_counter()
        question.wire.send(question.content)
        return True

    def hear(self, readable: socket.socket) -> bool:
        texts = self.wires[readable].receive()
        for text in texts:
            if not text.startswith(b'{"type":"state"'):
                raise UnexpectedAnswer(text.decode())
        return bool(texts)

    def close(self) -> None:
        for wire in self.wires.values():
            wire.close()


def _is_whole(head: bytes, body: bytes) -> bool:
    """Whether the body of an answer, by length or in chunks, is all there."""
    _, found, rest = head.lower().partition(b"\r\ncontent-length:")
    if found:
        return len(body) >= int(rest.partition(b"\r\n")[0])
    return body.endswith(b"0\r\n\r\n")
