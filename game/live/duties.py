"""What a server's keeper does: nobody misses anything, and what is due happens."""

import logging
from collections import defaultdict
from datetime import datetime
from typing import Any

from django.utils import timezone

from game.live.consumer import SOCKETS, Room
from game.live.frames import Close
from game.live.keeper import Duty, Keeper
from game.live.presence import mind_games, mind_races
from game.services import races

logger = logging.getLogger(__name__)


def compare_versions() -> None:
    """Has each socket of this process whose room has gone on without it read what it missed: news
    that were lost, with Redis restarted or a process killed, are made up for by this."""
    by_room: defaultdict[type[Room], defaultdict[Any, list[Room]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for socket in list(SOCKETS):
        by_room[type(socket)][socket.key].append(socket)
    for room, sockets_by_key in by_room.items():
        versions = room.versions(sockets_by_key.keys())
        for key, sockets in sockets_by_key.items():
            for socket in sockets:
                if key in versions:
                    socket.hear_of_soon(versions[key])
                else:
                    socket.close_soon(Close.NO_ROOM)


def keep_time() -> datetime | None:
    """Has what is due happen, the start of one race or the end of another; answers when to come
    again. One that fails is logged, and keeps no other from being done."""
    failed = False
    for race_id in races.due_races(timezone.now()):
        try:
            races.pass_time(race_id)
        except Exception:
            logger.exception("What is due in race %s did not happen", race_id)
            failed = True
    return None if failed else races.next_due()


timekeeper = Keeper([Duty(keep_time, every_s=1.0)])  # no start waits for the other duties
DUTIES: list[Duty] = [  # accounts adds its own
    Duty(compare_versions, every_s=2.0),
    Duty(mind_games, every_s=1.0),
    Duty(mind_races, every_s=1.0),
]
keeper = Keeper(DUTIES)
