"""A search within its budget of nodes says what it knows, and `unknown` where that is nothing."""

import pytest

from game.rules.rulesets import RULE_SETS
from solver.search import Verdict, decide
from tests.solver.games import deal

DEALS = [deal(number, key) for key in RULE_SETS for number in range(1, 6)]
BUDGETS = (1, 10, 100, 1000, 10_000)
OVERRUN = 5_000  # the relaxation ends what it has begun


def test_one_node_does_not_decide_a_deal_that_needs_a_search() -> None:
    decision = decide(deal(1, "classic"), nodes=1)
    assert (decision.verdict, decision.line) == (Verdict.UNKNOWN, None)


def test_a_verdict_that_fits_a_budget_is_that_of_every_larger_one() -> None:
    for position in DEALS:
        told = [decide(position, nodes=nodes).verdict for nodes in BUDGETS]
        known = [verdict for verdict in told if verdict is not Verdict.UNKNOWN]
        assert told == [Verdict.UNKNOWN] * (len(told) - len(known)) + known
        assert set(known) <= {decide(position, nodes=200_000).verdict}


@pytest.mark.parametrize("nodes", BUDGETS)
def test_a_budget_is_kept(nodes: int) -> None:
    for position in DEALS:
        decision = decide(position, nodes=nodes)
        assert decision.nodes <= nodes + OVERRUN
        if decision.verdict is Verdict.UNKNOWN:
            assert decision.nodes >= nodes


def test_the_nodes_of_a_whole_search_are_a_budget_that_is_enough() -> None:
    for position in DEALS:
        whole = decide(position, nodes=200_000)
        if whole.verdict is not Verdict.UNKNOWN:
            assert decide(position, nodes=whole.nodes) == whole
