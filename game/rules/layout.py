"""The pyramid's 28 slots and who covers whom.

Slots are numbered 0 to 27, row by row from the apex, left to right. The coverers of (r, c) are
(r+1, c) and (r+1, c+1).
"""

from functools import cache
from typing import Final

ROWS: Final = 7
SLOTS: Final = 28


def slot_at(row: int, column: int) -> int:
    """The slot of a row 1–7 and a column 1–row."""
    return row * (row - 1) // 2 + column - 1


ROW_SLOTS: Final[tuple[range, ...]] = tuple(
    range(slot_at(row, 1), slot_at(row, row) + 1) for row in range(1, ROWS + 1)
)

COVERERS: Final[tuple[tuple[int, ...], ...]] = tuple(
    (slot_at(row + 1, column), slot_at(row + 1, column + 1)) if row < ROWS else ()
    for row in range(1, ROWS + 1)
    for column in range(1, row + 1)
)


@cache
def _cone(slot: int) -> frozenset[int]:
    return frozenset(COVERERS[slot]).union(*(_cone(coverer) for coverer in COVERERS[slot]))


# The slots that must be empty before this one is exposed: its coverers, theirs, and so on.
CONE: Final[tuple[frozenset[int], ...]] = tuple(_cone(slot) for slot in range(SLOTS))
