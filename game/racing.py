"""A race as a state machine: pure, told the time, and knowing nothing of cards.

    lobby ──► countdown ──► running ──► over
      ▲           │
      └───────────┘ somebody leaves, or is not ready after all

`Race` is a value. A verb of it (`join`, `leave`, `move` …) answers the events that follow, or
raises why there are none; `after(event)` is the only place that says what an event does. The
service writes events down and keeps what they add up to on rows; whoever watches is told the same.

RuleError (game.rules.errors)
└── RaceError
    ├── RaceFull      every seat is taken
    ├── RaceStarted   too late: the countdown or the race is on
    ├── RaceTooFew    a race needs two
    ├── NotHost       only the host starts it by hand
    ├── NotSeated     no seat of this race is the caller's
    ├── NotStarted    too early: nobody has raced yet
    └── RaceRunning   too early: only once the race is over
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from game.rules.errors import RuleError

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 10
COUNTDOWN: Final = timedelta(seconds=5)
LATE: Final = timedelta(seconds=2)  # a start that nobody was there to make is made when it is seen
AWAY_AFTER: Final = timedelta(seconds=8)  # without a word from any of a player's sockets
LOBBY_LASTS: Final = timedelta(days=1)  # after the last thing that happened in it
SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(hours=1)
USUAL: Final = timedelta(minutes=15)


class RaceStatus(StrEnum):
    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    OVER = "over"


class EventType(StrEnum):
    SEAT = "seat"  # taken, left, or its host or player changed
    READY = "ready"
    COUNTDOWN = "countdown"  # begun, or called off
    START = "start"
    PROGRESS = "progress"  # a move, an undo …
    PRESENCE = "presence"  # there, or away
    CLEARED = "cleared"
    DONE = "done"  # given up
    FINISH = "finish"
    REMATCH = "rematch"  # the next race is there


class RaceError(RuleError):
    pass


class RaceFull(RaceError):
    """`seats`: how many there are."""

    code = "race_full"

    def __init__(self, seats: int) -> None:
        super().__init__(seats=seats)


class RaceStarted(RaceError):
    code = "race_started"


class RaceTooFew(RaceError):
    code = "race_too_few"


class NotHost(RaceError):
    code = "not_host"


class NotSeated(RaceError):
    code = "not_seated"


class NotStarted(RaceError):
    code = "not_started"


class RaceRunning(RaceError):
    code = "still_running"


@dataclass(frozen=True, slots=True)
class Progress:
    """How a board stands, without a card of it. `at_ms`: since the start."""

    removed: int
    pass_number: int
    moves: int
    undos: int
    at_ms: int
    cleared: bool = False
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    number: int  # 1 …
    host: bool = False
    ready: bool = False
    connected: bool = False
    removed: int = 0
    best_removed: int = 0  # the most at any moment,
    best_ms: int = 0  # and when that was reached first, since the start
    pass_number: int = 1
    moves: int = 0
    undos: int = 0
    done: bool = False  # cleared or given up
    cleared: bool = False
    elapsed_ms: int | None = None  # when it was done, since the start
    place: int | None = None  # 1 …, once the race is over; equals share one

    def after(self, progress: Progress) -> "Seat":
        better = progress.removed > self.best_removed
        done = progress.cleared or progress.gave_up
        return replace(
            self,
            removed=progress.removed,
            best_removed=progress.removed if better else self.best_removed,
            best_ms=progress.at_ms if better else self.best_ms,
            pass_number=progress.pass_number,
            moves=progress.moves,
            undos=progress.undos,
            done=done,
            cleared=progress.cleared,
            elapsed_ms=progress.at_ms if done else None,
        )

    @property
    def standing(self) -> tuple[bool, int, int]:
        """The least comes first: who cleared, by time; then most cards removed at any moment, then
        who got there first."""
        if self.cleared:
            assert self.elapsed_ms is not None
            return (False, self.elapsed_ms, 0)
        return (True, -self.best_removed, self.best_ms)


@dataclass(frozen=True, slots=True)
class Event:
    """What has happened. `seat`: the one concerned, as it is from then on."""

    type: EventType
    seat: Seat | None = None
    left: bool = False  # the seat is free again
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    seats: tuple[Seat, ...] = ()  # of a finish: all, with their places
    code: str = ""  # of a rematch


@dataclass(frozen=True, slots=True)
class Race:
    seats_max: int
    time_limit: timedelta
    status: RaceStatus = RaceStatus.LOBBY
    starts_at: datetime | None = None  # the countdown's end; once running, when it started
    ends_at: datetime | None = None
    seats: tuple[Seat, ...] = ()  # by number

    def after(self, event: Event) -> "Race":
        match event.type:
            case EventType.COUNTDOWN:
                on = event.starts_at is not None
                status = RaceStatus.COUNTDOWN if on else RaceStatus.LOBBY
                return replace(self, status=status, starts_at=event.starts_at)
            case EventType.START:
                return replace(
                    self,
                    status=RaceStatus.RUNNING,
                    starts_at=event.starts_at,
                    ends_at=event.ends_at,
                )
            case EventType.FINISH:
                return replace(self, status=RaceStatus.OVER, seats=event.seats)
            case EventType.REMATCH:
                return self
            case _:
                assert event.seat is not None
                others = [seat for seat in self.seats if seat.number != event.seat.number]
                seats = others if event.left else [*others, event.seat]
                return replace(self, seats=tuple(sorted(seats, key=lambda seat: seat.number)))

    # Verbs

    def join(self) -> Sequence[Event]:
        """Takes the lowest free seat; the first to come is the host. Who comes is there, until
        nothing more is heard."""
        self._hold_open()
        if len(self.seats) >= self.seats_max:
            raise RaceFull(self.seats_max)
        taken = {seat.number for seat in self.seats}
        number = next(number for number in range(1, MOST_SEATS + 1) if number not in taken)
        return [Event(EventType.SEAT, Seat(number, host=not self.seats, connected=True))]

    def set_ready(self, number: int, ready: bool, now: datetime) -> Sequence[Event]:
        """Once all are ready, the countdown begins; who is not after all calls it off."""
        if self.status not in (RaceStatus.LOBBY, RaceStatus.COUNTDOWN):
            raise RaceStarted()
        seat = self.seat(number)
        events = []
        if seat.ready != ready:
            events.append(Event(EventType.READY, replace(seat, ready=ready)))
        if self.status is RaceStatus.COUNTDOWN:
            return events if ready else [*events, Event(EventType.COUNTDOWN)]
        return [*events, *(self._then(events)._begin_if_all_ready(now) if events else ())]

    def start(self, number: int, now: datetime) -> Sequence[Event]:
        """The host need not wait until all are ready."""
        if not self.seat(number).host:
            raise NotHost()
        if self.status is RaceStatus.COUNTDOWN:
            return []
        self._hold_open()
        if len(self.seats) < FEWEST_SEATS:
            raise RaceTooFew()
        return [self._countdown(now)]

    def leave(self, number: int, now: datetime) -> Sequence[Event]:
        """Before the start; in a running race one gives up the game instead. The next in order is
        the host then; a race that everybody has left is over."""
        if self.status not in (RaceStatus.LOBBY, RaceStatus.COUNTDOWN):
            raise RaceStarted()
        seat = self.seat(number)
        events = [Event(EventType.SEAT, seat, left=True)]
        others = self._then(events).seats
        if not others:
            return [*events, Event(EventType.FINISH)]
        if seat.host:
            events.append(Event(EventType.SEAT, replace(others[0], host=True)))
        if self.status is RaceStatus.LOBBY:
            return [*events, *self._then(events)._begin_if_all_ready(now)]
        if len(others) < FEWEST_SEATS:
            events.append(Event(EventType.COUNTDOWN))
        return events

    def meet(self, number: int, connected: bool) -> Sequence[Event]:
        """The player is there, or away. Others need not wait for a host who is: of those who are
        there the first is the host from then on."""
        seat = self.seat(number)
        if seat.connected == connected:
            return []
        events = [Event(EventType.PRESENCE, replace(seat, connected=connected))]
        there = [other for other in self.seats if other.connected and other is not seat]
        if seat.host and not connected and there and self.status is RaceStatus.LOBBY:
            events.append(Event(EventType.SEAT, replace(seat, connected=False, host=False)))
            events.append(Event(EventType.SEAT, replace(there[0], host=True)))
        return events

    def move(self, number: int, progress: Progress) -> Sequence[Event]:
        """A change of a board. Of two the first who clears ends the race; otherwise it ends with
        the last who is done."""
        seat = self.seat(number).after(progress)
        happened = EventType.PROGRESS
        if seat.done:
            happened = EventType.CLEARED if seat.cleared else EventType.DONE
        events = [Event(happened, seat)]
        seats = self._then(events).seats
        of_two_first = len(seats) == FEWEST_SEATS and seat.cleared
        if of_two_first or all(other.done for other in seats):
            return [*events, _finish(seats)]
        return events

    def pass_time(self, now: datetime) -> Sequence[Event]:
        """What happens by itself at `due_at`, which the caller knows to have come: the start, the
        end, or the end of a lobby that everybody has forgotten."""
        match self.status:
            case RaceStatus.COUNTDOWN:
                assert self.starts_at is not None
                starts_at = self.starts_at if now - self.starts_at < LATE else now
                ends_at = starts_at + self.time_limit
                return [Event(EventType.START, starts_at=starts_at, ends_at=ends_at)]
            case RaceStatus.RUNNING:
                return [_finish(self.seats)]
            case RaceStatus.LOBBY:
                return [Event(EventType.FINISH, seats=self.seats)]
            case RaceStatus.OVER:
                return []

    def succeed(self, number: int, code: str) -> Sequence[Event]:
        """The next race is there, by this code; `number`: the seat of who wished for it."""
        return [Event(EventType.REMATCH, self.seat(number), code=code)]

    def hold_over(self) -> None:
        """Raises `NotStarted` or `RaceRunning` as long as the race is not over."""
        if self.status in (RaceStatus.LOBBY, RaceStatus.COUNTDOWN):
            raise NotStarted()
        if self.status is RaceStatus.RUNNING:
            raise RaceRunning()

    def tell(self, number: int) -> Sequence[Event]:
        """The seat is another player's, or nobody's, or its player's name is another one."""
        return [Event(EventType.SEAT, self.seat(number))]

    # Readings

    def seat(self, number: int) -> Seat:
        return next(seat for seat in self.seats if seat.number == number)

    def due_at(self, now: datetime) -> datetime | None:
        """When something happens by itself if nothing else does before; None: never again."""
        match self.status:
            case RaceStatus.LOBBY:
                return now + LOBBY_LASTS
            case RaceStatus.COUNTDOWN:
                return self.starts_at
            case RaceStatus.RUNNING:
                return self.ends_at
            case RaceStatus.OVER:
                return None

    @property
    def firsts(self) -> Sequence[Seat]:
        """Who is at place 1: the winner, or those between whom it is a draw."""
        return [seat for seat in self.seats if seat.place == 1]

    def _hold_open(self) -> None:
        if self.status is not RaceStatus.LOBBY:
            raise RaceStarted()

    def _then(self, events: Sequence[Event]) -> "Race":
        race = self
        for event in events:
            race = race.after(event)
        return race

    def _begin_if_all_ready(self, now: datetime) -> Iterator[Event]:
        if len(self.seats) >= FEWEST_SEATS and all(seat.ready for seat in self.seats):
            yield self._countdown(now)

    def _countdown(self, now: datetime) -> Event:
        return Event(EventType.COUNTDOWN, starts_at=now + COUNTDOWN)


def _finish(seats: Sequence[Seat]) -> Event:
    ranked = tuple(
        replace(seat, place=1 + sum(other.standing < seat.standing for other in seats))
        for seat in seats
    )
    return Event(EventType.FINISH, seats=ranked)
