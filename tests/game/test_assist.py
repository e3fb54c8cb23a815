"""Hints, checks and the way back to the last winnable position."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from game.models import Deal, Kind
from game.rules.cards import DECK
from game.services import assist
from solver.worker import Busy, Worker, worker
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import LOCKING, LOSING, WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed
from tests.game.test_secrets import named_in
from tests.solver import questions as odd
from tests.statements import verbs

pytestmark = pytest.mark.django_db

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("hints", {}),
    ("checks", {}),
    ("rewinds", {"to": "winnable"}),
]
EVERY_QUESTION = pytest.mark.parametrize(("kind", "body"), QUESTIONS)


@pytest.fixture
def lost(player: Caller) -> Table:
    """A game that its last move made unwinnable; its version is 14."""
    number, line = LOSING
    table = player.deal("classic", number)
    table.play(line)
    return table


class Meanwhile:
    """The worker, and something that happens while it answers."""

    def __init__(self, happens: Callable[[], Any]) -> None:
        self.happens = happens

    def ask(self, *question: Any, **more: Any) -> Any:
        answer = worker.ask(*question, **more)
        self.happens()
        return answer


# Hints


def test_a_hint_is_a_legal_move_with_its_reason(player: Caller) -> None:
    table = player.deal("classic", 7)
    hint = table.change("hints").json()
    assert hint.keys() == {"action", "cards", "reason", "certainty", "win_chance", "state"}
    assert {"action": hint["action"], "cards": hint["cards"]} in hint["state"]["legal"]
    assert hint["certainty"] in ("proven", "estimated", "heuristic")
    assert hint["win_chance"] is None or 0 <= hint["win_chance"] <= 1


def test_a_hint_is_counted_and_logged_and_nothing_moves(player: Caller) -> None:
    table = player.deal("classic", 7)
    before = table.state()
    state = table.change("hints").json()["state"]
    assert state == {**before, "version": 1, "hints": 1}
    assert [entry["type"] for entry in table.log()] == ["hint"]


def test_hints_lead_through_a_game_to_its_end(player: Caller) -> None:
    table = player.deal("open", 95)
    for _ in range(200):
        hint = table.change("hints").json()
        if hint["action"] is None or hint["state"]["status"] != "playing":
            break
        answer = table.change("moves", action=hint["action"], cards=hint["cards"])
        assert answer.status_code == 200
        if answer.json()["status"] == "won":
            break
    assert table.state()["hints"] > 1


def test_a_stuck_game_has_no_move_to_suggest(player: Caller) -> None:
    table = player.deal("blind", 1)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    hint = table.change("hints").json()
    assert (hint["action"], hint["cards"]) == (None, [])
    assert hint["state"]["status"] == "stuck"


def test_two_games_that_look_the_same_get_the_same_hint(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decks differ in the stock's order, which nobody has seen but for its first two cards."""
    decks = {1: DECK, 2: (*DECK[:30], *DECK[:29:-1])}
    monkeypatch.setattr(Deal, "deck", property(lambda deal: decks[deal.number]))
    hints = []
    for number in decks:
        table = player.deal("classic", number)
        table.play("d d")
        hint = table.change("hints").json()
        hints.append({name: value for name, value in hint.items() if name != "state"})
    assert hints[0] == hints[1]


@pytest.mark.parametrize("rules", ["classic", "blind", "open"])
def test_a_question_names_no_card_that_its_player_has_not_seen(player: Caller, rules: str) -> None:
    for number in (5, 6):
        table = player.deal(rules, number)
        table.play("d d")
        shown = named_in(player.get(table.address)) | named_in(table.undo())
        for kind in ("hints", "checks"):
            assert named_in(table.change(kind)) <= shown
        assert named_in(player.get(f"{table.address}log/")) <= shown


def test_a_daily_takes_hints_and_a_race_does_not(player: Caller) -> None:
    daily = ranked_game(player, Kind.DAILY)
    assert daily.change("hints").json()["state"]["hints"] == 1
    race = ranked_game(player, Kind.RACE, "open")
    with nothing_changed():
        assert_problem(race.change("hints"), 403, "not_in_ranked")


# Checks


def test_a_check_of_what_can_be_won(player: Caller) -> None:
    number, _ = LOSING
    check = player.deal("classic", number).change("checks").json()
    assert (check["verdict"], check["moves_back"]) == ("winnable", 0)
    assert (check["state"]["checks"], check["state"]["version"]) == (1, 1)


def test_a_check_counts_the_moves_back_to_the_last_winnable_position(lost: Table) -> None:
    check = lost.change("checks").json()
    assert (check["verdict"], check["moves_back"]) == ("unwinnable", 1)
    lost.play("d d d")
    check = lost.change("checks").json()
    assert (check["verdict"], check["moves_back"]) == ("unwinnable", 4)
    assert check["state"]["checks"] == 2


def test_there_is_no_way_back_where_the_deal_cannot_be_won(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    table.play(line)
    check = table.change("checks").json()
    assert (check["verdict"], check["moves_back"]) == ("unwinnable", None)


def test_a_check_agrees_along_a_line_that_wins(player: Caller) -> None:
    number, line = WON["classic"]
    table = player.deal("classic", number)
    *before, _ = line.split()
    table.play(" ".join(before))
    assert table.change("checks").json()["verdict"] == "winnable"


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
@pytest.mark.parametrize(("question", "body"), QUESTIONS[1:])
def test_a_ranked_game_takes_no_check(
    player: Caller, kind: Kind, question: str, body: dict
) -> None:
    table = ranked_game(player, kind)
    table.play("d")
    with nothing_changed():
        assert_problem(table.change(question, **body), 403, "not_in_ranked")


def test_an_unknown_verdict_is_none_of_the_others(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, line = LOSING
    table = player.deal("classic", number)
    table.play(line)
    monkeypatch.setattr(assist.questions, "standing", odd.unknown_standing)
    check = table.change("checks").json()
    assert (check["verdict"], check["moves_back"]) == ("unknown", None)
    problem = table.change("rewinds", to="winnable")
    assert_problem(problem, 422, "nothing_to_rewind")


# Rewinds


def test_a_rewind_goes_to_the_last_winnable_position(lost: Table) -> None:
    lost.play("d d")
    state = lost.change("rewinds", to="winnable").json()
    assert (state["undos"], state["checks"], state["moves"]) == (1, 1, 16)
    assert state["stock"]["count"] == 13
    assert lost.change("checks").json()["verdict"] == "winnable"
    assert (lost.log()[-2]["type"], lost.log()[-2]["to"]) == ("rewind", "winnable")


def test_nothing_to_rewind_where_it_can_be_won_or_never_could(player: Caller, lost: Table) -> None:
    lost.undo()
    number, line = LOCKING
    never = player.deal("classic", number)
    never.play(line)
    for table in (lost, never):
        with nothing_changed():
            answer = table.change("rewinds", to="winnable")
            problem = assert_problem(answer, 422, "nothing_to_rewind")
        assert problem["params"] == {"to": "winnable"}


# Versions, repeats, and what comes meanwhile


@EVERY_QUESTION
def test_a_repeat_is_answered_from_the_log(
    lost: Table, kind: str, body: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lost.change(kind, client_move_id="q", **body)
    assert first.status_code == 200
    lost.play("d")
    monkeypatch.setattr(assist, "worker", None)  # nobody is asked
    with nothing_changed():
        again = lost.change(kind, client_move_id="q", **body)
    assert (again.status_code, again.json()) == (200, first.json())


@EVERY_QUESTION
def test_an_id_of_something_else_is_refused(lost: Table, kind: str, body: dict) -> None:
    lost.change("pauses", paused=False, client_move_id="q")
    with nothing_changed():
        assert_problem(lost.change(kind, client_move_id="q", **body), 409, "id_reused")


def test_a_hint_and_a_check_are_not_the_same_question(lost: Table) -> None:
    lost.change("hints", client_move_id="q")
    assert_problem(lost.change("checks", client_move_id="q"), 409, "id_reused")
    lost.change("rewinds", to="winnable", client_move_id="r")
    assert_problem(lost.change("rewinds", to="lock", client_move_id="r"), 409, "id_reused")


@EVERY_QUESTION
def test_a_stale_question_is_not_asked(
    lost: Table, kind: str, body: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assist, "worker", None)
    lost.change("pauses", paused=True)
    with nothing_changed():
        problem = assert_problem(lost.change(kind, version=3, **body), 409, "stale_version")
    assert problem["state"] == lost.state()


@EVERY_QUESTION
def test_an_answer_to_a_position_that_is_gone_is_stale(
    lost: Table, kind: str, body: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assist, "worker", Meanwhile(lambda: lost.play("d")))
    assert_problem(lost.change(kind, **body), 409, "stale_version")
    state = lost.state()
    assert (state["hints"], state["checks"], state["version"]) == (0, 0, 15)


@EVERY_QUESTION
def test_an_answer_to_a_game_that_has_ended_meanwhile_is_refused(
    lost: Table, kind: str, body: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assist, "worker", Meanwhile(lambda: lost.change("resignations")))
    assert_problem(lost.change(kind, **body), 409, "game_over")


@EVERY_QUESTION
def test_what_leaves_the_position_does_not_spoil_the_answer(
    lost: Table, kind: str, body: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile = Meanwhile(lambda: lost.change("pauses", paused=True))
    monkeypatch.setattr(assist, "worker", meanwhile)
    answer = lost.change(kind, version=14, **body)
    assert answer.status_code == 200
    assert lost.state()["version"] == 16


def test_a_question_asked_twice_at_once_is_counted_once(
    lost: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request with this id is answered while the first waits for the solver."""
    answers: list[Any] = []

    def ask_again() -> None:
        monkeypatch.setattr(assist, "worker", worker)
        answers.append(lost.change("hints", client_move_id="q"))

    monkeypatch.setattr(assist, "worker", Meanwhile(ask_again))
    answers.append(lost.change("hints", client_move_id="q"))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert lost.state()["hints"] == 1


# When the solver has no time


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker whose process dies over every question."""
    mortal = Worker()

    def die(*_: object, **__: object) -> Any:
        return mortal.ask(odd.die)

    monkeypatch.setattr(mortal, "ask_soon", die)
    monkeypatch.setattr(assist, "worker", type("Mortal", (), {"ask": die, "ask_soon": die})())
    yield
    mortal.stop()


@EVERY_QUESTION
def test_a_busy_solver_says_when_to_ask_again(
    lost: Table, kind: str, body: dict, no_time: None
) -> None:
    with nothing_changed():
        answer = lost.change(kind, client_move_id="q", **body)
        problem = assert_problem(answer, 429, "solver_busy")
    assert int(answer["Retry-After"]) == problem["params"]["retry_after_s"] > 0


def test_a_question_that_was_not_answered_may_be_repeated(
    lost: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Busy("for once")

    monkeypatch.setattr(assist, "worker", type("Refusing", (), {"ask": refuse})())
    assert_problem(lost.change("hints", client_move_id="q"), 429, "solver_busy")
    monkeypatch.setattr(assist, "worker", worker)
    assert lost.change("hints", client_move_id="q").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_solver_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Caller.guest().deal("classic", LOSING[0])
    table.play(LOSING[1])
    open_ones = []
    meanwhile = Meanwhile(lambda: open_ones.append(connection.in_atomic_block))
    monkeypatch.setattr(assist, "worker", meanwhile)
    for kind, body in QUESTIONS:
        assert table.change(kind, **body).status_code == 200
    assert open_ones == [False, False, False]


@pytest.mark.django_db(transaction=True)
def test_many_questions_at_once_are_each_answered_or_refused() -> None:
    guest = Caller.guest()
    tables = [guest.deal(rules, 7) for rules in ("classic", "open", "overlap", "strict")]
    answers: list[Any] = []

    def ask(table: Table) -> None:
        try:
            own = Table(Caller(guest.token), table.id)
            answers.extend(own.change(kind) for kind in ("hints", "checks", "hints"))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask, args=(table,)) for table in tables * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = [answer.status_code for answer in answers]
    assert len(codes) == 36
    assert set(codes) <= {200, 429}
    counted = sum(table.state()["version"] for table in tables)
    assert counted == codes.count(200)


def test_a_question_takes_few_statements(lost: Table) -> None:
    with CaptureQueriesContext(connection) as captured:
        lost.change("hints", client_move_id="q")
    assert verbs(captured) == [*["SELECT"] * 4, "UPDATE", "INSERT"]
