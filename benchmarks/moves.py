"""Moves a second through the whole HTTP stack of one process on PostgreSQL.

Beside a minimal DRF view that does one UPDATE and one INSERT under stock daphne, and beside the
floor: the same statements as ours with nothing around them. All take turns in each round, and it
is the ratios within a round that count: what else the machine does then slows all of them.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import repeat
from statistics import median

import psycopg

from benchmarks.floor import Floor
from benchmarks.games import Guest
from benchmarks.load import Load, Request, load, post
from benchmarks.report import Beside, Row, progress
from benchmarks.servers import OURS, PYTHON, STOCK_DAPHNE, run, server

NAME = "moves over HTTP, 1 process"
CONNECTIONS = 8
TARGET = 1.0  # times the minimal view
PLENTY = 1000  # moves a second to have ready; where that is too few a round ends sooner


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
    ours: Load
    minimal: Load
    floor: float  # moves a second on one connection
    floor_together: float  # and on as many as the servers are asked by


def measure(database_url: str, plan: Plan) -> Row:
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
            _deal(guests, seconds)
            measured = Round(
                ours=load(our_address, guests, seconds),
                minimal=load(their_address, counters, seconds),
                floor=floor.rate(1, plan.floor_s),
                floor_together=floor.rate(CONNECTIONS, plan.floor_s),
            )
            rounds += [measured] if number else []
    return _row(rounds, floor.statements)


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


def _deal(guests: Sequence[Guest], seconds: float) -> None:
    """Has enough moves ready for so many seconds."""
    with ThreadPoolExecutor(len(guests)) as pool:
        deals = [pool.submit(each.deal, round(PLENTY * seconds / len(guests))) for each in guests]
        for deal in deals:
            deal.result()


def _so_far(rounds: Sequence[Round]) -> str:
    if not rounds:
        return ""
    ratio = median(each.ours.rate / each.minimal.rate for each in rounds)
    return f", {rounds[-1].ours.rate:.0f} moves/s, ratio so far {ratio:.2f}"


def _row(rounds: Sequence[Round], statements: int) -> Row:
    def beside(name: str, rates: Sequence[float]) -> Beside:
        ratios = tuple(each.ours.rate / rate for each, rate in zip(rounds, rates, strict=True))
        return Beside(name, median(rates), ratios)

    return Row(
        name=NAME,
        unit="moves/s",
        figure=median(each.ours.rate for each in rounds),
        beside=(
            beside("minimal DRF view, stock daphne", [each.minimal.rate for each in rounds]),
            beside("floor, 1 connection", [each.floor for each in rounds]),
            beside(f"floor, {CONNECTIONS} connections", [each.floor_together for each in rounds]),
        ),
        target=TARGET,
        notes=(
            f"{CONNECTIONS} connections, at most {statements} SQL statements a move",
            *_latencies("ours", [each.ours for each in rounds]),
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
