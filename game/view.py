"""A game as somebody looks at it: as of some entry of its log, at some moment; and a race."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from game.ledger import Ledger
from game.models import Game, Race, Seat


@dataclass(frozen=True, slots=True)
class View:
    game: Game
    ledger: Ledger
    at: datetime


@dataclass(frozen=True, slots=True)
class RaceView:
    """`own`: the viewer's seat, None for a watcher; `game`: what is played on it, once started."""

    race: Race
    seats: Sequence[Seat]
    own: Seat | None
    game: View | None
    at: datetime


def instant(at: datetime) -> str:
    """A moment as every answer writes it: ISO 8601, UTC, to the millisecond."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
