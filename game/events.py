"""What the game tells those who listen. It knows none of them.

`game_finished` is sent inside the transaction that ends a game, with `game`, a `Game`, and
`ledger`, what its log adds up to. A receiver writes what follows from the end and returns what the
player is told of that: members of the state's `result`. Where one fails, the game has not ended.

Whoever looks at a game (`game.live`) is told of each change once it is committed: that there is a
new version, and nothing of what it shows.
"""

from typing import Any
from uuid import UUID

from django.dispatch import Signal

from game.ledger import Ledger
from game.models import Game
from pyramid_site.broadcast import tell_on_commit

game_finished = Signal()


def game_group(game_id: UUID) -> str:
    """To whom a game's changes are told."""
    return f"game.{game_id}"


def tell_of_change(game: Game) -> None:
    tell_on_commit(game_group(game.pk), {"type": "changed", "v": game.version})


def announce_end(game: Game, ledger: Ledger) -> dict[str, Any]:
    """Tells of the end; what the receivers add to its result."""
    told: dict[str, Any] = {}
    for _, part in game_finished.send(sender=Game, game=game, ledger=ledger):
        if part is not None:
            assert isinstance(part, dict)
            told |= part
    return told
