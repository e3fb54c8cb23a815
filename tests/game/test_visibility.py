"""Who may look: a running game answers its own player only, an ended one anybody with its id."""

from typing import Any

import pytest

from game.models import Kind
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON
from tests.game.ranked import player_of, ranked_game
from tests.game.records import nothing_changed
from tests.rules import naive

pytestmark = pytest.mark.django_db

NOWHERE = "00000000-0000-4000-8000-000000000000"

CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("moves", {"action": "draw"}),
    ("moves", {"action": "remove", "cards": ["KD"]}),
    ("moves", {"action": "remove", "cards": ["5D"]}),
    ("undos", {}),
    ("rewinds", {"to": "lock"}),
    ("restarts", {}),
    ("pauses", {"paused": True}),
    ("resignations", {}),
    ("rewinds", {"to": "winnable"}),
    ("hints", {}),
    ("checks", {}),
    ("hints", {"client_move_id": "mine"}),
    ("moves", {"action": "draw", "version": 99}),
    ("moves", {"action": "draw", "client_move_id": "mine"}),
]


@pytest.fixture
def table(player: Caller) -> Table:
    table = player.deal("classic", 1)
    table.play("d")
    table.move("d", client_move_id="mine")
    return table


def as_seen_by(caller: Caller, table: Table) -> Table:
    return Table(caller, table.id)


@pytest.mark.parametrize("part", ["", "log/", "analysis/"])
def test_a_running_game_is_not_there_for_others(
    table: Table, stranger: Caller, nobody: Caller, part: str
) -> None:
    for caller in (stranger, nobody):
        assert_problem(caller.get(f"{table.address}{part}"), 404, "not_found")


@pytest.mark.parametrize(("kind", "body"), CHANGES)
def test_a_running_game_is_not_changed_by_others(
    table: Table, stranger: Caller, nobody: Caller, kind: str, body: dict[str, Any]
) -> None:
    with nothing_changed():
        answer = as_seen_by(stranger, table).change(kind, **body)
        assert_problem(answer, 404, "not_found")
        answer = as_seen_by(nobody, table).change(kind, **body)
        assert_problem(answer, 401, "not_authenticated")


@pytest.mark.parametrize(("kind", "body"), CHANGES)
def test_a_game_of_another_answers_like_no_game_at_all(
    table: Table, stranger: Caller, kind: str, body: dict[str, Any]
) -> None:
    foreign = as_seen_by(stranger, table).change(kind, **body)
    none = Table(stranger, NOWHERE).change(kind, **body)
    assert (foreign.status_code, foreign.content) == (none.status_code, none.content)


def test_a_stuck_game_is_still_running(player: Caller, stranger: Caller) -> None:
    table = player.deal("blind", 1)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    assert_problem(stranger.get(table.address), 404, "not_found")


def test_an_ended_game_is_shown_to_anybody_with_its_id(
    player: Caller, stranger: Caller, nobody: Caller
) -> None:
    number, line = WON["overlap"]
    table = player.deal("overlap", number)
    table.play(line)
    for caller in (stranger, nobody):
        seen = as_seen_by(caller, table)
        assert seen.state() == table.state() | {"player": player_of(player).username}
        assert seen.log() == table.log()
        assert len(seen.log()) == len(line.split())


def test_an_ended_game_of_another_is_not_changed(table: Table, stranger: Caller) -> None:
    table.change("resignations")
    with nothing_changed():
        assert_problem(as_seen_by(stranger, table).undo(), 404, "not_found")


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
@pytest.mark.parametrize("part", ["", "log/"])
def test_an_ended_ranked_game_is_its_players_only(
    player: Caller, stranger: Caller, nobody: Caller, kind: Kind, part: str
) -> None:
    """Of a daily until it closes, of a race until it is over."""
    table = ranked_game(player, kind)
    table.play("d")
    table.change("resignations")
    assert player.get(f"{table.address}{part}").status_code == 200
    for caller in (stranger, nobody):
        assert_problem(caller.get(f"{table.address}{part}"), 404, "not_found")


@pytest.mark.parametrize(
    "game_id",
    [
        NOWHERE,
        "1",
        "nope",
        NOWHERE.upper().replace("0", "A"),
        NOWHERE.replace("-", ""),
        f"{NOWHERE}0",
        "%00",
        "%F0%9F%82%A1",
        "..%2F..",
        "' OR 1=1 --",
        "x" * 3000,
    ],
)
@pytest.mark.parametrize("part", ["", "log/"])
def test_no_game_has_such_an_id(player: Caller, game_id: str, part: str) -> None:
    assert_problem(player.get(f"games/{game_id}/{part}"), 404, "not_found")


@pytest.mark.parametrize("address", ["games/", f"games/{NOWHERE}/moves/"])
def test_nobody_plays_without_a_token(nobody: Caller, address: str) -> None:
    with nothing_changed():
        answer = nobody.post(address, {"rules": "classic", "number": 7})
        assert_problem(answer, 401, "not_authenticated")


def test_rules_deals_and_documents_are_for_anybody(nobody: Caller) -> None:
    for address in ("rules/", "deals/7/", "schema/", "docs/", "problems/"):
        assert nobody.get(address).status_code == 200


def test_a_deal_tells_how_others_fared(player: Caller, nobody: Caller) -> None:
    number, line = WON["overlap"]
    address = f"deals/{number}/"
    assert nobody.get(address, rules="overlap").json()["players"] == {
        "played": 0,
        "won": 0,
        "fewest_moves": None,
        "fastest_ms": None,
    }
    won = player.deal("overlap", number)
    won.play(line)
    lost = player.deal("overlap", number)
    lost.play("d")
    lost.change("resignations")
    player.deal("overlap", number).change("resignations")  # without a move it counts nothing
    player.deal("overlap", number).play("d")  # still running
    players = nobody.get(address, rules="overlap").json()["players"]
    assert players == {
        "played": 2,
        "won": 1,
        "fewest_moves": len(line.split()),
        "fastest_ms": won.state()["elapsed_ms"],
    }
    assert nobody.get(address).json()["players"]["played"] == 0


@pytest.mark.parametrize("number", ["0", "-1", "4294967296", "-0"])
def test_numbers_without_a_deal_are_unknown_deals(nobody: Caller, number: str) -> None:
    assert_problem(nobody.get(f"deals/{number}/"), 404, "unknown_deal")


@pytest.mark.parametrize("number", ["x", "1.5", "1e3", "٧", "9" * 40, "7%00", " 7"])
def test_what_is_no_number_is_no_deal(nobody: Caller, number: str) -> None:
    answer = nobody.get(f"deals/{number}/")
    assert answer.status_code == 404
    assert answer.json()["code"] in ("not_found", "unknown_deal")


@pytest.mark.parametrize("rules", ["nope", "", "\x00", "x" * 3000, "Classic"])
def test_a_deal_under_unknown_rules(nobody: Caller, rules: str) -> None:
    assert_problem(nobody.get("deals/7/", rules=rules), 400, "unknown_rules")


def test_the_rule_sets_are_records(nobody: Caller) -> None:
    listed = {rules["key"]: rules for rules in nobody.get("rules/").json()["results"]}
    assert list(listed) == list(naive.TABLE)
    for key, record in naive.RULE_SETS.items():
        shown = listed[key]
        assert shown["name"]
        assert (
            shown["passes"],
            shown["stock_top_playable"],
            shown["overlap_pairs"],
            shown["covered_face_down"],
            shown["goal"],
            shown["daily"],
            shown["featured"],
        ) == tuple(record.values())
