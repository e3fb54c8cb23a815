"""A game as somebody looks at it: as of some entry of its log, at some moment."""

from dataclasses import dataclass
from datetime import datetime

from game.ledger import Ledger
from game.models import Game


@dataclass(frozen=True, slots=True)
class View:
    game: Game
    ledger: Ledger
    at: datetime
