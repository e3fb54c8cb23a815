"""Undo, rewind, restart, giving up, and stuck games."""

import pytest

from tests.caller import Caller, Table, assert_problem
from tests.game.lines import LOCKED_SINCE_START, LOCKING, WON
from tests.game.records import nothing_changed
from tests.game.shadow import Shadow, assert_shows

pytestmark = pytest.mark.django_db

ALL_DRAWN = " ".join(["d"] * 24)
COUNTERS = ("version", "moves", "undos", "elapsed_ms", "running")


def table_of(state: dict) -> dict:
    """The state without what counts on."""
    return {name: value for name, value in state.items() if name not in COUNTERS}


def stuck(player: Caller) -> Table:
    """A `blind` game in which nothing is possible any more."""
    table = player.deal("blind", 1)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][0]).json()
    assert state["status"] == "stuck"
    return table


# Undo


def test_an_undo_brings_a_pair_back_whole(player: Caller) -> None:
    table = player.deal("classic", 7)
    before = table.state()
    table.play("6D7D")
    after = table.undo().json()
    assert table_of(after) == table_of(before)
    assert (after["version"], after["moves"], after["undos"]) == (2, 1, 1)


def test_an_undo_lowers_no_count(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d d d")
    for undos in (1, 2, 3):
        state = table.undo().json()
        assert (state["moves"], state["undos"]) == (3, undos)
    assert state["can_undo"] is False


def test_undo_goes_back_over_draws_and_redeals_to_the_deal(player: Caller) -> None:
    table, shadow = player.deal("classic", 1), Shadow("classic", 1)
    for text, action in [*[("d", ("draw",))] * 24, ("r", ("redeal",)), ("d", ("draw",))]:
        table.play(text)
        shadow.apply(action)
    assert table.state()["pass"] == 2
    while len(shadow.path) > 1:
        shadow.undo()
        assert_shows(table.undo().json(), shadow)
    state = table.state()
    assert (state["pass"], state["undos"], state["moves"]) == (1, 26, 26)


def test_there_is_nothing_to_undo_at_the_deal(player: Caller) -> None:
    table = player.deal("classic", 7)
    with nothing_changed():
        assert_problem(table.undo(), 422, "nothing_to_undo")


def test_a_win_is_not_undone(player: Caller) -> None:
    number, line = WON["overlap"]
    table = player.deal("overlap", number)
    table.play(line)
    with nothing_changed():
        body = assert_problem(table.undo(), 409, "game_over")
    assert body["params"] == {"status": "won"}


def test_an_undo_is_an_entry_and_changes_none(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("6D7D d")
    before = table.log()
    table.undo()
    log = table.log()
    assert log[:2] == before
    assert [(entry["seq"], entry["type"]) for entry in log] == [
        (1, "move"),
        (2, "move"),
        (3, "undo"),
    ]


# Stuck


def test_a_game_without_a_move_is_stuck(player: Caller) -> None:
    state = stuck(player).state()
    assert (state["status"], state["legal"], state["can_undo"]) == ("stuck", [], True)
    assert "result" not in state


def test_a_stuck_game_is_undone_and_played_on(player: Caller) -> None:
    table = stuck(player)
    state = table.undo().json()
    assert state["status"] == "playing"
    assert state["legal"]
    again = table.change("moves", **state["legal"][0])
    assert again.status_code == 200


def test_a_stuck_game_refuses_moves_by_the_rules_and_not_as_ended(player: Caller) -> None:
    table = stuck(player)
    assert_problem(table.move("d"), 422, "stock_empty")
    assert_problem(table.move("r"), 422, "no_redeals_left")


def test_a_stuck_game_is_restarted(player: Caller) -> None:
    state = stuck(player).change("restarts").json()
    assert (state["status"], state["removed"], state["stock"]["count"]) == ("playing", 0, 24)


def test_a_stuck_game_is_given_up(player: Caller) -> None:
    assert stuck(player).change("resignations").json()["status"] == "lost"


# Rewind


def test_a_rewind_goes_to_just_before_the_move_that_locked(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    states = [table.play(text).json() for text in line.split()]
    table.play("d d")
    state = table.change("rewinds", to="lock").json()
    assert table_of(state) == table_of(states[-2])
    assert state["locked"] == []
    assert (state["version"], state["moves"], state["undos"]) == (5, 4, 1)


def test_a_rewind_is_one_entry(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    table.play(f"{line} d")
    table.change("rewinds", to="lock")
    assert [entry["type"] for entry in table.log()] == ["move", "move", "move", "rewind"]
    assert table.log()[-1]["to"] == "lock"


def test_moves_after_a_rewind_undo_as_before_it(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    first = table.play(line.split()[0]).json()
    table.play(f"{line.split()[1]} d")
    table.change("rewinds", to="lock")
    table.play("d")
    assert table_of(table.undo().json()) == table_of(first)


def test_nothing_locked_is_nothing_to_rewind(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    with nothing_changed():
        assert_problem(table.change("rewinds", to="lock"), 422, "nothing_to_rewind")


@pytest.mark.parametrize("line", ["", "d d d"])
def test_a_lock_of_the_deal_itself_is_nothing_to_rewind(player: Caller, line: str) -> None:
    table = player.deal("classic", LOCKED_SINCE_START)
    table.play(line)
    with nothing_changed():
        assert_problem(table.change("rewinds", to="lock"), 422, "nothing_to_rewind")


# Restart


def test_a_restart_is_the_deal_and_one_undo(player: Caller) -> None:
    table = player.deal("classic", 1)
    before = table.state()
    table.play(f"KD {ALL_DRAWN} r d")
    after = table.change("restarts").json()
    assert table_of(after) == table_of(before)
    assert (after["version"], after["moves"], after["undos"]) == (28, 27, 1)
    assert table.log()[-1]["type"] == "restart"


def test_a_restart_cannot_be_undone(player: Caller) -> None:
    table = player.deal("classic", 1)
    table.play("KD")
    assert table.change("restarts").json()["can_undo"] is False
    assert_problem(table.undo(), 422, "nothing_to_undo")


def test_a_restart_at_the_deal_changes_nothing(player: Caller) -> None:
    table = player.deal("classic", 1)
    with nothing_changed():
        assert_problem(table.change("restarts"), 422, "nothing_to_undo")


# Giving up


def test_a_game_given_up_is_lost(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    state = table.change("resignations").json()
    assert (state["status"], state["legal"], state["can_undo"]) == ("lost", [], False)
    assert (state["running"], state["version"]) == (False, 2)
    assert table.log()[-1]["type"] == "resign"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("moves", {"action": "draw"}),
        ("undos", {}),
        ("rewinds", {"to": "lock"}),
        ("restarts", {}),
        ("pauses", {"paused": True}),
        ("resignations", {}),
        ("rewinds", {"to": "winnable"}),
        ("hints", {}),
        ("checks", {}),
    ],
)
def test_nothing_changes_an_ended_game(player: Caller, kind: str, body: dict) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    table.change("resignations")
    with nothing_changed():
        problem = assert_problem(table.change(kind, **body), 409, "game_over")
    assert problem["params"] == {"status": "lost"}


# The log


def test_the_log_has_every_entry_with_its_number_and_time(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("6D7D d")
    table.undo()
    table.change("pauses", paused=True)
    table.change("restarts")
    table.change("resignations")
    log = table.log()
    assert [entry["seq"] for entry in log] == [1, 2, 3, 4, 5, 6]
    assert [entry["type"] for entry in log] == [
        *("move", "move", "undo", "pause", "restart", "resign")
    ]
    assert (log[0]["action"], sorted(log[0]["cards"])) == ("remove", ["6D", "7D"])
    assert (log[1]["action"], log[1]["cards"]) == ("draw", [])
    times = [entry["at"] for entry in log]
    assert times == sorted(times)
    assert all(at.endswith("Z") for at in times)


def test_the_log_goes_on_after_a_number(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d d d")
    page = player.get(f"{table.address}log/", after=2).json()
    assert [entry["seq"] for entry in page["entries"]] == [3]
    assert player.get(f"{table.address}log/", after=3).json()["entries"] == []
