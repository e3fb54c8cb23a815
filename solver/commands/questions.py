"""What the command line is asked, as text: decks, and positions as a deck and the moves made."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Final

from game.rules.cards import DECK, RANKS, SUITS, Card
from game.rules.deals import Deck
from game.rules.errors import RuleError
from game.rules.notation import parse_move
from game.rules.position import Position
from game.rules.rulesets import RuleSet
from solver.commands.streams import BadLine

REASONS: Final[Mapping[str, str]] = {
    "bad_card": "a move is a king such as KS, a pair such as 6H7D, d or r",
    "game_over": "the game is won already",
    "not_playable": "{card} is not in play",
    "card_covered": "{card} is covered by {coverers}",
    "pair_covers_itself": "of {cards} the second lies on the first",
    "king_alone": "{card} goes alone",
    "not_thirteen": "the sum is {sum}, not 13",
    "stock_empty": "the stock is empty",
    "stock_not_empty": "the stock is not empty",
    "waste_empty": "the waste is empty",
    "no_redeals_left": "the last of {passes} passes is running",
}

_CARDS: Final = {str(card): card for card in DECK}
_MEMBERS: Final = ("deck", "line")


def read_deck(text: str) -> Deck:
    """52 cards with spaces between them, the pyramid's first. Raises `BadLine`."""
    deck = tuple(map(_card, text.split()))
    if len(deck) != len(DECK):
        raise BadLine("bad_deck", f"{_count(len(deck), 'card')}, and a deck has {len(DECK)}")
    card, times = Counter(deck).most_common(1)[0]
    if times > 1:
        missing = next(card for card in DECK if card not in deck)
        raise BadLine("bad_deck", f"{card} is there {times} times, and {missing} is missing")
    return deck


def read_position(text: str, rules: RuleSet) -> Position:
    """`{"deck": "…", "line": […]}` in JSON; without a line, the deal. Raises `BadLine`."""
    deck, line = _deck_and_line(text)
    position = Position.deal(read_deck(deck), rules)
    for number, move in enumerate(line, 1):
        if not isinstance(move, str):
            raise BadLine("bad_json", f"move {number} is no text", move=number)
        try:
            position = position.apply(parse_move(move))
        except RuleError as error:
            raise _illegal(number, move, error) from None
    return position


def _deck_and_line(text: str) -> tuple[str, list[object]]:
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise BadLine("bad_json", "not JSON") from None
    if not isinstance(asked, dict):
        raise BadLine("bad_json", 'not a JSON object such as {"deck": "...", "line": ["d"]}')
    for name in asked:
        if name not in _MEMBERS:
            raise BadLine("bad_json", f"there is no member {_quoted(name)}, only deck and line")
    deck, line = asked.get("deck"), asked.get("line", [])
    if not isinstance(deck, str):
        raise BadLine("bad_json", "deck is missing or no text")
    if not isinstance(line, list):
        raise BadLine("bad_json", "line is no list of moves")
    return deck, line


def _illegal(number: int, move: str, error: RuleError) -> BadLine:
    words = {name: _listed(value) for name, value in error.params.items()}
    reason = REASONS[error.code].format_map(words)
    return BadLine(
        error.code,
        f"move {number}, {_quoted(move)}: {reason}",
        move=number,
        text=move,
        params=error.params,
    )


def _card(text: str) -> Card:
    try:
        return _CARDS[text]
    except KeyError:
        raise BadLine(
            "bad_deck",
            f"{_quoted(text)} is no card: a card is one of {RANKS} and one of {SUITS}, as in TD",
        ) from None


def _quoted(text: str) -> str:
    return f"'{text}'" if len(text) <= 24 else f"'{text[:20]}...'"


def _listed(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
