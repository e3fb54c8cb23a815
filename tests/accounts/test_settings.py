"""Settings: changed one by one, kept, and nothing that is none."""

import re
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from accounts.models import Settings, User
from accounts.services import settings
from tests.accounts.callers import account, logged_in, patch, settings_of
from tests.accounts.test_me import DEFAULTS
from tests.caller import Caller, assert_problem
from tests.game.ranked import player_of
from tests.game.test_at_once import at_once

pytestmark = pytest.mark.django_db

OTHERS: list[tuple[str, Any]] = [
    ("language", "ja"),
    ("four_colours", True),
    ("point_values", False),
    ("left_handed", True),
    ("motion", "reduced"),
    ("hide_opponent", True),
    ("company", False),
    ("private", True),
]


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_one_setting_is_changed_and_the_others_stay(
    player: Caller, name: str, value: object
) -> None:
    answer = patch(player, {"settings": {name: value}})
    assert answer.status_code == 200
    assert answer.json()["settings"] == {**DEFAULTS, name: value}
    assert answer.json() == player.get("me/").json()


def test_all_are_changed_at_once_and_back(player: Caller) -> None:
    patch(player, {"settings": dict(OTHERS)})
    assert settings_of(player) == dict(OTHERS)
    patch(player, {"settings": DEFAULTS})
    assert settings_of(player) == DEFAULTS


def test_settings_are_the_players_on_every_device() -> None:
    ada = account("ada")
    patch(ada, {"settings": {"four_colours": True}})
    assert settings_of(logged_in(player_of(ada)))["four_colours"] is True


def test_settings_of_one_are_not_anothers(player: Caller, stranger: Caller) -> None:
    patch(player, {"settings": {"four_colours": True}})
    assert settings_of(stranger) == DEFAULTS


@pytest.mark.parametrize("body", [{}, {"settings": {}}])
def test_no_change_is_none(player: Caller, body: object) -> None:
    patch(player, {"settings": {"motion": "full"}})
    answer = patch(player, body)
    assert answer.status_code == 200
    assert answer.json()["settings"] == {**DEFAULTS, "motion": "full"}


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("four_colours", "true", "invalid"),
        ("four_colours", 1, "invalid"),
        ("four_colours", None, "null"),
        ("point_values", [], "invalid"),
        ("left_handed", {}, "invalid"),
        ("company", "no", "invalid"),
        ("private", 0, "invalid"),
        ("motion", "none", "invalid_choice"),
        ("motion", "Full", "invalid_choice"),
        ("motion", "", "invalid_choice"),
        ("motion", True, "invalid_choice"),
        ("motion", ["full"], "invalid_choice"),
        ("motion", None, "null"),
        ("language", "de", "invalid_choice"),
        ("language", "JA", "invalid_choice"),
        ("language", "ja\0", "invalid_choice"),
        ("language", "x" * 10_000, "invalid_choice"),
        ("language", 5, "invalid_choice"),
        ("language", None, "null"),
    ],
)
def test_what_is_no_value_of_a_setting_is_refused(
    player: Caller, name: str, value: object, code: str
) -> None:
    answer = patch(player, {"settings": {"hide_opponent": True, name: value}})
    errors = assert_problem(answer, 400, "invalid")["errors"]
    assert [error["code"] for error in errors["settings"][name]] == [code]
    assert settings_of(player) == DEFAULTS


@pytest.mark.parametrize("body", [[], "settings", 7, None, True])
def test_what_is_no_object_is_refused(player: Caller, body: object) -> None:
    assert_problem(patch(player, body), 400, "invalid")
    if body is not None:
        assert_problem(patch(player, {"settings": body}), 400, "invalid")


def test_the_service_takes_settings_only(player: Caller) -> None:
    with pytest.raises(TypeError):
        settings.change(player=player_of(player), is_staff=True)  # type: ignore[call-arg]


def test_a_language_that_is_not_spoken_is_not_stored(player: Caller) -> None:
    with pytest.raises(IntegrityError):
        Settings.objects.create(player=player_of(player), language="tlh")


@pytest.mark.django_db(transaction=True)
def test_two_changes_at_once_are_both_made(player: Caller) -> None:
    token = player.token
    answers = at_once(
        *[
            lambda change=change: patch(Caller(token), {"settings": dict([change])})
            for change in OTHERS
        ]
    )
    assert {answer.status_code for answer in answers} == {200}
    assert settings_of(player) == dict(OTHERS)
    assert Settings.objects.count() == 1


# On the pages


def page_of(caller: Caller, path: str = "/") -> str:
    client = Client()
    client.cookies["sessionid"] = caller.token or ""
    return client.get(path).content.decode()


def tag_of(page: str) -> str:
    found = re.search(r"<html[^>]*>", page)
    assert found
    return found[0]


def test_the_page_of_nobody_is_a_newcomers(nobody: Caller) -> None:
    assert tag_of(Client().get("/").content.decode()) == '<html lang="en">'


def test_the_page_of_one_who_set_nothing_is_a_newcomers(player: Caller) -> None:
    assert tag_of(page_of(player)) == '<html lang="en">'


@pytest.mark.parametrize(
    ("setting", "mark"),
    [
        ({"four_colours": True}, " data-four-colours"),
        ({"point_values": False}, " data-no-point-values"),
        ({"left_handed": True}, " data-left-handed"),
        ({"motion": "reduced"}, ' data-motion="reduced"'),
        ({"motion": "full"}, ' data-motion="full"'),
        ({"hide_opponent": True}, " data-hide-opponent"),
    ],
)
def test_the_page_is_marked_by_a_setting_before_any_script_runs(
    player: Caller, setting: dict[str, Any], mark: str
) -> None:
    patch(player, {"settings": setting})
    assert tag_of(page_of(player)) == f'<html lang="en"{mark}>'
    patch(player, {"settings": DEFAULTS})
    assert tag_of(page_of(player)) == '<html lang="en">'


def test_pages_speak_the_language_of_the_settings(player: Caller) -> None:
    patch(player, {"settings": {"language": "ja"}})
    assert tag_of(page_of(player)) == '<html lang="ja">'
    assert tag_of(page_of(player, "/play/classic/7")) == '<html lang="ja">'


def test_the_words_of_the_pages_scripts_are_in_that_language_too(player: Caller) -> None:
    patch(player, {"settings": {"language": "ru"}})
    russian = Client(headers={"Accept-Language": "ru"}).get("/jsi18n/").content.decode()
    assert page_of(player, "/jsi18n/") == russian
    assert russian != page_of(Caller(), "/jsi18n/")


def test_an_answer_of_the_api_is_in_the_language_that_the_caller_asks_for(player: Caller) -> None:
    patch(player, {"settings": {"language": "ru"}})
    assert player.get("games/none/").json()["title"] == "It is not there, or not yours to see."


def test_whether_the_server_lives_is_told_without_a_look_at_the_player(
    player: Caller, django_assert_num_queries: Any
) -> None:
    patch(player, {"settings": {"language": "ja"}})
    with django_assert_num_queries(0):
        assert page_of(player, "/healthz")


def test_a_page_that_is_not_there_speaks_it_too(player: Caller) -> None:
    patch(player, {"settings": {"language": "ja"}})
    assert tag_of(page_of(player, "/nowhere")) == '<html lang="ja">'


def test_choosing_a_language_on_a_page_changes_the_setting(player: Caller) -> None:
    patch(player, {"settings": {"language": "ru"}})
    client = Client()
    client.cookies["sessionid"] = player.token or ""
    client.post("/i18n/setlang/", {"language": "ja", "next": "/"})
    assert settings_of(player)["language"] == "ja"
    assert tag_of(client.get("/").content.decode()) == '<html lang="ja">'


def test_a_browser_keeps_to_the_language_that_its_player_has_set() -> None:
    client = Client()
    client.post("/api/v1/guests/")
    for language in ("ja", ""):
        client.patch(
            "/api/v1/me/", {"settings": {"language": language}}, content_type="application/json"
        )
        assert client.cookies["django_language"].value == language


def test_a_token_sets_no_cookie(player: Caller) -> None:
    assert not patch(player, {"settings": {"language": "ja"}}).cookies


def test_a_language_that_is_not_spoken_is_not_chosen(player: Caller) -> None:
    client = Client()
    client.cookies["sessionid"] = player.token or ""
    client.post("/i18n/setlang/", {"language": "tlh", "next": "/"})
    assert settings_of(player) == DEFAULTS


def test_nobody_chooses_a_language_for_this_browser(nobody: Caller) -> None:
    client = Client()
    client.post("/i18n/setlang/", {"language": "ja", "next": "/"})
    assert tag_of(client.get("/").content.decode()) == '<html lang="ja">'
    assert not User.objects.exists()
