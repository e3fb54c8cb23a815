"""What the game tells those who listen. It knows none of them.

`game_finished` is sent inside the transaction that ends a game, with `game`, a `Game`, and
`ledger`, what its log adds up to. A receiver writes what follows from the end and returns what the
player is told of that: members of the state's `result`. Where one fails, the game has not ended.

`player_leaves` is sent inside the transaction in which a player goes for good, with `player`, whose
row is held.

`race_finished` is sent inside the transaction that ends a race which counts: a rated one in which
somebody has moved. It comes with `race`, a `Race`, and `seats`, all its `Seat`s with their places.

Whoever looks at a game (`game.live`) is told of each change once it is committed: that there is a
new version, and nothing of what it shows. Whoever looks at a race is told its events, which name
no card.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.dispatch import Signal

from game import race_view
from game.ledger import Ledger
from game.models import Game, Race, RaceEvent, Seat
from pyramid_site.broadcast import tell_on_commit

game_finished = Signal()
race_finished = Signal()
player_leaves = Signal()


def game_group(game_id: UUID) -> str:
    """To whom a game's changes are told."""
    return f"game.{game_id}"


def tell_of_change(game: Game) -> None:
    tell_on_commit(game_group(game.pk), {"type": "changed", "v": game.version})


def race_group(code: str) -> str:
    """To whom a race's events are told."""
    return f"race.{code}"


def deal_group(rules_key: str, number: int) -> str:
    """To whom it is told who else plays a numbered deal now."""
    return f"deal.{rules_key}.{number}"


def tell_of_leaving(game: Game) -> None:
    """Its player, with others at its numbered deal until now, is there no more."""
    assert game.deal.number is not None
    group = deal_group(game.rules_key, game.deal.number)
    tell_on_commit(group, {"type": "left", "v": 0, "player": game.player.get_username()})


def tell_of_events(race: Race, events: Sequence[RaceEvent], names: race_view.Names) -> None:
    for event in events:
        tell_on_commit(race_group(race.code), race_view.frame(event, names))


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
