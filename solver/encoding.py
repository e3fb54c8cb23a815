"""Positions as the kernel takes them, and what it answers as moves.

The kernel knows ranks and places only. Its stock is one row: the cards of waste and stock in the
order of a pass, with a cursor behind those that lie in the waste. Its lines are removals alone:
where a card of the stock is wanted, the draws and redeals before it follow.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from game.rules.cards import DECK, Card, is_king, value
from game.rules.layout import COVERERS, SLOTS
from game.rules.moves import DRAW, REDEAL, Action, Move
from game.rules.position import Position
from game.rules.rulesets import Goal, RuleSet
from solver.kernel.shapes import FULL, NUMBER

STOCK: Final = 32  # what the kernel adds to a place in the stock
NONE: Final = 63  # in place of a second card, where a king goes alone
RANK: Final[dict[Card | None, int]] = {None: 0, **{card: value(card) for card in DECK}}
_KINGS: Final = frozenset(filter(is_king, DECK))

Flags = tuple[int, bool, bool, bool]


class Encoded(NamedTuple):
    rules: Flags  # passes, stock top playable, overlap pairs, all cards must go
    shape: int  # number of the pyramid's shape
    pyramid: bytes  # ranks 1–13 by slot, 0 where the card is gone
    stock: bytes  # ranks of waste and stock in the order of a pass
    pass_number: int
    cursor: int  # how many of the stock's cards lie in the waste


def flags(rules: RuleSet) -> Flags:
    return (
        rules.passes,
        rules.stock_top_playable,
        rules.overlap_pairs,
        rules.goal is Goal.ALL,
    )


def encode(position: Position) -> Encoded:
    mask = FULL
    if None in position.pyramid:
        mask = sum(1 << slot for slot in range(SLOTS) if position.pyramid[slot] is not None)
    return Encoded(
        rules=flags(position.rules),
        shape=NUMBER[mask],
        pyramid=bytes([RANK[card] for card in position.pyramid]),
        stock=bytes([RANK[card] for card in position.waste + position.stock]),
        pass_number=position.pass_number,
        cursor=len(position.waste),
    )


def line_of(
    position: Position, removals: Iterable[tuple[int, int]], *, thrifty: bool = False
) -> tuple[Move, ...]:
    """The moves that win from a position by these removals of the kernel, in this order.

    Kings are not among them and go as soon as they come up. A thrifty line takes a king of the
    stock only where drawing it would cost as much, and one of the waste where it is told to.
    """
    stock = position.waste + position.stock
    table = _Table(position, thrifty=thrifty)
    table.remove_kings()
    for places in removals:
        cards = [
            stock[place - STOCK] if place >= STOCK else position.pyramid[place]
            for place in places
            if place != NONE
        ]
        table.remove(*filter(None, cards))
    while not table.won:  # kings alone are left, in stock and waste
        if table.waste:
            table.take(table.waste[-1])
        else:
            table.turn()
    return tuple(table.moves)


class _Table:
    """A game played on without a check: where the cards lie, and the moves made."""

    def __init__(self, position: Position, *, thrifty: bool) -> None:
        self.rules = position.rules
        self.thrifty = thrifty
        self.pyramid = list(position.pyramid)
        self.kings = [slot for slot, card in enumerate(position.pyramid) if card in _KINGS]
        self.stock = deque(position.stock)
        self.waste = list(position.waste)
        self.moves: list[Move] = []

    @property
    def won(self) -> bool:
        if any(self.pyramid):
            return False
        return self.rules.goal is Goal.PYRAMID or not (self.stock or self.waste)

    def remove(self, *cards: Card) -> None:
        """Turns over the stock until the cards can go, and takes them away."""
        piled = [card for card in cards if card not in self.pyramid]
        while not all(card in self.tops() for card in piled):
            self.turn()
        self.take(*cards)
        self.remove_kings()

    def tops(self) -> list[Card]:
        tops = self.waste[-1:]
        if self.rules.stock_top_playable and self.stock:
            tops.append(self.stock[0])
        return tops

    def turn(self) -> None:
        if not self.stock:
            self.stock, self.waste = deque(self.waste), []
            self.moves.append(REDEAL)
        elif self.rules.stock_top_playable and self.stock[0] in _KINGS:
            self.take(self.stock[0])
        else:
            self.waste.append(self.stock.popleft())
            self.moves.append(DRAW)
        self.remove_kings()

    def remove_kings(self) -> None:
        while not self.won and (king := next(self.open_kings(), None)):
            self.take(king)

    def open_kings(self) -> Iterator[Card]:
        for slot in self.kings:
            card = self.pyramid[slot]
            if card and not any(self.pyramid[coverer] for coverer in COVERERS[slot]):
                yield card
        if not self.thrifty:
            yield from (card for card in self.tops() if card in _KINGS)

    def take(self, *cards: Card) -> None:
        for card in cards:
            if card in self.pyramid:
                self.pyramid[self.pyramid.index(card)] = None
            elif self.waste[-1:] == [card]:
                self.waste.pop()
            else:
                self.stock.popleft()
        self.moves.append(Move(Action.REMOVE, cards))
