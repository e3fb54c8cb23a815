"""The one ranked game of a day, its result, and practice from the archive."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services.leaving import delete_account
from game.ledger import EntryType
from game.models import Deal, Game, Kind, LogEntry
from game.rules.rulesets import RULE_SETS
from game.services import play
from leaderboards.days import Day, Span
from leaderboards.models import Board, DailyResult, Standing
from leaderboards.presentation import _cursor
from leaderboards.ranks import DATABASE, Ladder
from leaderboards.selectors import FIRST
from leaderboards.services.games import close_days
from tests.accounts.callers import PASSWORD, account, delete
from tests.accounts.test_meanwhile import alone, wait_for_one_that_waits
from tests.caller import Caller, Table, assert_problem
from tests.game.ranked import player_of
from tests.game.records import nothing_changed
from tests.game.test_at_once import at_once
from tests.leaderboards.dailies import (
    BOARD,
    DAY,
    NOON,
    TODAY,
    board,
    give_up,
    start,
    win,
    winning_line,
)

pytestmark = pytest.mark.django_db

Clock = time_machine.Traveller
SECOND = timedelta(seconds=1)


def removal(table: Table) -> dict[str, Any]:
    """A pair or a king that can go now."""
    return next(move for move in table.state()["legal"] if move["action"] == "remove")


# Starting


def test_a_game_of_the_day_begins_with_its_clock_and_tells_no_number(ada: Caller) -> None:
    answer = ada.post("daily/classic/games/")
    state = answer.json()
    assert answer.status_code == 201
    assert {name: state[name] for name in ("kind", "daily", "number", "tier", "label")} == {
        "kind": "daily",
        "daily": "2026-12-01",
        "number": None,
        "tier": None,
        "label": "winnable",
    }
    assert (state["running"], state["counted"]) == (True, True)
    assert state["closes_at"] == "2026-12-03T00:00:00.000Z"
    assert state["url"] == "/daily/classic/2026-12-01/play"
    assert ada.get(DAY).json()["game"] == state["id"]


def test_everybody_gets_the_same_cards(ada: Caller, bob: Caller) -> None:
    first, second = start(ada).state(), start(bob).state()
    assert first["pyramid"] == second["pyramid"]
    assert first["id"] != second["id"]


def test_whoever_starts_again_goes_on(ada: Caller) -> None:
    table = start(ada)
    table.play("d")
    answer = ada.post("daily/classic/games/")
    assert (answer.status_code, answer.json()["id"]) == (200, table.id)
    assert answer.json()["moves"] == 1


def test_there_is_no_second_game_once_it_has_ended(ada: Caller) -> None:
    give_up(start(ada))
    with nothing_changed():
        assert_problem(ada.post("daily/classic/games/"), 409, "daily_already_played")


def test_each_rule_set_has_a_game_of_its_own(ada: Caller) -> None:
    tables = [start(ada, rules) for rules in ("classic", "blind", "open", "overlap")]
    assert len({table.id for table in tables}) == 4


def test_one_who_is_nobody_cannot_start(nobody: Caller, clock: Clock) -> None:
    assert_problem(nobody.post("daily/classic/games/"), 401, "not_authenticated")


@pytest.mark.parametrize("rules", ["strict", "open-1"])
def test_a_rule_set_without_a_daily_has_no_game(ada: Caller, rules: str) -> None:
    assert_problem(ada.post(f"daily/{rules}/games/"), 404, "not_found")


@pytest.mark.django_db(transaction=True)
def test_twenty_starts_at_once_are_one_game() -> None:
    caller = account("ada")

    def started() -> tuple[int, str]:
        answer = Caller(caller.token).post("daily/classic/games/")
        assert answer.status_code in (200, 201), answer.content
        return answer.status_code, answer.json()["id"]

    answers = at_once(*[started] * 20)
    assert len({game for _, game in answers}) == 1
    assert sorted(status for status, _ in answers) == [200] * 19 + [201]
    assert Game.objects.filter(kind=Kind.DAILY).count() == 1


def test_the_database_takes_no_second_game_whatever_the_door(ada: Caller) -> None:
    game = Game.objects.select_related("deal").get(pk=start(ada).id)
    with pytest.raises(IntegrityError), transaction.atomic():
        play.start(
            player=player_of(ada),
            deal=game.deal,
            rules=RULE_SETS["classic"],
            kind=Kind.DAILY,
            closes_at=TODAY.closes_at,
        )


# Guests


def test_a_guests_game_is_unranked(player: Caller, clock: Clock) -> None:
    table = start(player)
    assert not table.state()["counted"]
    state = win(table, clock)
    assert (state["result"]["rank"], state["result"]["players"]) == (None, None)
    assert board(player)["results"] == []
    assert player.get(DAY).json()["result"] is None


def test_a_guest_who_registers_keeps_it_and_gets_no_ranked_one(
    player: Caller, clock: Clock
) -> None:
    table = start(player)
    answer = player.post("accounts/", {"username": "carol", "password": PASSWORD})
    assert answer.status_code == 201
    carol = Caller(answer.json()["token"])
    assert start(carol).id == table.id
    win(Table(carol, table.id), clock)
    assert board(carol)["results"] == []
    assert carol.get(DAY).json()["game"] == table.id
    assert_problem(carol.post("daily/classic/games/"), 409, "daily_already_played")


def test_a_guests_game_goes_along_to_an_account_that_has_none(player: Caller, clock: Clock) -> None:
    account("dora")
    table = start(player)
    answer = player.post("tokens/", {"username": "dora", "password": PASSWORD})
    dora = Caller(answer.json()["token"])
    assert start(dora).id == table.id
    assert table.caller.get(table.address).status_code == 401  # nobody any more
    win(Table(dora, table.id), clock)
    assert board(dora)["results"] == []


def test_a_guests_game_is_dropped_where_the_account_has_one(player: Caller, clock: Clock) -> None:
    dora = account("dora")
    own, other = start(dora), start(player)
    other.play("d")
    answer = player.post("tokens/", {"username": "dora", "password": PASSWORD})
    assert answer.status_code == 201
    assert not Game.objects.filter(pk=other.id).exists()
    assert start(Caller(answer.json()["token"])).id == own.id
    win(own, clock)
    assert [row["player"] for row in board(dora)["results"]] == ["dora"]


# The day


def test_begun_before_midnight_and_ended_after_it_belongs_to_the_first_day(
    ada: Caller, clock: Clock
) -> None:
    clock.move_to(TODAY.resets_at - 10 * SECOND)
    table = start(ada)
    state = win(table, clock, seconds=20)
    assert datetime.now(UTC) == TODAY.resets_at + 10 * SECOND
    assert state["result"] | {"rank": 1, "players": 1, "elapsed_ms": 20_000} == state["result"]
    assert [row["player"] for row in board(ada)["results"]] == ["ada"]
    assert board(ada, "daily/classic/2026-12-02/board/")["results"] == []
    new = ada.post("daily/classic/games/")
    assert (new.status_code, new.json()["daily"]) == (201, "2026-12-02")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_the_zone_and_the_clock_of_the_client_change_nothing(
    ada: Caller, clock: Clock, settings: Any, zone: str
) -> None:
    settings.TIME_ZONE = zone
    clock.move_to(TODAY.resets_at - SECOND)
    headers = {"Date": "Sun, 06 Nov 2044 08:49:37 GMT", "X-Timezone": zone}
    ada.client.defaults |= {f"HTTP_{name.upper()}": text for name, text in headers.items()}
    assert ada.post("daily/classic/games/").json()["daily"] == "2026-12-01"
    clock.shift(SECOND)
    assert ada.post("daily/classic/games/").json()["daily"] == "2026-12-02"


@pytest.mark.parametrize("path", ["", "board/", "board/week/", "board/month/"])
def test_a_day_to_come_is_not_there(ada: Caller, path: str) -> None:
    assert_problem(ada.get(f"daily/classic/2026-12-02/{path}"), 404, "not_found")


def test_a_day_to_come_cannot_be_played(ada: Caller) -> None:
    with nothing_changed():
        assert_problem(ada.post("daily/classic/2026-12-02/games/"), 404, "not_found")


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("moves", {"action": "draw", "cards": []}),
    ("undos", {}),
    ("restarts", {}),
    ("hints", {}),
    ("resignations", {}),
    ("moves", {"action": "draw", "cards": [], "version": 0}),
]


@pytest.mark.parametrize(("kind", "body"), CHANGES)
def test_nothing_is_changed_once_the_day_is_closed(
    ada: Caller, clock: Clock, kind: str, body: dict[str, Any]
) -> None:
    table = start(ada)
    table.play("d")
    clock.move_to(TODAY.closes_at)
    with nothing_changed():
        assert_problem(table.change(kind, **body), 409, "daily_closed")


def test_until_then_it_can_be_gone_on_with(ada: Caller, clock: Clock) -> None:
    table = start(ada)
    clock.move_to(TODAY.closes_at - timedelta(microseconds=1))
    assert table.move("d").status_code == 200


def test_an_open_game_ends_at_the_close_with_its_best_moment(ada: Caller, clock: Clock) -> None:
    table = start(ada)
    clock.shift(60 * SECOND)
    gone = table.change("moves", **removal(table)).json()
    removed, moves = gone["removed"], gone["moves"]
    clock.shift(60 * SECOND)
    table.undo()
    clock.move_to(TODAY.closes_at - SECOND)
    assert close_days() == TODAY.closes_at
    clock.move_to(TODAY.closes_at + timedelta(hours=3))  # no server ran when it was due
    assert close_days() is None
    state = table.state()
    assert (state["status"], state["removed"], state["running"]) == ("lost", 0, False)
    assert state["elapsed_ms"] == 36 * 3600 * 1000
    [row] = board(ada)["results"]
    assert row == {
        "rank": 1,
        "player": "ada",
        "won": False,
        "removed": removed,
        "assisted": False,
        "elapsed_ms": 60_000,
        "moves": moves,
        "undos": 0,
        "suspect": False,
        "game": table.id,
    }
    last = LogEntry.objects.filter(game_id=table.id).latest("seq")
    assert (last.type, last.detail, last.at) == (EntryType.CLOSE, "day_closed", TODAY.closes_at)


def test_a_game_that_cannot_be_closed_keeps_no_other_from_it(
    ada: Caller, bob: Caller, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [start(ada), start(bob)]
    for table in tables:
        table.play("d")
    Game.objects.filter(pk=tables[0].id).update(position="damaged")
    clock.move_to(TODAY.closes_at)
    close_days()
    assert Game.objects.get(pk=tables[1].id).status == "lost"
    assert "could not be closed" in caplog.text


def test_however_many_cannot_be_closed_the_others_are(
    ada: Caller, bob: Caller, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboards.services.games.CLOSED_AT_ONCE", 1)
    tables = [start(ada), start(ada, "open"), start(bob), start(bob, "open")]
    for table in tables:
        table.play("d")
    Game.objects.filter(pk__in=[table.id for table in tables[:2]]).update(position="damaged")
    clock.move_to(TODAY.closes_at)
    assert close_days() == TODAY.closes_at  # again, at once
    close_days()
    assert {Game.objects.get(pk=table.id).status for table in tables[2:]} == {"lost"}
    assert close_days() is None


# Results


def test_a_win_stands_on_the_board_at_once(ada: Caller, bob: Caller, clock: Clock) -> None:
    table = start(ada)
    state = win(table, clock, seconds=200)
    assert (state["result"]["rank"], state["result"]["players"]) == (1, 1)
    [row] = board(bob)["results"]
    assert row == {
        "rank": 1,
        "player": "ada",
        "won": True,
        "removed": 28,
        "assisted": False,
        "elapsed_ms": 200_000,
        "moves": len(winning_line(table).split()),
        "undos": 0,
        "suspect": False,
        "game": None,  # until the day is closed
    }
    assert ada.get(DAY).json()["result"] == row
    assert board(ada)["me"] == row
    assert board(bob)["me"] is None


def test_a_game_in_which_nothing_was_played_stands_nowhere(ada: Caller) -> None:
    state = give_up(start(ada))
    assert (state["result"]["rank"], state["result"]["best"]) == (None, None)
    assert board(ada)["results"] == []


def test_a_hint_before_the_best_moment_makes_it_assisted(ada: Caller, clock: Clock) -> None:
    table = start(ada)
    assert table.change("hints").status_code == 200
    win(table, clock)
    assert board(ada)["results"][0]["assisted"]
    assert board(ada, assisted="false")["results"] == []


def test_a_hint_after_it_does_not(ada: Caller) -> None:
    table = start(ada)
    table.change("moves", **removal(table))
    table.change("hints")
    give_up(table)
    assert not board(ada)["results"][0]["assisted"]


def test_the_first_of_equal_moments_counts_with_its_own_moves_and_undos(
    ada: Caller, clock: Clock
) -> None:
    table = start(ada)
    clock.shift(10 * SECOND)
    first = removal(table)
    table.change("moves", **first)
    clock.shift(10 * SECOND)
    table.undo()
    table.change("hints")
    clock.shift(10 * SECOND)
    table.change("moves", **first)
    give_up(table)
    [row] = board(ada)["results"]
    assert (row["elapsed_ms"], row["moves"], row["undos"], row["assisted"]) == (10_000, 1, 0, False)


def test_the_end_tells_what_counts_of_the_game_ranked_or_not(
    ada: Caller, player: Caller, clock: Clock
) -> None:
    for caller in (ada, player):
        table = start(caller)
        table.change("hints")
        clock.shift(10 * SECOND)
        gone = table.change("moves", **removal(table)).json()
        clock.shift(10 * SECOND)
        table.undo()
        result = give_up(table)["result"]
        assert (result["removed"], result["elapsed_ms"], result["undos"]) == (0, 20_000, 1)
        assert result["best"] == {
            "removed": gone["removed"],
            "elapsed_ms": 10_000,
            "moves": 1,
            "undos": 0,
            "hints": 1,
        }
        assert table.state()["result"] == result


def test_checks_and_pauses_are_refused_and_a_rewind_by_the_solver(ada: Caller) -> None:
    table = start(ada)
    with nothing_changed():
        assert_problem(table.change("checks"), 403, "not_in_ranked")
        assert_problem(table.change("pauses", paused=True), 403, "not_in_ranked")
        assert_problem(table.change("rewinds", to="winnable"), 403, "not_in_ranked")


@pytest.mark.parametrize(("seconds", "suspect"), [(1, True), (300, False)])
def test_a_result_faster_than_a_hand_is_marked_and_stays(
    ada: Caller, clock: Clock, seconds: int, suspect: bool
) -> None:
    win(start(ada), clock, seconds=seconds)
    [row] = board(ada)["results"]
    assert row["suspect"] is suspect


def test_the_database_takes_one_result_of_a_player_and_day(ada: Caller, clock: Clock) -> None:
    win(start(ada), clock)
    result = DailyResult.objects.get()
    other = play.start(
        player=player_of(ada), deal=Deal.objects.create(number=7), rules=RULE_SETS["classic"]
    )
    result.pk, result.game = None, other
    with pytest.raises(IntegrityError), transaction.atomic():
        result.save(force_insert=True)


def test_the_day_counts_in_its_week_and_its_month(ada: Caller, clock: Clock) -> None:
    win(start(ada), clock, seconds=100)
    clock.move_to(datetime(2026, 12, 6, 12, tzinfo=UTC))  # the Sunday of that week
    table = start(ada)
    clock.shift(30 * SECOND)
    removed = table.change("moves", **removal(table)).json()["removed"]
    give_up(table)
    clock.shift(timedelta(days=1))
    win(start(ada), clock, seconds=50)
    week = board(ada, "daily/classic/2026-12-06/board/week/")
    month = board(ada, "daily/classic/2026-12-07/board/month/")
    assert (week["date"], month["date"]) == ("2026-11-30", "2026-12-01")
    row = {"rank": 1, "player": "ada"}
    assert week["results"] == [row | {"won": 1, "removed": 28 + removed, "elapsed_ms": 130_000}]
    assert month["results"] == [row | {"won": 2, "removed": 56 + removed, "elapsed_ms": 180_000}]
    assert month["me"] == month["results"][0]


def test_past_the_end_there_is_a_way_back(ada: Caller, clock: Clock) -> None:
    win(start(ada), clock)
    beyond = board(ada, from_rank=7)
    assert (beyond["results"], beyond["next"]) == ([], None)
    assert [row["player"] for row in ada.get(beyond["previous"]).json()["results"]] == ["ada"]
    above = board(ada, cursor=_cursor("before", FIRST))
    assert (above["results"], above["previous"]) == ([], None)
    assert [row["player"] for row in ada.get(above["next"]).json()["results"]] == ["ada"]


def test_of_several_days_there_is_no_board_without_hints(ada: Caller, clock: Clock) -> None:
    table = start(ada)
    table.change("hints")
    win(table, clock)
    assert len(board(ada, f"{BOARD}week/", assisted="false")["results"]) == 1


# Who goes


def test_a_deleted_account_vanishes_from_all_boards(ada: Caller, bob: Caller, clock: Clock) -> None:
    first, second = start(ada), start(bob)
    win(first, clock, seconds=100)
    win(second, clock, seconds=100)
    assert [row["rank"] for row in board(bob)["results"]] == [1, 2]
    assert delete(ada, {"password": PASSWORD}).status_code == 204
    for address in (BOARD, f"{BOARD}week/", f"{BOARD}month/"):
        found = board(bob, address)
        assert [(row["rank"], row["player"]) for row in found["results"]] == [(1, "bob")]
        assert found["players"] == 1
    assert LogEntry.objects.filter(game_id=first.id).exists()
    assert not User.objects.get(pk=Game.objects.get(pk=first.id).player_id).is_active


def test_the_open_game_of_one_who_has_gone_leaves_no_result(
    ada: Caller, bob: Caller, clock: Clock
) -> None:
    table = start(ada)
    table.change("moves", **removal(table))
    delete(ada, {"password": PASSWORD})
    clock.move_to(TODAY.closes_at)
    close_days()
    assert Game.objects.get(pk=table.id).status == "lost"
    assert board(bob)["results"] == []


@pytest.fixture
def begun(db: None) -> Iterator[tuple[Caller, Table]]:
    """Ada and her game, from which a pair or a king is gone."""
    with time_machine.travel(NOON):
        ada = account("ada")
        table = start(ada)
        line = winning_line(table).split()
        first = next(number for number, move in enumerate(line) if move not in "dr")
        table.play(" ".join(line[: first + 1]))
        yield ada, table


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_an_account_that_is_deleted_while_its_day_is_closed(begun: tuple[Caller, Table]) -> None:
    ada, table = begun
    with ThreadPoolExecutor(1) as threads:
        with time_machine.travel(TODAY.closes_at), transaction.atomic():
            close_days()
            assert Standing.objects.filter(key__isnull=False).count() == len(Span)
            deleted = threads.submit(alone, delete, ada, {"password": PASSWORD})
            wait_for_one_that_waits()
        assert deleted.result(timeout=30).status_code == 204
    assert_nobody_stands()
    assert Game.objects.get(pk=table.id).status == "lost"


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_day_that_is_closed_while_the_account_is_deleted(begun: tuple[Caller, Table]) -> None:
    ada, table = begun
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            delete_account(player=player_of(ada))
            with time_machine.travel(TODAY.closes_at):
                threads.submit(alone, close_days).result(timeout=30)
            given_up = threads.submit(alone, Table(ada, table.id).change, "resignations")
            wait_for_one_that_waits()
        given_up.result(timeout=30)
    with time_machine.travel(TODAY.closes_at):
        close_days()
    assert_nobody_stands()
    assert Game.objects.get(pk=table.id).status == "lost"


def assert_nobody_stands() -> None:
    assert not Standing.objects.filter(key__isnull=False).exists()
    assert not DailyResult.objects.filter(withdrawn=False).exists()
    for each in Board.objects.all():
        assert DATABASE.size(Ladder(each)) == 0
        assert DATABASE.recount(each) == []


# The archive


def test_a_closed_day_can_be_played_as_practice(ada: Caller, bob: Caller, clock: Clock) -> None:
    cards = start(bob).state()["pyramid"]
    clock.move_to(TODAY.closes_at)
    answer = ada.post(f"{DAY}games/")
    state = answer.json()
    assert answer.status_code == 201
    assert state["pyramid"] == cards
    assert (state["kind"], state["counted"], state["daily"]) == ("casual", False, "2026-12-01")
    assert (state["closes_at"], state["label"]) == (None, "winnable")
    again = ada.post(f"{DAY}games/")
    assert (again.status_code, again.json()["id"]) == (200, state["id"])
    assert Table(ada, state["id"]).change("checks").json()["verdict"] == "winnable"
    assert ada.get(DAY).json()["game"] is None


def test_it_does_not_stand_on_the_board(ada: Caller, clock: Clock) -> None:
    clock.move_to(TODAY.closes_at)
    table = Table(ada, ada.post(f"{DAY}games/").json()["id"])
    win(table, clock)
    assert board(ada)["results"] == []


@pytest.mark.parametrize(
    "now", [TODAY.starts_at, TODAY.resets_at, TODAY.closes_at - timedelta(microseconds=1)]
)
def test_there_is_none_before_the_day_is_closed(ada: Caller, clock: Clock, now: datetime) -> None:
    clock.move_to(now)
    with nothing_changed(Game):
        assert_problem(ada.post(f"{DAY}games/"), 409, "still_running")


# Streaks


def streak(caller: Caller) -> tuple[int, int]:
    daily = caller.get("me/records/").json()["daily"]
    return daily["current_streak"], daily["best_streak"]


def test_days_in_a_row_are_counted_whatever_the_rule_set(ada: Caller, clock: Clock) -> None:
    assert streak(ada) == (0, 0)
    for rules in ("classic", "blind", "open"):
        start(ada, rules).play("d")
        clock.shift(timedelta(days=1))
    assert streak(ada) == (3, 3)  # the fourth day has only begun
    clock.shift(timedelta(days=1))
    assert streak(ada) == (0, 3)
    start(ada).play("d")
    start(ada, "blind").play("d")
    assert streak(ada) == (1, 3)


def test_unranked_games_and_those_without_a_move_are_no_days(
    ada: Caller, player: Caller, clock: Clock
) -> None:
    start(ada)
    start(player).play("d")
    assert (streak(ada), streak(player)) == ((0, 0), (0, 0))


def test_a_streak_is_of_utc_days(ada: Caller, clock: Clock, settings: Any) -> None:
    settings.TIME_ZONE = "Pacific/Kiritimati"
    clock.move_to(Day(TODAY.date).resets_at - SECOND)
    start(ada).play("d")
    clock.shift(SECOND)
    start(ada).play("d")
    assert streak(ada) == (2, 2)
