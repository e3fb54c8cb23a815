"""What a wrong action gets: its code, status and params, in the order of the rules; and nothing
changes."""

import random
from typing import Any

import pytest

from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed
from tests.game.shadow import Shadow, text_of
from tests.rules import naive

pytestmark = pytest.mark.django_db

ALL_DRAWN = " ".join(["d"] * 24)

# Deal 164 in `open`: stock and waste are empty in the first pass, and the game goes on.
PILES_EMPTIED = (
    "QSAC d 9C4C KS KC d 9H4D 8C5D 8S5S TH3S d 3HTC KD 2CJH d 9D4H KH 6S7D QHAS 7H6C d 3DTD "
    "2SJD 8H5C d 8D5H JC2H 7S6H"
)


@pytest.fixture
def table(player: Caller) -> Table:
    """Deal 1: its last row is 7H 4C 2H KD 8C 8H 3S, its stock begins KS 7S TC."""
    return player.deal("classic", 1)


def refused(table: Table, status: int, code: str, **body: Any) -> dict[str, Any]:
    """The params of the refusal of a move; nothing has changed."""
    with nothing_changed():
        return assert_problem(table.change("moves", **body), status, code)["params"]


def refused_remove(table: Table, code: str, *cards: str, **more: Any) -> dict[str, Any]:
    status = 400 if code == "bad_card" else 409 if code in STATES else 422
    return refused(table, status, code, action="remove", cards=list(cards), **more)


STATES = {"game_over", "stale_version", "id_reused"}


# Each of them


@pytest.mark.parametrize(
    "cards",
    [
        ["1H"],
        ["6h"],
        ["HK"],
        ["10H"],
        [""],
        ["??"],
        ["KD", "XX"],
        ["K♦"],
        ["КD"],
        ["KD "],
        ["8C", "8C"],
        ["KD", "KD"],
        [],
        ["8C", "8H", "3S"],
        ["KD", "2H", "4C", "7H"],
    ],
)
def test_cards_that_are_none_or_not_one_or_two(table: Table, cards: list[str]) -> None:
    named = refused_remove(table, "bad_card", *cards)["cards"]
    assert named in (cards, [card for card in cards if card not in naive.CARDS])


def test_a_remove_without_cards(table: Table) -> None:
    refused(table, 400, "bad_card", action="remove")


@pytest.mark.parametrize("action", ["draw", "redeal"])
def test_a_draw_or_redeal_with_cards(table: Table, action: str) -> None:
    refused(table, 400, "bad_card", action=action, cards=["KD"])


def test_a_card_never_seen(table: Table) -> None:
    assert refused_remove(table, "not_playable", "7S") == {"card": "7S"}


def test_a_card_never_seen_is_named_alone(table: Table) -> None:
    assert refused_remove(table, "not_playable", "8C", "5D") == {"card": "5D"}
    assert refused_remove(table, "not_playable", "5D", "8C") == {"card": "5D"}


def test_a_card_below_the_wastes_top(table: Table) -> None:
    table.play("d d")
    assert refused_remove(table, "not_playable", "KS")["card"] == "KS"


def test_two_cards_of_the_waste_never_go_together(player: Caller) -> None:
    table = player.deal("classic", 1)
    table.play("d d d d d d d")  # KS 7S TC 2D AS 5D AC
    assert refused_remove(table, "not_playable", "AC", "5D")["card"] == "5D"


def test_a_card_in_the_stock_that_was_seen_before(table: Table) -> None:
    table.play("d")
    table.undo()
    assert refused_remove(table, "not_playable", "KS")["card"] == "KS"


def test_a_card_that_is_gone(table: Table) -> None:
    table.play("KD")
    assert refused_remove(table, "not_playable", "KD")["card"] == "KD"


def test_a_covered_card_with_its_coverers(table: Table) -> None:
    params = refused_remove(table, "card_covered", "8S")
    assert params == {"card": "8S", "coverers": ["QD", "QC"]}


def test_a_covered_card_with_its_one_coverer(table: Table) -> None:
    table.play("KD")
    params = refused_remove(table, "card_covered", "5H", "8H")
    assert params == {"card": "5H", "coverers": ["8C"]}


def test_a_face_down_card_is_one_never_seen(player: Caller) -> None:
    table = player.deal("blind", 1)
    table.play("KD")
    params = refused_remove(table, "not_playable", "5H")
    assert params == {"card": "5H"}


def test_a_coverer_that_an_undo_turned_down_again_is_not_named(player: Caller) -> None:
    """Cards that were seen may be refused as covered; by what is told for open cards only."""
    number, line = WON["blind"]
    table, shadow = player.deal("blind", number), Shadow("blind", number)
    open_at_the_deal = naive.face_up(shadow.position)
    table.play(" ".join(line.split()[:20]))
    table.change("restarts")
    told = set()
    for card in set(shadow.position["pyramid"].values()) - open_at_the_deal:
        body = table.change("moves", action="remove", cards=[card]).json()
        if body["code"] == "card_covered":
            told.update(body["params"]["coverers"])
    assert "??" in told
    assert told <= {"??"} | open_at_the_deal


def test_a_pair_that_covers_itself(table: Table) -> None:
    table.play("KD")
    for cards in (["JD", "2H"], ["2H", "JD"]):
        params = refused_remove(table, "pair_covers_itself", *cards)
        assert set(params["cards"]) == {"JD", "2H"}


def test_the_same_pair_goes_where_overlap_pairs_do(player: Caller) -> None:
    table = player.deal("overlap", 1)
    table.play("KD")
    assert table.move("JD2H").status_code == 200


def test_a_card_on_another_that_does_not_make_13_only_covers_it(player: Caller) -> None:
    for rules in ("classic", "overlap"):
        table = player.deal(rules, 1)
        table.play("KD")
        params = refused_remove(table, "card_covered", "JD", "4C")
        assert params == {"card": "JD", "coverers": ["2H"]}


def test_an_overlap_pair_under_two_cards_is_covered(player: Caller) -> None:
    table = player.deal("overlap", 1)
    assert set(refused_remove(table, "card_covered", "JD", "2H")["coverers"]) == {"2H", "KD"}


def test_a_king_in_a_pair(table: Table) -> None:
    assert refused_remove(table, "king_alone", "KD", "8C") == {"card": "KD"}
    assert refused_remove(table, "king_alone", "8C", "KD") == {"card": "KD"}


def test_two_kings(table: Table) -> None:
    table.play("d")
    assert refused_remove(table, "king_alone", "KD", "KS")["card"] in ("KD", "KS")


def test_a_pair_that_does_not_make_13(table: Table) -> None:
    params = refused_remove(table, "not_thirteen", "8C", "7H")
    assert params == {"cards": ["8C", "7H"], "values": [8, 7], "sum": 15}


def test_one_card_that_is_no_king(table: Table) -> None:
    params = refused_remove(table, "not_thirteen", "8C")
    assert params == {"cards": ["8C"], "values": [8], "sum": 8}


def test_a_draw_from_an_empty_stock(table: Table) -> None:
    table.play(ALL_DRAWN)
    refused(table, 422, "stock_empty", action="draw")


def test_a_redeal_before_the_stock_is_empty(table: Table) -> None:
    refused(table, 422, "stock_not_empty", action="redeal")
    table.play("d")
    refused(table, 422, "stock_not_empty", action="redeal")


def test_a_redeal_of_an_empty_waste(player: Caller) -> None:
    table = player.deal("open", 164)
    state = table.play(PILES_EMPTIED).json()
    assert (state["stock"]["count"], state["waste"]["count"], state["pass"]) == (0, 0, 1)
    refused(table, 422, "waste_empty", action="redeal")
    refused(table, 422, "stock_empty", action="draw")


@pytest.mark.parametrize("rules", naive.TABLE)
def test_a_redeal_after_the_last_pass(player: Caller, rules: str) -> None:
    passes = naive.RULE_SETS[rules]["passes"]
    table = player.deal(rules, 1)
    table.play(" r ".join([ALL_DRAWN] * passes))
    assert table.state()["pass"] == passes
    refused(table, 422, "no_redeals_left", action="redeal")


@pytest.mark.parametrize("body", [{}, {"version": 0}, {"client_move_id": "a"}])
def test_an_unknown_game_is_not_found(player: Caller, body: dict[str, Any]) -> None:
    nowhere = Table(player, "00000000-0000-4000-8000-000000000000")
    assert_problem(nowhere.undo(**body), 404, "not_found")


# In the order of the rules


def test_the_shape_comes_before_the_card(table: Table) -> None:
    with nothing_changed():
        answer = table.change("moves", action="remove", cards=["XX"], version="no number")
        assert_problem(answer, 400, "invalid")


def test_a_bad_card_comes_before_a_repeated_id(table: Table) -> None:
    table.move("d", client_move_id="a")
    refused_remove(table, "bad_card", "XX", client_move_id="a")


def test_a_bad_card_comes_before_the_end_of_the_game(table: Table) -> None:
    table.change("resignations")
    refused_remove(table, "bad_card", "KD", "KD")


def test_a_bad_card_comes_before_a_stale_version(table: Table) -> None:
    table.play("d")
    refused_remove(table, "bad_card", "XX", version=0)


def test_a_repeated_id_comes_before_the_end_of_the_game(table: Table) -> None:
    first = table.move("d", client_move_id="a")
    table.change("resignations")
    with nothing_changed():
        again = table.move("d", client_move_id="a")
    assert (again.status_code, again.json()) == (200, first.json())
    refused_remove(table, "id_reused", "KD", client_move_id="a")


def test_a_repeated_id_comes_before_a_stale_version(table: Table) -> None:
    first = table.move("d", version=0, client_move_id="a")
    table.play("d")
    with nothing_changed():
        again = table.move("d", version=0, client_move_id="a")
    assert (again.status_code, again.json()) == (200, first.json())


def test_the_end_of_the_game_comes_before_a_stale_version(table: Table) -> None:
    table.change("resignations")
    refused(table, 409, "game_over", action="draw", version=0)


def test_the_end_of_the_game_comes_before_the_cards(table: Table) -> None:
    table.change("resignations")
    refused_remove(table, "game_over", "8S")


def test_a_stale_version_comes_before_the_cards(table: Table) -> None:
    table.play("d")
    for cards in (["5D"], ["8S"], ["8C", "8H"], ["KD", "8C"]):
        refused_remove(table, "stale_version", *cards, version=0)
    refused(table, 409, "stale_version", action="redeal", version=0)


def test_a_card_never_seen_comes_before_one_out_of_play(table: Table) -> None:
    table.play("KD")
    assert refused_remove(table, "not_playable", "KD", "5D") == {"card": "5D"}


def test_a_card_out_of_play_comes_before_one_covered(table: Table) -> None:
    table.play("d d")
    assert refused_remove(table, "not_playable", "8S", "KS")["card"] == "KS"
    assert refused_remove(table, "not_playable", "KS", "8S")["card"] == "KS"


def test_a_covered_card_comes_before_a_king(table: Table) -> None:
    assert refused_remove(table, "card_covered", "KC", "8C")["card"] == "KC"
    assert refused_remove(table, "card_covered", "KD", "8S")["card"] == "8S"


def test_a_covered_card_comes_before_the_sum(table: Table) -> None:
    assert refused_remove(table, "card_covered", "8S", "8C")["card"] == "8S"


def test_a_king_comes_before_the_sum(table: Table) -> None:
    assert refused_remove(table, "king_alone", "KD", "7H") == {"card": "KD"}


def test_the_end_of_a_ranked_game_comes_before_its_pauses(player: Caller) -> None:
    table = ranked_game(player)
    table.change("resignations")
    assert_problem(table.change("pauses", paused=True), 409, "game_over")


# All of them


@pytest.mark.parametrize("rules", naive.TABLE)
def test_any_wrong_removal_gets_what_the_rules_say(player: Caller, rules: str) -> None:
    """Random cards, at random moments of a random game, against the naive's own order of tests."""
    chance = random.Random(f"refusals {rules}")
    number = chance.randrange(1, 20_001)
    table, shadow = player.deal(rules, number), Shadow(rules, number)
    codes = set()
    while shadow.status == "playing" and len(shadow.path) < 50:
        for _ in range(2):
            cards = chance.sample(_asked(shadow, chance), chance.choice((1, 2, 2)))
            allowed = naive.refusals(shadow.position, cards, shadow.seen)
            if not allowed:
                continue
            answer = table.change("moves", action="remove", cards=cards)
            body = assert_problem(answer, 422, allowed[0][0])
            assert (body["code"], body["params"]) in allowed, (number, cards)
            codes.add(body["code"])
        removals = [action for action in shadow.legal if action[0] == "remove"]
        action = chance.choice(removals or shadow.legal)
        shadow.apply(action)
        assert table.move(text_of(action)).status_code == 200
    assert {"not_playable", "not_thirteen"} <= codes


def _asked(shadow: Shadow, chance: random.Random) -> list[str]:
    """Any two cards or, half of the time, two that are in sight."""
    return naive.CARDS if chance.random() < 0.5 else sorted(naive.face_up(shadow.position))
