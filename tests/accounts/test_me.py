"""Who one is, as the API tells it, and what one cannot make of oneself."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils.dateparse import parse_datetime
from pytest_django import Settings

from accounts.models import Record, User
from tests.accounts.callers import account, patch
from tests.caller import Caller, assert_problem
from tests.game.ranked import player_of
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db

DEFAULTS = {
    "language": "",
    "four_colours": False,
    "point_values": True,
    "left_handed": False,
    "motion": "system",
    "hide_opponent": False,
    "company": True,
    "private": False,
}


def test_a_guest_is_told_its_name_and_the_settings_of_a_newcomer(player: Caller) -> None:
    user = player_of(player)
    body = player.get("me/").json()
    joined_at = parse_datetime(body.pop("joined_at"))
    assert joined_at is not None
    assert abs((user.date_joined - joined_at).total_seconds()) < 0.001
    assert body == {
        "name": user.username,
        "is_guest": True,
        "email": None,
        "email_verified": False,
        "settings": DEFAULTS,
    }


def test_an_account_is_told_its_address() -> None:
    body = account("ada", email="ada@example.org").get("me/").json()
    assert (body["name"], body["is_guest"]) == ("ada", False)
    assert (body["email"], body["email_verified"]) == ("ada@example.org", True)


def test_an_address_that_waits_for_proof_is_not_verified() -> None:
    ada = account("ada", email="ada@example.org")
    EmailAddress.objects.update(verified=False)
    assert ada.get("me/").json()["email_verified"] is False


def test_of_several_addresses_the_first_one_is_told() -> None:
    ada = account("ada", email="ada@example.org")
    EmailAddress.objects.create(user=player_of(ada), email="other@example.org", verified=True)
    assert ada.get("me/").json()["email"] == "ada@example.org"


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "me/"),
        ("PATCH", "me/"),
        ("DELETE", "me/"),
        ("GET", "me/records/"),
        ("GET", "me/export/"),
    ],
)
def test_nobody_has_no_self(nobody: Caller, method: str, address: str) -> None:
    assert_problem(nobody.send(method, address, "{}"), 401, "not_authenticated")


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_a_self_is_not_put_there(player: Caller, method: str) -> None:
    assert_problem(player.send(method, "me/", "{}"), 405, "method_not_allowed")


WISHES: list[dict[str, Any]] = [
    {"name": "root"},
    {"username": "root"},
    {"is_guest": False},
    {"is_staff": True},
    {"is_superuser": True},
    {"is_active": False},
    {"id": 1},
    {"pk": 1},
    {"email": "mallory@example.org"},
    {"email_verified": True},
    {"password": "another one"},
    {"joined_at": "2000-01-01T00:00:00Z"},
    {"records": [{"rules": "classic", "tier": "easy", "played": 9, "won": 9}]},
    {"won": 9},
    {"daily": {"best_streak": 9}},
    {"settings": {"player": 1}},
    {"settings": {"player_id": 1}},
    {"settings": {"is_staff": True}},
    {"settings": {"won": 9}},
]


@pytest.mark.parametrize("wish", WISHES, ids=str)
def test_nothing_but_settings_is_to_be_set(player: Caller, wish: dict[str, Any]) -> None:
    before = player.get("me/").json()
    with nothing_changed():
        answer = patch(player, wish)
        body = assert_problem(answer, 400, "invalid")
    name, value = next(iter(wish.items()))
    errors = body["errors"]
    if name == "settings":
        name, errors = next(iter(value)), errors["settings"]
    assert [error["code"] for error in errors[name]] == ["unknown_field"]
    assert errors[name][0]["detail"]
    assert player.get("me/").json() == before


def test_a_good_setting_beside_a_bad_wish_is_not_made(player: Caller) -> None:
    answer = patch(player, {"settings": {"motion": "full"}, "is_staff": True})
    assert_problem(answer, 400, "invalid")
    assert player.get("me/").json()["settings"]["motion"] == "system"


RECORD: dict[str, Any] = {
    "rules": "classic",
    "tier": "easy",
    "played": 99,
    "won": 99,
    "win_rate": 1,
    "best_streak": 99,
    "counted": True,
    "records": [{"rules": "classic", "tier": "easy", "won": 99}],
}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("address", ["me/records/", "me/export/", "players/{name}/"])
def test_no_record_is_written_by_a_call(player: Caller, method: str, address: str) -> None:
    name = player_of(player).username
    with nothing_changed():
        answer = patch(player, RECORD, address.format(name=name))
        assert_problem(answer, 405, "method_not_allowed")
    assert not Record.objects.exists()


@pytest.mark.parametrize(
    "address", ["games/", "games/{id}/moves/", "games/{id}/undos/", "games/{id}/pauses/"]
)
def test_a_record_in_the_body_of_another_call_is_no_record(player: Caller, address: str) -> None:
    table = player.deal("classic", 7)
    body = {**RECORD, "action": "draw", "paused": True}
    player.post(address.format(id=table.id), body)
    assert not Record.objects.exists()
    assert player.get("me/records/").json()["records"] == []


@pytest.mark.usefixtures("counters")
def test_reading_and_changing_are_limited(settings: Settings) -> None:
    player = Caller.guest()
    settings.RATE_LIMITS = {"read": "1/hour", "change": "1/hour"}
    assert [player.get("me/").status_code for _ in range(2)] == [200, 429]
    assert [patch(player, {}).status_code for _ in range(2)] == [200, 429]


def test_own_records_are_listed_by_rule_set_and_tier(player: Caller) -> None:
    user = player_of(player)
    Record.objects.create(
        player=user,
        rules_key="open",
        tier="standard",
        played=8,
        won=3,
        current_streak=1,
        best_streak=2,
        fastest_win_ms=61_000,
        fewest_moves=44,
        best_against_par=None,
    )
    Record.objects.create(player=user, rules_key="blind", tier="random", played=2)
    Record.objects.create(player=user, rules_key="strict", tier="easy")  # nothing was played
    body = player.get("me/records/").json()
    assert body["records"] == [
        {
            "rules": "blind",
            "tier": "random",
            "played": 2,
            "won": 0,
            "win_rate": 0.0,
            "current_streak": 0,
            "best_streak": 0,
            "fastest_win_ms": None,
            "fewest_moves": None,
            "best_against_par": None,
        },
        {
            "rules": "open",
            "tier": "standard",
            "played": 8,
            "won": 3,
            "win_rate": 0.375,
            "current_streak": 1,
            "best_streak": 2,
            "fastest_win_ms": 61_000,
            "fewest_moves": 44,
            "best_against_par": None,
        },
    ]
    assert body["daily"] == {"current_streak": 0, "best_streak": 0}
    assert body["races"] == {"played": 0, "won": 0, "drawn": 0}


def test_the_records_of_others_are_not_ones_own(player: Caller, stranger: Caller) -> None:
    Record.objects.create(player=player_of(stranger), rules_key="open", tier="easy", played=1)
    assert player.get("me/records/").json()["records"] == []


def test_one_who_is_closed_out_has_no_self(player: Caller) -> None:
    User.objects.update(is_active=False)
    assert_problem(player.get("me/"), 401, "authentication_failed")
