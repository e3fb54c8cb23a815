"""What holds along a line of play: a win once lost does not come back, a winning line stays one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.notation import parse_line
from game.rules.position import Outcome
from game.rules.rulesets import RULE_SETS
from solver.search import Verdict, decide
from tests.rules.mirror import table
from tests.solver.games import after, deal, reached, wins

keys = st.sampled_from(list(RULE_SETS))


@given(keys, st.integers(0, 2**32), st.integers(4, 24))
def test_a_position_is_winnable_if_and_only_if_a_move_leads_to_one(
    key: str, seed: int, pyramid: int
) -> None:
    position = reached(key, seed, pyramid)
    verdicts = {decide(position.apply(move)).verdict for move in position.legal_moves()}
    assert Verdict.UNKNOWN not in verdicts
    best = Verdict.WINNABLE if Verdict.WINNABLE in verdicts else Verdict.UNWINNABLE
    assert decide(position).verdict is best


@pytest.mark.parametrize("key", RULE_SETS)
def test_each_position_of_a_winning_line_is_winnable(key: str) -> None:
    number = next(n for n in range(1, 200) if decide(deal(n, key)).verdict is Verdict.WINNABLE)
    position = deal(number, key)
    line = decide(position).line
    assert line is not None
    for move in line:
        assert position.outcome is Outcome.PLAYING  # it ends with the win, not after
        position = position.apply(move)
        assert wins(position, decide(position).line)


def test_a_won_game_is_winnable_without_a_move() -> None:
    won = after(table("9S - 4C 1", "classic"), parse_line("9S4C"))
    assert (decide(won).verdict, decide(won).line) == (Verdict.WINNABLE, ())


WINNABLE = [
    ("classic", "KS - - 3"),  # a king goes alone
    ("classic", "9S/5H8C - 4C5D8D 3"),  # with the waste, not with each other
    ("classic", "9S 4C - 3"),
    ("classic", "9S - 4CKD 3"),  # a king lies on the waste's card
    ("classic", "9S - 4C2D 2"),  # a pass is left: 4C comes up again
    ("classic", "9S/5H5D 8C8D 4C 1"),
    ("classic", "9S KH KD4CKC 2"),
    ("open", "9S QDAC 4C 3"),
    ("open", "9S QD 4CAC 3"),  # stock top and waste top go together and uncover the other
    ("open-1", "9S/KSKD 3CTD 4C 1"),
    ("overlap", "AH/QS-- - - 3"),  # the card goes with its only coverer
    ("overlap-1", "KS/AH2C/--QSJD - - 1"),
    ("overlap", "QS/AH--/KD---- - - 3"),
    ("strict", "9S TD 3C4C 1"),
    ("strict", "KS QDKH AC 3"),
    ("strict", "9S 2C4CJD - 1"),  # the neighbours of 4C go once it has gone
]
UNWINNABLE = [
    ("classic", "9S - - 3"),
    ("classic", "9S - 4C2D 3"),  # buried in the waste, in the last pass
    ("blind", "9S - 4C2D 1"),
    ("classic", "9S/5H8C - 3C5D8D 3"),  # no four is left
    ("classic", "AH/QS-- AC - 3"),  # AH lies under what it needs, and QS goes with AC alone
    ("open", "9S QD 4C2C 3"),
    ("overlap", "AH/QSKD/--2C-- - - 3"),  # 2C never goes, and KD under it
    ("overlap", "AH/QS--/2C---- - - 3"),
    ("strict", "9S TD 4C 3"),  # the pyramid goes, TD stays
    ("strict", "KS - 6C7D 3"),  # two waste cards never go together
    ("open-1", "9S - 4C2D 1"),
]


@pytest.mark.parametrize(("key", "text"), WINNABLE)
def test_worked_positions_that_can_be_won(key: str, text: str) -> None:
    position = table(text, key)
    decision = decide(position)
    assert decision.verdict is Verdict.WINNABLE
    assert wins(position, decision.line)


@pytest.mark.parametrize(("key", "text"), UNWINNABLE)
def test_worked_positions_that_cannot_be_won(key: str, text: str) -> None:
    decision = decide(table(text, key))
    assert (decision.verdict, decision.line) == (Verdict.UNWINNABLE, None)


@pytest.mark.parametrize("key", ["classic", "overlap"])
@pytest.mark.parametrize(("passed", "verdict"), [(2, "winnable"), (3, "unwinnable")])
def test_the_last_pass_makes_a_buried_card_too_late(key: str, passed: int, verdict: str) -> None:
    assert decide(table(f"9S - 4C2D {passed}", key)).verdict == verdict
