"""Moves a second through one process on PostgreSQL: over HTTP, and over sockets.

Beside a minimal DRF view that does one UPDATE and one INSERT under stock daphne, and beside the
floor: the same statements as ours with nothing around them. All take turns in each round, and it
is the ratios within a round that count: what else the machine does then slows all of them.

A socket is a game's, so there are as many as games are played; they are open before a round
begins. At each moment as many moves are on their way as over HTTP, one for each guest.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import repeat
from statistics import median
from typing import TypeVar

import psycopg

from benchmarks.floor import Floor
from benchmarks.games import Guest
from benchmarks.load import HTTPTalk, Load, Request, SocketTalk, load, post
from benchmarks.report import Beside, Row, progress
from benchmarks.servers import OURS, PYTHON, STOCK_DAPHNE, Address, run, server

HTTP, SOCKETS = "moves over HTTP, 1 process", "moves over sockets, 1 process"
CONNECTIONS = 8
TARGETS = {HTTP: 1.0, SOCKETS: 2.0}  # times the minimal view
PLENTY = 1000  # moves a second to have ready; where that is too few a round ends sooner

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to measure; a round is each server once and each floor once, in seconds."""

    rounds: int = 7
    server_s: float = 4
    floor_s: float = 1.5
    warm_up_s: float = 1.5


QUICK = Plan(rounds=3, server_s=1.5, floor_s=0.7, warm_up_s=0.7)


@dataclass(frozen=True, slots=True)
class Round:
    http: Load
    sockets: Load
    minimal: Load
    floor: float  # moves a second on one connection
    floor_together: float  # and on as many as the servers are asked by


def measure(database_url: str, plan: Plan) -> Sequence[Row]:
    """On an empty PostgreSQL database."""
    ours = {"DATABASE_URL": database_url, "REDIS_URL": "", "SECRET_KEY": "benchmark"}
    theirs = {
        "DATABASE_URL": database_url,
        "DJANGO_SETTINGS_MODULE": "benchmarks.minimal.settings",
    }
    progress("moves: making tables")
    run((PYTHON, "manage.py", "migrate", "-v", "0"), ours)
    run((PYTHON, "manage.py", "migrate", "-v", "0", "--run-syncdb"), theirs)
    with ExitStack() as stack:
        progress("moves: starting servers")
        floor = stack.enter_context(closing(Floor(database_url, ours, CONNECTIONS)))
        our_address = stack.enter_context(server(OURS, ours))
        command = (*STOCK_DAPHNE, "benchmarks.minimal.asgi:application")
        their_address = stack.enter_context(server(command, theirs))
        chance = random.Random(1)
        guests = [Guest(our_address, chance) for _ in range(CONNECTIONS)]
        counters = _counters(database_url)
        rounds = []
        for number in range(plan.rounds + 1):  # the first one warms up
            seconds = plan.server_s if number else plan.warm_up_s
            progress(f"moves: round {number} of {plan.rounds}{_so_far(rounds)}")
            measured = Round(
                http=_over_http(our_address, guests, seconds),
                sockets=_over_sockets(guests, seconds),
                minimal=_load_http(their_address, counters, seconds),
                floor=floor.rate(1, plan.floor_s),
                floor_together=floor.rate(CONNECTIONS, plan.floor_s),
            )
            rounds += [measured] if number else []
    return [
        _row(HTTP, [each.http for each in rounds], rounds, floor.statements),
        _row(SOCKETS, [each.sockets for each in rounds], rounds, floor.statements),
    ]


def _counters(database_url: str) -> list[Iterator[Request]]:
    """What the minimal view is asked, for ever: each connection has a row of its own."""
    with psycopg.connect(database_url) as connection:
        made = [
            connection.execute(
                "INSERT INTO minimal_counter (total) VALUES (0) RETURNING id"
            ).fetchone()
            for _ in range(CONNECTIONS)
        ]
    return [
        repeat(Request("step", post(f"/counters/{row[0]}/steps/", b"{}"))) for row in made if row
    ]


def _over_http(address: Address, guests: Sequence[Guest], seconds: float) -> Load:
    enough = round(PLENTY * seconds / CONNECTIONS)
    _each(guests, lambda guest: guest.deal(enough))
    return _load_http(address, guests, seconds)


def _over_sockets(guests: Sequence[Guest], seconds: float) -> Load:
    enough = round(PLENTY * seconds / CONNECTIONS)
    questions = _each(guests, lambda guest: guest.questions(enough))
    return load([SocketTalk(each) for each in questions], seconds)


def _load_http(address: Address, scripts: Sequence[Iterator[Request]], seconds: float) -> Load:
    return load([HTTPTalk(address, script) for script in scripts], seconds)


def _each(guests: Sequence[Guest], prepare: Callable[[Guest], T]) -> list[T]:
    """What each answers; all of them prepare at once."""
    with ThreadPoolExecutor(len(guests)) as pool:
        return list(pool.map(prepare, guests))


def _so_far(rounds: Sequence[Round]) -> str:
    if not rounds:
        return ""
    http = median(each.http.rate / each.minimal.rate for each in rounds)
    sockets = median(each.sockets.rate / each.minimal.rate for each in rounds)
    return f", ratios so far {http:.2f} over HTTP, {sockets:.2f} over sockets"


def _row(name: str, ours: Sequence[Load], rounds: Sequence[Round], statements: int) -> Row:
    def beside(what: str, rates: Sequence[float]) -> Beside:
        ratios = tuple(own.rate / rate for own, rate in zip(ours, rates, strict=True))
        return Beside(what, median(rates), ratios)

    return Row(
        name=name,
        unit="moves/s",
        figure=median(each.rate for each in ours),
        beside=(
            beside("minimal DRF view, stock daphne", [each.minimal.rate for each in rounds]),
            beside("floor, 1 connection", [each.floor for each in rounds]),
            beside(f"floor, {CONNECTIONS} connections", [each.floor_together for each in rounds]),
        ),
        target=TARGETS[name],
        notes=(
            f"{CONNECTIONS} at once, a move asks the database {statements} times at most",
            *_latencies("ours", ours),
            *_latencies("minimal", [each.minimal for each in rounds]),
        ),
    )


def _latencies(who: str, loads: Sequence[Load]) -> Iterator[str]:
    answers = sum(each.answers for each in loads)
    client_s = sum(each.client_s for each in loads)
    share = client_s / sum(each.duration_s for each in loads)
    for kind in sorted(loads[0].latencies_s):
        taken = sorted(taken for each in loads for taken in each.latencies_s[kind])
        p50, p99 = (taken[int(len(taken) * part)] * 1000 for part in (0.5, 0.99))
        yield f"{who}, {kind}: {len(taken)} answers, p50 {p50:.1f} ms, p99 {p99:.1f} ms"
    yield f"{who}, the load itself: {client_s / answers * 1e6:.0f} µs an answer, {share:.0%} busy"
