"""Locked cards: pyramid cards that can never leave, found from what lies open alone.

A card is locked when each partner left for it lies under it (in its cover cone) or over it (it
lies in theirs): one of the two would have to go first, and each needs the other. Partners in
stock and waste are free. Where overlap pairs go together, a card and its direct coverer are no
obstacle to each other. A locked card means that the game cannot be won from here.

A card face down may be any card that has not been seen, so it locks nothing unless every place
where such a card can lie is an obstacle. One that an undo has covered again is still known. The
answer therefore tells nothing that the player could not work out, and names no card face down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from game.rules.cards import Card, partners
from game.rules.layout import CONE, COVERERS
from game.rules.position import FACE_DOWN, Position


class LockReason(StrEnum):
    UNDER = "partners_under_it"
    OVER = "partners_over_it"
    BOTH = "partners_under_and_over"


@dataclass(frozen=True, slots=True)
class Lock:
    card: Card
    reason: LockReason
    partners: tuple[str, ...]  # those that lie in the way, `??` where they lie face down


def locked_cards(position: Position, seen: frozenset[Card]) -> tuple[Lock, ...]:
    """The cards lying open in the pyramid that can never leave it, in slot order."""
    table = _Table(position, seen)
    return tuple(
        lock for card, slot in table.slots.items() if (lock := table.lock(card, slot)) is not None
    )


class _Table:
    """A position as its player sees it: where the open cards lie, and where the others may."""

    def __init__(self, position: Position, seen: frozenset[Card]) -> None:
        self.overlap_pairs = position.rules.overlap_pairs
        self.slots = {
            card: slot
            for slot, card in enumerate(position.pyramid)
            if card is not None and not position.is_face_down(slot)
        }
        face_down = {
            card: slot
            for slot, card in enumerate(position.pyramid)
            if card is not None and position.is_face_down(slot)
        }
        self.remembered = {card: slot for card, slot in face_down.items() if card in seen}
        self.unseen = {card: slot for card, slot in face_down.items() if card not in seen}
        self.unseen_stock = frozenset(position.stock) - seen
        self.known_in_piles = frozenset(position.stock + position.waste) - self.unseen_stock

    def lock(self, card: Card, slot: int) -> Lock | None:
        reasons: set[LockReason] = set()
        in_the_way: list[str] = []
        for partner in partners(card):
            if partner in self.known_in_piles:
                return None
            for place, face in self._places(partner):
                reason = self._obstacle(slot, place)
                if reason is None:
                    return None
                reasons.add(reason)
                in_the_way.append(face)
        if not reasons:
            return None
        reason = reasons.pop() if len(reasons) == 1 else LockReason.BOTH
        return Lock(card, reason, tuple(dict.fromkeys(in_the_way)))

    def _places(self, partner: Card) -> Iterator[tuple[int | None, str]]:
        """Where a partner lies or, unseen, may lie; None stands for the stock."""
        if partner in self.slots:
            yield self.slots[partner], partner
        elif partner in self.remembered:
            yield self.remembered[partner], FACE_DOWN
        elif partner in self.unseen_stock or partner in self.unseen:
            if self.unseen_stock:
                yield None, FACE_DOWN
            for place in self.unseen.values():
                yield place, FACE_DOWN

    def _obstacle(self, slot: int, place: int | None) -> LockReason | None:
        if place is None:
            return None
        if self.overlap_pairs and (place in COVERERS[slot] or slot in COVERERS[place]):
            return None
        if place in CONE[slot]:
            return LockReason.UNDER
        return LockReason.OVER if slot in CONE[place] else None
