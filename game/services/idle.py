"""Counted games that nobody goes on with are lost after a week."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from game.ledger import Close, EntryType
from game.models import RUNNING, Game, Kind
from game.services.log import append

logger = logging.getLogger(__name__)

IDLE_AFTER = timedelta(days=7)  # since the last entry of the log


def idle_games() -> QuerySet[Game]:
    """Running counted games whose last entry is `IDLE_AFTER` old, longest idle first."""
    return Game.objects.filter(
        kind=Kind.CASUAL,
        counted=True,
        status__in=RUNNING,
        last_entry_at__lte=timezone.now() - IDLE_AFTER,
    ).order_by("last_entry_at")


def close_idle() -> Iterator[bool]:
    """Closes them one by one: for each, whether it still was idle when its turn came.

    Each has a transaction of its own, so that this may run at any time, also twice at once; one
    that cannot be closed is logged and keeps no other from it.
    """
    for game_id in list(idle_games().values_list("pk", flat=True)):
        closed = False
        try:
            closed = _close(game_id)
        except Exception:
            logger.exception("The idle game %s could not be closed", game_id)
        yield closed


@transaction.atomic
def _close(game_id: UUID) -> bool:
    games = idle_games().select_related("deal").select_for_update(of=("self",))
    game = games.filter(pk=game_id).first()
    if game is None:
        return False
    append(game, game.ledger(), EntryType.CLOSE, Close.IDLE)
    return True
