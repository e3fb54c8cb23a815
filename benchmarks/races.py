"""How fast a race tells: 100 races of two, 200 sockets in them, one process.

A *broadcast* is what one player does until the other's socket hears of it. Offered are more and
more of them a second, spread over all players; what counts is how many arrive a second at the
highest rate at which 99 of 100 arrive within 100 ms of the moment they were due.

Four take turns in each round, on the same channel layer (in memory, and once more on Redis with
REDIS_URL), under the same load at the same 100 groups of two:

- `echo`: a bare Channels consumer under stock daphne that sends what it gets to its group. It has
  no session, no database, no versions and no rate limits.
- ours, *telling*: the same without the database. A frame that comes into the race's room goes
  through the room's queue and a thread as every question does, and is told as the progress of a
  move is, numbered in order (benchmarks/telling.py adds that question to the room). This is the
  like of the echo, and its ratio has a target.
- ours, *moves*: moves as they are played, at the socket of each player's own game, with all that
  belongs to them: the rules, the transaction, the log, the seat, the event. Its like is
- `echo that commits`: the bare consumer again, with one UPDATE and one INSERT before it tells, in
  the way that Channels' documentation shows.

How long a broadcast takes from the commit of its move is measured at half the rate that moves came
to, from the time that the event's row bears. That is taken a little before its transaction commits,
so that the figures are rather too long than too short. Every player of ours pings every 3 s, as the
page does, whoever is measured.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count
from statistics import median
from time import sleep
from typing import Any

import psycopg

from benchmarks.crowd import Crowd, Heard, Offered, Pair, Player
from benchmarks.games import Guest, asked, random_line
from benchmarks.report import Beside, Row, progress
from benchmarks.servers import OURS, PYTHON, STOCK_DAPHNE, Address, run, server
from benchmarks.wire import Wire, frame
from game.rules.deals import LAST_NUMBER
from game.rules.moves import Move
from game.rules.rulesets import RULE_SETS

TARGET = 0.7  # times the echo
WITHIN_S = 0.1
PART = 0.99
CALM = 0.5  # of the rate that moves came to
FIRST_GUESS = 200.0  # a second
ROUGH, FINE = 1.5, 1.08  # by how much the next offer differs: in the first round, and later
HOUR_MS = 3_600_000
PREPARING = 8  # threads

ECHO = (*STOCK_DAPHNE, "benchmarks.minimal.echo:application")
TELLING = (PYTHON, "-m", "benchmarks.telling", *OURS[2:])


@dataclass(frozen=True, slots=True)
class Plan:
    """A round is a search on each server, in steps of so many seconds."""

    races: int = 100
    rounds: int = 5
    step_s: float = 2.0
    calm_s: float = 4.0


QUICK = Plan(races=20, rounds=2, step_s=1.0, calm_s=1.0)


@dataclass(frozen=True, slots=True)
class Round:
    best: Mapping[str, Offered]  # by whom
    calm: Offered  # of moves


def measure(database_url: str, redis_url: str, plan: Plan) -> Sequence[Row]:
    """On an empty PostgreSQL database, and on Redis where there is an address of one."""
    where = "on Redis" if redis_url else "in memory"
    ours = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "SECRET_KEY": "benchmark"}
    theirs = {**ours, "DJANGO_SETTINGS_MODULE": "benchmarks.minimal.settings"}
    progress(f"races {where}: making tables")
    run((PYTHON, "manage.py", "migrate", "-v", "0"), ours)
    run((PYTHON, "manage.py", "migrate", "-v", "0", "--run-syncdb"), theirs)
    with ExitStack() as stack:
        crowd = stack.enter_context(closing(Crowd(random.Random(1))))
        progress(f"races {where}: starting servers")
        echo = stack.enter_context(server(ECHO, theirs))
        telling = stack.enter_context(server(TELLING, ours))
        moves = stack.enter_context(server(OURS, ours))
        progress(f"races {where}: starting {2 * plan.races} races")
        started = {
            who: _started(address, plan.races)
            for who, address in (("telling", telling), ("moves", moves))
        }
        counters = _counters(database_url, plan.races)
        pairs = {
            "telling": [_pair(tables, _told) for tables in started["telling"]],
            "moves": [_pair(tables, _moved) for tables in started["moves"]],
            "echo": [_echo(echo, f"/{group}/") for group in range(plan.races)],
            "committing": [
                _echo(echo, f"/{group}/{counter}/") for group, counter in enumerate(counters)
            ],
        }
        for who, each in pairs.items():
            crowd.add(each, pings=who in started)
        rounds: list[Round] = []
        rates = dict.fromkeys(pairs, FIRST_GUESS)
        for number in range(plan.rounds + 1):  # the first one finds out roughly
            progress(f"races {where}: round {number} of {plan.rounds}{_so_far(rounds)}")
            best = {}
            for who, each in pairs.items():
                factor = FINE if number else ROUGH
                best[who] = _most(crowd, each, rates[who], factor, plan.step_s)
                rates[who] = best[who].rate
            calm = crowd.offer(pairs["moves"], CALM * rates["moves"], plan.calm_s)
            rounds += [Round(best, calm)] if number else []
        heard = [each for round_ in rounds for each in round_.calm.heard]
        return _rows(where, rounds, _since_their_time(database_url, heard))


# Looking for the rate


def _most(
    crowd: Crowd, pairs: Sequence[Pair], guess: float, factor: float, seconds: float
) -> Offered:
    """The best of the offers around the guess that are borne: down from it until one is, and up
    from there as long as they are. What the machine does beside may fail one, so that each has two
    tries."""

    def borne(rate: float) -> Offered | None:
        offers = (crowd.offer(pairs, rate, seconds) for _ in range(2))
        return next((each for each in offers if each.latency(PART) <= WITHIN_S), None)

    rate = guess
    while (best := borne(rate)) is None:
        rate /= factor
    while (better := borne(best.rate * factor)) is not None:
        best = better
    return best


# Who takes part


def _echo(address: Address, path: str) -> Pair:
    wires = [Wire(address, path) for _ in range(2)]
    players = [Player(seat, wire, wire, _echoed(seat)) for seat, wire in enumerate(wires, start=1)]
    return Pair(path, (players[0], players[1]))


def _echoed(seat: int) -> Iterator[bytes]:
    for number in count(1):
        yield _frame({"type": "progress", "v": number, "seat": _seat(seat, number)})


def _told(table: "Table", race: Wire) -> tuple[Wire, Iterator[bytes]]:
    said = ({"type": "tell", "seat": _seat(table.seat, number)} for number in count(1))
    return race, map(_frame, said)


def _moved(table: "Table", _: Wire) -> tuple[Wire, Iterator[bytes]]:
    return table.open(f"games/{table.game_id}"), _over_and_over(table.game_id, table.line)


def _over_and_over(game_id: str, line: Sequence[Move]) -> Iterator[bytes]:
    """The line, and back to the deal, for ever."""
    versions = count()
    while True:
        for move in line:
            yield _frame({"type": "move", **asked(game_id, next(versions), move)})
        again = {"version": next(versions)}
        yield _frame({"type": "restart", **again})


def _seat(seat: int, number: int) -> dict[str, Any]:
    """What is told of one, as large as in a race."""
    return {
        "seat": seat,
        "host": seat == 1,
        "ready": True,
        "connected": True,
        "removed": number % 28,
        "best_removed": 27,
        "pass": 1,
        "moves": number,
        "undos": 0,
        "done": False,
        "cleared": False,
        "elapsed_ms": None,
        "place": None,
        "player": "Guest-12345",
    }


def _frame(body: Mapping[str, Any]) -> bytes:
    return frame(json.dumps(body, separators=(",", ":")).encode())


class Table:
    """A guest in a race, and what the guest plays there once it has started."""

    def __init__(self, guest: Guest, code: str, seat: int, line: Sequence[Move]) -> None:
        self.guest = guest
        self.code = code
        self.seat = seat
        self.line = line
        self.game_id = ""

    def wait_for_start(self) -> None:
        while (game := self.guest.get(f"races/{self.code}/")["game"]) is None:
            sleep(0.2)
        self.game_id = game["id"]

    def open(self, room: str) -> Wire:
        wire = Wire(self.guest.address, f"/ws/v1/{room}/", self.guest.caller)
        wire.first()
        return wire


Says = Callable[[Table, Wire], tuple[Wire, Iterator[bytes]]]


def _started(address: Address, number: int) -> Sequence[Sequence[Table]]:
    """So many races, running, without their sockets: those would fall silent meanwhile."""
    with ThreadPoolExecutor(PREPARING) as pool:
        chances = map(random.Random, range(number))
        started = list(pool.map(lambda chance: _start_race(address, chance), chances))
    for tables in started:
        for table in tables:
            table.wait_for_start()
    return started


def _start_race(address: Address, chance: random.Random) -> Sequence[Table]:
    """Of two guests; the countdown is on."""
    rules, number = chance.choice([*RULE_SETS.values()]), chance.randint(1, LAST_NUMBER)
    guests = [Guest(address, chance) for _ in range(2)]
    terms = {"rules": rules.key, "number": number, "time_limit_ms": HOUR_MS}
    code = guests[0].post("races/", terms)["code"]
    guests[1].post(f"races/{code}/seats/", {})
    guests[0].post(f"races/{code}/starts/", {}, 200)
    return [
        # Without the last move: it may clear the pyramid, and end the race.
        Table(guest, code, seat, [*random_line(rules, number, chance)][:-1])
        for seat, guest in enumerate(guests, start=1)
    ]


def _pair(tables: Sequence[Table], says: Says) -> Pair:
    wires = [table.open(f"races/{table.code}") for table in tables]
    first, second = (
        Player(table.seat, wire, *says(table, wire))
        for table, wire in zip(tables, wires, strict=True)
    )
    return Pair(tables[0].code, (first, second))


def _counters(database_url: str, number: int) -> list[int]:
    """Rows for those who commit, one for each group."""
    with psycopg.connect(database_url) as connection:
        made = connection.execute(
            "INSERT INTO minimal_counter (total) SELECT 0 FROM generate_series(1, %s) RETURNING id",
            [number],
        )
        return [row[0] for row in made]


def _since_their_time(database_url: str, heard: Iterable[Heard]) -> list[float]:
    """Seconds from an event's time to when the other one heard of it."""
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "SELECT code, seq, extract(epoch FROM at) FROM game_raceevent"
            " JOIN game_race ON game_race.id = race_id"
        )
        at = {(code, seq): float(seconds) for code, seq, seconds in rows}
    return [each.at - at[each.race, each.version] for each in heard]


# What came of it


def _so_far(rounds: Sequence[Round]) -> str:
    if not rounds:
        return ""
    ratios = [_ratios(rounds, "telling", "echo"), _ratios(rounds, "moves", "committing")]
    return ", ratios so far {:.2f} and {:.2f}".format(*map(median, ratios))


def _rows(where: str, rounds: Sequence[Round], since_commit: Sequence[float]) -> Sequence[Row]:
    size = f"races of 2, 1 process, {where}"
    calm = median(each.calm.arrived for each in rounds)
    since_asked = [latency for each in rounds for latency in each.calm.latencies_s]
    return [
        Row(
            name=f"broadcasts, {size}",
            unit="broadcasts/s",
            figure=_rate(rounds, "telling"),
            beside=(_beside(rounds, "telling", "echo", "bare Channels echo to a group"),),
            target=TARGET,
            notes=(
                "told as a move is, without the move; the echo has no database either",
                _load_of(rounds, "ours", "telling"),
                _load_of(rounds, "echo", "echo"),
            ),
        ),
        Row(
            name=f"moves told, {size}",
            unit="moves/s",
            figure=_rate(rounds, "moves"),
            beside=(
                _beside(rounds, "moves", "committing", "the echo with UPDATE and INSERT before"),
                _beside(rounds, "moves", "echo", "bare echo, which commits nothing"),
            ),
            target=None,
            notes=(
                f"at {calm:.0f} moves/s, {_spread(since_commit)} from commit to the other's frame",
                f"at {calm:.0f} moves/s, {_spread(since_asked)} from the mover's frame",
                _load_of(rounds, "ours", "moves"),
                _load_of(rounds, "echo that commits", "committing"),
            ),
        ),
    ]


def _beside(rounds: Sequence[Round], own: str, other: str, name: str) -> Beside:
    return Beside(name, _rate(rounds, other), tuple(_ratios(rounds, own, other)))


def _ratios(rounds: Sequence[Round], own: str, other: str) -> Sequence[float]:
    return [each.best[own].arrived / each.best[other].arrived for each in rounds]


def _rate(rounds: Sequence[Round], who: str) -> float:
    return median(each.best[who].arrived for each in rounds)


def _load_of(rounds: Sequence[Round], name: str, who: str) -> str:
    best = [each.best[who] for each in rounds]
    busy = sum(each.client_s for each in best) / sum(each.duration_s for each in best)
    spread = _spread(latency for each in best for latency in each.latencies_s)
    return f"{name} at that rate: {spread}, the load itself {busy:.0%} busy"


def _spread(seconds: Iterable[float]) -> str:
    ordered = sorted(seconds)
    p50, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"
