"""The same sources, compiled and interpreted, answer the same."""

import pytest

from game.rules.deals import numbered_deck
from game.rules.rulesets import RULE_SETS
from tests.solver.command import INTERPRETED, SOLVER, answers, run

pytestmark = pytest.mark.compiled

DECKS = "".join(" ".join(numbered_deck(number)) + "\n" for number in (3, 5, 7, 30001, 30004))


def told(program: tuple[str, ...], *arguments: str) -> list[dict]:
    """All but the time that each deck took."""
    return [
        {name: value for name, value in answer.items() if name != "ms"}
        for answer in answers("solve", *arguments, given=DECKS, program=program)
    ]


def test_it_is_said_which_of_them_runs() -> None:
    assert "The solver runs compiled." in run("--version", program=SOLVER).stdout
    text = run("--version", program=INTERPRETED).stdout
    assert "The solver runs interpreted" in text
    assert "apt-get install gcc python3-dev" in text


@pytest.mark.parametrize("key", RULE_SETS)
def test_verdicts_lines_and_nodes_are_equal(key: str) -> None:
    compiled = told(SOLVER, "--rules", key, "--nodes", "30000")
    assert len(compiled) == 5
    assert told(INTERPRETED, "--rules", key, "--nodes", "30000") == compiled


@pytest.mark.parametrize("key", ["classic", "open", "overlap", "strict"])
def test_shortest_lines_and_their_nodes_are_equal(key: str) -> None:
    compiled = told(SOLVER, "--rules", key, "--par", "--nodes", "700")
    assert len(compiled) == 5
    assert told(INTERPRETED, "--rules", key, "--par", "--nodes", "700") == compiled
