"""What a player can do with the cards: remove, draw, redeal."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from game.rules.cards import Card, parse_card
from game.rules.errors import BadCard


class Action(StrEnum):
    REMOVE = "remove"
    DRAW = "draw"
    REDEAL = "redeal"


@dataclass(frozen=True, slots=True)
class Move:
    action: Action
    cards: tuple[Card, ...] = ()  # one king or one pair for a remove, else none


DRAW: Final = Move(Action.DRAW)
REDEAL: Final = Move(Action.REDEAL)


def remove(*cards: str) -> Move:
    """A remove of one or two cards, named as text. Raises `BadCard`."""
    named = tuple(parse_card(card) for card in cards)
    if not 1 <= len(named) <= 2 or len(set(named)) < len(named):
        raise BadCard(cards)
    return Move(Action.REMOVE, named)


def move(action: Action, cards: Sequence[str] = ()) -> Move:
    """The move of an action and the cards named with it. Raises `BadCard`."""
    if action is Action.REMOVE:
        return remove(*cards)
    if cards:
        raise BadCard(cards)
    return DRAW if action is Action.DRAW else REDEAL
