"""Tells those who are connected what has happened, once it is committed.

What goes over the wire between processes are numbers, names and versions: no card, no seed.
"""

from collections.abc import Sequence

from game import race_view
from game.models import Race, RaceEvent
from pyramid_site.broadcast import tell_on_commit


def race_group(race_id: int) -> str:
    return f"race.{race_id}"


def tell_race(race: Race, events: Sequence[RaceEvent], names: dict[int, str | None]) -> None:
    for event in events:
        frame = race_view.frame(event, names)
        tell_on_commit(race_group(race.pk), {"type": "event", "v": event.seq, "frame": frame})
