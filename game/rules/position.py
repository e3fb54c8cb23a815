"""A position of the game, what can be played from it and what each move makes of it.

A position is a value: `apply` answers a new one. It knows every card, also those that its player
has not seen; what may be told of it is the business of `knowledge`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from game.rules.cards import TARGET, Card, is_king, value
from game.rules.deals import Deck
from game.rules.errors import (
    CardCovered,
    GameOver,
    KingAlone,
    NoRedealsLeft,
    NotPlayable,
    NotThirteen,
    PairCoversItself,
    RuleError,
    StockEmpty,
    StockNotEmpty,
    WasteEmpty,
)
from game.rules.layout import COVERERS, SLOTS
from game.rules.moves import DRAW, REDEAL, Action, Move
from game.rules.rulesets import Goal, RuleSet

FACE_DOWN = "??"


class Outcome(StrEnum):
    PLAYING = "playing"
    STUCK = "stuck"  # nothing can be removed, drawn or redealt
    WON = "won"


@dataclass(frozen=True, slots=True)
class Position:
    rules: RuleSet
    pyramid: tuple[Card | None, ...]  # by slot, None where the card is gone
    stock: tuple[Card, ...]  # in draw order: the top card first
    waste: tuple[Card, ...]  # from the bottom: the top card last
    pass_number: int = 1

    @classmethod
    def deal(cls, deck: Deck, rules: RuleSet) -> "Position":
        return cls(rules=rules, pyramid=deck[:SLOTS], stock=deck[SLOTS:], waste=())

    @property
    def removed(self) -> int:
        """How many of the pyramid's 28 cards are gone."""
        return self.pyramid.count(None)

    @property
    def outcome(self) -> Outcome:
        if self._goal_is_met():
            return Outcome.WON
        return Outcome.PLAYING if self._can_move() else Outcome.STUCK

    def legal_moves(self) -> tuple[Move, ...]:
        """Every move, each pair once: removes in slot order, then a draw or a redeal."""
        return () if self._goal_is_met() else (*self._removes(), *self._stock_moves())

    def apply(self, move: Move, seen: frozenset[Card] | None = None) -> "Position":
        """The position after a move. Raises a `RuleError` that says why it cannot be made.

        `seen`: the cards this player has seen, so that a refusal tells nothing of the others;
        None when nobody is to be kept from knowing.
        """
        if self._goal_is_met():
            raise GameOver(status=Outcome.WON)
        match move.action:
            case Action.DRAW:
                return self._drawn()
            case Action.REDEAL:
                return self._redealt()
            case Action.REMOVE:
                self._check_remove(move.cards, seen)
                return self._without(move.cards)

    def is_exposed(self, slot: int) -> bool:
        return all(self.pyramid[coverer] is None for coverer in COVERERS[slot])

    def is_face_down(self, slot: int) -> bool:
        return self.rules.covered_face_down and not self.is_exposed(slot)

    def face(self, slot: int) -> str | None:
        """What the slot shows: a card, `??` for one face down, None where it is gone."""
        card = self.pyramid[slot]
        return FACE_DOWN if card is not None and self.is_face_down(slot) else card

    def playable(self) -> tuple[Card, ...]:
        """The exposed pyramid cards in slot order, then the playable tops of the piles."""
        exposed = (
            card
            for slot, card in enumerate(self.pyramid)
            if card is not None and self.is_exposed(slot)
        )
        return (*exposed, *self.waste[-1:], *self._playable_stock())

    def _playable_stock(self) -> tuple[Card, ...]:
        return self.stock[:1] if self.rules.stock_top_playable else ()

    def _goal_is_met(self) -> bool:
        if any(self.pyramid):
            return False
        return self.rules.goal is Goal.PYRAMID or not (self.stock or self.waste)

    def _can_move(self) -> bool:
        return any(True for _ in self._stock_moves()) or any(True for _ in self._removes())

    def _stock_moves(self) -> Iterator[Move]:
        if self.stock:
            yield DRAW
        elif self.waste and self.pass_number < self.rules.passes:
            yield REDEAL

    def _removes(self) -> Iterator[Move]:
        playable = self.playable()
        for card in playable:
            if is_king(card):
                yield Move(Action.REMOVE, (card,))
        for pair in combinations(playable, 2):
            if value(pair[0]) + value(pair[1]) == TARGET:
                yield Move(Action.REMOVE, pair)
        if self.rules.overlap_pairs:
            yield from self._overlap_pairs()

    def _overlap_pairs(self) -> Iterator[Move]:
        for slot, card in enumerate(self.pyramid):
            on_it = [coverer for coverer in COVERERS[slot] if self.pyramid[coverer] is not None]
            if card is None or len(on_it) != 1 or not self.is_exposed(on_it[0]):
                continue
            coverer = self.pyramid[on_it[0]]
            if coverer is not None and value(card) + value(coverer) == TARGET:
                yield Move(Action.REMOVE, (card, coverer))

    def _drawn(self) -> "Position":
        if not self.stock:
            raise StockEmpty()
        return replace(self, stock=self.stock[1:], waste=(*self.waste, self.stock[0]))

    def _redealt(self) -> "Position":
        if self.stock:
            raise StockNotEmpty(count=len(self.stock))
        if not self.waste:
            raise WasteEmpty()
        if self.pass_number == self.rules.passes:
            raise NoRedealsLeft(passes=self.rules.passes)
        return replace(self, stock=self.waste, waste=(), pass_number=self.pass_number + 1)

    def _without(self, cards: tuple[Card, ...]) -> "Position":
        return replace(
            self,
            pyramid=tuple(None if card in cards else card for card in self.pyramid),
            stock=self.stock[1:] if self.stock[:1] and self.stock[0] in cards else self.stock,
            waste=self.waste[:-1] if self.waste and self.waste[-1] in cards else self.waste,
        )

    def _check_remove(self, cards: tuple[Card, ...], seen: frozenset[Card] | None) -> None:
        for card in cards:
            if seen is not None and card not in seen:
                raise NotPlayable(card)
        for card in cards:
            place = self._place_out_of_play(card)
            if place is not None:
                raise NotPlayable(card, place)
        covered = [refusal for refusal in map(self._covering, cards, cards[::-1]) if refusal]
        if covered:
            raise min(covered, key=lambda refusal: isinstance(refusal, CardCovered))
        if len(cards) == 2:
            for card in cards:
                if is_king(card):
                    raise KingAlone(card)
        values = [value(card) for card in cards]
        if sum(values) != TARGET:
            raise NotThirteen(cards, values)

    def _place_out_of_play(self, card: Card) -> str | None:
        if card in self.pyramid or card in self.waste[-1:] or card in self._playable_stock():
            return None
        if card in self.waste:
            return "waste"
        return "stock" if card in self.stock else "removed"

    def _covering(self, card: Card, other: Card) -> RuleError | None:
        """Why what lies on `card` keeps it from going with `other` (itself, when named alone)."""
        if card not in self.pyramid:
            return None
        slot = self.pyramid.index(card)
        on_it = [coverer for coverer in COVERERS[slot] if self.pyramid[coverer] is not None]
        if not on_it:
            return None
        if [self.pyramid[coverer] for coverer in on_it] == [other] and (
            value(card) + value(other) == TARGET
        ):
            return None if self.rules.overlap_pairs else PairCoversItself(card, other)
        return CardCovered(card, [str(self.face(coverer)) for coverer in on_it])
