"""The solver's times: a verdict by rule set, mid-game, the fewest moves, a hint, the catalogue.

What they stand beside are figures and not programs: half the times of the C prototype that showed
the way, the best public solver's time for the fewest moves (a Java A*, which takes 5–7 GB), and
what a player waits for. They were taken on one core of a machine like those that CI has. Each
round solves other deals, so that the rounds show how much deals differ, too.
"""

import resource
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from statistics import mean
from typing import TypeVar

from benchmarks.report import Beside, Row, progress
from game.rules.deals import CATALOGUE, numbered_deck
from game.rules.moves import Action
from game.rules.playthrough import Playthrough
from game.rules.position import Outcome, Position
from game.rules.rulesets import RULE_SETS, RuleSet
from solver.estimate import hint
from solver.making import solve_deal
from solver.par import fewest_moves
from solver.search import COMPILED, Verdict, decide

T = TypeVar("T")

PROTOTYPE_MS = {  # a deal of the catalogue, on average
    "classic": 0.6,
    "blind": 3.8,
    "open": 0.3,
    "open-2": 6.7,
    "open-1": 9.6,
    "overlap": 0.1,
    "overlap-1": 18.6,
    "strict": 1.2,
}
PUBLIC_PAR_MS = 1070  # a winnable deal of `open`
KERNEL = "compiled" if COMPILED else "interpreted"
POSITION_MS = 50  # the 99th percentile of verdicts mid-game
HINT_MS = 300
CATALOGUE_S = 1800  # on two cores


@dataclass(frozen=True, slots=True)
class Plan:
    """Deals in each round."""

    rounds: int = 3
    deals: int = 700
    positions: int = 100  # of each rule set
    pars: int = 60
    hints: int = 20  # games, of each rule set
    whole: int = 60  # deals solved as for the catalogue


QUICK = Plan(rounds=2, deals=60, positions=10, pars=10, hints=2, whole=8)


def measure(plan: Plan) -> Iterator[Row]:
    for key, prototype in PROTOTYPE_MS.items():
        progress(f"solver: verdicts under {key}")
        yield _row(
            f"verdict of a deal, {key}",
            [_verdicts(key, numbers) for numbers in _rounds(plan, plan.deals)],
            Peer("half the prototype's time", prototype / 2),
            target=1.0,
        )
    progress("solver: verdicts mid-game")
    yield _row(
        "verdict mid-game, p99",
        [_mid_game(numbers) for numbers in _rounds(plan, plan.positions)],
        Peer("aim", POSITION_MS),
        target=1.0,
        of=lambda times: _part(times, 0.99),
    )
    progress("solver: the fewest moves")
    yield _fewest(plan)
    progress("solver: hints")
    yield _row(
        "hint, p99",
        [_hints(numbers) for numbers in _rounds(plan, plan.hints)],
        Peer("aim", HINT_MS),
        target=1.0,
        of=lambda times: _part(times, 0.99),
    )
    progress("solver: the catalogue")
    rounds = [_times(solve_deal, numbers) for numbers in _rounds(plan, plan.whole)]
    yield _row(
        "whole catalogue on 2 cores, projected",
        rounds,
        Peer("aim", CATALOGUE_S),
        target=1.0,
        unit="s",
        of=lambda times: mean(times) / 1000 * len(CATALOGUE) / 2,
    )


@dataclass(frozen=True, slots=True)
class Peer:
    """A figure to stand beside, in the row's unit."""

    name: str
    figure: float


def _row(
    name: str,
    rounds: Sequence[Sequence[float]],
    beside: Peer,
    *,
    target: float,
    unit: str = "ms",
    of: Callable[[Sequence[float]], float] = mean,
    notes: tuple[str, ...] = (),
) -> Row:
    """A time; its ratio is how many times the other one it goes into."""
    everything = sorted(taken for times in rounds for taken in times)
    p50, p99 = (_part(everything, part) for part in (0.5, 0.99))
    return Row(
        name=name,
        unit=unit,
        figure=of(everything),
        beside=(
            Beside(beside.name, beside.figure, tuple(beside.figure / of(one) for one in rounds)),
        ),
        target=target,
        notes=(
            f"{len(everything)} times, mean {mean(everything):.3f} ms, {KERNEL}",
            f"p50 {p50:.3f} ms, p99 {p99:.3f} ms, max {everything[-1]:.1f} ms",
            *notes,
        ),
    )


def _rounds(plan: Plan, size: int) -> Iterator[range]:
    for number in range(plan.rounds):
        yield range(1 + number * size, 1 + (number + 1) * size)


def _times(ask: Callable[[T], object], about: Iterable[T]) -> list[float]:
    """In milliseconds."""
    times = []
    for one in about:
        started = time.perf_counter()
        ask(one)
        times.append((time.perf_counter() - started) * 1000)
    return times


def _part(times: Sequence[float], part: float) -> float:
    return sorted(times)[int(len(times) * part)]


def _deal(number: int, rules: RuleSet) -> Position:
    return Position.deal(numbered_deck(number), rules)


def _verdicts(key: str, numbers: Iterable[int]) -> list[float]:
    return _times(decide, [_deal(number, RULE_SETS[key]) for number in numbers])


def _mid_game(numbers: range) -> list[float]:
    """Under all rule sets, after 10 to 40 random moves."""
    random = Random(numbers.start)
    return _times(
        decide,
        [
            _after(Playthrough.start(numbered_deck(number), rules), random.randint(10, 40), random)
            for number in numbers
            for rules in RULE_SETS.values()
        ],
    )


def _after(play: Playthrough, moves: int, random: Random) -> Position:
    position = play.position
    for _ in range(moves):
        legal = position.legal_moves()
        if not legal:
            break
        removals = [move for move in legal if move.action is Action.REMOVE]
        position = position.apply(random.choice(removals or legal))
    return position


def _fewest(plan: Plan) -> Row:
    """In a process of its own, whose greatest size is taken at its end."""
    with get_context("spawn").Pool(1) as pool:
        rounds = [pool.apply(_pars, (numbers,)) for numbers in _rounds(plan, plan.pars)]
        size = pool.apply(_greatest_size)
    return _row(
        "fewest moves, open",
        rounds,
        Peer("best public solver", PUBLIC_PAR_MS),
        target=20.0,
        notes=(f"the process took {size / 2**20:.0f} MiB at most",),
    )


def _pars(numbers: Iterable[int]) -> list[float]:
    positions = [_deal(number, RULE_SETS["open"]) for number in numbers]
    return _times(
        fewest_moves,
        [position for position in positions if decide(position).verdict is Verdict.WINNABLE],
    )


def _greatest_size() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _hints(numbers: Iterable[int]) -> list[float]:
    """One for each move of games that follow it."""
    times = []
    for number in numbers:
        for rules in RULE_SETS.values():
            play = Playthrough.start(numbered_deck(number), rules)
            for _ in range(60):
                started = time.perf_counter()
                found = hint(play.position, play.seen)
                times.append((time.perf_counter() - started) * 1000)
                if found.move is None:
                    break
                play = play.play(found.move)
                if play.position.outcome is not Outcome.PLAYING:
                    break
    return times
