"""A guest who logs in brings seats in races along; where the account sits, too, the guest goes."""

from functools import partial
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import RaceRecord, User
from game.models import Game, Race, Seat
from game.services import races
from tests.accounts.callers import PASSWORD, account
from tests.accounts.test_race_records import assert_rebuilt_the_same, told
from tests.caller import Caller
from tests.game.lines import WON
from tests.game.racers import Racers
from tests.game.ranked import player_of
from tests.game.test_at_once import at_once, beside

pytestmark = pytest.mark.django_db

NUMBER, LINE = WON["classic"]
AS_ALICE = {"username": "Alice", "password": PASSWORD}


@pytest.fixture
def alice(db: None) -> Caller:
    return account("Alice")


def logs_in(guest: Caller) -> Caller:
    answer = guest.post("tokens/", AS_ALICE)
    assert answer.status_code == 201, answer.content
    return Caller(answer.json()["token"])


# The account has no seat there


def test_a_seat_in_a_lobby_is_the_accounts_and_counts(
    alice: Caller, player: Caller, stranger: Caller
) -> None:
    """Nothing of the race has been played by the guest."""
    race = Racers(player, stranger, tier="easy")
    race.callers = (logs_in(player), stranger)
    assert race.seats("player")[0] == "Alice"
    race.start()[0].play(race.winning_line())
    assert told(race.callers[0]) == (1, 1, 0)
    assert_rebuilt_the_same()


def test_a_running_game_goes_on_as_practice(
    alice: Caller, player: Caller, stranger: Caller
) -> None:
    race = Racers(player, stranger, tier="easy")
    own, _ = race.start()
    own.play("d")
    race.callers = (logs_in(player), stranger)
    assert race.seats("player", "done")[0] == ("Alice", False)
    mine = race.tables()[0]
    assert (mine.id, mine.state()["counted"]) == (own.id, False)
    mine.undo()
    mine.play(race.winning_line())
    assert race.body()["winner"] == "Alice"
    assert (told(race.callers[0]), told(stranger)) == ((0, 0, 0), (1, 0, 0))
    assert_rebuilt_the_same()


def test_those_who_watch_are_told_the_accounts_name(
    alice: Caller, player: Caller, stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict] = []
    monkeypatch.setattr("game.events.tell_on_commit", lambda _, frame: told.append(frame))
    race = Racers(player, stranger)
    told.clear()
    logs_in(player)
    assert [(frame["type"], frame["seat"]["player"]) for frame in told] == [("seat", "Alice")]
    assert told[0]["v"] == race.row.version


def test_a_race_that_is_over_stays_as_it_was_and_counts_for_nobody(
    alice: Caller, player: Caller, stranger: Caller
) -> None:
    race = Racers(player, stranger, tier="easy")
    race.start()[0].play(race.winning_line())
    version = race.row.version
    race.callers = (logs_in(player), stranger)
    body = race.body()
    assert (body["winner"], body["me"], body["version"]) == ("Alice", 1, version)
    state = race.tables()[0].state()
    assert (state["result"]["place"], state["counted"]) == (1, False)
    assert told(race.callers[0]) == (0, 0, 0)
    assert RaceRecord.objects.count() == 1
    assert_rebuilt_the_same()


def test_who_registers_keeps_seat_and_game(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger, tier="easy")
    own, _ = race.start()
    own.play("d")
    answer = player.post("accounts/", AS_ALICE)
    race.callers = (Caller(answer.json()["token"]), stranger)
    assert race.seats("player", "done")[0] == ("Alice", False)
    assert race.tables()[0].id == own.id
    assert Seat.objects.get(number=1).counted


@pytest.mark.parametrize("started", [False, True])
def test_those_who_watch_are_told_the_name_of_who_registers(
    started: bool,
    player: Caller,
    stranger: Caller,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    told: list[dict] = []
    race = Racers(player, stranger, tier="easy")
    if started:
        race.start()
    monkeypatch.setattr("game.events.tell_on_commit", lambda _, frame: told.append(frame))
    with django_capture_on_commit_callbacks(execute=True):
        player.post("accounts/", AS_ALICE)
    assert [(frame["type"], frame["seat"]["player"]) for frame in told] == [("seat", "Alice")]
    assert told[0]["v"] == race.row.version


def test_race_that_is_over_is_told_of_no_new_name(
    player: Caller, stranger: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    race = Racers(player, stranger, tier="easy")
    race.start()[0].play(race.winning_line())
    version = race.row.version
    with django_capture_on_commit_callbacks(execute=True):
        player.post("accounts/", AS_ALICE)
    race.callers = (stranger,)
    assert race.body()["version"] == version


# The account has one of its own


def test_in_a_lobby_the_guest_leaves(alice: Caller, player: Caller) -> None:
    race = Racers(player, alice)
    race.callers = (logs_in(player),)
    assert race.seats("seat", "player", "host") == [(2, "Alice", True)]


def test_in_a_running_race_the_guest_gives_up_and_the_seat_is_nobodys(
    alice: Caller, player: Caller
) -> None:
    race = Racers(player, alice, tier="easy")
    theirs, mine = race.start()
    theirs.play("d")
    again = logs_in(player)
    race.callers = (again,)
    assert race.seats("player", "done") == [(None, True), ("Alice", False)]
    assert Game.objects.get(pk=theirs.id).status == "lost"
    mine.play(race.winning_line())
    assert race.body()["winner"] == "Alice"
    assert told(again) == (1, 1, 0)
    assert_rebuilt_the_same()
    call_command("verify_logs", verbosity=0)


def test_the_guest_may_be_the_last_who_was_not_done(alice: Caller, player: Caller) -> None:
    race = Racers(player, alice, tier="easy")
    theirs, mine = race.start()
    theirs.play("d")
    mine.change("resignations")
    race.callers = (logs_in(player),)
    assert race.body()["status"] == "over"
    assert told(race.callers[0]) == (1, 0, 1)
    assert not User.objects.filter(is_guest=True).exists()
    assert_rebuilt_the_same()


def test_in_a_race_that_is_over_the_seat_is_nobodys(alice: Caller, player: Caller) -> None:
    race = Racers(player, alice, number=NUMBER)
    race.start()[0].play(LINE)
    race.callers = (logs_in(player),)
    assert race.seats("player", "place") == [(None, 1), ("Alice", 2)]


def test_time_that_is_up_unnoticed_keeps_nobody_from_logging_in(
    alice: Caller, player: Caller
) -> None:
    race = Racers(player, alice)
    race.start()
    row = race.row
    Race.objects.update(ends_at=row.created_at, due_at=row.created_at)
    race.callers = (logs_in(player),)
    assert race.body()["status"] == "over"


# At the same moment


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_a_race_that_ends_while_the_guest_logs_in_is_in_no_record_of_the_account(
    alice: Caller, player: Caller, stranger: Caller, _: int
) -> None:
    race = Racers(player, stranger, tier="easy")
    own, other = race.start()
    *line, last = race.winning_line().split()
    other.play(" ".join(line))
    answers = at_once(
        partial(beside(other).move, last),
        partial(Caller(player.token).post, "tokens/", AS_ALICE),
        partial(beside(own).move, "d"),
    )
    assert [answer.status_code for answer in answers[:2]] == [200, 201]
    assert Seat.objects.get(number=1).player == player_of(alice)
    assert (told(alice), told(stranger)) == ((0, 0, 0), (1, 1, 0))
    assert_rebuilt_the_same()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_guest_and_account_race_while_one_becomes_the_other(
    alice: Caller, player: Caller, _: int
) -> None:
    race = Racers(player, alice, tier="easy")
    theirs, mine = race.start()
    mine.play("d")
    row = race.row
    Race.objects.update(ends_at=row.created_at, due_at=row.created_at)
    answers = at_once(
        partial(races.pass_time, row.pk),
        partial(Caller(player.token).post, "tokens/", AS_ALICE),
        partial(beside(mine).move, "d"),
    )
    assert answers[1].status_code == 201
    assert told(alice) == (1, 0, 1)
    assert Seat.objects.get(number=1).player is None
    assert Game.objects.get(pk=theirs.id).status == "lost"
    assert_rebuilt_the_same()
