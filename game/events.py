"""What the game tells those who listen. It knows none of them.

`game_finished` is sent inside the transaction that ends a game, with `game`, a `Game`, and
`ledger`, what its log adds up to. A receiver writes what follows from the end and returns what the
player is told of that: members of the state's `result`. Where one fails, the game has not ended.

`race_finished` is sent inside the transaction that ends a race which counts: a rated one in which
somebody has moved. It comes with `race`, a `Race`, and `seats`, all its `Seat`s with their places.
"""

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal

from game.ledger import Ledger
from game.models import Game, Race, Seat

game_finished = Signal()
race_finished = Signal()


def announce_end(game: Game, ledger: Ledger) -> dict[str, Any]:
    """Tells of the end; what the receivers add to its result."""
    told: dict[str, Any] = {}
    for _, part in game_finished.send(sender=Game, game=game, ledger=ledger):
        if part is not None:
            assert isinstance(part, dict)
            told |= part
    return told


def announce_race_end(race: Race, seats: Sequence[Seat]) -> None:
    race_finished.send(sender=Race, race=race, seats=seats)
