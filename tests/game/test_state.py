"""The state of a game shows what the rules say, field by field."""

import random

import pytest

from game.models import Kind
from tests.caller import Caller
from tests.game.lines import LOCKED_SINCE_START, LOCKING, WON
from tests.game.ranked import ranked_game
from tests.game.shadow import Shadow, actions_of, assert_shows, text_of
from tests.rules import naive

pytestmark = pytest.mark.django_db

FIELDS = {
    *("id", "version", "rules", "number", "tier", "label", "kind", "status", "pyramid"),
    *("stock", "waste", "pass", "passes", "removed", "moves", "undos", "hints", "checks"),
    *("counted", "elapsed_ms", "running", "can_undo", "legal", "locked", "url"),
    *("daily", "closes_at"),
}


def drawn(count: int) -> str:
    return " ".join(["d"] * count)


def test_the_state_of_a_new_game_is_the_whole_contract(player: Caller) -> None:
    """Deal 1, written out by hand."""
    state = player.deal("classic", 1).state()
    assert state.pop("id")
    assert state == {
        "version": 0,
        "rules": "classic",
        "number": 1,
        "tier": None,
        "label": "winnable",
        "kind": "casual",
        "daily": None,
        "closes_at": None,
        "status": "playing",
        "pyramid": [
            ["8S"],
            ["QD", "QC"],
            ["9S", "AD", "TS"],
            ["3H", "2C", "9C", "AH"],
            ["7C", "KC", "6C", "3D", "4D"],
            ["9H", "3C", "JD", "5H", "8D", "9D"],
            ["7H", "4C", "2H", "KD", "8C", "8H", "3S"],
        ],
        "stock": {"count": 24, "top": None},
        "waste": {"count": 0, "top": None},
        "pass": 1,
        "passes": 3,
        "removed": 0,
        "moves": 0,
        "undos": 0,
        "hints": 0,
        "checks": 0,
        "counted": False,
        "elapsed_ms": 0,
        "running": False,
        "can_undo": False,
        "legal": [
            {"action": "remove", "cards": ["KD"]},
            {"action": "draw", "cards": []},
        ],
        "locked": [],
        "url": "/play/classic/1",
    }


@pytest.mark.parametrize("rules", naive.TABLE)
def test_a_random_game_shows_what_the_rules_say_at_each_step(player: Caller, rules: str) -> None:
    chance = random.Random(f"state {rules}")
    for number in chance.sample(range(1, 20_001), 2):
        table, shadow = player.deal(rules, number), Shadow(rules, number)
        version = 0
        while shadow.status == "playing" and version < 70:
            removals = [action for action in shadow.legal if action[0] == "remove"]
            action = chance.choice(removals or shadow.legal)
            if len(shadow.path) > 1 and chance.random() < 0.15:
                shadow.undo()
                state = table.undo().json()
            else:
                shadow.apply(action)
                state = table.move(text_of(action)).json()
            version += 1
            assert state["version"] == version
            assert_shows(state, shadow)
        assert_shows(table.state(), shadow)


@pytest.mark.parametrize("rules", naive.TABLE)
def test_every_state_has_the_fields_of_the_contract(player: Caller, rules: str) -> None:
    assert player.deal(rules, 5).state().keys() >= FIELDS


def test_the_stock_top_shows_where_it_plays(player: Caller) -> None:
    assert player.deal("open", 1).state()["stock"] == {"count": 24, "top": "KS"}
    assert player.deal("classic", 1).state()["stock"] == {"count": 24, "top": None}


def test_covered_cards_are_face_down_in_blind(player: Caller) -> None:
    pyramid = player.deal("blind", 1).state()["pyramid"]
    assert pyramid[:6] == [["??"] * row for row in range(1, 7)]
    assert pyramid[6] == ["7H", "4C", "2H", "KD", "8C", "8H", "3S"]


def test_a_removed_card_leaves_null(player: Caller) -> None:
    state = player.deal("classic", 1).move("KD").json()
    assert state["pyramid"][6] == ["7H", "4C", "2H", None, "8C", "8H", "3S"]
    assert state["removed"] == 1


def test_a_drawn_card_lies_on_the_waste(player: Caller) -> None:
    state = player.deal("classic", 1).play("d d").json()
    assert state["stock"]["count"] == 22
    assert state["waste"] == {"count": 2, "top": "7S"}


def test_removed_counts_the_pyramid_only(player: Caller) -> None:
    """Deal 1's first stock card is a king; a pile's card that leaves is not one of the 28."""
    state = player.deal("classic", 1).play("d KS").json()
    assert (state["removed"], state["waste"]["count"], state["stock"]["count"]) == (0, 0, 23)


def test_a_redeal_turns_the_waste_over(player: Caller) -> None:
    table = player.deal("classic", 1)
    before = table.play(drawn(24)).json()
    assert actions_of(before["legal"]) >= {("redeal",)}
    assert (before["waste"]["count"], before["waste"]["top"]) == (24, "KH")
    state = table.play("r").json()
    assert (state["pass"], state["stock"]["count"], state["waste"]["count"]) == (2, 24, 0)
    assert table.play("d").json()["waste"]["top"] == "KS"


def test_each_pair_is_legal_once(player: Caller) -> None:
    for rules in naive.TABLE:
        actions_of(player.deal(rules, 10).state()["legal"])


def test_overlap_pairs_are_legal_where_the_rules_have_them(player: Caller) -> None:
    number, line = WON["overlap"]
    table, shadow = player.deal("overlap", number), Shadow("overlap", number)
    overlaps = 0
    for text in line.split():
        playable = naive.playable_cards(shadow.position)
        overlaps += sum(any(card not in playable for card in action[1:]) for action in shadow.legal)
        assert actions_of(table.state()["legal"]) == set(shadow.legal)
        cards = sorted(text[at : at + 2] for at in range(0, len(text), 2))
        action = next(
            action for action in shadow.legal if text == "d" or sorted(action[1:]) == cards
        )
        shadow.apply(("draw",) if text == "d" else action)
        table.play(text)
    assert overlaps


def test_a_lock_shows_its_reason_and_the_partners_in_the_way(player: Caller) -> None:
    number, line = LOCKING
    table = player.deal("classic", number)
    assert table.state()["locked"] == []
    (lock,) = table.play(line).json()["locked"]
    assert (lock["card"], lock["reason"]) == ("9H", "partners_over_it")
    assert sorted(lock["cards"]) == ["4C", "4D", "4H"]
    assert not lock["since_start"]


def test_a_lock_of_the_deal_says_since_start(player: Caller) -> None:
    (lock,) = player.deal("classic", LOCKED_SINCE_START).state()["locked"]
    assert (lock["card"], lock["reason"]) == ("3C", "partners_under_it")
    assert sorted(lock["cards"]) == ["TC", "TD", "TH", "TS"]
    assert lock["since_start"]


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
def test_a_secret_deal_has_no_number_to_show(player: Caller, kind: Kind) -> None:
    state = ranked_game(player, kind).play("d").json()
    assert (state["kind"], state["number"], state["label"]) == (kind, None, None)
    assert state["counted"] is False


@pytest.mark.parametrize("rules", WON)
def test_a_win_is_found_at_once(player: Caller, rules: str) -> None:
    number, line = WON[rules]
    table = player.deal(rules, number)
    *before, last = line.split()
    assert table.play(" ".join(before)).json()["status"] == "playing"
    state = table.move(last).json()
    assert state["status"] == "won"
    assert state["removed"] == 28
    assert all(face is None for row in state["pyramid"] for face in row)
    assert (state["legal"], state["can_undo"], state["running"]) == ([], False, False)
    if rules == "strict":
        assert (state["stock"]["count"], state["waste"]["count"]) == (0, 0)


def test_the_pyramid_alone_does_not_win_in_strict(player: Caller) -> None:
    number, line = WON["strict"]
    shadow = Shadow("strict", number)
    table = player.deal("strict", number)
    for text in line.split():
        state = table.play(text).json()
        left = naive.cards_left(shadow.position)
        if state["removed"] == 28 and state["stock"]["count"] + state["waste"]["count"]:
            assert state["status"] != "won"
        assert left
    assert state["status"] == "won"


def test_the_answer_that_ends_a_game_adds_its_result(player: Caller) -> None:
    number, line = WON["open"]
    table = player.deal("open", number)
    *before, last = line.split()
    assert "result" not in table.play(" ".join(before)).json()
    table.undo()
    table.play(before[-1])
    state = table.move(last).json()
    result = state["result"]
    moves = len(before) + 2
    assert (state["moves"], state["undos"]) == (moves, 1)
    assert result["won"] is True
    assert {name: result[name] for name in ("removed", "moves", "undos", "hints", "checks")} == {
        "removed": 28,
        "moves": moves,
        "undos": 1,
        "hints": 0,
        "checks": 0,
    }
    assert result["elapsed_ms"] == state["elapsed_ms"]
    assert result["stock_left"] == state["stock"]["count"]
    assert result["waste_left"] == state["waste"]["count"]
    assert "label" in result


def test_the_result_of_a_game_given_up_says_how_far_it_got(player: Caller) -> None:
    table = player.deal("classic", 1)
    table.play("KD d")
    result = table.change("resignations").json()["result"]
    assert (result["won"], result["removed"], result["moves"], result["stock_left"]) == (
        False,
        1,
        2,
        23,
    )


def test_reading_a_game_changes_nothing(player: Caller) -> None:
    table = player.deal("classic", 1)
    table.play("d")
    table.change("pauses", paused=True)
    assert table.state() == table.state()
