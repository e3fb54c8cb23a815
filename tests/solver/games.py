"""Positions for the solver's tests: deals, and games that random play has brought far."""

from functools import cache
from random import Random

from game.rules.deals import LAST_NUMBER, numbered_deck
from game.rules.moves import Action, Move
from game.rules.position import Outcome, Position
from game.rules.rulesets import rule_set


def deal(number: int, key: str) -> Position:
    return Position.deal(numbered_deck(number), rule_set(key))


def after(position: Position, line: tuple[Move, ...]) -> Position:
    """Raises a `RuleError` if a move is refused."""
    for move in line:
        position = position.apply(move)
    return position


def wins(position: Position, line: tuple[Move, ...] | None) -> bool:
    assert line is not None
    return after(position, line).outcome is Outcome.WON


def reached(key: str, seed: int, pyramid: int) -> Position:
    """Where a random game stands once it has `pyramid` cards left in the pyramid; of games that
    get stuck before, the next is tried."""
    random = Random(f"{key} {seed}")
    while True:
        position = deal(random.randint(1, LAST_NUMBER), key)
        while (moves := position.legal_moves()) and 28 - position.removed > pyramid:
            position = position.apply(chosen(moves, random))
        if moves:
            return position


def chosen(moves: tuple[Move, ...], random: Random) -> Move:
    """A removal three times in four, where there is one, so that games get far."""
    removals = [move for move in moves if move.action is Action.REMOVE]
    return random.choice(removals if removals and random.random() < 0.75 else moves)


@cache
def endgames(key: str) -> tuple[Position, ...]:
    """Always the same ones, with 2 to 8 cards in the pyramid."""
    return tuple(reached(key, seed, 2 + seed % 7) for seed in range(40))
