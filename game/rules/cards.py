"""The 52 cards: rank `A23456789TJQK`, suit `CDHS`; `TD` is the ten of diamonds."""

from typing import Final, NewType

from game.rules.errors import BadCard

Card = NewType("Card", str)

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
DECK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
TARGET: Final = 13

_CARDS: Final[dict[str, Card]] = {str(card): card for card in DECK}
_VALUES: Final[dict[str, int]] = {card: RANKS.index(card[0]) + 1 for card in DECK}
_PARTNERS: Final[dict[str, tuple[Card, ...]]] = {
    card: tuple(other for other in DECK if _VALUES[card] + _VALUES[other] == TARGET)
    for card in DECK
}


def value(card: Card) -> int:
    """1 (ace) to 13 (king). Suits never matter."""
    return _VALUES[card]


def partners(card: Card) -> tuple[Card, ...]:
    """The four cards that make 13 with it; none for a king."""
    return _PARTNERS[card]


def is_king(card: Card) -> bool:
    return _VALUES[card] == TARGET


def parse_card(text: str) -> Card:
    """Raises `BadCard`."""
    try:
        return _CARDS[text]
    except KeyError:
        raise BadCard([text]) from None
