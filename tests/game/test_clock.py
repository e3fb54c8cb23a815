"""Time played, on the server's clock."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine

from game.models import Kind
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Stands still unless it is moved."""
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def table(clock: time_machine.Traveller, db: None) -> Table:
    return Caller.guest().deal("classic", 7)


def time_of(state: dict) -> tuple[int, bool]:
    return state["elapsed_ms"], state["running"]


def test_time_does_not_run_before_the_first_move(
    table: Table, clock: time_machine.Traveller
) -> None:
    clock.shift(100)
    assert time_of(table.state()) == (0, False)


def test_time_runs_from_the_first_move(table: Table, clock: time_machine.Traveller) -> None:
    clock.shift(100)
    assert time_of(table.play("d").json()) == (0, True)
    clock.shift(2.5)
    assert time_of(table.state()) == (2500, True)
    clock.shift(1)
    assert time_of(table.play("d").json()) == (3500, True)


def test_a_pause_stops_the_clock(table: Table, clock: time_machine.Traveller) -> None:
    table.play("d")
    clock.shift(5)
    assert time_of(table.change("pauses", paused=True).json()) == (5000, False)
    clock.shift(1000)
    assert time_of(table.state()) == (5000, False)


def test_the_end_of_a_pause_lets_the_clock_run_on(
    table: Table, clock: time_machine.Traveller
) -> None:
    table.play("d")
    clock.shift(5)
    table.change("pauses", paused=True)
    clock.shift(1000)
    assert time_of(table.change("pauses", paused=False).json()) == (5000, True)
    clock.shift(2)
    assert time_of(table.state()) == (7000, True)


def test_a_move_starts_the_clock_again(table: Table, clock: time_machine.Traveller) -> None:
    table.play("d")
    clock.shift(5)
    table.change("pauses", paused=True)
    clock.shift(1000)
    assert time_of(table.play("d").json()) == (5000, True)
    clock.shift(1)
    assert time_of(table.state()) == (6000, True)


@pytest.mark.parametrize("paused", [True, False])
def test_a_pause_does_not_start_the_clock(
    table: Table, clock: time_machine.Traveller, paused: bool
) -> None:
    """Time runs from the first move, whatever the page sends before it."""
    assert time_of(table.change("pauses", paused=paused).json()) == (0, False)
    clock.shift(10)
    assert time_of(table.state()) == (0, False)


def test_two_pauses_count_as_one(table: Table, clock: time_machine.Traveller) -> None:
    """Two tabs of one game are hidden one after the other."""
    table.play("d")
    clock.shift(5)
    table.change("pauses", paused=True)
    clock.shift(5)
    assert time_of(table.change("pauses", paused=True).json()) == (5000, False)
    table.change("pauses", paused=False)
    clock.shift(5)
    assert time_of(table.change("pauses", paused=False).json()) == (10_000, True)


def test_a_refused_move_does_not_start_the_clock(
    table: Table, clock: time_machine.Traveller
) -> None:
    table.move("r")
    clock.shift(5)
    assert time_of(table.state()) == (0, False)


def test_undo_and_restart_leave_the_time(table: Table, clock: time_machine.Traveller) -> None:
    table.play("d d")
    clock.shift(5)
    assert time_of(table.undo().json()) == (5000, True)
    clock.shift(5)
    assert time_of(table.change("restarts").json()) == (10_000, True)


def test_time_stops_when_a_game_is_given_up(table: Table, clock: time_machine.Traveller) -> None:
    table.play("d")
    clock.shift(5)
    state = table.change("resignations").json()
    assert (*time_of(state), state["result"]["elapsed_ms"]) == (5000, False, 5000)
    clock.shift(1000)
    assert time_of(table.state()) == (5000, False)


def test_time_stops_when_a_game_is_won(clock: time_machine.Traveller, player: Caller) -> None:
    number, line = WON["overlap"]
    table = player.deal("overlap", number)
    *before, last = line.split()
    table.play(" ".join(before))
    clock.shift(5)
    assert time_of(table.play(last).json()) == (5000, False)
    clock.shift(1000)
    assert time_of(table.state()) == (5000, False)


def test_time_of_a_game_left_behind_stops_then(
    clock: time_machine.Traveller, player: Caller
) -> None:
    start = {"rules": "classic", "tier": "random"}
    table = Table(player, player.post("games/", start).json()["id"])
    table.play("d")
    clock.shift(5)
    player.post("games/", start)
    clock.shift(1000)
    assert time_of(table.state()) == (5000, False)


def test_a_clock_that_is_set_back_takes_no_time_away(
    table: Table, clock: time_machine.Traveller
) -> None:
    table.play("d")
    clock.shift(5)
    table.change("pauses", paused=True)
    table.play("d")
    clock.shift(-60)
    assert table.state()["elapsed_ms"] >= 5000
    assert table.play("d").json()["elapsed_ms"] >= 5000


def test_the_log_keeps_the_servers_time(table: Table, clock: time_machine.Traveller) -> None:
    table.play("d")
    clock.shift(61.5)
    table.play("d")
    assert [entry["at"] for entry in table.log()] == [
        "2026-12-01T12:00:00.000Z",
        "2026-12-01T12:01:01.500Z",
    ]


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
def test_a_ranked_clock_runs_from_the_deal(
    clock: time_machine.Traveller, player: Caller, kind: Kind
) -> None:
    table = ranked_game(player, kind)
    clock.shift(5)
    assert time_of(table.state()) == (5000, True)
    clock.shift(5)
    assert time_of(table.play("d").json()) == (10_000, True)


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
@pytest.mark.parametrize("paused", [True, False])
def test_a_ranked_clock_is_not_paused(
    clock: time_machine.Traveller, player: Caller, kind: Kind, paused: bool
) -> None:
    table = ranked_game(player, kind)
    table.play("d")
    with nothing_changed():
        assert_problem(table.change("pauses", paused=paused), 403, "not_in_ranked")
    clock.shift(5)
    assert time_of(table.state()) == (5000, True)
