"""What a player knows: the cards whose faces lay open to them at some moment.

What has been seen stays seen, also when an undo covers it again.
"""

from game.rules.cards import Card
from game.rules.position import Position


def face_up(position: Position) -> frozenset[Card]:
    """The cards that lie open now: in the pyramid, and on top of a pile where it shows."""
    return frozenset(
        card
        for slot, card in enumerate(position.pyramid)
        if card is not None and not position.is_face_down(slot)
    ).union(position.playable())


def seen_with(seen: frozenset[Card], position: Position) -> frozenset[Card]:
    """What is known once this position has been shown too."""
    return seen | face_up(position)
