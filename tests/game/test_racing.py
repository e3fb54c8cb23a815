"""The race as a state machine, alone: no database, no clock but the times that it is given."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from game.racing import (
    COUNTDOWN,
    LATE,
    LOBBY_LASTS,
    MOST_SEATS,
    Event,
    EventType,
    NotHost,
    NotStarted,
    Progress,
    Race,
    RaceFull,
    RaceRunning,
    RaceStarted,
    RaceStatus,
    RaceTooFew,
    Seat,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LIMIT = timedelta(minutes=15)
SECOND = timedelta(seconds=1)


def after(race: Race, events: Sequence[Event]) -> Race:
    for event in events:
        race = race.after(event)
    return race


def types(events: Sequence[Event]) -> list[str]:
    return [event.type.value for event in events]


def lobby(seats: int = 2, seats_max: int = 2) -> Race:
    race = Race(seats_max=seats_max, time_limit=LIMIT)
    for _ in range(seats):
        race = after(race, race.join())
    return race


def counting(seats: int = 2) -> Race:
    race = lobby(seats, seats)
    return after(race, race.start(1, NOON))


def running(seats: int = 2) -> Race:
    """It has started at noon."""
    race = counting(seats)
    race = replace(race, starts_at=NOON)
    return after(race, race.pass_time(NOON))


def moved(race: Race, number: int, removed: int, at_ms: int, **more: bool) -> list[Event]:
    return list(race.move(number, Progress(removed, 1, removed, 0, at_ms, **more)))


def test_the_first_to_come_is_the_host_and_others_are_not() -> None:
    assert [(seat.number, seat.host) for seat in lobby(3, 3).seats] == [
        (1, True),
        (2, False),
        (3, False),
    ]


def test_the_lowest_free_seat_is_taken() -> None:
    race = lobby(3, 4)
    race = after(race, race.leave(2, NOON))
    assert [event.seat.number for event in race.join() if event.seat] == [2]


def test_a_full_race_takes_nobody() -> None:
    with pytest.raises(RaceFull) as full:
        lobby(2, 2).join()
    assert full.value.params == {"seats": 2}


@pytest.mark.parametrize("race", [counting(), running()])
def test_nobody_joins_once_it_has_begun(race: Race) -> None:
    with pytest.raises(RaceStarted):
        race.join()


def test_the_countdown_begins_when_all_are_ready() -> None:
    race = lobby()
    race = after(race, race.set_ready(1, True, NOON))
    assert race.status is RaceStatus.LOBBY
    events = race.set_ready(2, True, NOON)
    assert types(events) == ["ready", "countdown"]
    race = after(race, events)
    assert (race.status, race.starts_at) == (RaceStatus.COUNTDOWN, NOON + COUNTDOWN)


def test_one_alone_who_is_ready_waits() -> None:
    race = lobby(1)
    assert types(race.set_ready(1, True, NOON)) == ["ready"]


def test_to_be_ready_twice_is_nothing_new() -> None:
    race = lobby()
    race = after(race, race.set_ready(1, True, NOON))
    assert race.set_ready(1, True, NOON) == []


def test_who_is_not_ready_after_all_calls_the_countdown_off() -> None:
    race = lobby()
    race = after(race, race.set_ready(1, True, NOON))
    race = after(race, race.set_ready(2, True, NOON))
    race = after(race, race.set_ready(1, False, NOON))
    assert (race.status, race.starts_at) == (RaceStatus.LOBBY, None)
    assert [seat.ready for seat in race.seats] == [False, True]


def test_who_was_never_ready_calls_off_a_countdown_that_the_host_began() -> None:
    race = counting()
    events = race.set_ready(2, False, NOON)
    assert types(events) == ["countdown"]
    assert after(race, events).status is RaceStatus.LOBBY


def test_an_absent_host_is_followed_by_the_first_who_is_there() -> None:
    race = lobby(3, 3)
    race = after(race, race.meet(2, False))
    race = after(race, race.meet(1, False))
    assert [(seat.host, seat.connected) for seat in race.seats] == [
        (False, False),
        (False, False),
        (True, True),
    ]


def test_a_host_who_is_alone_or_races_stays_the_host_while_away() -> None:
    for race in (lobby(1), counting(), running()):
        assert after(race, race.meet(1, False)).seat(1).host


def test_the_host_starts_without_waiting() -> None:
    race = counting()
    assert (race.status, race.starts_at) == (RaceStatus.COUNTDOWN, NOON + COUNTDOWN)


def test_a_start_during_the_countdown_changes_nothing() -> None:
    assert counting().start(1, NOON + SECOND) == []


def test_only_the_host_starts() -> None:
    with pytest.raises(NotHost):
        lobby().start(2, NOON)


def test_nobody_races_alone() -> None:
    with pytest.raises(RaceTooFew):
        lobby(1).start(1, NOON)


def test_a_running_race_is_not_started_again() -> None:
    with pytest.raises(RaceStarted):
        running().start(1, NOON)


def test_the_next_in_order_is_the_host_when_the_host_leaves() -> None:
    race = lobby(3, 3)
    race = after(race, race.leave(1, NOON))
    assert [(seat.number, seat.host) for seat in race.seats] == [(2, True), (3, False)]


def test_who_leaves_last_ends_the_race() -> None:
    race = lobby(1)
    race = after(race, race.leave(1, NOON))
    assert (race.status, race.seats) == (RaceStatus.OVER, ())


def test_the_countdown_is_called_off_when_one_is_left() -> None:
    race = counting()
    race = after(race, race.leave(2, NOON))
    assert (race.status, race.starts_at) == (RaceStatus.LOBBY, None)


def test_the_countdown_goes_on_when_two_are_left() -> None:
    race = counting(3)
    race = after(race, race.leave(1, NOON))
    assert (race.status, race.starts_at) == (RaceStatus.COUNTDOWN, NOON + COUNTDOWN)


def test_the_only_one_who_was_not_ready_leaves_and_the_countdown_begins() -> None:
    race = lobby(3, 3)
    for number in (1, 2):
        race = after(race, race.set_ready(number, True, NOON))
    assert after(race, race.leave(3, NOON)).status is RaceStatus.COUNTDOWN


def test_the_race_starts_when_the_countdown_ends_and_lasts_as_long_as_its_limit() -> None:
    race = counting()
    race = after(race, race.pass_time(NOON + COUNTDOWN + timedelta(milliseconds=30)))
    assert race.status is RaceStatus.RUNNING
    assert race.starts_at == NOON + COUNTDOWN
    assert race.ends_at == NOON + COUNTDOWN + LIMIT


def test_a_start_that_nobody_made_in_time_takes_no_time_from_anybody() -> None:
    late = NOON + COUNTDOWN + LATE + SECOND
    race = counting()
    race = after(race, race.pass_time(late))
    assert (race.starts_at, race.ends_at) == (late, late + LIMIT)


def test_what_is_due_when() -> None:
    assert lobby().due_at(NOON) == NOON + LOBBY_LASTS
    assert counting().due_at(NOON) == NOON + COUNTDOWN
    assert running().due_at(NOON) == NOON + LIMIT
    race = lobby(1)
    assert after(race, race.leave(1, NOON)).due_at(NOON) is None


def test_a_forgotten_lobby_ends_with_its_seats() -> None:
    race = lobby()
    ended = after(race, race.pass_time(NOON))
    assert (ended.status, ended.seats) == (RaceStatus.OVER, race.seats)


def test_progress_keeps_the_best_moment() -> None:
    race = running()
    for removed, at_ms in ((2, 100), (5, 200), (3, 300), (5, 400)):
        race = after(race, moved(race, 1, removed, at_ms))
    seat = race.seat(1)
    assert (seat.removed, seat.best_removed, seat.best_ms) == (5, 5, 200)


def test_of_two_the_first_who_clears_ends_the_race() -> None:
    race = running()
    race = after(race, moved(race, 2, 20, 900))
    events = moved(race, 1, 28, 1000, cleared=True)
    assert types(events) == ["cleared", "finish"]
    race = after(race, events)
    assert [(seat.number, seat.place, seat.cleared) for seat in race.seats] == [
        (1, 1, True),
        (2, 2, False),
    ]


def test_of_three_the_others_go_on() -> None:
    race = running(3)
    race = after(race, moved(race, 1, 28, 1000, cleared=True))
    assert race.status is RaceStatus.RUNNING
    race = after(race, moved(race, 3, 28, 900, cleared=True))
    race = after(race, moved(race, 2, 10, 2000, gave_up=True))
    assert race.status is RaceStatus.OVER
    assert [seat.place for seat in race.seats] == [2, 3, 1]


def test_who_gives_up_leaves_the_other_to_go_on() -> None:
    race = running()
    events = moved(race, 1, 10, 1000, gave_up=True)
    assert types(events) == ["done"]
    assert after(race, events).status is RaceStatus.RUNNING


def test_the_most_removed_at_any_moment_count_when_the_time_is_up() -> None:
    race = running()
    race = after(race, moved(race, 1, 12, 500))
    race = after(race, moved(race, 1, 2, 600))
    race = after(race, moved(race, 2, 11, 700))
    race = after(race, race.pass_time(NOON + LIMIT))
    assert [seat.place for seat in race.seats] == [1, 2]


def test_of_equally_many_the_first_who_got_there_is_ahead() -> None:
    race = running()
    race = after(race, moved(race, 1, 12, 501))
    race = after(race, moved(race, 2, 12, 500))
    race = after(race, race.pass_time(NOON + LIMIT))
    assert [seat.place for seat in race.seats] == [2, 1]


def test_equals_share_a_place_and_the_next_is_skipped() -> None:
    race = running(4)
    for number, removed in ((1, 5), (2, 9), (3, 9), (4, 2)):
        race = after(race, moved(race, number, removed, 400))
    race = after(race, race.pass_time(NOON + LIMIT))
    assert [seat.place for seat in race.seats] == [3, 1, 1, 4]
    assert [seat.number for seat in race.firsts] == [2, 3]


def test_presence_is_told_once() -> None:
    race = lobby()
    assert race.meet(2, True) == []
    assert types(race.meet(2, False)) == ["presence"]
    race = after(race, race.meet(2, False))
    assert [seat.connected for seat in race.seats] == [True, False]


def test_presence_outlives_progress() -> None:
    race = running()
    race = after(race, race.meet(2, False))
    race = after(race, moved(race, 2, 3, 10))
    assert not race.seat(2).connected


@pytest.mark.parametrize(
    ("race", "error"), [(lobby(), NotStarted), (counting(), NotStarted), (running(), RaceRunning)]
)
def test_a_rematch_waits_for_the_end(race: Race, error: type[Exception]) -> None:
    with pytest.raises(error):
        race.hold_over()


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 28), st.integers(0, 3)), min_size=2, max_size=10
    )
)
def test_places_are_those_of_a_plain_sort(boards: list[tuple[bool, int, int]]) -> None:
    """Each place is one more than the number of seats that are better, told pair by pair."""
    race = running(len(boards))
    seats = tuple(
        Seat(
            number,
            best_removed=28 if cleared else removed,
            best_ms=at,
            done=cleared,
            cleared=cleared,
            elapsed_ms=at if cleared else None,
        )
        for number, (cleared, removed, at) in enumerate(boards, start=1)
    )
    race = replace(race, seats=seats)
    placed = after(race, race.pass_time(NOON + LIMIT)).seats

    def better(one: Seat, other: Seat) -> bool:
        if one.cleared or other.cleared:
            if one.cleared and other.cleared:
                return (one.elapsed_ms or 0) < (other.elapsed_ms or 0)
            return one.cleared
        if one.best_removed != other.best_removed:
            return one.best_removed > other.best_removed
        return one.best_ms < other.best_ms

    for seat in placed:
        assert seat.place == 1 + len([other for other in seats if better(other, seat)])


class AnyRace(RuleBasedStateMachine):
    """Whatever happens in whatever order: what a watcher puts together is what the race is."""

    @initialize(seats_max=st.integers(2, 5))
    def open(self, seats_max: int) -> None:
        self.race = Race(seats_max=seats_max, time_limit=LIMIT)
        self.now = NOON
        self.watched: dict[int, Seat] = {}
        self.types: list[EventType] = []
        self.happen(self.race.join())

    def happen(self, events: Sequence[Event]) -> None:
        for event in events:
            self.race = self.race.after(event)
            self.types.append(event.type)
            if event.type is EventType.FINISH:
                self.watched = {seat.number: seat for seat in event.seats}
            elif event.seat is not None:
                self.watched[event.seat.number] = event.seat
                if event.left:
                    del self.watched[event.seat.number]

    @property
    def before(self) -> bool:
        return self.race.status in (RaceStatus.LOBBY, RaceStatus.COUNTDOWN)

    @precondition(lambda self: self.race.status is RaceStatus.LOBBY)
    @rule()
    def join(self) -> None:
        if len(self.race.seats) < self.race.seats_max:
            self.happen(self.race.join())

    @precondition(lambda self: self.before)
    @rule(data=st.data(), ready=st.booleans())
    def set_ready(self, data: st.DataObject, ready: bool) -> None:
        self.happen(self.race.set_ready(self.any_seat(data), ready, self.now))

    @precondition(lambda self: self.before)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        self.happen(self.race.leave(self.any_seat(data), self.now))

    @precondition(lambda self: self.before and len(self.race.seats) > 1)
    @rule()
    def start(self) -> None:
        host = next(seat.number for seat in self.race.seats if seat.host)
        self.happen(self.race.start(host, self.now))

    @precondition(lambda self: self.race.status is RaceStatus.RUNNING)
    @rule(
        data=st.data(),
        removed=st.integers(0, 28),
        how=st.sampled_from(["goes on", "goes on", "clears", "gives up"]),
    )
    def move(self, data: st.DataObject, removed: int, how: str) -> None:
        open_seats = [seat.number for seat in self.race.seats if not seat.done]
        number = data.draw(st.sampled_from(open_seats))
        at_ms = (self.now - (self.race.starts_at or self.now)) // timedelta(milliseconds=1)
        cleared, gave_up = how == "clears", how == "gives up"
        removed = 28 if cleared else removed
        progress = Progress(removed, 1, 1, 0, at_ms, cleared=cleared, gave_up=gave_up)
        self.happen(self.race.move(number, progress))

    @precondition(lambda self: self.race.status is not RaceStatus.OVER and self.race.seats)
    @rule(data=st.data(), connected=st.booleans())
    def meet(self, data: st.DataObject, connected: bool) -> None:
        self.happen(self.race.meet(self.any_seat(data), connected))

    @rule(seconds=st.integers(0, 600))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
        due_at = self.race.due_at(self.now)
        if due_at is not None and due_at <= self.now:
            self.happen(self.race.pass_time(self.now))

    def any_seat(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from([seat.number for seat in self.race.seats]))

    @invariant()
    def what_is_watched_is_what_is(self) -> None:
        assert self.watched == {seat.number: seat for seat in self.race.seats}

    @invariant()
    def somebody_is_the_host_as_long_as_anybody_is_there(self) -> None:
        hosts = [seat for seat in self.race.seats if seat.host]
        assert len(hosts) == bool(self.race.seats)

    @invariant()
    def it_starts_and_ends_at_most_once(self) -> None:
        assert self.types.count(EventType.START) <= 1
        assert self.types.count(EventType.FINISH) == (self.race.status is RaceStatus.OVER)

    @invariant()
    def a_running_race_has_somebody_who_is_not_done(self) -> None:
        if self.race.status is RaceStatus.RUNNING:
            assert len(self.race.seats) >= 2
            assert not all(seat.done for seat in self.race.seats)

    @invariant()
    def places_are_given_at_the_end_of_a_race_that_was_run(self) -> None:
        run = EventType.START in self.types and self.race.status is RaceStatus.OVER
        places = sorted(seat.place for seat in self.race.seats if seat.place is not None)
        assert len(places) == (len(self.race.seats) if run else 0)
        assert not run or places[0] == 1

    @invariant()
    def numbers_are_its_own(self) -> None:
        numbers = [seat.number for seat in self.race.seats]
        assert numbers == sorted(set(numbers))
        assert all(1 <= number <= MOST_SEATS for number in numbers)


TestAnyRace = AnyRace.TestCase
