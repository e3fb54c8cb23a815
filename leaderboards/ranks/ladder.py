"""What both kinds of ranks answer, alike."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from leaderboards.days import Span
from leaderboards.models import Board, Standing
from leaderboards.ranking import Score, Total


class Place(NamedTuple):
    """Where a player stands: better keys first, and of equal ones the lower id."""

    key: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Ladder:
    """A board's standings in their order, or of a day's those without help only."""

    board: Board
    unassisted: bool = False

    @property
    def ranges(self) -> tuple[int, ...]:
        """How many of a key's lowest bits the buckets of each level leave out."""
        return Score.RANGES if self.board.span == Span.DAY else Total.RANGES


class Ranks(Protocol):
    def above(self, ladder: Ladder, key: int) -> int:
        """How many are better: the rank, less one."""

    def size(self, ladder: Ladder) -> int:
        """How many there are."""

    def after(self, ladder: Ladder, place: Place | None, most: int) -> list[Place]:
        """The next ones; from the top for None. The place itself need not be there any more."""

    def before(self, ladder: Ladder, place: Place, most: int) -> list[Place]:
        """The last ones before it, in their order."""

    def at(self, ladder: Ladder, position: int, most: int) -> list[Place]:
        """From the one on that has `position` others before it."""

    def follow(self, standings: Collection[Standing]) -> None:
        """These have been committed."""

    def catch_up(self) -> None:
        """Some of what was committed may not have been told of."""

    def doubt(self, board: Board, players: Collection[int]) -> None:
        """They stand on it otherwise than was answered, or not at all."""

    def drop(self, board: Board) -> None:
        """The database says something else of it than it did, at any number of places."""
