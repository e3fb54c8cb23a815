"""What rated races do to their players' records, once each."""

from collections.abc import Sequence
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from accounts.models import RaceRecord, User
from accounts.services import records
from game.models import Race, Seat
from game.services import races
from tests.accounts.callers import PASSWORD, account, delete, patch
from tests.caller import Caller
from tests.game.lines import WON
from tests.game.racers import Racers, guests
from tests.game.ranked import player_of
from tests.game.test_at_once import at_once, beside

pytestmark = pytest.mark.django_db

NOTHING = (0, 0, 0)
WIN, DRAW, LOSS = (1, 1, 0), (1, 0, 1), (1, 0, 0)


@pytest.fixture
def pair(player: Caller, stranger: Caller) -> Racers:
    return Racers(player, stranger, tier="easy")


def told(caller: Caller) -> tuple[int, int, int]:
    """Played, won, drawn."""
    body = caller.get("me/records/").json()["races"]
    return body["played"], body["won"], body["drawn"]


def all_told(race: Racers) -> list[tuple[int, int, int]]:
    return [told(caller) for caller in race.callers]


def rows() -> list[tuple[int, ...]]:
    names = ("player_id", "played", "won", "drawn")
    return list(RaceRecord.objects.order_by("player_id").values_list(*names))


def rebuild(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild_records", *arguments, stdout=out)
    return out.getvalue()


def assert_rebuilt_the_same() -> None:
    before = rows()
    assert "0 records differ" in rebuild()
    RaceRecord.objects.all().delete()
    rebuild()
    assert rows() == before


def drawn(race: Racers) -> None:
    """All turn up a card, nobody removes one, and the time is up."""
    for table in race.start():
        table.play("d")
    race.use_up_the_time()


# Results


def test_who_clears_first_has_won_and_the_other_lost(pair: Racers) -> None:
    own, other = pair.start()
    other.play("d")
    own.play(pair.winning_line())
    assert all_told(pair) == [WIN, LOSS]
    assert_rebuilt_the_same()


def test_equal_on_everything_is_a_draw(pair: Racers) -> None:
    drawn(pair)
    assert all_told(pair) == [DRAW, DRAW]
    assert_rebuilt_the_same()


def test_a_place_that_is_shared_behind_the_first_is_lost() -> None:
    race = Racers(*guests(3), tier="easy")
    first, *others = race.start()
    for table in others:
        table.play("d")
    first.play(race.winning_line())
    race.use_up_the_time()
    assert race.seats("place") == [1, 2, 2]
    assert all_told(race) == [WIN, LOSS, LOSS]
    assert_rebuilt_the_same()


def test_of_three_two_may_draw() -> None:
    race = Racers(*guests(3), tier="easy")
    tables = race.start()
    tables[0].play("d")
    Seat.objects.filter(number__in=(2, 3)).update(best_removed=2, best_ms=900)
    race.use_up_the_time()
    assert race.seats("place") == [3, 1, 1]
    assert all_told(race) == [LOSS, DRAW, DRAW]
    assert_rebuilt_the_same()


def test_who_gives_up_has_lost(pair: Racers) -> None:
    own, other = pair.start()
    other.change("resignations")
    own.play(pair.winning_line())
    assert all_told(pair) == [WIN, LOSS]
    assert_rebuilt_the_same()


def test_races_add_up(player: Caller, stranger: Caller) -> None:
    for _ in range(2):
        race = Racers(player, stranger, tier="easy")
        race.start()[0].play(race.winning_line())
    drawn(Racers(stranger, player, tier="standard"))
    assert all_told(race) == [(3, 2, 1), (3, 0, 1)]
    assert_rebuilt_the_same()


# What does not count


def test_a_friendly_race_counts_nothing(player: Caller, stranger: Caller) -> None:
    number, line = WON["classic"]
    race = Racers(player, stranger, number=number)
    race.start()[0].play(line)
    assert race.body()["status"] == "over"
    assert all_told(race) == [NOTHING, NOTHING]
    assert_rebuilt_the_same()


def test_a_race_in_which_nobody_moved_counts_nothing(pair: Racers) -> None:
    pair.start()
    pair.use_up_the_time()
    assert all_told(pair) == [NOTHING, NOTHING]
    assert_rebuilt_the_same()


def test_a_race_that_is_not_over_counts_nothing_yet(pair: Racers) -> None:
    pair.start()[0].play("d")
    assert all_told(pair) == [NOTHING, NOTHING]
    assert_rebuilt_the_same()


def test_a_lobby_that_was_left_counts_nothing(pair: Racers) -> None:
    for caller in pair.callers:
        pair.leave(caller)
    assert all_told(pair) == [NOTHING, NOTHING]
    assert_rebuilt_the_same()


def test_a_watcher_gets_no_record(pair: Racers) -> None:
    watcher = Caller.guest()
    watcher.get(pair.address)
    drawn(pair)
    assert told(watcher) == NOTHING
    assert len(rows()) == 2


def test_a_race_is_in_no_record_of_a_tier(pair: Racers) -> None:
    drawn(pair)
    assert pair.callers[0].get("me/records/").json()["records"] == []


def test_the_end_and_the_records_stand_or_fall_together(
    pair: Racers, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, _ = pair.start()
    *line, last = pair.winning_line().split()
    own.play(" ".join(line))

    def crash(*_: Any, **__: Any) -> None:
        raise RuntimeError("the power goes")

    with monkeypatch.context() as patched:
        patched.setattr(RaceRecord, "save", crash)
        own.caller.client.raise_request_exception = False
        assert own.move(last).status_code == 500
    assert (pair.body()["status"], own.state()["status"]) == ("running", "playing")
    assert own.move(last).json()["status"] == "won"
    assert all_told(pair) == [WIN, LOSS]


def test_a_record_that_does_not_add_up_is_not_stored(player: Caller) -> None:
    with pytest.raises(IntegrityError):
        RaceRecord.objects.create(player=player_of(player), played=2, won=1, drawn=2)


# Who sees it


@pytest.fixture
def ada() -> Caller:
    ada = account("Ada")
    RaceRecord.objects.create(player=player_of(ada), played=9, won=4, drawn=2)
    return ada


def test_anybody_sees_it_with_the_player(ada: Caller, nobody: Caller) -> None:
    assert nobody.get("players/ada/").json()["races"] == {"played": 9, "won": 4, "drawn": 2}
    assert told(ada) == (9, 4, 2)


def test_of_one_who_keeps_to_themselves_it_is_not_told(ada: Caller, nobody: Caller) -> None:
    patch(ada, {"settings": {"private": True}})
    assert nobody.get("players/ada/").json()["races"] == {"played": 0, "won": 0, "drawn": 0}
    assert told(ada) == (9, 4, 2)
    assert "Races" not in Client().get("/players/Ada").content.decode()


def test_it_is_in_ones_own_data(ada: Caller) -> None:
    document = ada.get("me/export/").getvalue().decode()
    assert '"races": {"played": 9, "won": 4, "drawn": 2}' in document


# Who goes


def test_of_who_has_gone_nothing_is_left_and_the_others_keep_theirs(stranger: Caller) -> None:
    race = Racers(account("ada"), stranger, tier="easy")
    drawn(race)
    assert delete(race.callers[0], {"password": PASSWORD}).status_code == 204
    assert [row[0] for row in rows()] == [player_of(stranger).pk]
    assert race.body(stranger)["seats"][0]["player"] is None
    assert told(stranger) == DRAW
    assert_rebuilt_the_same()


def test_a_seat_that_came_along_is_in_no_record_and_yet_shares_the_place(
    player: Caller, stranger: Caller
) -> None:
    account("Alice")
    race = Racers(player, stranger, tier="easy")
    for table in race.start():
        table.play("d")
    body = {"username": "Alice", "password": PASSWORD}
    alice = Caller(player.post("tokens/", body).json()["token"])
    race.use_up_the_time()
    assert (told(alice), told(stranger)) == (NOTHING, DRAW)
    assert_rebuilt_the_same()


def test_a_guests_record_goes_with_the_guest(player: Caller, stranger: Caller) -> None:
    account("Alice")
    drawn(Racers(player, stranger, tier="easy"))
    body = {"username": "Alice", "password": PASSWORD}
    alice = Caller(player.post("tokens/", body).json()["token"])
    assert (told(alice), told(stranger)) == (NOTHING, DRAW)
    assert len(rows()) == 1
    assert_rebuilt_the_same()


def test_who_registers_keeps_it(player: Caller, stranger: Caller) -> None:
    drawn(Racers(player, stranger, tier="easy"))
    answer = player.post("accounts/", {"username": "Alice", "password": PASSWORD})
    assert told(Caller(answer.json()["token"])) == DRAW
    assert_rebuilt_the_same()


# From the seats


def test_a_rebuild_mends_what_is_wrong_and_says_so(pair: Racers) -> None:
    drawn(pair)
    right = rows()
    RaceRecord.objects.filter(player=player_of(pair.callers[0])).update(played=7, won=3)
    assert "races: played is 7, the seats say 1, won is 3, the seats say 0" in rebuild()
    assert rows() == right


def test_a_check_changes_nothing_and_fails(pair: Racers) -> None:
    drawn(pair)
    RaceRecord.objects.update(played=7)
    wrong = rows()
    with pytest.raises(CommandError, match="2 records differ"):
        rebuild("--check")
    assert rows() == wrong


def test_a_record_of_no_race_goes(player: Caller) -> None:
    RaceRecord.objects.create(player=player_of(player), played=3)
    rebuild()
    assert rows() == []


def test_who_never_raced_gets_no_record_by_a_rebuild(player: Caller) -> None:
    assert records.rebuild(player_of(player)) == []
    assert rows() == []


# At the same moment


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(3))
def test_two_who_clear_at_once_are_counted_once_each(
    player: Caller, stranger: Caller, _: int
) -> None:
    race = Racers(player, stranger, tier="easy")
    *line, last = race.winning_line().split()
    tables = race.start()
    for table in tables:
        table.play(" ".join(line))
    answers = at_once(*[partial(beside(table).move, last) for table in tables])
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert sorted(all_told(race)) == [LOSS, WIN]
    assert_rebuilt_the_same()


@pytest.mark.django_db(transaction=True)
def test_an_end_that_many_notice_is_counted_once(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger, tier="easy")
    for table in race.start():
        table.play("d")
    row = race.row
    Race.objects.update(ends_at=row.created_at, due_at=row.created_at)
    at_once(*[partial(races.pass_time, row.pk) for _ in range(6)])
    assert all_told(race) == [DRAW, DRAW]


def overdue(callers: Sequence[Caller], count: int) -> list[int]:
    """Races of them all, each with another host, whose time is up."""
    begun = []
    for turn in range(count):
        start = turn % len(callers)
        race = Racers(*callers[start:], *callers[:start], tier="random")
        race.start()[0].play("d")
        begun.append(race.row)
    for row in begun:
        Race.objects.filter(pk=row.pk).update(ends_at=row.created_at, due_at=row.created_at)
    return [row.pk for row in begun]


@pytest.mark.django_db(transaction=True)
def test_many_races_of_the_same_players_that_end_at_once_are_all_counted() -> None:
    callers = guests(4)
    ids = overdue(callers, 6)
    at_once(*[partial(races.pass_time, race_id) for race_id in ids])
    assert [told(caller)[0] for caller in callers] == [6] * 4
    assert_rebuilt_the_same()


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_while_races_end_loses_none() -> None:
    callers = guests(3)
    drawn(Racers(*callers, tier="random"))
    ids = overdue(callers, 4)
    players = list(User.objects.all())
    at_once(
        *[partial(races.pass_time, race_id) for race_id in ids],
        *[partial(records.rebuild, player) for player in players * 2],
    )
    assert [told(caller)[0] for caller in callers] == [5] * 3
    assert_rebuilt_the_same()
