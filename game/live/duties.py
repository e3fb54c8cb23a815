"""What a server's keeper does for races."""

import logging
import time
from datetime import datetime

from django.utils import timezone

from game.live.consumer import SOCKETS
from game.live.race import RaceRoom
from game.services import races

logger = logging.getLogger(__name__)


def keep_time() -> datetime | None:
    """Has what is due happen, the start of one race or the end of another; answers when to come
    again. One that fails is logged, and keeps no other from being done."""
    for race_id in races.due_races(timezone.now()):
        try:
            races.pass_time(race_id)
        except Exception:
            logger.exception("What is due in race %s did not happen", race_id)
    return races.next_due()


class RacePresence:
    """Tells the database whose sockets were heard since it did so last, and who was not for too
    long."""

    def __init__(self) -> None:
        self.told_at = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        since, self.told_at = now - self.told_at, now
        heard = {
            (socket.key, socket.player.pk)
            for socket in list(SOCKETS)
            if isinstance(socket, RaceRoom) and socket.silent_s <= since
        }
        if heard:
            races.seats_heard(heard)
        races.mark_away()
