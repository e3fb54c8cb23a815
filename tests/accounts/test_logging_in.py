"""`POST tokens/` and `DELETE tokens/current/`: by name and password, and out again."""

import socket
import threading
import unicodedata
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import user_logged_in
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings as DjangoSettings

from accounts.models import Session, User
from tests.accounts.doors import PASSWORD, App, Door, Rest, RestByCookie, account
from tests.caller import API, Caller, assert_problem
from tests.statements import verbs

pytestmark = pytest.mark.django_db


def log_in(caller: Caller | None = None, **body: Any) -> Any:
    return (caller or Caller()).post("tokens/", {"username": "Alice", "password": PASSWORD, **body})


# In


def test_name_and_password_give_a_token() -> None:
    alice = account("Alice")
    answer = log_in()
    assert answer.status_code == 201
    body = answer.json()
    assert body.keys() == {"token", "player"}
    assert body["player"] == {"name": "Alice", "is_guest": False}
    assert body["token"] != alice.token
    assert Caller(body["token"]).get("games/").status_code == 200


def test_the_first_device_stays_logged_in() -> None:
    alice = account("Alice")
    log_in()
    assert alice.get("games/").status_code == 200


@pytest.mark.parametrize("name", ["Ａｌｉｃｅ", " aLiCe "])
def test_a_name_is_taken_in_whatever_case_it_is_written(name: str, door: Door) -> None:
    account("Alice")
    assert door.is_in(door.log_in(name))


@pytest.mark.parametrize(
    ("kept", "given"), [("Ёлка", "ёлка"), ("Straße", "STRASSE"), ("José", "josé")]
)
def test_letters_of_any_script_have_a_case(kept: str, given: str) -> None:
    account(kept)
    assert log_in(username=given).json()["player"]["name"] == kept


def test_an_address_serves_as_a_name(door: Door) -> None:
    account("Alice", email="alice@example.com")
    assert door.is_in(door.log_in("alice@example.com"))


def test_an_address_that_two_give_means_neither_until_one_proves_it(door: Door) -> None:
    account("Alice", email="shared@example.com")
    account("Bob", "another good one", email="shared@example.com")
    assert not door.is_in(door.log_in("shared@example.com"))
    EmailAddress.objects.filter(user__username="Alice").update(verified=True)
    assert not door.is_in(door.log_in("shared@example.com", "another good one"))
    assert door.is_in(door.log_in("shared@example.com"))


def test_a_browser_is_logged_in_by_its_cookie() -> None:
    account("Alice")
    door = RestByCookie()
    token = door.log_in("Alice").json()["token"]
    assert door.client.cookies["sessionid"].value == token
    assert door.client.get(f"{API}games/").status_code == 200


def test_who_calls_by_token_gets_no_cookie() -> None:
    account("Alice")
    assert not log_in(Caller.guest()).cookies


def test_allauth_tells_of_the_log_in_and_lists_the_session() -> None:
    account("Alice")
    told = []
    listener = lambda user, **_: told.append(user.username)  # noqa: E731
    user_logged_in.connect(listener)
    try:
        token = log_in().json()["token"]
    finally:
        user_logged_in.disconnect(listener)
    assert told == ["Alice"]
    assert UserSession.objects.filter(session_key=token, user__username="Alice").exists()


def test_a_guest_is_in_no_list_of_sessions() -> None:
    Caller.guest()
    assert not UserSession.objects.exists()


# From one account to another


def test_logging_in_to_another_account_moves_nothing() -> None:
    alice, bob = account("Alice"), account("Bob")
    table = bob.deal("classic", 7)
    answer = log_in(bob)
    assert "moved" not in answer.json()
    assert answer.json()["player"]["name"] == "Alice"
    assert Caller(answer.json()["token"]).get("games/").json()["results"] == []
    assert User.objects.get(username="Bob").games.get().pk is not None
    assert alice.get("games/").status_code == 200
    assert table.id


def test_the_token_that_a_log_in_came_with_ends() -> None:
    account("Alice")
    bob = account("Bob")
    log_in(bob)
    assert_problem(bob.get("games/"), 401, "authentication_failed")


def test_logging_in_again_gives_a_fresh_token() -> None:
    alice = account("Alice")
    answer = log_in(alice)
    assert answer.json()["token"] != alice.token
    assert_problem(alice.get("games/"), 401, "authentication_failed")


def test_a_log_in_that_fails_leaves_the_token_alone() -> None:
    alice = account("Alice")
    log_in(alice, password="a wrong one")
    assert alice.get("games/").status_code == 200


def test_the_new_session_knows_how_its_player_came_to_be_known() -> None:
    account("Alice")
    bob = account("Bob")
    token = log_in(bob).json()["token"]
    answer = Client(headers={"X-Session-Token": token}).get("/_allauth/app/v1/auth/session")
    [method] = answer.json()["data"]["methods"]
    assert (method["method"], method["username"]) == ("password", "Alice")


# Not in


def refused(caller: Caller | None = None, **body: Any) -> Any:
    return assert_problem(log_in(caller, **body), 401, "login_failed")


def test_a_wrong_password_is_refused() -> None:
    account("Alice")
    refused(password="a wrong one")


def test_whoever_it_is_the_refusal_is_the_same() -> None:
    account("Alice", email="alice@example.com")
    account("Bob")
    User.objects.filter(username="Bob").update(is_active=False)
    guest = Caller.guest()
    name = User.objects.get(is_guest=True).username
    answers = [
        refused(password="a wrong one"),
        refused(username="alice@example.com", password="a wrong one"),
        refused(username="Nobody"),
        refused(username="nobody@example.com"),
        refused(username="Bob"),
        refused(username="Bob", password="a wrong one"),
        refused(username=name),
        refused(username=name, password="!"),
        refused(username="\u200b"),
        refused(username="x" * 254),
        refused(guest, username="Nobody"),
    ]
    assert all(answer == answers[0] for answer in answers)


class CountingHasher(MD5PasswordHasher):
    made = threading.local()

    def encode(self, password: str, salt: str) -> str:
        self.made.count = getattr(self.made, "count", 0) + 1
        return super().encode(password, salt)


@pytest.fixture
def counted(settings: DjangoSettings) -> type[CountingHasher]:
    """Counts hashes, once there are players of all sorts."""
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    account("Alice", email="alice@example.com")
    account("Bob", email="shared@example.com")
    account("Carol", email="shared@example.com")
    account("Closed")
    User.objects.filter(username="Closed").update(is_active=False)
    guest = User(username="guest-abcdefghjk", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    CountingHasher.made.count = 0
    return CountingHasher


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Alice", "a wrong one"),
        ("alice@example.com", "a wrong one"),
        ("shared@example.com", "a wrong one"),
        ("nobody@example.com", "a wrong one"),
        ("Nobody", "a wrong one"),
        ("Closed", PASSWORD),
        ("guest-abcdefghjk", "a wrong one"),
    ],
)
def test_every_attempt_costs_one_hash(
    name: str, password: str, counted: type[CountingHasher]
) -> None:
    refused(username=name, password=password)
    assert counted.made.count == 1


@pytest.mark.parametrize("name", ["Alice", "Nobody"])
def test_an_attempt_costs_one_hash_at_every_door(
    name: str, door: Door, counted: type[CountingHasher]
) -> None:
    assert door.is_in(door.log_in(name)) == (name == "Alice")
    assert counted.made.count == 1


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "username", "required"),
        ({"username": "Alice"}, "password", "required"),
        ({"username": None, "password": PASSWORD}, "username", "null"),
        ({"username": "", "password": PASSWORD}, "username", "blank"),
        ({"username": "Alice", "password": ""}, "password", "blank"),
        ({"username": "Alice", "password": 12345678}, "password", "invalid"),
        ({"username": ["Alice"], "password": PASSWORD}, "username", "invalid"),
        ({"username": "x" * 60_000, "password": PASSWORD}, "username", "max_length"),
        ({"username": "A\x00", "password": PASSWORD}, "username", "null_characters_not_allowed"),
        ({"username": "Alice", "password": "\x00"}, "password", "null_characters_not_allowed"),
        ({"username": "Alice", "password": PASSWORD, "code": 123456}, "code", "invalid"),
        ({"username": "Alice", "password": PASSWORD, "code": "1" * 200}, "code", "max_length"),
    ],
)
def test_what_is_not_of_the_form_is_told_by_field(
    body: dict[str, Any], field: str, code: str
) -> None:
    account("Alice")
    errors = assert_problem(Caller().post("tokens/", body), 400, "invalid")["errors"]
    assert errors[field][0]["code"] == code


def test_a_long_password_is_only_wrong() -> None:
    account("Alice")
    refused(password="x" * 60_000)


def test_more_members_change_nothing() -> None:
    account("Alice")
    assert log_in(is_staff=True, is_superuser=True, id=7, is_guest=True).status_code == 201
    player = User.objects.get()
    assert (player.is_staff, player.is_superuser, player.is_guest) == (False, False, False)


def test_a_password_never_reaches_a_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    account("Alice", "a most secret one")
    token = log_in(password="a most secret one").json()["token"]
    log_in(password="an equally secret one")
    with CaptureQueriesContext(connection):
        log_in(password="an equally secret one")
    for record in caplog.records:
        if record.name != "django.db.backends":  # only with DEBUG, which is never where others are
            assert "secret one" not in record.getMessage()
            assert token not in record.getMessage()


# Too often


@pytest.fixture
def limited(settings: DjangoSettings) -> None:
    """As in production."""
    settings.ACCOUNT_RATE_LIMITS = {
        "signup": "20/m/ip",
        "login": "30/m/ip",
        "login_failed": "10/m/ip,5/300s/key",
    }


@pytest.mark.usefixtures("limited")
def test_a_password_is_not_to_be_found_by_trying() -> None:
    account("Alice")
    for attempt in range(5):
        refused(password=f"attempt {attempt}")
    answer = log_in()  # the right one comes too late
    body = assert_problem(answer, 429, "throttled")
    assert int(answer["Retry-After"]) == body["params"]["retry_after_s"] > 0


@pytest.mark.usefixtures("limited")
def test_all_doors_and_all_spellings_count_together() -> None:
    account("Alice")
    for name, door in zip(
        ["Alice", "ALICE", "Ａlice", "alice", "a1ice"], [Rest, App, Rest, App, Rest], strict=True
    ):
        door().log_in(name, "a wrong one")
    assert_problem(log_in(), 429, "throttled")


@pytest.mark.usefixtures("limited")
def test_a_name_that_nobody_has_is_limited_just_so() -> None:
    answers = [log_in(username="Nobody") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]


@pytest.mark.usefixtures("limited")
def test_one_address_cannot_try_many_names() -> None:
    answers = [log_in(username=f"Nobody{number}x") for number in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]


@pytest.mark.usefixtures("limited")
def test_another_player_is_not_kept_out() -> None:
    account("Alice")
    account("Bob")
    for _ in range(6):
        log_in(password="a wrong one")
    assert log_in(username="Bob").status_code == 201


@pytest.mark.usefixtures("limited")
def test_being_another_guest_each_time_does_not_help() -> None:
    account("Alice")
    answers = [log_in(Caller.guest(), password="a wrong one") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]


@pytest.mark.usefixtures("limited")
def test_registering_is_limited_by_address() -> None:
    names = [f"Runner-{first}{second}" for first in "abcde" for second in "vwxyz"][:21]
    bodies = [{"username": name, "password": PASSWORD} for name in names]
    answers = [Caller().post("accounts/", body) for body in bodies]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    assert_problem(answers[-1], 429, "throttled")


@pytest.fixture
def no_redis(settings: DjangoSettings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    nowhere = {
        "BACKEND": "pyramid_site.cache.SharedCache",
        "LOCATION": f"redis://127.0.0.1:{port}/0",  # nobody listens there any more
        "KEY_PREFIX": uuid4().hex,
    }
    settings.CACHES = {"default": nowhere}


@pytest.mark.usefixtures("limited", "no_redis")
def test_with_redis_gone_the_process_lets_in_and_counts_for_itself() -> None:
    account("Alice")
    assert log_in().status_code == 201
    answers = [log_in(password="a wrong one") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_password_is_the_same_however_a_device_writes_its_letters(door: Door, form: str) -> None:
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    account("Élodie", unicodedata.normalize(form, "crème brûlée"))
    assert door.is_in(door.log_in("Élodie", unicodedata.normalize(other, "crème brûlée")))


@pytest.mark.usefixtures("limited")
def test_callers_by_ipv4_are_told_apart_where_it_is_written_as_ipv6() -> None:
    there, here = (Client(REMOTE_ADDR=f"::ffff:192.0.2.{last}") for last in (1, 2))
    for number in range(11):
        body = {"username": f"nobody-{number}", "password": "a wrong one"}
        answer = there.post(f"{API}tokens/", body, content_type="application/json")
    assert answer.status_code == 429
    assert here.post(f"{API}tokens/", body, content_type="application/json").status_code == 401


@pytest.mark.usefixtures("limited")
def test_a_flood_of_other_names_does_not_clear_the_count_of_one() -> None:
    account("Alice")
    answers = [log_in(password="a wrong one") for _ in range(6)]
    assert answers[-1].status_code == 429
    for number in range(1000):
        cache.set(f"attempts-at-{number}", [1.0], 60)
    assert_problem(log_in(password="a wrong one"), 429, "throttled")


# Out


def test_who_logs_out_is_out_everywhere(door: Door) -> None:
    account("Alice")
    door.log_in("Alice")
    token = door.token
    assert Caller(token).get("games/").status_code == 200
    assert door.log_out().status_code in (204, 302, 401)
    assert_problem(Caller(token).get("games/"), 401, "authentication_failed")
    assert_problem(
        Caller(token).send("DELETE", "tokens/current/", b""), 401, "authentication_failed"
    )
    assert not UserSession.objects.filter(session_key=token).exists()
    headless = Client(headers={"X-Session-Token": str(token)})
    assert headless.get("/_allauth/app/v1/auth/session").status_code == 410  # allauth's own word
    assert headless.get("/_allauth/app/v1/account/email").status_code == 410


def test_logging_out_answers_nothing() -> None:
    alice = account("Alice")
    answer = alice.send("DELETE", "tokens/current/", b"")
    assert (answer.status_code, answer.content) == (204, b"")


def test_logging_out_takes_the_cookie_away() -> None:
    account("Alice")
    door = RestByCookie()
    door.log_in("Alice")
    answer = door.log_out()
    assert answer.status_code == 204
    assert door.client.cookies["sessionid"].value == ""
    assert door.client.get(f"{API}games/").status_code == 401


def test_logging_out_by_cookie_needs_the_csrf_token() -> None:
    account("Alice")
    door = RestByCookie()
    door.log_in("Alice")
    answer = door.client.delete(f"{API}tokens/current/")
    assert_problem(answer, 403, "csrf_failed")
    assert door.client.get(f"{API}games/").status_code == 200


def test_other_devices_stay_logged_in() -> None:
    alice = account("Alice")
    other = Caller(log_in().json()["token"])
    alice.send("DELETE", "tokens/current/", b"")
    assert other.get("games/").status_code == 200


def test_nobody_logs_out_nobody(nobody: Caller) -> None:
    assert_problem(nobody.send("DELETE", "tokens/current/", b""), 401, "not_authenticated")


def test_a_guest_may_log_out_too(player: Caller) -> None:
    assert player.send("DELETE", "tokens/current/", b"").status_code == 204
    assert_problem(player.get("games/"), 401, "authentication_failed")


# A year, sliding


def left(token: str | None) -> timedelta:
    return Session.objects.get(session_key=token).expire_date - timezone.now()


def age(token: str | None, days: int) -> None:
    """As if the session had last been extended so many days ago."""
    Session.objects.filter(session_key=token).update(
        expire_date=timezone.now() + timedelta(days=365 - days)
    )


def statements(caller: Caller) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert caller.get("games/").status_code == 200
    return [query["sql"].split(" ", 1)[0] for query in captured]


def test_a_token_that_is_used_lasts_for_another_year() -> None:
    for caller in (Caller.guest(), account("Alice")):
        age(caller.token, 40)
        assert "UPDATE" in statements(caller)
        assert left(caller.token) > timedelta(days=364)


def test_a_token_is_not_extended_with_every_call() -> None:
    for caller in (Caller.guest(), account("Alice")):
        assert "UPDATE" not in statements(caller)
        age(caller.token, 20)
        assert "UPDATE" not in statements(caller)
        assert timedelta(days=344) < left(caller.token) < timedelta(days=346)


def test_a_cookie_is_extended_with_its_session() -> None:
    client = Client()
    token = client.post(f"{API}guests/").json()["token"]
    assert "sessionid" not in client.get(f"{API}games/").cookies
    age(token, 40)
    answer = client.get(f"{API}games/")
    assert answer.cookies["sessionid"].value == token
    assert answer.cookies["sessionid"]["max-age"] == 365 * 24 * 3600
    assert left(token) > timedelta(days=364)
    assert "sessionid" not in client.get(f"{API}games/").cookies


def test_allauths_api_extends_a_token_too() -> None:
    alice = account("Alice")
    age(alice.token, 40)
    answer = Client(headers={"X-Session-Token": str(alice.token)}).get(
        "/_allauth/app/v1/auth/session"
    )
    assert answer.status_code == 200
    assert "session_token" not in answer.json()["meta"]  # it is the same
    assert left(alice.token) > timedelta(days=364)


def test_a_token_that_is_not_used_ends_after_a_year() -> None:
    guest = Caller.guest()
    age(guest.token, 366)
    assert_problem(guest.get("games/"), 401, "authentication_failed")


def test_where_a_session_was_used_is_forgotten_with_it() -> None:
    account("Alice")
    ended, lasts = account("Bob"), log_in().json()["token"]
    age(ended.token, 366)
    call_command("clearsessions")
    assert not Session.objects.filter(session_key=ended.token).exists()
    kept = UserSession.objects.values_list("session_key", flat=True)
    assert ended.token not in kept
    assert lasts in kept


def test_a_move_takes_one_more_statement_when_the_session_is_extended() -> None:
    table = Caller.guest().deal("classic", 7)
    counts = []
    for days in (40, 0):
        age(table.caller.token, days)
        with CaptureQueriesContext(connection) as captured:
            assert table.move("d").status_code == 200
        counts.append(verbs(captured).count("UPDATE"))
    assert counts == [2, 1]


# The command line


def test_an_administrator_is_made_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", username="admin", email="a@example.com")
    admin = User.objects.get()
    assert (admin.is_superuser, admin.is_guest) == (True, False)
    assert log_in(username="admin").status_code == 201
