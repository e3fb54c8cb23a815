"""Versions and `client_move_id`: what was made against an older game, and what comes twice."""

from typing import Any

import pytest

from tests.caller import Caller, Table, assert_problem
from tests.game.lines import LOCKING, WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db

CHANGES: dict[str, dict[str, Any]] = {
    "moves": {"action": "draw"},
    "undos": {},
    "rewinds": {"to": "lock"},
    "restarts": {},
    "pauses": {"paused": True},
    "resignations": {},
    "hints": {},
    "checks": {},
}
KEEPING = ("pauses", "hints", "checks")  # they leave position and status as they are
EVERY_CHANGE = pytest.mark.parametrize(("kind", "body"), CHANGES.items())


@pytest.fixture
def table(player: Caller) -> Table:
    """A game in which each of the changes is possible; its version is 2."""
    number, line = LOCKING
    table = player.deal("classic", number)
    assert table.play(line).json()["version"] == 2
    return table


def state_in(answer: Any) -> dict[str, Any]:
    """The state that a change answers, or that stands in its answer."""
    body = answer.json()
    return body.get("state", body)


# Versions


@EVERY_CHANGE
def test_each_change_raises_the_version_by_one(table: Table, kind: str, body: dict) -> None:
    assert state_in(table.change(kind, **body))["version"] == 3
    assert table.state()["version"] == table.log()[-1]["seq"] == 3


def test_a_refusal_leaves_the_version(table: Table) -> None:
    table.move("r")
    assert table.state()["version"] == 2


@EVERY_CHANGE
def test_a_change_against_the_present_version_is_made(table: Table, kind: str, body: dict) -> None:
    assert table.change(kind, version=2, **body).status_code == 200


@EVERY_CHANGE
@pytest.mark.parametrize("version", [0, 1])
def test_a_change_against_an_older_version_gets_the_present_state(
    table: Table, kind: str, body: dict, version: int
) -> None:
    table.change("pauses", paused=True)  # so that both states show the same time
    with nothing_changed():
        problem = assert_problem(table.change(kind, version=version, **body), 409, "stale_version")
    assert problem["state"] == table.state()


@pytest.mark.parametrize("version", [3, 4, 1000, 2**31 - 1])
def test_a_version_that_is_not_yet_is_stale_too(table: Table, version: int) -> None:
    with nothing_changed():
        assert_problem(table.move("d", version=version), 409, "stale_version")


@pytest.mark.parametrize("paused", [True, False])
def test_a_pause_makes_no_version_stale(table: Table, paused: bool) -> None:
    table.change("pauses", paused=paused)
    assert table.move("d", version=2).json()["version"] == 4


@pytest.mark.parametrize("kind", ["hints", "checks"])
def test_a_question_makes_no_version_stale(table: Table, kind: str) -> None:
    table.change(kind)
    assert table.move("d", version=2).json()["version"] == 4


@EVERY_CHANGE
def test_every_change_of_the_position_makes_older_versions_stale(
    table: Table, kind: str, body: dict
) -> None:
    table.change(kind, **body)
    answer = table.change("pauses", paused=True, version=2)
    if kind in KEEPING:
        assert answer.status_code == 200
    elif kind == "resignations":
        assert_problem(answer, 409, "game_over")
    else:
        assert_problem(answer, 409, "stale_version")


def test_an_undo_to_an_equal_position_is_still_another_version(table: Table) -> None:
    table.play("d")
    table.undo()
    assert_problem(table.move("d", version=2), 409, "stale_version")


def test_version_and_id_may_be_null(table: Table) -> None:
    assert table.move("d", version=None, client_move_id=None).status_code == 200


def test_the_stale_answer_hides_what_the_state_hides(player: Caller) -> None:
    table = player.deal("blind", 1)
    table.play("d")
    table.change("pauses", paused=True)
    problem = table.move("d", version=0).json()
    assert problem["state"] == table.state()
    assert problem["state"]["pyramid"][0] == ["??"]


# client_move_id


@EVERY_CHANGE
def test_a_repeat_gets_the_first_answer_and_changes_nothing(
    table: Table, kind: str, body: dict
) -> None:
    first = table.change(kind, client_move_id="a-1", **body)
    assert first.status_code == 200
    with nothing_changed():
        again = table.change(kind, client_move_id="a-1", **body)
    assert (again.status_code, again.json()) == (200, first.json())


@EVERY_CHANGE
def test_a_repeat_after_further_moves_gets_the_first_answer(
    table: Table, kind: str, body: dict
) -> None:
    first = table.change(kind, client_move_id="a-1", **body)
    if kind != "resignations":
        table.play("d d")
        table.undo()
    with nothing_changed():
        again = table.change(kind, client_move_id="a-1", **body)
    assert (again.status_code, again.json()) == (200, first.json())


@EVERY_CHANGE
def test_a_repeat_after_the_end_gets_the_first_answer(table: Table, kind: str, body: dict) -> None:
    first = table.change(kind, client_move_id="a-1", **body)
    table.change("resignations")
    with nothing_changed():
        again = table.change(kind, client_move_id="a-1", **body)
    assert (again.status_code, again.json()) == (200, first.json())


def test_a_repeat_of_the_winning_move_gets_the_win_again(player: Caller) -> None:
    number, line = WON["overlap"]
    table = player.deal("overlap", number)
    *before, last = line.split()
    table.play(" ".join(before))
    first = table.move(last, client_move_id="won")
    again = table.move(last, client_move_id="won")
    assert again.json() == first.json()
    assert again.json()["result"]["won"] is True


def test_a_repeat_in_a_ranked_game_gets_the_first_answer(player: Caller) -> None:
    table = ranked_game(player)
    first = table.move("d", client_move_id="a")
    table.play("d")
    assert table.move("d", client_move_id="a").json() == first.json()


def test_a_repeat_may_name_the_pair_the_other_way_round(player: Caller) -> None:
    table = player.deal("classic", 7)
    first = table.move("6D7D", client_move_id="a")
    assert table.move("7D6D", client_move_id="a").json() == first.json()


@EVERY_CHANGE
def test_an_id_of_another_change_is_refused(table: Table, kind: str, body: dict) -> None:
    first = {"moves": {"action": "remove", "cards": ["KD"]}, "pauses": {"paused": False}}
    used = "pauses" if kind == "moves" else "moves"
    if used == "moves":
        table.change("moves", action="draw", client_move_id="a")
    else:
        table.change("pauses", client_move_id="a", **first["pauses"])
    with nothing_changed():
        problem = assert_problem(table.change(kind, client_move_id="a", **body), 409, "id_reused")
    assert problem["params"] == {"client_move_id": "a"}


@pytest.mark.parametrize(
    ("first", "second"), [("d", "6D7D"), ("6D7D", "JS2D"), ("6D7D", "d"), ("6D7D", "KS")]
)
def test_an_id_of_another_move_is_refused(player: Caller, first: str, second: str) -> None:
    table = player.deal("classic", 7)
    table.move(first, client_move_id="a")
    with nothing_changed():
        assert_problem(table.move(second, client_move_id="a"), 409, "id_reused")


def test_an_id_of_the_other_pause_is_refused(table: Table) -> None:
    table.change("pauses", paused=True, client_move_id="a")
    with nothing_changed():
        answer = table.change("pauses", paused=False, client_move_id="a")
        assert_problem(answer, 409, "id_reused")


def test_a_refused_change_does_not_use_up_its_id(player: Caller) -> None:
    table = player.deal("classic", 7)
    assert table.move("r", client_move_id="a").status_code == 422
    assert table.move("d", version=9, client_move_id="a").status_code == 409
    assert table.move("d", client_move_id="a").status_code == 200


def test_an_id_is_of_one_game(player: Caller) -> None:
    one, other = player.deal("classic", 7), player.deal("open", 7)
    assert one.move("d", client_move_id="a").json()["id"] == one.id
    assert other.move("6D7D", client_move_id="a").json()["id"] == other.id


def test_ids_differ_by_case(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.move("d", client_move_id="a")
    assert table.move("d", client_move_id="A").json()["version"] == 2


def test_an_id_is_up_to_64_characters_long(player: Caller) -> None:
    table = player.deal("classic", 7)
    assert table.move("d", client_move_id="x" * 64).status_code == 200
    assert_problem(table.move("d", client_move_id="x" * 65), 400, "invalid")


def test_changes_without_an_id_are_each_made(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.move("d")
    assert table.move("d").json()["version"] == 2


def test_ids_do_not_stand_in_the_log(player: Caller) -> None:
    """They are between one client and the server."""
    table = player.deal("classic", 7)
    table.move("d", client_move_id="secret-of-a-client")
    assert "secret-of-a-client" not in str(table.log())
