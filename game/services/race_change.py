"""The one way of every change of a race: its row is held, what happens becomes events with the
next numbers, and those who watch are told them once they are committed.

Whoever holds a race's row may take its games, and never the other way round: a move in one of
them comes here first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from game import race_view, racing
from game.answers import Label
from game.errors import RaceNotFound
from game.events import announce_race_end, tell_of_events
from game.ledger import Close, EntryType, Status
from game.models import RUNNING, Game, Kind, Race, RaceEvent, Seat, Tier
from game.racing import Event, NotSeated, Progress, RaceStatus
from game.rules.errors import GameOver
from game.selectors import solved_deal
from game.services.log import Made, append, start
from pyramid_site.prepared import Given, Insert, Select, Update, Write, write

_RACE = Select(
    lambda: Race.objects.select_for_update().filter(pk=Given("id", Race._meta.pk)),
)
_SEATS = Select(
    lambda: Seat.objects.select_related("player").filter(
        race_id=Given("race", Seat._meta.get_field("race"))
    )
)
_KEEP_RACE = Update(Race, ("version", "due_at", *Race.KEPT))
_KEEP_SEAT = Update(Seat, Seat.KEPT)
_ADD_EVENT = Insert(RaceEvent)


@dataclass(slots=True)
class Held:
    """A race whose row this transaction holds, as it is after what has happened so far."""

    row: Race
    seats: list[Seat]
    state: racing.Race

    def seat_of(self, player: AbstractBaseUser) -> Seat:
        """Raises `NotSeated`."""
        for seat in self.seats:
            if seat.player_id == player.pk:
                return seat
        raise NotSeated()

    def refuse_late(self, now: datetime) -> None:
        """Raises `GameOver` once the time is up, also before anybody has noticed."""
        if self.state.ends_at is not None and now >= self.state.ends_at:
            raise GameOver(status=Status.LOST)


def hold(race_id: int) -> Held:
    """Others who want the race wait until this transaction ends. Raises `RaceNotFound`.

    The seats are read afterwards: by a statement that sees what was committed meanwhile.
    """
    race = _RACE.first(id=race_id)
    if race is None:
        raise RaceNotFound()
    seats = _SEATS.all(race=race_id)
    return Held(race, seats, race.state(seats))


def record(held: Held, events: Sequence[Event], newcomer: AbstractBaseUser | None = None) -> None:
    """Writes down what has happened, and sees to what follows from it. `newcomer`: who takes the
    seat that an event of these speaks of first."""
    if not events:
        return
    now = timezone.now()
    names = dict(race_view.names_of(held.seats))
    happened = []
    for event in events:
        held.state = held.state.after(event)
        held.row.version += 1
        happened.append(
            RaceEvent(
                race=held.row,
                seq=held.row.version,
                at=now,
                type=event.type,
                body=race_view.event(event),
            )
        )
        _then(held, event, newcomer)
    held.row.keep(held.state)
    held.row.due_at = held.state.due_at(now)
    write(_KEEP_RACE.of(held.row), *_changed_seats(held), *map(_ADD_EVENT.of, happened))
    tell_of_events(held.row, happened, names | dict(race_view.names_of(held.seats)))


def follow(held: Held, made: Made) -> None:
    """A board of the race has changed: the others are told how it stands, and maybe the race
    ends."""
    view = made.view
    seat = next(seat for seat in held.seats if seat.game_id == view.game.pk)
    play = view.ledger.play
    progress = Progress(
        removed=play.position.removed,
        pass_number=play.position.pass_number,
        moves=play.moves,
        undos=play.undos,
        at_ms=view.ledger.clock.at(made.entry.at),
        cleared=view.ledger.status is Status.WON,
        gave_up=view.ledger.status is Status.LOST,
    )
    record(held, held.state.move(seat.number, progress))
    if held.state.status is RaceStatus.OVER:
        view.game.refresh_from_db(fields=["aftermath", "label_after"])


def _then(held: Held, event: Event, newcomer: AbstractBaseUser | None) -> None:
    match event:
        case Event(type=racing.EventType.SEAT, seat=racing.Seat() as seat, left=True):
            leaver = next(row for row in held.seats if row.number == seat.number)
            held.seats.remove(leaver)
            leaver.delete()
        case Event(type=racing.EventType.SEAT, seat=racing.Seat() as seat) if newcomer is not None:
            row = Seat(race=held.row, number=seat.number, player_id=newcomer.pk)
            row.keep(seat)
            row.save(force_insert=True)
            held.seats.append(row)
            held.seats.sort(key=lambda row: row.number)
        case Event(type=racing.EventType.START):
            _deal(held)
        case Event(type=racing.EventType.FINISH):
            _end(held)


def _deal(held: Held) -> None:
    """A game for each, which starts when the race does."""
    for seat in held.seats:
        assert seat.player is not None  # who goes before the start, leaves the seat
        seat.game = start(
            player=seat.player,
            deal=held.row.deal,
            rules=held.row.rules,
            kind=Kind.RACE,
            tier=Tier(held.row.tier) if held.row.is_rated else None,
            counted=held.row.is_rated,
            at=held.state.starts_at,
        )
        seat.save(update_fields=["game"])


def _end(held: Held) -> None:
    """Closes the games that still run, tells what may be told from now on, and announces the
    end where it counts."""
    games = Game.objects.filter(seat__race=held.row)
    running = games.filter(status__in=RUNNING).select_related("deal").order_by("pk")
    for game in running.select_for_update(of=("self",)):
        append(game, game.ledger(), EntryType.CLOSE, Close.RACE_OVER)
    write(*_changed_seats(held))
    label = _label(held.row) or ""
    for seat in held.seats:
        games.filter(seat=seat).update(aftermath={"place": seat.place}, label_after=label)
    if held.state.starts_at is None:
        held.row.rematch_of = None  # it was not run: there may be another one
        held.row.save(update_fields=["rematch_of"])
    if held.row.is_rated and any(seat.moves for seat in held.seats):
        announce_race_end(held.row, held.seats)


def _label(race: Race) -> Label | None:
    """What is known of the deal: a tier's deals were proven winnable when they were chosen."""
    if race.is_rated:
        return None if race.tier == Tier.RANDOM else Label.WINNABLE
    solved = solved_deal(number=race.deal.number, rules=race.rules)
    return None if solved is None else Label(solved.verdict)


def _changed_seats(held: Held) -> Iterator[Write]:
    """What the rows of the seats do not say yet; of two hosts first the one who is it no more."""
    for row in sorted(held.seats, key=lambda row: held.state.seat(row.number).host):
        state = held.state.seat(row.number)
        if row.state != state:
            row.keep(state)
            yield _KEEP_SEAT.of(row)
