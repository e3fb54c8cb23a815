"""The clock of a casual game stands still while nobody is at its table."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from game.events import tell_of_leaving
from game.ledger import EntryType
from game.models import RUNNING, Game, Kind, Presence
from game.racing import AWAY_AFTER
from game.selectors import has_company
from game.services.log import append


def be_present(game_ids: Collection[UUID]) -> None:
    """Notes that the players of these games have just been heard of at a socket."""
    seen = Presence.objects.filter(game_id__in=game_ids).update(seen_at=timezone.now())
    if seen < len(game_ids):
        come = Game.objects.filter(
            pk__in=game_ids, kind=Kind.CASUAL, status__in=RUNNING, presence=None
        )
        Presence.objects.bulk_create(
            [Presence(game_id=game_id) for game_id in come.values_list("pk", flat=True)],
            ignore_conflicts=True,
        )


def pause_left() -> None:
    """Stops the clocks of the games whose players are away, once for each time that one leaves.

    A game that is played without a socket is left alone.
    """
    overdue = Presence.objects.filter(seen_at__lt=timezone.now() - AWAY_AFTER)
    for game_id in list(overdue.values_list("pk", flat=True)):
        _pause(game_id)


@transaction.atomic
def _pause(game_id: UUID) -> None:
    games = Game.objects.select_related("deal", "player").select_for_update(of=("self",))
    game = games.filter(pk=game_id).first()
    left, _ = Presence.objects.filter(
        game_id=game_id, seen_at__lt=timezone.now() - AWAY_AFTER
    ).delete()
    if game is None or not left:
        return  # another process was faster, or the player has come back
    if game.deal.number is not None and has_company(game):
        tell_of_leaving(game)
    ledger = game.ledger()
    if not ledger.status.is_over and ledger.clock.running_since is not None and not game.is_ranked:
        append(game, ledger, EntryType.PAUSE, "on")
