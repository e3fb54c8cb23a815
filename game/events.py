"""What the game tells those who listen. It knows none of them.

`game_finished` is sent inside the transaction that ends a game, with `game`, a `Game`, and
`ledger`, what its log adds up to. A receiver writes what follows from the end and returns what the
player is told of that: members of the state's `result`. Where one fails, the game has not ended.
"""

from typing import Any

from django.dispatch import Signal

from game.ledger import Ledger
from game.models import Game

game_finished = Signal()


def announce_end(game: Game, ledger: Ledger) -> dict[str, Any]:
    """Tells of the end; what the receivers add to its result."""
    told: dict[str, Any] = {}
    for _, part in game_finished.send(sender=Game, game=game, ledger=ledger):
        if part is not None:
            assert isinstance(part, dict)
            told |= part
    return told
