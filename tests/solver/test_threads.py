"""Searches in threads: each its own, and none keeps the others from running."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import pytest

from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from solver.par import fewest_moves
from solver.search import decide
from tests.solver.games import deal, endgames


def solved(position: Position) -> tuple[object, ...]:
    return decide(position, nodes=20_000), fewest_moves(position, nodes=2_000)


def test_four_threads_get_the_answers_of_one() -> None:
    positions = [position for key in RULE_SETS for position in endgames(key)[:10]]
    positions += [deal(number, key) for number in (1, 2) for key in ("classic", "strict")]
    alone = list(map(solved, positions))
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(solved, positions)) == alone


@pytest.fixture
def patience() -> Iterator[None]:
    """A thread keeps the interpreter until it gives it up by itself."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(600)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.compiled
def test_other_threads_run_while_a_search_does(patience: None) -> None:
    over = Event()
    turns = 0

    def count() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            time.sleep(0)  # gives up the interpreter

    position = deal(16, "overlap-1")
    other = Thread(target=count)
    other.start()
    try:
        before = turns
        decision = decide(position)
        counted = turns - before
    finally:
        over.set()
        other.join()
    assert decision.nodes > 100_000  # long enough
    assert counted > 10
