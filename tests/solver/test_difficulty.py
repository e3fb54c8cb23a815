"""The player who never peeks, held against the same games played by the rules."""

import pytest

from game.rules.deals import Deck, numbered_deck
from game.rules.moves import Action
from game.rules.position import Outcome, Position
from game.rules.rulesets import RULE_SETS, RuleSet
from solver.difficulty import difficulty

MASK = 2**64 - 1


class SplitMix64:
    """Steele, Lea and Flood, 2014; `below` scales the upper 32 bits."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        mixed ^= mixed >> 31
        return ((mixed >> 32) * bound) >> 32


def played(deck: Deck, rules: RuleSet, games: int, seed: int) -> tuple[int, int]:
    chance = SplitMix64(seed)
    won = removed = 0
    for _ in range(games):
        position = Position.deal(deck, rules)
        while position.outcome is Outcome.PLAYING:
            moves = position.legal_moves()
            removals = [move for move in moves if move.action is Action.REMOVE]
            move = removals[chance.below(len(removals))] if removals else moves[0]
            position = position.apply(move)
        won += position.outcome is Outcome.WON
        removed += position.removed
    return won, removed


@pytest.mark.parametrize("key", RULE_SETS)
def test_its_games_are_those_that_the_rules_play(key: str) -> None:
    rules = RULE_SETS[key]
    for number in (4, 8):
        found = difficulty(numbered_deck(number), rules, games=25, seed=number)
        assert (found.won, found.removed) == played(numbered_deck(number), rules, 25, number)


def test_some_deals_are_easy_and_some_are_hard() -> None:
    classic = RULE_SETS["classic"]
    shares = {difficulty(numbered_deck(number), classic, games=100).won for number in range(1, 30)}
    assert min(shares) == 0
    assert max(shares) >= 50
