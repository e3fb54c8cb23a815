"""The bounded questions: what they find, and what they leave open when the budget is gone."""

import pickle
import random
from collections.abc import Iterator
from itertools import accumulate

import pytest

from game.rules.deals import numbered_deck
from game.rules.moves import DRAW, Move
from game.rules.notation import parse_line
from game.rules.position import Outcome, Position
from game.rules.rulesets import DEFAULT, RULE_SETS, RuleSet
from solver import questions
from solver.questions import Tree, judgement, standing
from solver.search import Verdict, decide
from tests.game.lines import LOSING, WON


def dealt(number: int, rules: RuleSet = DEFAULT) -> Position:
    return Position.deal(numbered_deck(number), rules)


def played(deal: Position, chance: random.Random) -> list[Move]:
    """A game at random to its end."""
    position, line = deal, []
    while position.outcome == Outcome.PLAYING:
        line.append(chance.choice(list(position.legal_moves())))
        position = position.apply(line[-1])
    return line


def positions(deal: Position, line: list[Move]) -> list[Position]:
    return list(accumulate(line, Position.apply, initial=deal))


def games(count: int) -> Iterator[tuple[Position, list[Move]]]:
    chance = random.Random("questions")
    for rules in RULE_SETS.values():
        for _ in range(count):
            deal = dealt(chance.randrange(1, 20_001), rules)
            yield deal, played(deal, chance)


def straight(line: list[Move]) -> Tree:
    """A game without a move taken back."""
    return Tree((0, *range(len(line))), tuple(line))


def test_a_line_stands_as_each_of_its_positions_says() -> None:
    for deal, line in games(3):
        verdicts = [decide(position).verdict for position in positions(deal, line)]
        found = standing(deal, line)
        assert (found.verdict, found.deal) == (verdicts[-1], verdicts[0])
        won = [length for length, verdict in enumerate(verdicts) if verdict is Verdict.WINNABLE]
        assert found.kept == (won[-1] if won else None)


def test_without_a_move_the_line_stands_as_its_deal() -> None:
    found = standing(dealt(LOSING[0]), [])
    assert (found.verdict, found.deal, found.kept) == (Verdict.WINNABLE, Verdict.WINNABLE, 0)


@pytest.mark.parametrize("nodes", [0, 1, 10, 100])
def test_a_line_is_never_called_what_it_is_not(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "LINE_NODES", nodes)
    for deal, line in games(2):
        found = standing(deal, line)
        truth = [decide(position).verdict for position in positions(deal, line)]
        assert found.verdict in (truth[-1], Verdict.UNKNOWN)
        assert found.deal in (truth[0], Verdict.UNKNOWN)
        assert found.kept is None or truth[found.kept] is Verdict.WINNABLE


def test_every_node_of_a_game_is_judged_as_it_is() -> None:
    for deal, line in games(2):
        found = judgement(deal, straight(line), len(line), par=False)
        truth = [decide(position).verdict is Verdict.WINNABLE for position in positions(deal, line)]
        assert list(found.winnable) == truth
        turns = [place for place in range(1, len(truth)) if truth[place - 1] and not truth[place]]
        assert found.lost == (turns[0] if turns else None)


def test_branches_are_judged_too() -> None:
    deal, line = dealt(LOSING[0]), list(parse_line(LOSING[1]))
    end = len(line)
    tree = Tree((0, *range(end), end - 1, end), (*line, DRAW, DRAW))  # one beside, one behind it
    found = judgement(deal, tree, end + 1, par=False)
    assert found.winnable[:end] == (True,) * end
    assert found.winnable[end:] == (
        False,
        decide(positions(deal, [*line[:-1], DRAW])[-1]).verdict is Verdict.WINNABLE,
        False,
    )


def test_the_line_wins_from_before_the_losing_move() -> None:
    deal, line = dealt(LOSING[0]), list(parse_line(LOSING[1]))
    found = judgement(deal, straight(line), len(line), par=False)
    assert found.lost == len(line)
    assert found.line is not None
    assert positions(deal, [*line[:-1], *found.line])[-1].outcome == Outcome.WON


def test_a_won_game_gets_a_line_of_par() -> None:
    number, text = WON["classic"]
    line = list(parse_line(text))
    found = judgement(dealt(number), straight(line), len(line), par=True)
    assert found.lost is None
    assert found.line is not None
    assert len(found.line) == found.par


def test_par_is_not_looked_for_where_it_is_not_asked_for() -> None:
    deal, line = dealt(LOSING[0]), list(parse_line(LOSING[1]))
    assert judgement(deal, straight(line), len(line), par=False).par is None
    assert judgement(deal, straight(line), len(line), par=True).par is not None


@pytest.mark.parametrize("nodes", [0, 1, 10, 100])
def test_a_node_that_was_not_decided_is_left_open(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "GAME_NODES", nodes)
    for deal, line in games(1):
        found = judgement(deal, straight(line), len(line), par=False)
        for position, winnable in zip(positions(deal, line), found.winnable, strict=True):
            verdict = decide(position).verdict
            assert winnable in (None, verdict is Verdict.WINNABLE)


def test_of_very_many_branches_the_oldest_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "BRANCHES", 1)
    deal = dealt(LOSING[0])
    first, second, third = list(deal.legal_moves())[:3]
    found = judgement(deal, Tree((0, 0, 0, 0), (first, second, third)), 3, par=False)
    assert found.winnable[1:3] == (None, None)
    assert found.winnable[3] is not None


def test_a_question_and_its_answer_go_through_a_pipe() -> None:
    deal, line = dealt(LOSING[0]), list(parse_line(LOSING[1]))
    found = judgement(deal, straight(line), len(line), par=True)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert pickle.loads(pickle.dumps(deal)) == deal  # noqa: S301
