"""`python -m benchmarks.telling serve …`: our server, in whose races one more thing can be said.

`tell` {`seat`} tells everybody in the room what a move does: `progress` with that seat, under the
next version. Only, nothing has moved, and the database knows nothing of it.
"""

import os
import sys
from threading import Lock
from typing import Any

import django
from django.core.management import execute_from_command_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")
django.setup()

from game.events import tell_of_events  # noqa: E402
from game.live.race import RaceRoom  # noqa: E402
from game.models import Race, RaceEvent  # noqa: E402
from game.racing import EventType  # noqa: E402

versions: dict[str, int] = {}  # by the race's code
in_order = Lock()


def tell(room: RaceRoom, asked: dict[str, Any]) -> None:
    seat = asked["seat"]
    names = {seat["seat"]: seat.pop("player")}
    with in_order:
        versions[room.key] = max(versions.get(room.key, 0), room.version) + 1
        event = RaceEvent(seq=versions[room.key], type=EventType.PROGRESS, body={"seat": seat})
        tell_of_events(Race(code=room.key), [event], names)


if __name__ == "__main__":
    RaceRoom.tell = tell  # type: ignore[attr-defined]
    RaceRoom.asked = {**RaceRoom.asked, "tell": "tell"}
    execute_from_command_line(sys.argv)
