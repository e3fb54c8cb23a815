"""The fold that makes a record of games."""

from collections.abc import Iterable
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.tally import Finished, Tally


def game(won: bool, *, elapsed_ms: int = 1000, moves: int = 30, par: int | None = None) -> Finished:
    return Finished(won=won, elapsed_ms=elapsed_ms, moves=moves, par=par)


def fold(games: Iterable[Finished]) -> Tally:
    return reduce(Tally.after, games, Tally())


def of(results: str) -> Tally:
    """`+` is a win."""
    return fold(game(result == "+") for result in results)


def test_nothing_has_no_rate() -> None:
    assert (Tally().win_rate, Tally().played) == (None, 0)


@pytest.mark.parametrize(
    ("results", "played", "won", "current", "best"),
    [
        ("+", 1, 1, 1, 1),
        ("-", 1, 0, 0, 0),
        ("++-", 3, 2, 0, 2),
        ("++-+", 4, 3, 1, 2),
        ("+-++-+++", 8, 6, 3, 3),
        ("+++-++", 6, 5, 2, 3),
    ],
)
def test_a_loss_ends_a_streak(results: str, played: int, won: int, current: int, best: int) -> None:
    tally = of(results)
    assert (tally.played, tally.won) == (played, won)
    assert (tally.current_streak, tally.best_streak) == (current, best)
    assert tally.win_rate == won / played


def test_the_bests_come_from_wins_alone() -> None:
    tally = fold(
        [
            game(won=False, elapsed_ms=1, moves=1, par=1),
            game(won=True, elapsed_ms=500, moves=40, par=30),
            game(won=True, elapsed_ms=900, moves=35, par=34),
            game(won=True, elapsed_ms=700, moves=50),
        ]
    )
    assert (tally.fastest_win_ms, tally.fewest_moves, tally.best_against_par) == (500, 35, 1)


@given(st.text("+-"))
def test_streaks_are_runs_of_wins(results: str) -> None:
    runs = [len(run) for run in results.split("-")]
    tally = of(results)
    assert (tally.current_streak, tally.best_streak) == (runs[-1], max(runs))
    assert (tally.played, tally.won) == (len(results), results.count("+"))
