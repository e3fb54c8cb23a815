"""Verdicts on whole deals, held against those of an independent solver."""

from pathlib import Path

import pytest

from game.rules.rulesets import RULE_SETS
from solver.search import Verdict, decide
from tests.solver.games import deal, wins

TABLE = Path(__file__).parent.parent / "data" / "verdicts.tsv"
KEYS = ("classic", "blind", "open", "open-2", "open-1", "overlap", "overlap-1", "strict")
ROWS = [line.split() for line in TABLE.read_text().splitlines() if not line.startswith("#")]
VERDICTS = {"W": Verdict.WINNABLE, "U": Verdict.UNWINNABLE}


def check(key: str, rows: list[list[str]]) -> None:
    """That each verdict is the table's, and that each line wins by the rules."""
    for number, letters in rows:
        position = deal(int(number), key)
        decision = decide(position)
        assert decision.verdict is VERDICTS[letters[KEYS.index(key)]], number
        if decision.verdict is Verdict.WINNABLE:
            assert wins(position, decision.line), number
        else:
            assert decision.line is None


def test_the_table_has_300_deals_under_every_rule_set() -> None:
    assert len(ROWS) == 300
    assert set(KEYS) == set(RULE_SETS)


@pytest.mark.parametrize("key", KEYS)
def test_the_first_deals_are_decided_as_in_the_table(key: str) -> None:
    check(key, ROWS[:5])


@pytest.mark.compiled
@pytest.mark.parametrize("key", KEYS)
def test_all_deals_are_decided_as_in_the_table(key: str) -> None:
    check(key, ROWS)
