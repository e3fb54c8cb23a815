"""Requests at the same moment, by threads with connections of their own."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from game.models import Game, LogEntry
from tests.caller import Caller, Table, assert_problem

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 20


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The answers to all calls, which start together."""
    barrier = Barrier(len(calls))

    def made(call: Callable[[], Any]) -> Any:
        barrier.wait(timeout=30)
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(made, calls))


def beside(table: Table) -> Table:
    """The same game, for another thread: a client is not shared."""
    return Table(Caller(table.caller.token), table.id)


def assert_logs_are_right() -> None:
    call_command("verify_logs", verbosity=0)


def test_the_same_move_many_times_is_made_once(player: Caller) -> None:
    table = player.deal("classic", 7)
    answers = at_once(
        *[lambda: beside(table).move("6D7D", version=0, client_move_id="once") for _ in range(MANY)]
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert LogEntry.objects.count() == 1
    assert (table.state()["version"], table.state()["moves"]) == (1, 1)
    assert_logs_are_right()


def test_of_two_moves_against_one_version_one_is_made(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    table.change("pauses", paused=True)
    answers = at_once(
        lambda: beside(table).move("6D7D", version=1),
        lambda: beside(table).move("JS2D", version=1),
    )
    answers.sort(key=lambda answer: answer.status_code)
    assert [answer.status_code for answer in answers] == [200, 409]
    made, state = answers[0].json(), assert_problem(answers[1], 409, "stale_version")["state"]
    clock = {"elapsed_ms"}  # runs on between the two answers
    assert {name: made[name] for name in made.keys() - clock} == {
        name: state[name] for name in state.keys() - clock
    }
    assert table.state()["moves"] == 2
    assert_logs_are_right()


def test_many_moves_against_one_version_are_one(player: Caller) -> None:
    table = player.deal("classic", 7)
    answers = at_once(*[lambda: beside(table).move("d", version=0) for _ in range(MANY)])
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: MANY - 1}
    assert table.state()["stock"]["count"] == 23
    assert_logs_are_right()


def test_many_moves_without_a_version_are_all_made(player: Caller) -> None:
    table = player.deal("classic", 7)
    answers = at_once(*[lambda: beside(table).move("d") for _ in range(MANY)])
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["version"] for answer in answers} == set(range(1, MANY + 1))
    assert table.state()["stock"]["count"] == 24 - MANY
    assert_logs_are_right()


def test_more_undos_than_moves_at_once_undo_each_move_once(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play(" ".join(["d"] * 5))
    answers = at_once(*[beside(table).undo for _ in range(MANY)])
    assert Counter(answer.status_code for answer in answers) == {200: 5, 422: MANY - 5}
    state = table.state()
    assert (state["stock"]["count"], state["undos"], state["version"]) == (24, 5, 10)
    assert_logs_are_right()


def test_many_endings_end_once(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    answers = at_once(*[lambda: beside(table).change("resignations") for _ in range(MANY)])
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: MANY - 1}
    assert table.state()["version"] == 2
    assert_logs_are_right()


def test_many_starts_of_a_number_are_one_game(player: Caller) -> None:
    body = {"rules": "classic", "number": 7}
    answers = at_once(*[lambda: Caller(player.token).post("games/", body) for _ in range(MANY)])
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: MANY - 1}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Game.objects.count() == 1


def test_many_players_start_a_number_that_nobody_had(player: Caller) -> None:
    tokens = [Caller.guest().token for _ in range(MANY)]
    body = {"rules": "classic", "number": 123_456}
    answers = at_once(*[partial(Caller(token).post, "games/", body) for token in tokens])
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == MANY


def test_many_starts_by_tier_leave_one_counted_game_running(player: Caller) -> None:
    body = {"rules": "classic", "tier": "random"}
    answers = at_once(*[lambda: Caller(player.token).post("games/", body) for _ in range(MANY)])
    assert {answer.status_code for answer in answers} == {201}
    assert Game.objects.filter(counted=True, status="playing").count() == 1
    assert Game.objects.filter(counted=True, status="lost").count() == MANY - 1
    assert_logs_are_right()


def test_a_start_by_tier_and_a_move_in_the_game_left_behind_agree(player: Caller) -> None:
    body = {"rules": "classic", "tier": "random"}
    table = Table(player, player.post("games/", body).json()["id"])
    moves = [lambda: beside(table).move("d") for _ in range(MANY // 2)]
    starts = [lambda: Caller(player.token).post("games/", body) for _ in range(MANY // 4)]
    answers = at_once(*moves, *starts)
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    assert table.state()["status"] == "lost"
    assert table.log()[-1]["type"] == "close"
    assert_logs_are_right()


def test_many_guests_are_many_players() -> None:
    answers = at_once(*[lambda: Caller().post("guests/") for _ in range(MANY)])
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["token"] for answer in answers}) == MANY


def test_readers_and_writers_of_many_games_do_not_lock_each_other_out(player: Caller) -> None:
    """SQLite: WAL, and transactions that take the write lock when they begin."""
    tables = [Caller.guest().deal("open", number) for number in range(1, 9)]

    def played(table: Table) -> list[int]:
        own = beside(table)
        return [
            answer.status_code
            for _ in range(5)
            for answer in (own.move("d"), own.caller.get(own.address), own.undo())
        ]

    codes = at_once(*[partial(played, table) for table in tables])
    assert {code for each in codes for code in each} == {200}
    assert_logs_are_right()
