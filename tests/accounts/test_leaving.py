"""Leaving for good: what goes, what stays without a name, and what happens at the same moment."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.test import Client
from pytest_django import Settings as DjangoSettings

from accounts.models import RaceRecord, Record, Session, Settings, User
from accounts.services import leaving
from game.errors import PlayerGone
from game.models import Deal, Game, Kind, LogEntry
from tests.accounts.callers import PASSWORD, account, delete, logged_in, patch
from tests.caller import API, Caller, assert_problem
from tests.game.lines import WON
from tests.game.ranked import player_of, ranked_game
from tests.game.records import nothing_changed
from tests.game.test_at_once import at_once

pytestmark = pytest.mark.django_db

YES = {"password": PASSWORD}


def furnish(caller: Caller) -> User:
    """Gives the player something of everything that a player may have."""
    user = player_of(caller)
    number, line = WON["overlap"]
    caller.deal("overlap", number).play(line)
    caller.deal("classic", 7).play("d d")
    patch(caller, {"settings": {"motion": "full"}})
    Record.objects.create(player=user, rules_key="classic", tier="easy", played=1)
    RaceRecord.objects.create(player=user, played=1)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "hidden"})
    UserSession.objects.create(
        user=user, ip="10.1.2.3", session_key=caller.token or "", user_agent="Netscape"
    )
    return user


def belongings() -> dict[str, int]:
    models: tuple[Any, ...] = (
        *(Game, LogEntry, Record, RaceRecord, Settings, Session),
        *(EmailAddress, Authenticator, UserSession),
    )
    return {model.__name__: model.objects.count() for model in models}


# Without ranked games


def test_a_guest_leaves_without_a_word(player: Caller) -> None:
    answer = delete(player)
    assert (answer.status_code, answer.content) == (204, b"")
    assert not User.objects.exists()


@pytest.mark.parametrize("body", [{}, {"password": "whatever"}])
def test_a_guest_may_send_a_body_too(player: Caller, body: object) -> None:
    assert delete(player, body).status_code == 204


def test_all_that_was_the_players_goes_along() -> None:
    ada = account("ada", email="ada@example.org")
    furnish(ada)
    assert all(belongings().values())
    assert delete(ada, YES).status_code == 204
    assert not User.objects.exists()
    assert not any(belongings().values())


def test_the_deals_and_other_players_stay(stranger: Caller) -> None:
    theirs = stranger.deal("classic", 7)
    theirs.play("d")
    before = theirs.state(), theirs.log()
    ada = account("ada")
    furnish(ada)
    deals = Deal.objects.count()
    delete(ada, YES)
    assert Deal.objects.count() == deals
    assert theirs.log() == before[1]
    assert theirs.state()["version"] == before[0]["version"]


def test_every_token_of_the_player_dies() -> None:
    ada = account("ada")
    other_device = logged_in(player_of(ada))
    delete(ada, YES)
    for caller in (ada, other_device):
        assert_problem(caller.get("me/"), 401, "authentication_failed")
        assert_problem(delete(caller, YES), 401, "authentication_failed")


def test_a_link_to_a_game_leads_nowhere_afterwards(nobody: Caller) -> None:
    ada = account("ada")
    number, line = WON["overlap"]
    table = ada.deal("overlap", number)
    table.play(line)
    delete(ada, YES)
    for part in ("", "log/", "analysis/"):
        assert_problem(nobody.get(f"{table.address}{part}"), 404, "not_found")
    assert_problem(nobody.get("players/ada/"), 404, "not_found")


def test_the_name_may_be_taken_again() -> None:
    delete(account("ada"), YES)
    assert account("Ada").get("me/").json()["name"] == "Ada"


def test_the_browser_is_nobodys_again() -> None:
    client = Client()
    client.post(f"{API}guests/")
    answer = client.delete(f"{API}me/")
    assert answer.status_code == 204
    assert client.cookies["sessionid"].value == ""
    assert client.post(f"{API}guests/").status_code == 201


def test_another_players_cookie_beside_the_token_stays() -> None:
    client = Client()
    theirs = client.post(f"{API}guests/").json()["token"]
    mine = Caller.guest().token
    answer = client.delete(f"{API}me/", headers={"Authorization": f"Bearer {mine}"})
    assert answer.status_code == 204
    assert client.get(f"{API}me/").status_code == 200
    assert Caller(theirs).get("me/").status_code == 200


def test_a_page_of_another_site_deletes_nobody() -> None:
    client = Client(enforce_csrf_checks=True)
    client.post(f"{API}guests/")
    assert_problem(client.delete(f"{API}me/"), 403, "csrf_failed")
    assert User.objects.count() == 1


# The password


@pytest.mark.parametrize(
    "body", [None, {}, {"password": ""}, {"password": "wrong"}, {"password": PASSWORD + " "}]
)
def test_without_the_password_nothing_goes(body: object) -> None:
    ada = account("ada")
    furnish(ada)
    with nothing_changed():
        assert_problem(delete(ada, body), 403, "password_wrong")
    assert all(number for name, number in belongings().items() if name != "EmailAddress")
    assert ada.get("me/").status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"password": 7}, "invalid"),
        ({"password": None}, "null"),
        ({"password": ["x"]}, "invalid"),
        ({"password": "\0"}, "null_characters_not_allowed"),
    ],
)
def test_what_is_no_text_is_no_password(body: object, code: str) -> None:
    answer = delete(account("ada"), body)
    errors = assert_problem(answer, 400, "invalid")["errors"]
    assert [error["code"] for error in errors["password"]] == [code]


@pytest.mark.parametrize("body", [[], "x", 7])
def test_what_is_no_object_is_refused(player: Caller, body: object) -> None:
    assert_problem(delete(player, body), 400, "invalid")


def test_an_account_without_a_password_needs_none() -> None:
    assert delete(account("ada", password=None)).status_code == 204


@pytest.mark.usefixtures("counters")
def test_passwords_are_not_tried_without_end(settings: DjangoSettings) -> None:
    ada = account("ada")
    settings.RATE_LIMITS = {"password": "3/hour"}
    codes = [delete(ada, {"password": "wrong"}).status_code for _ in range(4)]
    assert codes == [403, 403, 403, 429]
    assert_problem(delete(ada, YES), 429, "throttled")


# With ranked games


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
def test_ranked_games_stay_with_one_who_has_no_name(kind: Kind) -> None:
    ada = account("ada", email="ada@example.org")
    user = furnish(ada)
    User.objects.update(first_name="Ada", last_name="L", is_staff=True, is_superuser=True)
    table = ranked_game(ada, kind)
    table.play("d d")
    assert delete(ada, YES).status_code == 204
    gone = User.objects.get()
    assert gone.pk == user.pk
    assert gone.username.startswith("gone-")
    assert (gone.first_name, gone.last_name, gone.email, gone.last_login) == ("", "", "", None)
    assert not any((gone.is_active, gone.is_guest, gone.is_staff, gone.is_superuser))
    assert not gone.has_usable_password()
    assert gone.date_joined == datetime(user.date_joined.year, 1, 1, tzinfo=UTC)
    assert {name: number for name, number in belongings().items() if number} == {
        "Game": 1,
        "LogEntry": 2,
    }
    assert str(Game.objects.get().pk) == table.id


def test_nothing_that_names_the_player_is_left_in_the_row() -> None:
    player = account("Wilhelmina", email="wilhelmina@example.org")
    ranked_game(player)
    delete(player, YES)
    row = User.objects.values().get()
    texts = [value for value in row.values() if isinstance(value, str)]
    assert not [text for text in texts if "wilhelm" in text.lower()]


def test_a_guest_leaves_no_guest_behind(player: Caller) -> None:
    ranked_game(player)
    delete(player)
    assert not User.objects.get().is_guest


def test_the_name_is_free_and_nobody_is_found_by_the_new_one(nobody: Caller) -> None:
    ada = account("ada")
    ranked_game(ada)
    delete(ada, YES)
    gone = User.objects.get().username
    assert_problem(nobody.get("players/ada/"), 404, "not_found")
    assert_problem(nobody.get(f"players/{gone}/"), 404, "not_found")
    assert_problem(ada.get("me/"), 401, "authentication_failed")
    assert account("ada").get("me/").status_code == 200


def test_two_who_have_gone_are_two(player: Caller, stranger: Caller) -> None:
    for caller in (player, stranger):
        ranked_game(caller)
        delete(caller)
    assert len({user.username for user in User.objects.all()}) == 2


def test_whatever_points_to_a_player_has_its_place_in_leaving() -> None:
    """A relation that is added must be considered here: does it go, or does it stay nameless?"""
    pointing = {
        relation.related_model.__name__
        for relation in User._meta.get_fields()
        if relation.auto_created and not relation.concrete
    }
    stay = {"Seat", "DailyResult", "Standing"}  # the latter two taken off all boards
    assert pointing == {name for name in belongings() if name != "LogEntry"} | stay


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_of_two_deletions_at_once_one_is_made_and_the_other_told() -> None:
    ada = account("ada")
    furnish(ada)
    token = ada.token
    answers = at_once(*[lambda: delete(Caller(token), YES) for _ in range(5)])
    codes = Counter(answer.status_code for answer in answers)
    assert codes == {204: 1, 401: 4}
    for answer in answers:
        if answer.status_code == 401:
            assert_problem(answer, 401, "authentication_failed")
            assert answer["WWW-Authenticate"].startswith("Bearer")
    assert not any(belongings().values())


@pytest.mark.django_db(transaction=True)
def test_moves_and_starts_at_the_moment_of_leaving_are_made_or_told() -> None:
    for _ in range(4):
        caller = account("ada")
        tables = [caller.deal("classic", number) for number in range(1, 5)]
        token = caller.token

        def draw(address: str, token: str | None = token) -> Any:
            answer = None
            for _ in range(8):
                answer = Caller(token).post(f"{address}moves/", {"action": "draw"})
            return answer

        answers = at_once(
            *[lambda table=table: draw(table.address) for table in tables],
            lambda token=token: Caller(token).post("games/", {"rules": "classic", "tier": "easy"}),
            lambda token=token: Caller(token).post("games/", {"rules": "open", "number": 9}),
            lambda token=token: patch(Caller(token), {"settings": {"motion": "full"}}),
            lambda token=token: delete(Caller(token), YES),
        )
        *others, left = answers
        assert left.status_code == 204
        assert {answer.status_code for answer in others} <= {200, 201, 401, 404}
        assert not User.objects.exists()
        assert not any(belongings().values())


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_move_under_way_is_waited_for() -> None:
    """Its entry would be left behind, pointing to a game that is gone."""
    ada = account("ada")
    table = ada.deal("classic", 7)
    token = ada.token
    answers = at_once(
        *[lambda: Caller(token).post(f"{table.address}moves/", {"action": "draw"})] * 8,
        lambda: delete(Caller(token), YES),
    )
    assert answers[-1].status_code == 204
    assert {answer.status_code for answer in answers[:-1]} <= {200, 401, 404}
    assert not any(belongings().values())


def test_who_has_gone_cannot_go_again(player: Caller) -> None:
    user = player_of(player)
    leaving.delete_account(player=User.objects.get(pk=user.pk))
    with pytest.raises(PlayerGone):
        leaving.delete_account(player=user)


def test_leaving_is_one_transaction(player: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    furnish(player)
    ranked_game(player)
    before = belongings()

    def fail(_: User) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(leaving, "_make_nameless", fail)
    with pytest.raises(RuntimeError):
        leaving.delete_account(player=player_of(player))
    assert belongings() == before
