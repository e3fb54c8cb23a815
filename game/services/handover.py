"""What becomes of all games of a player who goes: to another account, or for good."""

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from game.events import player_leaves
from game.ledger import Close, EntryType
from game.models import RUNNING, Game, Kind
from game.services import company, races
from game.services.log import append


@dataclass(frozen=True, slots=True)
class Moved:
    """A receipt: games that have gone over; of those, how many still ran, and how many of the
    running ones were closed because the account plays the same deal."""

    games: int
    running: int
    closed: int


@transaction.atomic
def bring_along(*, guest: AbstractBaseUser, account: AbstractBaseUser) -> Moved:
    """The guest's games and seats become the account's, as practice: none of them counts, nor tells
    of the guest's record. Counted ones without an entry go: a page deals one before anybody has
    played.

    The caller holds both players' rows locked, in the order of their ids.
    """
    company.part(player=guest)
    races.hand_over(guest=guest, account=account)
    games = Game.objects.filter(player_id=guest.pk)
    dealt = games.select_for_update().filter(kind=Kind.CASUAL, counted=True, version=0)
    games.filter(pk__in=[game.pk for game in dealt]).delete()
    _drop_dailies(guest=guest, account=account)
    games.update(counted=False)
    games.filter(kind=Kind.CASUAL).update(aftermath={})
    closed = _close_doubles(guest=guest, account=account)
    running = games.filter(status__in=RUNNING).count()
    return Moved(games=games.update(player_id=account.pk), running=running, closed=closed)


def _drop_dailies(*, guest: AbstractBaseUser, account: AbstractBaseUser) -> None:
    """Removes the guest's games of dailies that the account has a game of: there is one of each."""
    dailies = Game.objects.select_for_update().filter(kind=Kind.DAILY)
    own = set(dailies.filter(player_id=account.pk).values_list("deal_id", flat=True))
    doubled = [game.pk for game in dailies.filter(player_id=guest.pk) if game.deal_id in own]
    Game.objects.filter(pk__in=doubled).delete()


def _close_doubles(*, guest: AbstractBaseUser, account: AbstractBaseUser) -> int:
    """Closes running games of the guest where the account has a running one of the same deal."""
    running = Game.objects.filter(kind=Kind.CASUAL, status__in=RUNNING)
    own = set(running.filter(player_id=account.pk).values_list("deal_id", "rules_key"))
    closed = 0
    guests = running.select_related("deal").select_for_update(of=("self",))
    for game in guests.filter(player_id=guest.pk):
        if (game.deal_id, game.rules_key) in own:
            append(game, game.ledger(), EntryType.CLOSE, Close.BROUGHT_ALONG)
            closed += 1
    return closed


def forget(*, player: AbstractBaseUser) -> bool:
    """Leaves all races, and removes the player's casual games and their logs; whether ranked ones
    are left, which others have played against. The caller holds the player's row."""
    company.part(player=player)
    races.leave_all(player=player)
    games = Game.objects.filter(player_id=player.pk)
    list(games.select_for_update().values_list("pk"))  # a move under way adds its entry first
    games.filter(kind=Kind.CASUAL).delete()
    player_leaves.send(sender=type(player), player=player)
    return games.exists()
