"""The engine's values in the naive's terms and back, and positions written down."""

from game.rules.layout import slot_at
from game.rules.moves import DRAW, REDEAL, Move, remove
from game.rules.notation import parse_position
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive

SLOTS = [(row, column) for row in range(1, 8) for column in range(1, row + 1)]


def plain(position: Position) -> dict:
    """The engine's position as the naive's dict."""
    cards = {slot: position.pyramid[slot_at(*slot)] for slot in SLOTS}
    return {
        "rules": naive.RULE_SETS[position.rules.key],
        "pyramid": {slot: card for slot, card in cards.items() if card is not None},
        "stock": list(position.stock),
        "waste": list(position.waste),
        "pass": position.pass_number,
    }


def action_of(move: Move) -> tuple:
    """The engine's move as the naive's action."""
    return (move.action.value, *sorted(move.cards, key=naive.CARDS.index))


def move_of(action: tuple) -> Move:
    """The naive's action as the engine's move."""
    if action == ("draw",):
        return DRAW
    if action == ("redeal",):
        return REDEAL
    return remove(*action[1:])


def table(text: str, key: str) -> Position:
    """A position from its text; the pyramid's rows after the last one written are gone."""
    pyramid, stock, waste, number = text.split(" ")
    rows = pyramid.split("/")
    rows += ["--" * row for row in range(len(rows) + 1, 8)]
    return parse_position(f"{'/'.join(rows)} {stock} {waste} {number}", rule_set(key))


def legal(position: Position) -> set[tuple]:
    """The engine's legal moves as the naive's actions; none of them twice."""
    actions = [action_of(move) for move in position.legal_moves()]
    assert len(actions) == len(set(actions))
    return set(actions)
