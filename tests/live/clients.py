"""Clients of real server processes: the API over HTTP, and sockets as the page keeps them.

A `Tab` follows a room in a thread of its own: it pings, merges what it is told, and comes back by
itself, through the next of the servers that it knows, naming the last version that it has seen; one
that `forgets` begins anew instead. It holds the server to what every client may rely on: versions
rise, and what is known of a race is never older than it was.
"""

import json
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from types import TracebackType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from tests.caller import body_of
from tests.serving import Server

PATIENCE_S = 60.0  # on a busy machine
PING_EVERY_S = 2.0
FOR_GOOD = (4401, 4403, 4404)  # closing codes after which there is no coming back

Body = dict[str, Any]


class Person:
    """A guest, who may be at any of the servers: the token is good for all of them."""

    def __init__(self, server: Server) -> None:
        self.token = ""
        guest = self.ask(server, "POST", "guests/")[1]
        self.token, self.name = guest["token"], guest["player"]["name"]

    def ask(
        self, server: Server, method: str, call: str, body: Body | None = None
    ) -> tuple[int, Body]:
        content = None if method == "GET" else json.dumps(body or {}).encode()
        request = Request(f"{server.url}/api/v1/{call}", content, method=method)
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.loads(answer.read() or "{}")
        except HTTPError as refusal:
            with refusal:
                return refusal.code, json.loads(refusal.read())

    def get(self, server: Server, call: str) -> Body:
        status, body = self.ask(server, "GET", call)
        assert status == 200, body
        return body

    def post(self, server: Server, call: str, body: Body | None = None) -> Body:
        status, answer = self.ask(server, "POST", call, body)
        assert status in (200, 201), answer
        return answer

    def move(self, server: Server, game_id: str, text: str) -> Body:
        return self.post(server, f"games/{game_id}/moves/", body_of(text))


def open_wire(server: Server, room: str, token: str, version: int = -1) -> ClientConnection:
    address = f"ws://127.0.0.1:{server.port}/ws/v1/{room}" + (f"?v={version}" * (version >= 0))
    return connect(
        address,
        additional_headers={"Authorization": f"Bearer {token}"},
        open_timeout=PATIENCE_S,
        close_timeout=1,
        ping_interval=None,
        compression=None,
        max_size=None,
    )


class Tab:
    """`with Tab("races/CODE/", servers, token) as tab`"""

    def __init__(
        self,
        room: str,
        servers: Sequence[Server],
        token: str,
        *,
        leaves_every_s: float | None = None,
        forgets: bool = False,
        on_frame: Callable[[Body], None] | None = None,
    ) -> None:
        self.room, self.servers, self.token = room, servers, token
        self.leaves_every_s, self.forgets = leaves_every_s, forgets
        self.on_frame = on_frame
        self.version = -1
        self.shown: Body = {}  # what is known of the race, but for its seats
        self.seats: dict[int, Body] = {}
        self.frames: list[Body] = []  # all but pongs
        self.texts: list[str] = []
        self.codes: list[int | None] = []  # of connections that the server has closed
        self.connections = 0
        self.fault: BaseException | None = None
        self.stopped = False
        self.changed = Condition()
        self.wire: ClientConnection | None = None
        self.thread = Thread(target=self._run)

    def __enter__(self) -> "Tab":
        self.thread.start()
        self.wait_until(lambda: self.version >= 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.stopped = True
        wire = self.wire
        if wire is not None:
            wire.close()
        self.thread.join(PATIENCE_S)
        if self.fault is not None and error is None:
            raise self.fault

    def wait_until(self, true: Callable[[], Any], patience_s: float = PATIENCE_S) -> None:
        with self.changed:
            came = self.changed.wait_for(lambda: self.fault or true(), patience_s)
        if self.fault is not None:
            raise self.fault
        assert came, f"{self.room} is at {self.version}: {self.frames[-3:]}"

    def told(self, type_: str, **seat: Any) -> Callable[[], bool]:
        """Whether there was a frame of this type, about a seat with these members."""

        def was_told() -> bool:
            return any(
                frame["type"] == type_ and seat.items() <= frame.get("seat", {}).items()
                for frame in self.frames
            )

        return was_told

    def has(self, version: int) -> Callable[[], bool]:
        return lambda: self.version >= version

    def send(self, **frame: Any) -> None:
        assert self.wire is not None
        self.wire.send(json.dumps(frame))

    def _run(self) -> None:
        turn = 0
        while not self.stopped:
            server = self.servers[turn % len(self.servers)]
            turn += 1
            if self.forgets:
                self.version, self.seats = -1, {}
            try:
                self.wire = open_wire(server, self.room, self.token, self.version)
                with self.wire:
                    self._follow(self.wire)
            except ConnectionClosed as closed:
                with self.changed:
                    self.codes.append(None if closed.rcvd is None else closed.rcvd.code)
                    self.changed.notify_all()
                if self.codes[-1] in FOR_GOOD:
                    return
            except (OSError, EOFError, InvalidHandshake):
                time.sleep(0.05)  # that server is not there; the next one is
            except BaseException as fault:
                with self.changed:
                    self.fault = fault
                    self.changed.notify_all()
                return

    def _follow(self, wire: ClientConnection) -> None:
        self.connections += 1
        first = True
        leaves_at = time.monotonic() + (self.leaves_every_s or 1e9) * random.uniform(0.2, 2)
        pings_at = time.monotonic() + PING_EVERY_S
        while not self.stopped:
            now = time.monotonic()
            if now >= leaves_at:
                return
            if now >= pings_at:
                wire.send('{"type":"ping","t":0}')
                pings_at = now + PING_EVERY_S
            with suppress(TimeoutError):
                text = wire.recv(min(leaves_at, pings_at) - now)
                assert isinstance(text, str)
                first = not self._take(text, first) and first

    def _take(self, text: str, first: bool) -> bool:
        """Whether it was a frame that counts."""
        frame = json.loads(text)
        if frame["type"] == "pong":
            return False
        with self.changed:
            if frame["type"] != "problem":
                if frame["type"] == "snapshot" and first:
                    assert frame["v"] >= self.version, (self.version, text)
                else:
                    assert frame["v"] > self.version, (self.version, text)
                self._merge(frame)
                self.version = frame["v"]
            self.frames.append(frame)
            self.texts.append(text)
            self.changed.notify_all()
        if self.on_frame is not None:
            self.on_frame(frame)
        return True

    def _merge(self, frame: Body) -> None:
        for seat in frame.get("seats", []):
            self._merge_seat(seat)
        match frame:
            case {"seat": seat, "left": True}:
                del self.seats[seat["seat"]]
            case {"seat": seat}:
                self._merge_seat(seat)
            case {"type": "countdown", "starts_at": starts_at}:
                self.shown["status"] = "lobby" if starts_at is None else "countdown"
            case {"type": "start"}:
                self.shown["status"] = "running"
        self.shown |= {name: frame[name] for name in frame.keys() & {"status", "winner", "draw"}}

    def _merge_seat(self, seat: Body) -> None:
        before = self.seats.get(seat["seat"])
        if before is not None:
            assert changes(seat) >= changes(before), (before, seat)
            assert seat["best_removed"] >= before["best_removed"], (before, seat)
        self.seats[seat["seat"]] = {**(before or {}), **seat}


def changes(seat: Body) -> int:
    """Each change of a board counts as a move or as an undo."""
    return int(seat["moves"] + seat["undos"])


class Race:
    """A race on a number, opened by the first of these players and joined by the others."""

    def __init__(self, server: Server, people: Sequence[Person], **terms: Any) -> None:
        terms = {"rules": "classic", "seats": max(2, len(people))} | terms
        if "tier" not in terms:
            terms = {"number": 7} | terms
        self.people = people
        self.code = people[0].post(server, "races/", terms)["code"]
        self.address = f"races/{self.code}/"
        for person in people[1:]:
            person.post(server, f"{self.address}seats/")
        self.games: list[str] = []

    def start(self, server: Server) -> None:
        self.people[0].post(server, f"{self.address}starts/")

    def wait_for_start(self, server: Server) -> None:
        """Everybody has a game from then on."""
        patience = time.monotonic() + PATIENCE_S
        while self.people[0].get(server, self.address)["status"] != "running":
            assert time.monotonic() < patience
            time.sleep(0.1)
        self.games = [person.get(server, self.address)["game"]["id"] for person in self.people]
