"""Who is there in a race: whose sockets have been heard of late. Each change is an event of it."""

from collections.abc import Collection

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from game.models import Seat
from game.racing import AWAY_AFTER
from game.selectors import race_by_code
from game.services.race_change import hold, record


def arrive(*, code: str, player: AbstractBaseUser) -> None:
    """The player's sockets are heard again. A watcher's change nothing. Raises `RaceNotFound`."""
    race = race_by_code(code)
    seat = race.seats.filter(player_id=player.pk).first()
    if seat is not None:
        Seat.objects.filter(pk=seat.pk).update(seen_at=timezone.now())
        if not seat.connected:
            _meet(seat, connected=True)


def seats_heard(sockets: Collection[tuple[str, int]]) -> None:
    """Of these races' codes and players' ids sockets have been heard just now.

    A seat that is being changed is passed over, and heard again soon: to wait for it while others
    are held would be to wait in a circle with the end of a race, which changes all its seats.
    """
    codes, players = {code for code, _ in sockets}, {player for _, player in sockets}
    seats = Seat.objects.select_related("race").filter(race__code__in=codes, player__in=players)
    heard = [seat for seat in seats if (seat.race.code, seat.player_id) in sockets]
    if not heard:  # they watch
        return
    with transaction.atomic():
        free = Seat.objects.select_for_update(skip_locked=True)
        free = free.filter(pk__in=[seat.pk for seat in heard])
        Seat.objects.filter(pk__in=free.values("pk")).update(seen_at=timezone.now())
    for seat in heard:
        if not seat.connected:
            _meet(seat, connected=True)


def mark_away() -> None:
    """Those who count as there and have not been heard for too long."""
    for seat in _overdue().order_by("race_id", "number"):
        _meet(seat, connected=False)


@transaction.atomic
def _meet(seat: Seat, *, connected: bool) -> None:
    """Unless the seat has been left, or its player been heard of, meanwhile."""
    held = hold(seat.race_id)
    seated = any(row.pk == seat.pk for row in held.seats)
    if seated and (connected or _overdue().filter(pk=seat.pk).exists()):
        record(held, held.state.meet(seat.number, connected))


def _overdue() -> QuerySet[Seat]:
    return Seat.objects.filter(connected=True, seen_at__lte=timezone.now() - AWAY_AFTER)
