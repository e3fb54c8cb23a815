"""An ended game looked at again: where it could be won, where it was lost, how it goes."""

from typing import Any

import pytest

from game.ledger import EntryType
from game.models import Game, Kind, LogEntry
from game.rules.deals import numbered_deck
from game.rules.notation import parse_line
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from game.services import analysis as service
from solver.search import Verdict, decide
from solver.worker import Busy
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import LOCKING, LOSING, WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db


def analysis(table: Table) -> dict[str, Any]:
    answer = table.caller.get(f"{table.address}analysis/")
    assert answer.status_code == 200, answer.content
    return answer.json()


def judged(body: dict[str, Any]) -> dict[int, bool | None]:
    return {step["seq"]: step["winnable_before"] for step in body["steps"]}


def truth(table: Table) -> dict[int, bool]:
    """Whether each move's position could be won, by the log and a verdict for each."""
    game = Game.objects.get(pk=table.id)
    ledger, found = game.start_ledger(), {}
    for entry in LogEntry.objects.filter(game=game).order_by("seq"):
        if entry.type == EntryType.MOVE:
            found[entry.seq] = decide(ledger.play.position).verdict is Verdict.WINNABLE
        ledger = ledger.after(entry.entry)
    return found


def wins(rules: str, number: int, line: str) -> bool:
    position = Position.deal(numbered_deck(number), RULE_SETS[rules])
    for move in parse_line(line):
        position = position.apply(move)
    return position.outcome == "won"


@pytest.fixture
def lost(player: Caller) -> Table:
    number, line = LOSING
    table = player.deal("classic", number)
    table.play(f"{line} d")
    table.change("resignations")
    return table


def test_it_names_the_losing_move_and_a_line_that_wins_from_before_it(lost: Table) -> None:
    number, line = LOSING
    body = analysis(lost)
    assert body.keys() == {"label", "par", "steps", "losing_seq", "line"}
    assert (body["label"], body["losing_seq"]) == ("winnable", 14)
    assert judged(body) == {seq: seq < 15 for seq in range(1, 16)}
    *before, _ = line.split()
    assert wins("classic", number, " ".join([*before, *body["line"]]))


def test_a_game_that_was_won_shows_a_shortest_line_from_the_deal(player: Caller) -> None:
    number, line = WON["classic"]
    table = player.deal("classic", number)
    table.play(line)
    body = analysis(table)
    assert set(judged(body).values()) == {True}
    assert body["losing_seq"] is None
    assert wins("classic", number, " ".join(body["line"]))
    assert len(body["line"]) == body["par"] <= len(line.split())


def test_a_deal_that_cannot_be_won_has_no_losing_move(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    table.play(line)
    table.change("resignations")
    body = analysis(table)
    assert (body["label"], body["par"], body["losing_seq"]) == ("unwinnable", None, None)
    assert body["line"] is None
    assert set(judged(body).values()) == {False}


def test_a_game_given_up_while_it_could_be_won_has_no_losing_move(player: Caller) -> None:
    table = player.deal("classic", LOSING[0])
    table.play("d")
    table.change("resignations")
    body = analysis(table)
    assert (body["losing_seq"], judged(body)) == (None, {1: True})
    assert wins("classic", LOSING[0], " ".join(body["line"]))


def test_a_game_without_a_move_has_no_steps(player: Caller) -> None:
    table = player.deal("classic", LOSING[0])
    table.change("resignations")
    body = analysis(table)
    assert (body["steps"], body["losing_seq"]) == ([], None)
    assert body["line"]


def test_moves_that_were_taken_back_are_judged_too(player: Caller) -> None:
    number, line = LOSING
    table = player.deal("classic", number)
    table.play(f"{line} d d")
    table.change("hints")
    table.change("rewinds", to="winnable")
    table.play("d d")
    table.undo()
    table.change("checks")
    table.undo()
    table.play("2CJH d")
    table.change("restarts")
    table.play(f"{line} d")
    table.change("resignations")
    body = analysis(table)
    assert judged(body) == truth(table)
    losing = [entry["seq"] for entry in table.log() if entry.get("cards") == ["2C", "JH"]]
    assert body["losing_seq"] == losing[-1]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_it_agrees_with_a_verdict_for_each_position(player: Caller, rules: str) -> None:
    table = player.deal(rules, WON[rules][0])
    state = table.state()
    turn = 0
    while state["status"] == "playing" and turn < 60:
        turn += 1
        legal = state["legal"]
        state = table.change("moves", **legal[turn % len(legal)]).json()
        if turn % 7 == 0:
            table.undo()
            state = table.undo().json()
    table.change("resignations")
    assert judged(analysis(table)) == truth(table)


def test_a_deal_past_the_catalogue_is_labelled_by_it(player: Caller) -> None:
    table = player.deal("classic", 20_001)
    table.play("d")
    table.change("resignations")
    label = analysis(table)["label"]
    assert label == decide(Position.deal(numbered_deck(20_001), RULE_SETS["classic"])).verdict


def test_anyone_may_see_it_once_the_game_has_ended(
    lost: Table, stranger: Caller, nobody: Caller
) -> None:
    for caller in (stranger, nobody):
        assert analysis(Table(caller, lost.id)) == analysis(lost)


def test_a_running_game_has_none_yet(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d")
    assert_problem(player.get(f"{table.address}analysis/"), 409, "still_running")


def test_a_stuck_game_is_still_running(player: Caller) -> None:
    table = player.deal("blind", 1)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    assert_problem(player.get(f"{table.address}analysis/"), 409, "still_running")


def test_a_daily_has_none_before_its_day_is_closed(player: Caller) -> None:
    table = ranked_game(player, Kind.DAILY)
    table.change("resignations")
    assert_problem(player.get(f"{table.address}analysis/"), 409, "still_running")


def test_it_changes_nothing(lost: Table) -> None:
    with nothing_changed():
        analysis(lost)


def test_a_busy_solver_is_said_to_be_busy(lost: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise Busy("always")

    monkeypatch.setattr("game.services.assist.worker", type("Refusing", (), {"ask": refuse})())
    answer = lost.caller.get(f"{lost.address}analysis/")
    assert_problem(answer, 429, "solver_busy")
    assert int(answer["Retry-After"]) > 0


def test_of_a_long_log_the_newest_moves_are_shown(
    lost: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "STEPS", 3)
    assert judged(analysis(lost)) == {13: True, 14: True, 15: False}
