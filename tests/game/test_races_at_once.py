"""Players of one race who do things at the same moment."""

from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.models import Game, Race, RaceEvent, Seat
from game.services import race_presence, races
from tests.caller import Caller
from tests.game.lines import WON
from tests.game.racers import Racers, guests
from tests.game.test_at_once import assert_logs_are_right, at_once, beside

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER, LINE = WON["classic"]
*BEFORE, LAST = LINE.split()


def assert_events_are_right() -> None:
    for race in Race.objects.all():
        numbers = race.events.order_by("seq").values_list("seq", flat=True)
        assert list(numbers) == list(range(1, race.version + 1))
    assert_logs_are_right()


def again(caller: Caller) -> Caller:
    """The same, for another thread: a client is not shared."""
    return Caller(caller.token)


def test_the_last_seat_is_taken_once(player: Caller) -> None:
    race = Racers(player)
    comers = guests(8)
    answers = at_once(*[partial(again(each).post, f"{race.address}seats/") for each in comers])
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 7}
    assert len(race.seats("seat")) == 2
    assert_events_are_right()


def test_one_who_joins_many_times_has_one_seat(player: Caller, stranger: Caller) -> None:
    race = Racers(player, seats=10)
    calls = [partial(again(stranger).post, f"{race.address}seats/") for _ in range(8)]
    assert Counter(answer.status_code for answer in at_once(*calls)) == {201: 1, 200: 7}
    assert race.seats("seat") == [1, 2]


def test_all_ready_at_once_begin_one_countdown() -> None:
    race = Racers(*guests(6))
    at_once(*[partial(race.ready, again(caller)) for caller in race.callers])
    assert RaceEvent.objects.filter(type="countdown").count() == 1
    assert race.body()["status"] == "countdown"
    assert_events_are_right()


def test_many_who_make_it_start_start_it_once(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger)
    player.post(f"{race.address}starts/")
    row = race.row
    Race.objects.update(due_at=row.created_at, starts_at=row.created_at)
    at_once(*[partial(races.pass_time, row.pk) for _ in range(6)])
    assert Game.objects.count() == 2
    assert RaceEvent.objects.filter(type="start").count() == 1
    assert_events_are_right()


@pytest.mark.parametrize("_", range(5))
def test_of_two_final_moves_at_once_one_wins(player: Caller, stranger: Caller, _: int) -> None:
    race = Racers(player, stranger, number=NUMBER)
    own, other = race.start()
    for table in (own, other):
        table.play(" ".join(BEFORE))
    answers = at_once(*[partial(beside(table).move, LAST) for table in (own, other)])
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    won = [answer.status_code == 200 for answer in answers]
    assert race.seats("cleared") == won
    assert sorted(race.seats("place")) == [1, 2]
    assert {race.body(caller)["winner"] for caller in race.callers} == {
        caller.get("me/").json()["name"]
        for caller, has_won in zip(race.callers, won, strict=True)
        if has_won
    }
    assert_events_are_right()


def test_moves_of_all_at_once_are_all_told() -> None:
    race = Racers(*guests(5))
    tables = race.start()

    def play(table: Any) -> set[int]:
        own = beside(table)
        return {answer.status_code for _ in range(5) for answer in (own.move("d"), own.undo())}

    assert at_once(*[partial(play, table) for table in tables]) == [{200}] * 5
    assert race.seats("moves", "undos") == [(5, 5)] * 5
    assert RaceEvent.objects.filter(type="progress").count() == 50
    assert_events_are_right()


def test_the_time_is_up_while_all_move() -> None:
    race = Racers(*guests(4))
    tables = race.start()
    row = race.row
    soon = timezone.now() + timedelta(milliseconds=200)
    Race.objects.update(due_at=soon, ends_at=soon)

    def play(table: Any) -> set[int]:
        own = beside(table)
        return {own.move("d").status_code for _ in range(12)}

    def end() -> None:
        while race.row.status != "over":
            races.pass_time(row.pk)

    at_once(*[partial(play, table) for table in tables], end)
    assert race.body()["status"] == "over"
    assert set(Game.objects.values_list("status", flat=True)) == {"lost"}
    assert_events_are_right()


def test_all_who_wish_for_a_rematch_at_once_get_one() -> None:
    race = Racers(*guests(4), number=NUMBER)
    race.start()
    race.use_up_the_time()
    calls = [partial(again(caller).post, f"{race.address}rematches/") for caller in race.callers]
    answers = at_once(*calls)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: 3}
    assert len({answer.json()["code"] for answer in answers}) == 1
    assert Race.objects.count() == 2
    assert_events_are_right()


def test_all_leave_the_lobby_at_once() -> None:
    race = Racers(*guests(5))
    answers = at_once(*[partial(race.leave, again(caller)) for caller in race.callers])
    assert {answer.status_code for answer in answers} == {200}
    assert race.body()["status"] == "over"
    assert not Seat.objects.exists()
    assert_events_are_right()


def test_two_seats_of_one_player_are_refused_by_the_database(player: Caller) -> None:
    race = Racers(player)
    seat = Seat.objects.get()
    with pytest.raises(IntegrityError):
        Seat.objects.create(race=race.row, number=2, player=seat.player)


@pytest.mark.postgresql
def test_being_heard_waits_for_no_race() -> None:
    """Many seats are heard in one statement, in any order: it must not wait for one that a race
    holds while that waits for another."""
    race = Racers(*guests(2))
    Seat.objects.update(connected=True)
    seats = list(Seat.objects.order_by("pk"))
    with transaction.atomic():
        Seat.objects.select_for_update().get(pk=seats[0].pk)
        at_once(partial(race_presence.seats_heard, {(race.code, seat.player_id) for seat in seats}))
    first, second = Seat.objects.order_by("pk")
    assert first.seen_at == seats[0].seen_at
    assert second.seen_at > seats[1].seen_at
