"""Games by the tiers of the catalogue."""

from typing import Any

import pytest

from game.models import Game
from game.rules.rulesets import RULE_SETS
from solver import catalogue
from tests.caller import Caller, Table

pytestmark = pytest.mark.django_db

TIERS = pytest.mark.parametrize("tier", ["easy", "standard"])


def by_tier(player: Caller, tier: str, rules: str = "classic") -> Any:
    return player.post("games/", {"rules": rules, "tier": tier})


def numbers(tier: str, rules: str = "classic") -> set[int]:
    return set(catalogue.numbers(RULE_SETS[rules], catalogue.Tier(tier)))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The tier `easy` with three deals only."""
    some = sorted(numbers("easy"))[:3]
    monkeypatch.setattr(catalogue, "numbers", lambda *_: some)
    return set(some)


@TIERS
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_tier_deals_a_counted_game_of_its_own_numbers(
    player: Caller, rules: str, tier: str
) -> None:
    answer = by_tier(player, tier, rules)
    state = answer.json()
    assert answer.status_code == 201
    assert (state["tier"], state["counted"], state["label"]) == (tier, True, "winnable")
    assert state["number"] in numbers(tier, rules)


def test_no_deal_is_of_two_tiers() -> None:
    assert not numbers("easy") & numbers("standard")


@TIERS
def test_the_counted_game_of_the_same_tier_is_left_behind(player: Caller, tier: str) -> None:
    first = Table(player, by_tier(player, tier).json()["id"])
    first.play("d")
    by_tier(player, tier)
    assert first.state()["status"] == "lost"
    assert first.log()[-1]["reason"] == "left_behind"


def test_a_counted_game_of_another_tier_goes_on(player: Caller) -> None:
    first = Table(player, by_tier(player, "easy").json()["id"])
    by_tier(player, "standard")
    by_tier(player, "random")
    assert first.state()["status"] == "playing"


def test_a_number_that_was_moved_in_is_not_dealt_again(player: Caller, few: set[int]) -> None:
    dealt = []
    for _ in few:
        state = by_tier(player, "easy").json()
        assert state["counted"] is True
        dealt.append(state["number"])
        Table(player, state["id"]).play("d")
    assert sorted(dealt) == sorted(few)


def test_a_number_that_was_only_looked_at_may_come_again(player: Caller, few: set[int]) -> None:
    for _ in range(3 * len(few)):
        assert by_tier(player, "easy").json()["counted"] is True


def test_a_move_by_number_uses_the_number_up(player: Caller, few: set[int]) -> None:
    first, second, left = sorted(few)
    for number in (first, second):
        player.deal("classic", number).play("d")
    assert by_tier(player, "easy").json()["number"] == left


def test_a_number_of_a_running_game_without_a_move_is_not_dealt(
    player: Caller, few: set[int]
) -> None:
    first, second, left = sorted(few)
    for number in (first, second):
        player.deal("classic", number)
    assert {by_tier(player, "easy").json()["number"] for _ in range(4)} == {left}


def test_what_others_play_or_under_other_rules_uses_nothing_up(
    player: Caller, stranger: Caller, few: set[int]
) -> None:
    for number in few:
        stranger.deal("classic", number).play("d")
        player.deal("open", number).play("d")
    assert by_tier(player, "easy").json()["counted"] is True


def used_up(player: Caller, few: set[int]) -> dict[str, Any]:
    """The counted game that took the last number."""
    state: dict[str, Any] = {}
    for _ in few:
        state = by_tier(player, "easy").json()
        Table(player, state["id"]).play("d")
    return state


def test_when_none_is_left_any_is_dealt_as_practice(player: Caller, few: set[int]) -> None:
    last = used_up(player, few)
    answer = by_tier(player, "easy")
    state = answer.json()
    assert answer.status_code == 201
    assert (state["counted"], state["tier"]) == (False, "easy")
    assert state["number"] in few - {last["number"]}


def test_practice_leaves_the_last_counted_game_alone(player: Caller, few: set[int]) -> None:
    last = used_up(player, few)
    by_tier(player, "easy")
    assert Table(player, last["id"]).state()["status"] == "playing"


def test_with_a_running_game_of_each_one_of_them_is_answered(player: Caller, few: set[int]) -> None:
    for number in few:
        player.deal("classic", number).play("d")
    answer = by_tier(player, "easy")
    assert answer.status_code == 200
    assert answer.json()["number"] in few
    assert Game.objects.count() == len(few)


def test_a_deal_of_the_catalogue_says_its_tier_difficulty_and_par(nobody: Caller) -> None:
    for tier in ("easy", "standard"):
        deal = nobody.get(f"deals/{min(numbers(tier))}/").json()
        assert (deal["label"], deal["tier"]) == ("winnable", tier)
        assert 0 <= deal["difficulty"] <= 1
        assert deal["par"] > 0


def test_the_tier_is_that_of_the_rule_set(nobody: Caller) -> None:
    number = min(numbers("easy", "overlap"))
    assert nobody.get(f"deals/{number}/", rules="overlap").json()["tier"] == "easy"


def test_a_deal_that_cannot_be_won_is_in_no_tier(nobody: Caller) -> None:
    deal = nobody.get("deals/10/").json()
    assert (deal["label"], deal["tier"], deal["par"]) == ("unwinnable", None, None)


def test_a_game_by_number_is_of_no_tier_and_tells_the_label(player: Caller) -> None:
    state = player.deal("classic", min(numbers("easy"))).state()
    assert (state["tier"], state["counted"], state["label"]) == (None, False, "winnable")
    assert player.deal("classic", 10).state()["label"] == "unwinnable"
