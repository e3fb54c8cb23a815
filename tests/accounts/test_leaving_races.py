"""Whoever deletes the account leaves the races, too: what the others see, and what stays."""

from functools import partial
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import RaceRecord, User
from accounts.services import leaving, records
from game.models import Game, Race, RaceEvent, Seat
from game.services import races
from tests.accounts.callers import delete
from tests.accounts.test_race_records import rows, told
from tests.caller import Caller
from tests.game.lines import WON
from tests.game.racers import Racers, guests
from tests.game.ranked import player_of
from tests.game.test_at_once import at_once, beside

pytestmark = pytest.mark.django_db

NUMBER, LINE = WON["classic"]


@pytest.fixture
def pair(player: Caller, stranger: Caller) -> Racers:
    """The first of them will go."""
    return Racers(player, stranger, number=NUMBER)


def test_in_a_lobby_the_seat_is_free_again_and_another_is_the_host(pair: Racers) -> None:
    goer, stayer = pair.callers
    assert delete(goer).status_code == 204
    body = pair.body(stayer)
    assert [(seat["seat"], seat["host"]) for seat in body["seats"]] == [(2, True)]
    assert Caller.guest().post(f"{pair.address}seats/").status_code == 201


def test_a_countdown_with_one_left_is_called_off(pair: Racers) -> None:
    goer, stayer = pair.callers
    goer.post(f"{pair.address}starts/")
    delete(goer)
    assert pair.body(stayer)["status"] == "lobby"


def test_a_race_that_was_waiting_for_the_player_alone_is_over(player: Caller) -> None:
    race = Racers(player)
    delete(player)
    assert race.row.status == "over"
    assert not Seat.objects.exists()


def test_a_running_game_is_given_up_and_the_others_go_on(pair: Racers) -> None:
    goer, stayer = pair.callers
    own, other = pair.start()
    own.play("d d")
    assert delete(goer).status_code == 204
    seats = pair.body(stayer)["seats"]
    assert [(seat["player"], seat["done"], seat["moves"]) for seat in seats] == [
        (None, True, 2),
        (stayer.get("me/").json()["name"], False, 0),
    ]
    assert other.play(LINE).json()["status"] == "won"
    body = pair.body(stayer)
    assert body["winner"] == stayer.get("me/").json()["name"]
    assert [seat["place"] for seat in body["seats"]] == [2, 1]


def test_the_others_can_look_at_the_game_of_who_has_gone(pair: Racers) -> None:
    goer, stayer = pair.callers
    own, other = pair.start()
    own.play("d d")
    delete(goer)
    other.play(LINE)
    table = beside(own)
    table.caller = stayer
    assert [entry["type"] for entry in table.log()] == ["move", "move", "resign"]
    assert User.objects.get(is_active=False).username.startswith("gone-")
    call_command("verify_logs", verbosity=0)


def test_the_last_one_to_be_done_ends_the_race(pair: Racers) -> None:
    goer, _ = pair.callers
    own, other = pair.start()
    own.play("d")
    other.change("resignations")
    delete(goer)
    assert pair.row.status == "over"
    assert sorted(Seat.objects.values_list("place", flat=True)) == [1, 1]


def test_time_that_is_up_unnoticed_ends_the_race_and_keeps_nobody(pair: Racers) -> None:
    goer, stayer = pair.callers
    pair.start()
    row = pair.row
    Race.objects.update(ends_at=row.created_at, due_at=row.created_at)
    assert delete(goer).status_code == 204
    assert pair.body(stayer)["status"] == "over"


def test_those_who_watch_are_told_that_the_seat_is_nobodys(
    pair: Racers, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr("game.events.tell_on_commit", lambda _, frame: told.append(frame))
    pair.start()
    told.clear()
    leaving.delete_account(player=player_of(pair.callers[0]))
    frames = [frame for frame in told if "seat" in frame]
    assert [frame["type"] for frame in frames] == ["done", "seat"]
    assert frames[-1]["seat"]["player"] is None
    assert [frame["v"] for frame in frames] == [
        event.seq for event in RaceEvent.objects.order_by("-seq")[:2][::-1]
    ]


def test_several_races_are_left_at_once(player: Caller, stranger: Caller) -> None:
    lobby = Racers(player, stranger)
    running = Racers(stranger, player)
    running.start()
    over = Racers(stranger, player)
    over.start()
    over.use_up_the_time()
    delete(player)
    assert [len(lobby.body(stranger)["seats"]), running.row.status] == [1, "running"]
    assert running.seats("player")[1] is None
    assert over.seats("player")[1] is None


def test_who_gave_up_that_way_has_no_record_and_the_others_have(
    player: Caller, stranger: Caller
) -> None:
    race = Racers(player, stranger, tier="easy")
    _, other = race.start()
    delete(player)
    other.play(race.winning_line())
    assert told(stranger) == (1, 1, 0)
    assert len(rows()) == 1


# At the same moment


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_all_who_race_delete_their_accounts_at_once(_: int) -> None:
    callers = guests(4)
    races_of_all = [Racers(*callers[turn:], *callers[:turn], tier="random") for turn in range(3)]
    for race in races_of_all[:2]:
        race.start()[0].play("d")
    answers = at_once(*[partial(delete, Caller(caller.token)) for caller in callers])
    assert {answer.status_code for answer in answers} == {204}
    assert {race.row.status for race in races_of_all} == {"over"}
    assert not Seat.objects.filter(player__isnull=False).exists()
    assert not RaceRecord.objects.exists()
    call_command("verify_logs", verbosity=0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_one_goes_while_all_move(_: int) -> None:
    race = Racers(*guests(4), tier="easy")
    tables = race.start()

    def play(table: Any) -> set[int]:
        own = beside(table)
        return {answer.status_code for _ in range(5) for answer in (own.move("d"), own.undo())}

    *others, own, gone = at_once(
        *[partial(play, table) for table in tables[1:]],
        partial(play, tables[0]),
        partial(delete, Caller(tables[0].caller.token)),
    )
    assert gone.status_code == 204
    assert own <= {200, 401, 404, 409}
    assert others == [{200}] * 3
    seat = Seat.objects.get(number=1)
    assert (seat.player, seat.done) == (None, True)
    call_command("verify_logs", verbosity=0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_one_goes_while_the_other_wins_and_a_record_is_rebuilt(
    player: Caller, stranger: Caller, _: int
) -> None:
    race = Racers(player, stranger, tier="easy")
    _own, other = race.start()
    *line, last = race.winning_line().split()
    other.play(" ".join(line))
    winner = player_of(stranger)
    answers = at_once(
        partial(beside(other).move, last),
        partial(delete, Caller(player.token)),
        partial(records.rebuild, winner),
        partial(records.rebuild, player_of(player)),
    )
    assert [answer.status_code for answer in answers[:2]] == [200, 204]
    assert rows() == [(winner.pk, 1, 1, 0)]


@pytest.mark.django_db(transaction=True)
def test_one_goes_while_the_race_begins() -> None:
    race = Racers(*guests(3), tier="random")
    race.callers[0].post(f"{race.address}starts/")
    row = race.row
    Race.objects.update(due_at=row.created_at, starts_at=row.created_at)
    answers = at_once(
        partial(races.pass_time, row.pk), partial(delete, Caller(race.callers[1].token))
    )
    assert answers[1].status_code == 204
    assert race.row.status == "running"
    games = Game.objects.count()
    assert games == Seat.objects.count() in (2, 3)
    assert Seat.objects.filter(player=None).count() == games - 2
