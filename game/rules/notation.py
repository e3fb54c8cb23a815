"""Text for moves and positions, both ways.

A move: `KS` or `6H7D` removes, `d` draws, `r` redeals. A line: moves with spaces between them.
A position: `<pyramid> <stock> <waste> <pass>`. The pyramid is its rows from the apex with `/`
between them and `--` for a card that is gone; the stock is in draw order, the waste from the
bottom, `-` when empty.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from game.rules.cards import Card, parse_card
from game.rules.errors import BadCard
from game.rules.layout import ROW_SLOTS
from game.rules.moves import DRAW, REDEAL, Action, Move, remove
from game.rules.position import Position
from game.rules.rulesets import RuleSet

_STOCK_MOVES: Final = {Action.DRAW: "d", Action.REDEAL: "r"}
_GONE: Final = "--"
_EMPTY: Final = "-"


def format_move(move: Move) -> str:
    return _STOCK_MOVES.get(move.action) or "".join(move.cards)


def parse_move(text: str) -> Move:
    """Raises `BadCard`."""
    match text:
        case "d":
            return DRAW
        case "r":
            return REDEAL
        case _:
            return remove(*_pairs(text))


def format_line(moves: Iterable[Move]) -> str:
    return " ".join(map(format_move, moves))


def parse_line(text: str) -> tuple[Move, ...]:
    """Raises `BadCard`."""
    return tuple(map(parse_move, text.split()))


def format_position(position: Position) -> str:
    rows = ("".join(position.pyramid[slot] or _GONE for slot in slots) for slots in ROW_SLOTS)
    return " ".join(
        (
            "/".join(rows),
            "".join(position.stock) or _EMPTY,
            "".join(position.waste) or _EMPTY,
            str(position.pass_number),
        )
    )


def parse_position(text: str, rules: RuleSet) -> Position:
    """Raises `ValueError` for what is not a position, `BadCard` for an unknown or double card."""
    try:
        pyramid, stock, waste, pass_number = text.split(" ")
    except ValueError:
        raise ValueError(f"a position has four fields: {text!r}") from None
    rows = [_pairs(row) for row in pyramid.split("/")]
    if [len(row) for row in rows] != [len(slots) for slots in ROW_SLOTS]:
        raise ValueError(f"a pyramid has rows of 1 to 7 cards: {pyramid!r}")
    position = Position(
        rules=rules,
        pyramid=tuple(
            None if card == _GONE else parse_card(card) for card in chain.from_iterable(rows)
        ),
        stock=_pile(stock),
        waste=_pile(waste),
        pass_number=int(pass_number),
    )
    _check(position)
    return position


def _check(position: Position) -> None:
    cards = [*filter(None, position.pyramid), *position.stock, *position.waste]
    if len(set(cards)) < len(cards):
        raise BadCard([card for card in set(cards) if cards.count(card) > 1])
    if not 1 <= position.pass_number <= position.rules.passes:
        raise ValueError(f"no pass {position.pass_number} in {position.rules.passes}")


def _pile(text: str) -> tuple[Card, ...]:
    return () if text == _EMPTY else tuple(map(parse_card, _pairs(text)))


def _pairs(text: str) -> list[str]:
    return [text[start : start + 2] for start in range(0, len(text), 2)]
