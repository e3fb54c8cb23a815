"""Starting games: by number, by tier; and the list of own games."""

import pytest

from game.models import Game
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON

pytestmark = pytest.mark.django_db

FIRST_RANDOM = 20_001
LAST_NUMBER = 2**32 - 1


def by_number(player: Caller, number: int, rules: str = "classic") -> tuple[int, dict]:
    answer = player.post("games/", {"rules": rules, "number": number})
    return answer.status_code, answer.json()


def by_tier(player: Caller, rules: str = "classic", tier: str = "random") -> dict:
    answer = player.post("games/", {"rules": rules, "tier": tier})
    assert answer.status_code == 201
    return answer.json()


def walk(player: Caller, **query: object) -> list[str]:
    """The ids of all pages of the list, in order."""
    page = player.get("games/", **query).json()
    ids = [game["id"] for game in page["results"]]
    while page["next"]:
        page = player.get(page["next"]).json()
        ids += [game["id"] for game in page["results"]]
    return ids


# By number


def test_a_number_deals_a_practice_game(player: Caller) -> None:
    status, state = by_number(player, 7)
    assert status == 201
    assert (state["number"], state["rules"], state["kind"]) == (7, "classic", "casual")
    assert (state["tier"], state["counted"]) == (None, False)
    assert (state["version"], state["moves"], state["status"]) == (0, 0, "playing")


def test_the_same_number_answers_the_running_game(player: Caller) -> None:
    _, first = by_number(player, 7)
    Table(player, first["id"]).play("d")
    status, again = by_number(player, 7)
    assert (status, again["id"], again["version"]) == (200, first["id"], 1)
    assert Game.objects.count() == 1


def test_the_same_number_under_other_rules_is_another_game(player: Caller) -> None:
    _, first = by_number(player, 7)
    status, second = by_number(player, 7, "open")
    assert (status, second["rules"]) == (201, "open")
    assert second["id"] != first["id"]


def test_the_same_number_of_another_player_is_another_game(
    player: Caller, stranger: Caller
) -> None:
    _, first = by_number(player, 7)
    status, second = by_number(stranger, 7)
    assert status == 201
    assert second["id"] != first["id"]


def test_a_number_whose_game_has_ended_is_dealt_anew(player: Caller) -> None:
    _, first = by_number(player, 7)
    Table(player, first["id"]).change("resignations")
    status, second = by_number(player, 7)
    assert (status, second["version"], second["status"]) == (201, 0, "playing")
    assert second["id"] != first["id"]


def test_any_number_to_the_last_can_be_dealt(player: Caller) -> None:
    for number in (1, 20_000, FIRST_RANDOM, LAST_NUMBER):
        status, state = by_number(player, number)
        assert (status, state["number"]) == (201, number)


@pytest.mark.parametrize("number", [0, -1, 2**32, -(2**31), 2**63 - 1])
def test_there_are_no_other_deals(player: Caller, number: int) -> None:
    answer = player.post("games/", {"rules": "classic", "number": number})
    assert assert_problem(answer, 404, "unknown_deal")["params"] == {"number": number}
    assert Game.objects.count() == 0


@pytest.mark.parametrize("rules", ["nope", "Classic", "", "classic "])
def test_there_are_no_other_rule_sets(player: Caller, rules: str) -> None:
    answer = player.post("games/", {"rules": rules, "number": 7})
    assert answer.status_code == 400
    assert answer.json()["code"] in ({"unknown_rules"} if rules else {"unknown_rules", "invalid"})
    assert Game.objects.count() == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rules": "classic"},
        {"number": 7},
        {"tier": "random"},
        {"rules": "classic", "number": 7, "tier": "random"},
        {"rules": "classic", "tier": "nope"},
        {"rules": "classic", "tier": None},
        {"rules": "classic", "number": None},
    ],
)
def test_a_game_is_of_a_rule_set_and_a_number_or_a_tier(
    player: Caller, body: dict[str, object]
) -> None:
    assert_problem(player.post("games/", body), 400, "invalid")
    assert Game.objects.count() == 0


def test_starting_a_game_by_number_ends_no_other(player: Caller) -> None:
    counted = by_tier(player)
    by_number(player, 7)
    by_number(player, 8)
    assert Table(player, counted["id"]).state()["status"] == "playing"


# By tier


def test_a_random_game_is_counted_and_past_the_catalogue(player: Caller) -> None:
    state = by_tier(player)
    assert (state["tier"], state["counted"], state["kind"]) == ("random", True, "casual")
    assert FIRST_RANDOM <= state["number"] <= LAST_NUMBER
    assert state["label"] is None


def test_each_random_game_is_of_another_number(player: Caller) -> None:
    numbers = {by_tier(player)["number"] for _ in range(5)}
    assert len(numbers) == 5


def test_a_counted_game_is_lost_when_another_is_started(player: Caller) -> None:
    first = Table(player, by_tier(player)["id"])
    first.play("d")
    by_tier(player)
    assert first.state()["status"] == "lost"
    assert first.log()[-1]["seq"] == first.state()["version"] == 2
    assert (first.log()[-1]["type"], first.log()[-1]["reason"]) == ("close", "left_behind")


def test_a_stuck_counted_game_is_lost_when_another_is_started(player: Caller) -> None:
    state = by_tier(player, "open-1")
    first = Table(player, state["id"])
    while state["status"] == "playing":
        move = state["legal"][-1]
        state = first.change("moves", **move).json()
    assert state["status"] == "stuck"
    by_tier(player, "open-1")
    assert first.state()["status"] == "lost"


def test_a_counted_game_of_other_rules_goes_on(player: Caller) -> None:
    first = by_tier(player, "classic")
    by_tier(player, "open")
    assert Table(player, first["id"]).state()["status"] == "playing"


def test_a_counted_game_of_another_player_goes_on(player: Caller, stranger: Caller) -> None:
    first = by_tier(player)
    by_tier(stranger)
    assert Table(player, first["id"]).state()["status"] == "playing"


def test_a_practice_game_is_not_left_behind(player: Caller) -> None:
    _, practice = by_number(player, 7)
    by_tier(player)
    assert Table(player, practice["id"]).state()["status"] == "playing"


def test_the_number_of_a_running_counted_game_answers_that_game(player: Caller) -> None:
    counted = by_tier(player)
    status, state = by_number(player, counted["number"])
    assert (status, state["id"], state["counted"]) == (200, counted["id"], True)


def test_asking_for_a_number_in_vain_leaves_the_counted_game_alone(player: Caller) -> None:
    counted = by_tier(player)
    player.post("games/", {"rules": "classic", "tier": "nope"})
    player.post("games/", {"rules": "classic", "number": 0})
    assert Table(player, counted["id"]).state()["status"] == "playing"


# The list


def test_the_list_starts_empty(player: Caller) -> None:
    page = player.get("games/").json()
    assert (page["results"], page["next"], page["previous"]) == ([], None, None)


def test_the_pages_of_the_list_show_each_game_once_and_newest_first(player: Caller) -> None:
    started = [by_number(player, number)[1]["id"] for number in range(1, 8)]
    assert walk(player, page_size=3) == started[::-1]
    assert walk(player) == started[::-1]


def test_the_pages_lead_back_too(player: Caller) -> None:
    started = [by_number(player, number)[1]["id"] for number in range(1, 6)][::-1]
    second = player.get(player.get("games/", page_size=2).json()["next"]).json()
    assert [game["id"] for game in second["results"]] == started[2:4]
    first = player.get(second["previous"]).json()
    assert [game["id"] for game in first["results"]] == started[:2]


def test_games_started_at_the_same_moment_are_listed_once_each(player: Caller) -> None:
    started = {by_number(player, number)[1]["id"] for number in range(1, 8)}
    Game.objects.update(started_at=Game.objects.earliest("started_at").started_at)
    listed = walk(player, page_size=2)
    assert (len(listed), set(listed)) == (7, started)


def test_a_game_started_meanwhile_does_not_shift_the_pages(player: Caller) -> None:
    started = [by_number(player, number)[1]["id"] for number in range(1, 6)]
    page = player.get("games/", page_size=2).json()
    by_number(player, 99)
    after = player.get(page["next"]).json()
    assert [game["id"] for game in after["results"]] == started[2:0:-1]


def test_the_list_is_filtered_by_status(player: Caller) -> None:
    running = by_number(player, 1)[1]["id"]
    ended = Table(player, by_number(player, 2)[1]["id"])
    ended.play("d")
    ended.change("resignations")
    assert walk(player, status="running") == [running]
    assert walk(player, status="ended") == [ended.id]
    assert set(walk(player)) == {running, ended.id}


def test_a_stuck_game_is_among_the_running_ones(player: Caller) -> None:
    table = player.deal("blind", 1)
    state = table.state()
    while state["status"] == "playing":
        state = table.change("moves", **state["legal"][-1]).json()
    assert state["status"] == "stuck"
    assert walk(player, status="running") == [table.id]


def test_an_ended_game_without_a_move_is_not_listed(player: Caller) -> None:
    """One without a move counts nothing."""
    player.deal("classic", 7).change("resignations")
    assert walk(player) == []


def test_the_list_shows_own_games_only(player: Caller, stranger: Caller) -> None:
    number, line = WON["overlap"]
    stranger.deal("overlap", number).play(line)
    stranger.deal("overlap", 1)
    assert walk(player) == []


def test_an_entry_of_the_list_is_the_state_of_the_game(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.play("d 6D7D")
    table.change("pauses", paused=True)  # the clock stands: both answers show the same time
    assert player.get("games/").json()["results"] == [table.state()]


@pytest.mark.parametrize(
    "cursor",
    ["abc", "cD0y", "cD1hJTAw", "bz0xJnA9eA==", "cD0wMDAxLTAxLTAxVDAwOjAwOjAwKzIzOjU5", "%ff"],
)
def test_a_cursor_that_was_never_given_out_is_not_found(player: Caller, cursor: str) -> None:
    assert_problem(player.get("games/", cursor=cursor), 404, "not_found")


@pytest.mark.parametrize("size", ["0", "-1", "x", "1e9", "99999999999999999999"])
def test_an_impossible_page_size_is_not_taken(player: Caller, size: str) -> None:
    by_number(player, 1)
    answer = player.get("games/", page_size=size)
    assert answer.status_code in (200, 400)
    assert len(answer.json().get("results", [])) <= 100
