"""Labels of deals past the catalogue: null until an own game has told."""

from typing import Any

import pytest

from game.models import Game, Kind
from game.rules.deals import numbered_deck
from game.rules.notation import format_line
from game.rules.playthrough import Playthrough
from game.rules.position import Position
from game.rules.rulesets import DEFAULT
from game.services import assist
from solver.search import Verdict, decide
from solver.worker import Busy, worker
from tests.caller import Caller, Table
from tests.game.ranked import ranked_game
from tests.game.test_verify_logs import verified

pytestmark = pytest.mark.django_db

PAST = range(20_001, 21_000)


def first_of(verdict: Verdict, *, locked: bool = False) -> int:
    """A number past the catalogue whose deal is so, and does or does not show a lock."""
    for number in PAST:
        start = Playthrough.start(numbered_deck(number), DEFAULT)
        if decide(start.position).verdict is verdict and bool(start.locks()) == locked:
            return number
    raise LookupError(verdict)


WINNABLE = first_of(Verdict.WINNABLE)
UNWINNABLE = first_of(Verdict.UNWINNABLE)
LOCKED = first_of(Verdict.UNWINNABLE, locked=True)


class Refusing:
    def ask_soon(self, *_: Any) -> Any:
        raise Busy("always")


def told(player: Caller, number: int) -> str | None:
    return player.get(f"deals/{number}/").json()["label"]


def random_game(player: Caller) -> Table:
    return Table(player, player.post("games/", {"rules": "classic", "tier": "random"}).json()["id"])


@pytest.mark.parametrize("number", [WINNABLE, UNWINNABLE])
def test_nothing_is_told_while_the_game_runs(player: Caller, number: int) -> None:
    table = player.deal("classic", number)
    assert table.state()["label"] is None
    assert table.play("d d").json()["label"] is None
    assert told(player, number) is None


@pytest.mark.parametrize(("number", "label"), [(WINNABLE, "winnable"), (UNWINNABLE, "unwinnable")])
def test_the_end_tells_it(player: Caller, number: int, label: str) -> None:
    table = player.deal("classic", number)
    table.play("d")
    state = table.change("resignations").json()
    assert state["label"] == state["result"]["label"] == label
    assert table.state()["label"] == label
    assert told(player, number) == label
    assert player.get("games/").json()["results"][0]["label"] == label


def test_a_win_tells_it_without_asking(player: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assist, "worker", None)
    line = decide(Position.deal(numbered_deck(WINNABLE), DEFAULT)).line
    assert line is not None
    state = player.deal("classic", WINNABLE).play(format_line(line)).json()
    assert (state["status"], state["label"]) == ("won", "winnable")
    assert state["result"]["label"] == "winnable"
    assert told(player, WINNABLE) == "winnable"


def test_a_busy_solver_leaves_it_to_the_next_look(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = player.deal("classic", UNWINNABLE)
    monkeypatch.setattr(assist, "worker", Refusing())
    assert table.change("resignations").json()["label"] is None
    assert table.state()["label"] is None
    monkeypatch.setattr(assist, "worker", worker)
    assert table.state()["label"] == "unwinnable"
    monkeypatch.setattr(assist, "worker", None)  # and it is kept
    assert table.state()["result"]["label"] == "unwinnable"


def test_a_game_left_behind_tells_it_when_it_is_looked_at(player: Caller) -> None:
    table = random_game(player)
    table.play("d")
    random_game(player)
    assert table.state()["label"] in ("winnable", "unwinnable")


def test_others_are_told_nothing(player: Caller, stranger: Caller, nobody: Caller) -> None:
    table = player.deal("classic", WINNABLE)
    table.change("resignations")
    for caller in (stranger, nobody):
        assert told(caller, WINNABLE) is None
        assert caller.get(table.address).json()["label"] == "winnable"  # the ended game shows it
    assert stranger.deal("classic", WINNABLE).state()["label"] is None


def test_another_rule_set_is_another_label(player: Caller) -> None:
    player.deal("classic", WINNABLE).change("resignations")
    assert player.get(f"deals/{WINNABLE}/", rules="blind").json()["label"] is None
    assert player.deal("blind", WINNABLE).state()["label"] is None


def test_a_check_tells_it_earlier(player: Caller) -> None:
    table = player.deal("classic", WINNABLE)
    table.play("d")
    assert table.change("checks").json()["state"]["label"] == "winnable"
    assert table.play("d").json()["label"] == "winnable"
    assert told(player, WINNABLE) == "winnable"


def test_a_check_tells_that_the_deal_never_could_be_won(player: Caller) -> None:
    table = player.deal("classic", UNWINNABLE)
    table.play("d")
    assert table.change("checks").json()["state"]["label"] == "unwinnable"


def test_a_check_of_a_lost_position_tells_of_the_deal_what_it_finds(player: Caller) -> None:
    table = player.deal("classic", WINNABLE)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    check = table.change("checks").json()
    assert check["verdict"] == "unwinnable"
    assert check["moves_back"] > 0
    assert check["state"]["label"] == "winnable"


def test_a_rewind_to_what_can_be_won_tells_it(player: Caller) -> None:
    table = player.deal("classic", WINNABLE)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    assert table.change("rewinds", to="winnable").json()["label"] == "winnable"


def test_a_lock_of_the_deal_itself_tells_it(player: Caller) -> None:
    table = player.deal("classic", LOCKED)
    assert table.state()["locked"][0]["since_start"] is True
    assert table.state()["label"] == "unwinnable"
    assert told(player, LOCKED) == "unwinnable"


def test_a_later_game_of_the_deal_begins_with_what_is_known(player: Caller) -> None:
    player.deal("classic", UNWINNABLE).change("resignations")
    again = player.deal("classic", UNWINNABLE)
    assert again.state()["label"] == "unwinnable"
    assert again.play("d").json()["label"] == "unwinnable"
    verified()


def test_a_repeat_tells_no_more_than_the_first_answer(player: Caller) -> None:
    table = player.deal("classic", WINNABLE)
    first = table.move("d", client_move_id="a")
    table.change("checks")
    table.change("resignations")
    assert table.move("d", client_move_id="a").json() == first.json()


def test_a_verdict_that_was_not_found_is_called_unknown(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = player.deal("classic", UNWINNABLE)
    monkeypatch.setattr(assist, "worker", type("Lost", (), {"ask_soon": unknown})())
    assert table.change("resignations").json()["label"] == "unknown"
    assert told(player, UNWINNABLE) == "unknown"


def unknown(*_: Any) -> Verdict:
    return Verdict.UNKNOWN


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
def test_a_ranked_game_tells_none(player: Caller, kind: Kind) -> None:
    table = ranked_game(player, kind)
    table.play("d")
    assert table.state()["label"] is None
    assert table.change("resignations").json()["result"]["label"] is None
    assert Game.objects.get(pk=table.id).label_after == ""
