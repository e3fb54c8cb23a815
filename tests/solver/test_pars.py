"""The fewest moves, held against those that an independent solver has proven."""

from pathlib import Path

import pytest

from game.rules.cards import parse_card
from game.rules.position import Position
from game.rules.rulesets import rule_set
from solver.par import fewest_moves
from solver.search import Verdict, decide
from tests.solver.games import deal, wins

TABLE = Path(__file__).parent.parent / "data" / "par_open.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]

SHORT = sorted(ROWS, key=lambda row: int(row[0]))[:2]


def check(rows: list[list[str]]) -> None:
    for par, deck in rows:
        position = Position.deal(tuple(map(parse_card, deck.split())), rule_set("open"))
        shortest = fewest_moves(position)
        assert shortest.verdict is Verdict.WINNABLE
        assert shortest.line is not None
        assert len(shortest.line) == int(par), deck
        assert wins(position, shortest.line), deck


def test_the_shortest_of_the_table_are_found() -> None:
    check(SHORT)


@pytest.mark.compiled
@pytest.mark.parametrize("part", range(4))
def test_every_par_is_that_of_the_table(part: int) -> None:
    check(ROWS[part::4])


@pytest.mark.compiled
@pytest.mark.parametrize("key", ["classic", "blind", "overlap", "strict"])
def test_no_line_that_is_found_otherwise_is_shorter(key: str) -> None:
    for number in range(1, 9):
        position = deal(number, key)
        decision, shortest = decide(position), fewest_moves(position, nodes=300_000)
        assert shortest.verdict is decision.verdict
        if shortest.line is not None:
            assert decision.line is not None
            assert len(shortest.line) <= len(decision.line)
            assert wins(position, shortest.line)


def test_a_deal_that_cannot_be_won_has_no_line() -> None:
    shortest = fewest_moves(deal(30001, "blind"))
    assert (shortest.verdict, shortest.line) == (Verdict.UNWINNABLE, None)


def test_a_small_budget_gives_the_verdict_or_unknown_without_a_line() -> None:
    position = deal(1, "open")
    assert fewest_moves(position, nodes=1).verdict is Verdict.UNKNOWN
    shortest = fewest_moves(position, nodes=500)
    assert (shortest.verdict, shortest.line) == (Verdict.WINNABLE, None)
