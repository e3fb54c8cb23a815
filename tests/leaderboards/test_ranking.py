"""The order of results: as one number it is what comparing them member by member says."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from leaderboards.ranking import DAYS, LONGEST_MS, MOST_MOVES, Score, Total

TWO_DAYS_MS = 48 * 60 * 60 * 1000

scores = st.builds(
    Score,
    won=st.booleans(),
    removed=st.integers(0, 28),
    assisted=st.booleans(),
    elapsed_ms=st.one_of(st.integers(0, 3), st.integers(0, TWO_DAYS_MS)),
    moves=st.one_of(st.integers(0, 3), st.integers(0, MOST_MOVES)),
)
totals = st.builds(
    Total,
    removed=st.integers(0, 28 * DAYS),
    won=st.integers(0, DAYS),
    elapsed_ms=st.one_of(st.integers(0, 3), st.integers(0, TWO_DAYS_MS * DAYS)),
)


def better(first: Score, second: Score) -> bool:
    """As the rules say it: won, cards, unassisted, time, moves."""
    if first.won != second.won:
        return first.won
    if first.removed != second.removed:
        return first.removed > second.removed
    if first.assisted != second.assisted:
        return second.assisted
    if first.elapsed_ms != second.elapsed_ms:
        return first.elapsed_ms < second.elapsed_ms
    return first.moves < second.moves


@given(scores, scores)
def test_a_higher_key_is_a_better_score(first: Score, second: Score) -> None:
    assert (first.key > second.key) == better(first, second) == (first.order > second.order)
    assert (first.key == second.key) == (first == second)


@given(scores)
@example(Score(won=True, removed=28, assisted=False, elapsed_ms=0, moves=0))
@example(
    Score(won=False, removed=0, assisted=True, elapsed_ms=LONGEST_MS, moves=MOST_MOVES),
)
def test_a_key_is_its_score_in_53_bits(score: Score) -> None:
    assert 0 <= score.key < 2**53
    assert float(score.key) == score.key
    assert Score.of(score.key) == score


@given(st.lists(scores, max_size=30))
def test_sorting_by_keys_sorts_the_scores(several: list[Score]) -> None:
    by_key = sorted(several, key=lambda score: score.key, reverse=True)
    assert not any(better(worse, score) for score, worse in pairwise(by_key))


def test_what_has_no_room_counts_as_the_longest() -> None:
    longest = Score(won=False, removed=3, assisted=False, elapsed_ms=LONGEST_MS, moves=MOST_MOVES)
    longer = Score(won=False, removed=3, assisted=False, elapsed_ms=2**40, moves=2**40)
    assert longer.key == longest.key
    assert LONGEST_MS > TWO_DAYS_MS


@pytest.mark.parametrize("wrong", [{"removed": 32}, {"removed": -1}, {"moves": -1}])
def test_what_no_run_comes_to_has_no_key(wrong: dict[str, int]) -> None:
    values = {"won": False, "removed": 3, "assisted": False, "elapsed_ms": 1, "moves": 1} | wrong
    with pytest.raises(ValueError, match="Score"):
        _ = Score(**values).key


@pytest.mark.parametrize("number", [-1, 2**53, 2**60])
def test_a_number_that_is_no_key_is_no_score(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        Score.of(number)


@given(totals, totals)
def test_totals_order_by_cards_wins_and_time(first: Total, second: Total) -> None:
    assert (first.key > second.key) == (first.order > second.order)
    assert (first.key == second.key) == (first == second)


@given(totals)
def test_a_total_is_its_key_in_53_bits(total: Total) -> None:
    assert 0 <= total.key < 2**53
    assert Total.of(total.key) == total
