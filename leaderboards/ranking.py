"""The order of results, as one whole number: the higher the better, and equal for equal results.

53 bits, so that a sorted set's scores (IEEE 754 doubles) and JavaScript hold it exactly. Standard
library only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

_REMOVED, _TIME, _MOVES = 5, 28, 18  # bits
UNASSISTED = 1 << (_TIME + _MOVES)  # the bit of a `Score`'s key that says so
MOST_REMOVED = (1 << _REMOVED) - 1
LONGEST_MS = (1 << _TIME) - 1  # three days; a daily is open for two
MOST_MOVES = (1 << _MOVES) - 1

_TOTAL_REMOVED, _TOTAL_WON, _TOTAL_TIME = 10, 5, 34
DAYS = 31
MOST_TOTAL_REMOVED = (1 << _TOTAL_REMOVED) - 1
MOST_WON = (1 << _TOTAL_WON) - 1
LONGEST_TOTAL_MS = (1 << _TOTAL_TIME) - 1


@dataclass(frozen=True, slots=True)
class Score:
    """What a run at a daily came to at the first moment with the most cards removed: the time and
    the moves until then, and whether a hint came before it."""

    # What is counted together: keys alike but for so many of their lowest bits. Those of the same
    # number of cards with or without help; of them within 33 s; of them within a quarter of one.
    RANGES: ClassVar = (_MOVES + _TIME, _MOVES + 15, _MOVES + 8)

    won: bool
    removed: int
    assisted: bool
    elapsed_ms: int
    moves: int

    @property
    def order(self) -> tuple[bool, int, bool, int, int]:
        """The higher the better."""
        return self.won, self.removed, not self.assisted, -self.elapsed_ms, -self.moves

    @property
    def key(self) -> int:
        """Orders as `order` does. A time or a number of moves beyond what there is room for counts
        as the longest there is. Raises `ValueError` for what no run can come to."""
        if not (0 <= self.removed <= MOST_REMOVED and self.elapsed_ms >= 0 and self.moves >= 0):
            raise ValueError(self)
        key = int(self.won)
        key = key << _REMOVED | self.removed
        key = key << 1 | (not self.assisted)
        key = key << _TIME | (LONGEST_MS - min(self.elapsed_ms, LONGEST_MS))
        return key << _MOVES | (MOST_MOVES - min(self.moves, MOST_MOVES))

    @classmethod
    def of(cls, key: int) -> "Score":
        """The score with this key. Raises `ValueError` for a number that is none."""
        rest, moves = _split(key, _MOVES)
        rest, time = _split(rest, _TIME)
        rest, unassisted = _split(rest, 1)
        won, removed = _split(rest, _REMOVED)
        if won not in (0, 1):
            raise ValueError(key)
        return cls(bool(won), removed, not unassisted, LONGEST_MS - time, MOST_MOVES - moves)


@dataclass(frozen=True, slots=True)
class Total:
    """What the days of a week or a month came to together."""

    # As a score's: of the same number of cards; of days won too, within 70 minutes; within 8 s.
    RANGES: ClassVar = (_TOTAL_WON + _TOTAL_TIME, 22, 13)

    removed: int
    won: int
    elapsed_ms: int

    @classmethod
    def of_days(cls, scores: Iterable[Score]) -> "Total":
        days = list(scores)
        return cls(
            removed=sum(score.removed for score in days),
            won=sum(score.won for score in days),
            elapsed_ms=sum(score.elapsed_ms for score in days),
        )

    @property
    def order(self) -> tuple[int, int, int]:
        return self.removed, self.won, -self.elapsed_ms

    @property
    def key(self) -> int:
        """Orders as `order` does. Raises `ValueError` for more than `DAYS` days can come to."""
        if not (
            0 <= self.removed <= MOST_TOTAL_REMOVED
            and 0 <= self.won <= MOST_WON
            and 0 <= self.elapsed_ms <= LONGEST_TOTAL_MS
        ):
            raise ValueError(self)
        key = self.removed << _TOTAL_WON | self.won
        return key << _TOTAL_TIME | (LONGEST_TOTAL_MS - self.elapsed_ms)

    @classmethod
    def of(cls, key: int) -> "Total":
        rest, time = _split(key, _TOTAL_TIME)
        removed, won = _split(rest, _TOTAL_WON)
        if removed > MOST_TOTAL_REMOVED:
            raise ValueError(key)
        return cls(removed, won, LONGEST_TOTAL_MS - time)


def _split(number: int, bits: int) -> tuple[int, int]:
    """What stands above so many bits, and what they say. Raises `ValueError` below zero."""
    if number < 0:
        raise ValueError(number)
    return number >> bits, number & ((1 << bits) - 1)
