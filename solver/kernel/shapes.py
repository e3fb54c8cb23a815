"""The 1,430 shapes that a pyramid can have, and what lies open in each: tables, not loops.

A shape is the set of slots that still hold a card. Whatever is played, a card that is left has
nothing but cards under it, so that only 1,430 of the 2²⁸ sets can come about. They are numbered
by how many cards they hold: 0 is the empty pyramid, 1429 the full one, and removing a card always
leads to a smaller number.
"""

from array import array
from collections.abc import Iterator
from functools import cache
from typing import Final

from game.rules.layout import CONE, COVERERS, SLOTS

FULL: Final = (1 << SLOTS) - 1
NO_SHAPE: Final = -1


@cache
def _exposed(mask: int) -> int:
    return sum(
        1 << slot
        for slot, coverers in enumerate(COVERERS)
        if mask >> slot & 1 and not any(mask >> coverer & 1 for coverer in coverers)
    )


def _bits(mask: int) -> Iterator[int]:
    return (slot for slot in range(SLOTS) if mask >> slot & 1)


def _reachable() -> list[int]:
    found, new = {FULL}, {FULL}
    while new:
        new = {mask ^ 1 << slot for mask in new for slot in _bits(_exposed(mask))} - found
        found |= new
    return sorted(found, key=lambda mask: (mask.bit_count(), mask))


_MASKS: Final = _reachable()

NUMBER: Final = {mask: number for number, mask in enumerate(_MASKS)}  # shape by its set of slots
MASK: Final = array("I", _MASKS)  # the other way
EXPOSED: Final = array("I", map(_exposed, _MASKS))  # the slots that lie open
AFTER: Final = array(  # [shape * 28 + slot]: the shape once that open card is gone
    "h",
    (
        NUMBER[mask ^ 1 << slot] if exposed >> slot & 1 else NO_SHAPE
        for mask, exposed in zip(_MASKS, EXPOSED, strict=True)
        for slot in range(SLOTS)
    ),
)
ABOVE: Final = array("I", (sum(1 << over for over in CONE[slot]) for slot in range(SLOTS)))
COVERED: Final = array(  # the slots that this one covers directly
    "I",
    (sum(1 << under for under in range(SLOTS) if slot in COVERERS[under]) for slot in range(SLOTS)),
)
