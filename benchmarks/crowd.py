"""An open load: players of races say things at a set rate, whether or not earlier ones arrived.

Latency counts from the moment at which something was to be said, so that a load that comes late
itself makes the server look no better.
"""

import gc
import random
import re
import selectors
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time, time

from benchmarks.wire import Wire, frame

PING_EVERY_S = 3.0  # as the page does, for each socket
PATIENCE_S = 8.0  # for what has been said and not heard yet

PROGRESS = re.compile(
    rb'"type": ?"progress".*?"v": ?(\d+).*?"seat": ?\{"seat": ?(\d+)'
    rb'.*?"moves": ?(\d+), ?"undos": ?(\d+)'
)


PING = frame(b'{"type":"ping","t":0}')


class Refused(Exception):
    """The server has answered that something is wrong."""


@dataclass(slots=True)
class Player:
    """`says`: what tells the other of the two something, for ever; `by`: where it is said, and
    `wire`: where the other is heard."""

    seat: int
    wire: Wire
    by: Wire
    says: Iterator[bytes]
    said: int = 0
    on_the_way: dict[int, float] = field(default_factory=dict)  # number -> when it was to be said

    def say(self, due: float) -> None:
        self.said += 1
        self.on_the_way[self.said] = due
        self.by.send(next(self.says))


@dataclass(frozen=True, slots=True)
class Pair:
    race: str  # its code
    players: tuple[Player, Player]


@dataclass(frozen=True, slots=True)
class Heard:
    """By the other player: `at` of the wall clock, `version` of the race."""

    race: str
    version: int
    at: float


@dataclass(slots=True)
class Offered:
    """What came of an offer of `rate` a second. Times in seconds; what was lost never arrives."""

    rate: float
    said: int = 0
    duration_s: float = 0
    client_s: float = 0
    latencies_s: list[float] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)

    @property
    def arrived(self) -> float:
        """A second."""
        return len(self.latencies_s) / self.duration_s

    def latency(self, part: float) -> float:
        """That which so large a part of all that was said did not exceed."""
        place = int(self.said * part)
        if place >= len(self.latencies_s):
            return float("inf")
        return sorted(self.latencies_s)[place]


class Crowd:
    """All pairs that are connected, of all servers: those that do not speak stay there, too."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.selector = selectors.DefaultSelector()
        self.pinging: list[Wire] = []
        self.next_ping = 0
        self.pinged_at = perf_counter()

    def add(self, pairs: Iterable[Pair], *, pings: bool) -> None:
        for pair in pairs:
            for player, other in zip(pair.players, reversed(pair.players), strict=True):
                self._register(player.wire, (pair.race, other), pings=pings)
                if player.by is not player.wire:
                    self._register(player.by, None, pings=pings)

    def offer(self, pairs: Sequence[Pair], rate: float, seconds: float) -> Offered:
        """Has the players of these pairs say so many things a second; all hear."""
        players = [player for pair in pairs for player in pair.players]
        self.chance.shuffle(players)
        done = Offered(rate)
        total = round(rate * seconds) if players else 0
        gc.disable()
        cpu, start = process_time(), perf_counter()
        end = start + seconds
        while True:
            now = perf_counter()
            while done.said < total and (due := start + done.said / rate) <= now:
                players[done.said % len(players)].say(due)
                done.said += 1
            waiting = done.said == total and len(done.latencies_s) < total
            if now >= end and not (waiting and now < end + PATIENCE_S):
                break
            self._ping(now)
            next_due = start + done.said / rate if done.said < total else now + 0.01
            for key, _ in self.selector.select(max(0.0, next_due - now)):
                self._hear(*key.data, done)
        done.duration_s = max(seconds, perf_counter() - start)
        done.client_s = process_time() - cpu
        gc.enable()
        for player in players:
            player.on_the_way.clear()
        return done

    def close(self) -> None:
        for key in [*self.selector.get_map().values()]:
            key.data[0].close()
        self.selector.close()

    def _register(self, wire: Wire, hears: tuple[str, Player] | None, *, pings: bool) -> None:
        self.selector.register(wire.socket, selectors.EVENT_READ, (wire, hears))
        if pings:
            self.pinging.append(wire)

    def _hear(self, wire: Wire, hears: tuple[str, Player] | None, done: Offered) -> None:
        for text in wire.receive():
            if text.startswith(b'{"type":"problem"'):
                raise Refused(text.decode())
            found = PROGRESS.search(text) if hears is not None else None
            if found is None or hears is None:
                continue
            version, seat, moves, undos = map(int, found.groups())
            race, other = hears
            if seat != other.seat:
                continue
            due = other.on_the_way.pop(moves + undos, None)
            if due is not None:
                done.latencies_s.append(perf_counter() - due)
                done.heard.append(Heard(race, version, time()))

    def _ping(self, now: float) -> None:
        self.pinged_at = max(self.pinged_at, now - PING_EVERY_S)
        while self.pinging and now - self.pinged_at >= PING_EVERY_S / len(self.pinging):
            self.pinged_at += PING_EVERY_S / len(self.pinging)
            self.pinging[self.next_ping % len(self.pinging)].send(PING)
            self.next_ping += 1
