"""What others may know of a player, and of the games of one who keeps to themselves."""

import pytest

from accounts.models import Record, User
from tests.accounts.callers import account, patch
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON
from tests.game.ranked import player_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db: None) -> Caller:
    ada = account("Ada", email="ada@example.org")
    Record.objects.create(
        player=player_of(ada),
        rules_key="classic",
        tier="easy",
        played=4,
        won=3,
        current_streak=0,
        best_streak=3,
        fastest_win_ms=93_000,
        fewest_moves=41,
        best_against_par=0,
    )
    return ada


def test_anybody_may_look_at_a_player(ada: Caller, stranger: Caller, nobody: Caller) -> None:
    for caller in (nobody, stranger, ada):
        body = caller.get("players/Ada/").json()
        assert (body["name"], body["is_guest"], body["private"]) == ("Ada", False, False)
        assert body["joined_at"].endswith("Z")
        assert [record["won"] for record in body["records"]] == [3]
        assert body["records"] == ada.get("me/records/").json()["records"]
        assert body["daily"] == {"current_streak": 0, "best_streak": 0}
        assert body["races"] == {"played": 0, "won": 0, "drawn": 0}


def test_nothing_but_that_is_told_of_a_player(ada: Caller, nobody: Caller) -> None:
    answer = nobody.get("players/Ada/")
    assert answer.json().keys() == {
        *("name", "is_guest", "joined_at", "private"),
        *("records", "daily", "races"),
    }
    assert b"example.org" not in answer.content


@pytest.mark.parametrize("name", ["ada", "ADA", "Ada", "\uff21da"])  # a full-width A
def test_a_name_is_found_however_it_is_written(ada: Caller, nobody: Caller, name: str) -> None:
    assert nobody.get(f"players/{name}/").json()["name"] == "Ada"


def test_a_guest_is_a_player_too(player: Caller, nobody: Caller) -> None:
    name = player_of(player).username
    body = nobody.get(f"players/{name}/").json()
    assert (body["name"], body["is_guest"], body["records"]) == (name, True, [])


def test_the_records_of_one_who_keeps_to_themselves_are_not_told(
    ada: Caller, nobody: Caller
) -> None:
    patch(ada, {"settings": {"private": True}})
    body = nobody.get("players/ada/").json()
    assert (body["name"], body["private"], body["records"]) == ("Ada", True, [])
    assert len(ada.get("me/records/").json()["records"]) == 1


@pytest.mark.parametrize(
    "name",
    [
        "nobody",
        "%00",
        "Ada%00",
        "Ada%00Ada",
        "x" * 10_000,
        "\ufdfa" * 500,  # each is eighteen letters once it is spelt out
        "a%2Fda",
        "Ada%2F",
        "..%2FAda",
        "%F0%9F%82%A1",
        "%FF",
        "%20",
        "' OR 1=1 --",
        "Ada%",
    ],
)
def test_no_player_has_such_a_name(ada: Caller, nobody: Caller, name: str) -> None:
    assert_problem(nobody.get(f"players/{name}/"), 404, "not_found")


def test_one_who_was_closed_out_is_not_there(ada: Caller, nobody: Caller) -> None:
    User.objects.update(is_active=False)
    assert_problem(nobody.get("players/Ada/"), 404, "not_found")


def test_a_look_costs_few_queries(
    ada: Caller, nobody: Caller, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        nobody.get("players/Ada/")


# Games of one who keeps to themselves


@pytest.fixture
def won(ada: Caller) -> Table:
    number, line = WON["overlap"]
    table = ada.deal("overlap", number)
    table.play(line)
    return table


PARTS = ["", "log/", "analysis/"]


@pytest.mark.parametrize("part", PARTS)
def test_an_ended_game_is_not_there_for_others(
    ada: Caller, won: Table, stranger: Caller, nobody: Caller, part: str
) -> None:
    if part != "analysis/":
        assert nobody.get(f"{won.address}{part}").status_code == 200
    patch(ada, {"settings": {"private": True}})
    for caller in (stranger, nobody):
        assert_problem(caller.get(f"{won.address}{part}"), 404, "not_found")


def test_to_its_player_it_is_as_before(ada: Caller, won: Table) -> None:
    before = won.state(), won.log()
    patch(ada, {"settings": {"private": True}})
    assert (won.state(), won.log()) == before


def test_it_is_shown_again_when_its_player_likes(ada: Caller, won: Table, nobody: Caller) -> None:
    patch(ada, {"settings": {"private": True}})
    patch(ada, {"settings": {"private": False}})
    assert nobody.get(won.address).status_code == 200


@pytest.mark.parametrize("part", PARTS)
def test_a_game_of_one_who_was_closed_out_is_not_there(
    won: Table, nobody: Caller, part: str
) -> None:
    User.objects.update(is_active=False)
    assert_problem(nobody.get(f"{won.address}{part}"), 404, "not_found")
