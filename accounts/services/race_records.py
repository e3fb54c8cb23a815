"""What rated races leave behind in their players' records.

A record is written in the transaction that ends a race, whose row is locked: so it is counted once.
It holds the race and its games by then, and takes the records after them, in the order of their
players: two races that end at once never wait for each other in a circle.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import RaceRecord, User
from accounts.tally import Placed, RaceTally, difference
from game.events import race_finished
from game.models import Race, Seat
from game.racing import RaceStatus


def enter_the_end(*, seats: Sequence[Seat], **_: Any) -> None:
    """Receives `race_finished`. A seat whose player has gone, or that came to an account with a
    guest's games, is in nobody's record, and yet among those that share a place."""
    places = Counter(seat.place for seat in seats)
    counted = {seat.player_id: seat.place for seat in seats if seat.counted and seat.player_id}
    for player_id, place in sorted(counted.items()):
        assert place is not None
        record = _locked(player_id)
        record.keep(record.tally.after(Placed(place, shared=places[place] > 1)))
        record.save()


def listen() -> None:
    race_finished.connect(enter_the_end, dispatch_uid="accounts.race_records")


def write_anew(player: User) -> list[str]:
    """Makes the player's record anew from the seats of races: what was different, in words. The
    caller holds the player's row.

    The record is locked before the seats are read: a race that ends then adds itself before or
    after, never in between.
    """
    seats = Seat.objects.filter(player=player, counted=True)
    if not (seats.exists() or RaceRecord.objects.filter(player=player).exists()):
        return []
    row = _locked(player.pk)
    kept, right = row.tally, RaceTally()
    for seat in _counted(player):
        right = right.after(Placed(seat.place, seat.shared))
    row.keep(right)
    if right.played:
        row.save()
    else:
        row.delete()
    if kept == right:
        return []
    return [f"{player}, races: {difference(kept, right, 'the seats say')}"]


def _locked(player_id: int) -> RaceRecord:
    """The record, new if there was none, locked until the transaction ends."""
    return RaceRecord.objects.select_for_update().get_or_create(player_id=player_id)[0]


def _counted(player: User) -> QuerySet[Any]:
    """The player's seats in rated races that are over and in which somebody has moved; whether
    another one has the same place is their `shared`."""
    moved = Seat.objects.filter(race=OuterRef("pk"), moves__gt=0)
    races = Race.objects.filter(Exists(moved), status=RaceStatus.OVER).exclude(tier="")
    beside = Seat.objects.filter(race=OuterRef("race"), place=OuterRef("place"))
    return Seat.objects.filter(player=player, counted=True, race__in=races).annotate(
        shared=Exists(beside.exclude(pk=OuterRef("pk")))
    )
