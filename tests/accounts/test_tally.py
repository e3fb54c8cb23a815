"""The folds that make a record of games, and one of races."""

from collections.abc import Iterable
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.tally import Finished, Placed, RaceTally, Tally


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


# Races


@pytest.mark.parametrize(
    ("seat", "won", "drawn", "lost"),
    [
        (Placed(1), 1, 0, 0),
        (Placed(1, shared=True), 0, 1, 0),
        (Placed(2), 0, 0, 1),
        (Placed(2, shared=True), 0, 0, 1),
    ],
)
def test_only_the_first_place_is_won_or_drawn(
    seat: Placed, won: int, drawn: int, lost: int
) -> None:
    tally = RaceTally().after(seat)
    assert (tally.played, tally.won, tally.drawn, tally.lost) == (1, won, drawn, lost)


@given(st.lists(st.tuples(st.integers(1, 10), st.booleans())))
def test_every_race_is_won_drawn_or_lost(places: list[tuple[int, bool]]) -> None:
    tally = reduce(RaceTally.after, [Placed(*place) for place in places], RaceTally())
    assert tally.played == len(places)
    assert tally.won == places.count((1, False))
    assert tally.drawn == places.count((1, True))
    assert tally.lost == sum(place > 1 for place, _ in places)
