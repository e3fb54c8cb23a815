"""Games near their end, held against a search that tries everything."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from game.rules.notation import format_position
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from solver import par
from solver.encoding import encode
from solver.kernel.par import Shortest
from solver.search import Verdict, decide
from tests.rules.mirror import table
from tests.rules.strategies import endgames as endgames_laid
from tests.solver import naive
from tests.solver.games import endgames, reached, wins

keys = st.sampled_from(list(RULE_SETS))


def check(position: Position) -> int | None:
    """That the verdict and the fewest moves are the naive's, which are answered."""
    moves = naive.fewest_moves(position)
    decision, shortest = decide(position), par.fewest_moves(position)
    text = format_position(position)
    expected = Verdict.UNWINNABLE if moves is None else Verdict.WINNABLE
    assert decision.verdict is shortest.verdict is expected, text
    if moves is None:
        assert decision.line is shortest.line is None, text
    else:
        assert wins(position, decision.line), text
        assert wins(position, shortest.line), text
        assert shortest.line is not None
        assert len(shortest.line) == moves, text
    return moves


@pytest.mark.parametrize("key", RULE_SETS)
def test_each_rule_set_is_decided_as_by_trying_everything(key: str) -> None:
    pars = [check(position) for position in endgames(key)]
    assert sum(moves is None for moves in pars) >= 5, "too few that cannot be won"
    assert sum(moves is not None for moves in pars) >= 5, "too few that can be won"


@pytest.mark.parametrize(
    "text",
    ["AC QHASQS QCADAHQD 1", "5C 9CKC8C4CKH 8DKD5D 1"],
)
def test_the_wastes_top_can_wait_for_the_card_under_it(text: str) -> None:
    """In the next pass the two lie on top of stock and waste."""
    assert check(table(text, "strict")) is not None


@pytest.mark.parametrize("number", [1, 3])
def test_a_king_in_the_waste_goes_at_the_end_without_a_redeal(number: int) -> None:
    assert check(table(f"9C KD KC4C {number}", "strict")) == 3


@pytest.mark.parametrize(
    ("key", "text", "moves"),
    [
        ("classic", "TH/TC3C/TD----/9D------ 4HTS3S9H3D4S - 3", 9),
        ("open", "4D/8H--/5D----/9C------ 4C9D8D5C9S5S4H - 2", 5),
        ("open-1", "8S/5C4H/9S8C-- 4D9C9D5S4C8D5D - 1", 8),
    ],
)
@pytest.mark.parametrize("patience", [0, 1, 2, 3])
def test_what_a_broken_off_question_left_open_is_not_taken_as_lost(
    key: str, text: str, moves: int, patience: int
) -> None:
    """On the way to par it is asked of each position whether this pass is enough; these searches
    break such questions off at once, as longer games do after a thousand nodes."""
    search = Shortest(patience)
    assert search.run(*encode(table(text, key)), 100_000) == moves


@given(keys, st.integers(0, 2**32), st.integers(2, 9))
def test_games_that_random_play_reaches(key: str, seed: int, pyramid: int) -> None:
    position = reached(key, seed, pyramid)
    try:
        check(position)
    except naive.TooLarge:
        assume(False)


@given(endgames_laid())
def test_games_laid_out_at_will(laid: dict) -> None:
    check(position_of(laid))


def position_of(laid: dict) -> Position:
    """The engine's position of a naive's one."""
    slots = [(row, column) for row in range(1, 8) for column in range(1, row + 1)]
    return Position(
        rules=RULE_SETS[laid["key"]],
        pyramid=tuple(laid["pyramid"].get(slot) for slot in slots),
        stock=tuple(laid["stock"]),
        waste=tuple(laid["waste"]),
        pass_number=laid["pass"],
    )
