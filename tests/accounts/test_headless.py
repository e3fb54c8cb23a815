"""allauth's headless API, for apps and for browsers."""

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import Session, User
from tests.accounts.doors import PASSWORD, App, AppByBearer, Browser, Door, Rest, account
from tests.caller import Caller, assert_problem

pytestmark = pytest.mark.django_db

NEW = "another good one"
KINDS = {App: "app", AppByBearer: "app", Browser: "browser"}


@pytest.fixture(params=KINDS, ids=lambda door: door.__name__)
def api(request: pytest.FixtureRequest, db: None) -> App:
    visitor: App = request.param()
    return visitor


def call(door: Door, method: str, address: str, body: Any = None) -> Any:
    assert isinstance(door, App)
    answer = door.client.generic(
        method,
        f"/_allauth/{KINDS[type(door)]}/v1/{address}",
        "" if body is None else json.dumps(body),
        content_type="application/json",
        headers=door.headers(),
    )
    door.keep_token(answer)
    return answer


def flows(answer: Any) -> list[str]:
    return [flow["id"] for flow in answer.json()["data"]["flows"]]


# A guest is nobody there


def test_a_guest_is_offered_to_log_in_and_to_sign_up(api: App) -> None:
    api.guest()
    answer = call(api, "GET", "auth/session")
    assert answer.status_code == 401
    assert {"login", "signup"} <= set(flows(answer))


ACCOUNT_CALLS = [
    ("GET", "account/email", None),
    ("POST", "account/email", {"email": "guest@example.com"}),
    ("PUT", "account/email", {"email": "guest@example.com"}),
    ("PATCH", "account/email", {"email": "guest@example.com", "primary": True}),
    ("DELETE", "account/email", {"email": "guest@example.com"}),
    ("POST", "account/password/change", {"new_password": NEW}),
    ("POST", "account/password/change", {"current_password": "!", "new_password": NEW}),
    ("GET", "account/authenticators", None),
    ("GET", "account/authenticators/totp", None),
    ("POST", "account/authenticators/totp", {"code": "123456"}),
    ("DELETE", "account/authenticators/totp", None),
    ("GET", "account/authenticators/recovery-codes", None),
    ("POST", "account/authenticators/recovery-codes", {}),
    ("POST", "auth/reauthenticate", {"password": ""}),
    ("POST", "auth/2fa/authenticate", {"code": "123456"}),
    ("POST", "auth/2fa/reauthenticate", {"code": "123456"}),
    ("GET", "auth/sessions", None),
    ("DELETE", "auth/sessions", {"sessions": [1]}),
    ("POST", "auth/email/verify", {"key": "x"}),
    ("POST", "auth/password/reset", {"key": "x", "password": NEW}),
]


@pytest.mark.parametrize(("method", "address", "body"), ACCOUNT_CALLS)
def test_what_is_of_accounts_is_not_for_guests(
    api: App, method: str, address: str, body: Any
) -> None:
    guest = api.guest()
    answer = call(api, method, address, body)
    assert answer.status_code in (400, 401, 409), answer.content
    assert guest.get("games/").status_code == 200
    row = User.objects.get()
    assert (row.is_guest, row.has_usable_password(), row.email) == (True, False, "")
    assert not EmailAddress.objects.exists()
    assert mail.outbox == []


def test_a_guest_who_ends_the_session_is_out(api: App) -> None:
    guest = api.guest()
    call(api, "DELETE", "auth/session")
    assert_problem(guest.get("games/"), 401, "authentication_failed")


# Who has an account


def test_who_has_an_account_is_refused_at_the_entrance(api: App) -> None:
    account("Bob")
    api.register("Alice")
    body = {"username": "Bob", "password": PASSWORD}
    assert call(api, "POST", "auth/login", body).status_code == 409
    body = {"username": "Carol", "password": PASSWORD}
    assert call(api, "POST", "auth/signup", body).status_code == 409
    assert User.objects.count() == 2


def test_the_session_is_of_whoever_came_in(api: App) -> None:
    api.guest()
    api.register("Alice")
    answer = call(api, "GET", "auth/session")
    assert answer.status_code == 200
    assert answer.json()["data"]["user"]["display"] == "Alice"


def test_our_token_is_good_there_and_theirs_here(api: App) -> None:
    alice = account("Alice")
    headers = ({"X-Session-Token": str(alice.token)}, {"Authorization": f"Bearer {alice.token}"})
    for header in headers:
        answer = Client(headers=header).get("/_allauth/app/v1/auth/session")
        assert answer.json()["data"]["user"]["display"] == "Alice"
    api.log_in("Alice")
    assert api.caller().get("games/").status_code == 200


@pytest.mark.parametrize(
    "token", ["x", "a" * 32, "a" * 5000, "\x00", "ünïcode", "../..", "two words", ""]
)
@pytest.mark.parametrize("header", ["X-Session-Token", "Authorization"])
def test_a_token_of_nobody_is_nobodys(token: str, header: str) -> None:
    value = token if header == "X-Session-Token" else f"Bearer {token}"
    answer = Client(headers={header: value}).get("/_allauth/app/v1/auth/session")
    assert answer.status_code in (401, 410)


def test_a_browser_needs_the_csrf_token() -> None:
    door = Browser()
    door.guest()
    answer = door.client.post(
        door.register_at,
        {"username": "Alice", "password": PASSWORD},
        content_type="application/json",
    )
    assert answer.status_code == 403
    assert User.objects.get().is_guest


def test_an_app_gets_no_cookie() -> None:
    door = App()
    door.guest()
    assert not door.register("Alice").cookies


def test_the_cookie_of_another_player_is_not_looked_at() -> None:
    door = App()
    door.guest()
    door.client.post("/api/v1/guests/")
    door.register("Alice")
    assert door.caller().get("games/").status_code == 200
    assert User.objects.filter(is_guest=True).count() == 1


def test_what_is_wrong_is_told_with_our_codes(api: App) -> None:
    account("Alice")
    answer = api.register("alice", "short")
    errors = {(error["param"], error["code"]) for error in answer.json()["errors"]}
    assert errors == {("username", "name_taken"), ("password", "password_too_short")}


def test_a_password_like_the_name_is_refused_there_too(api: App) -> None:
    answer = api.register("AliceWonderland", "alicewonderland")
    assert [error["code"] for error in answer.json()["errors"]] == ["password_too_similar"]


# The password


def test_a_change_of_the_password_ends_the_other_sessions(api: App) -> None:
    api.register("Alice")
    other = Rest()
    other.log_in("Alice")
    before = api.token
    body = {"current_password": PASSWORD, "new_password": NEW}
    assert call(api, "POST", "account/password/change", body).status_code == 200
    assert api.token != before
    assert api.caller().get("games/").status_code == 200
    assert_problem(other.caller().get("games/"), 401, "authentication_failed")
    assert not Session.objects.filter(session_key=before).exists()


def code_of(letter: Any) -> str:
    """The code stands alone on its line."""
    lines = [line.strip() for line in letter.body.splitlines()]
    return next(line for line in lines if "-" in line and line.upper() == line and " " not in line)


def proven(name: str = "Alice", email: str = "alice@example.com") -> None:
    account(name, email=email)
    EmailAddress.objects.filter(user__username=name).update(verified=True)
    mail.outbox.clear()


def test_a_guest_resets_the_password_and_comes_in(api: App) -> None:
    proven()
    other = Rest()
    other.log_in("Alice")
    table = api.guest().deal("classic", 7)
    assert (
        call(api, "POST", "auth/password/request", {"email": "alice@example.com"}).status_code
        == 401
    )
    code = code_of(mail.outbox[0])
    answer = call(api, "POST", "auth/password/reset", {"key": code, "password": NEW})
    assert answer.status_code == 401  # done; now log in
    assert_problem(other.caller().get("games/"), 401, "authentication_failed")
    assert api.caller().get("games/").json()["results"][0]["id"] == table.id
    assert api.is_in(api.log_in("Alice", NEW))
    assert api.caller().get("games/").json()["results"][0]["id"] == table.id
    assert not User.objects.filter(is_guest=True).exists()


def test_a_code_resets_once_and_not_at_the_fourth_guess(api: App) -> None:
    proven()
    call(api, "POST", "auth/password/request", {"email": "alice@example.com"})
    code = code_of(mail.outbox[0])
    for _ in range(3):
        call(api, "POST", "auth/password/reset", {"key": "AAAA-AAAA", "password": NEW})
    answer = call(api, "POST", "auth/password/reset", {"key": code, "password": NEW})
    assert answer.status_code == 409
    assert User.objects.get(username="Alice").check_password(PASSWORD)


def test_a_new_password_must_be_a_good_one(api: App) -> None:
    proven()
    call(api, "POST", "auth/password/request", {"email": "alice@example.com"})
    body = {"key": code_of(mail.outbox[0]), "password": "alice"}
    assert call(api, "POST", "auth/password/reset", body).status_code == 400
    assert User.objects.get(username="Alice").check_password(PASSWORD)


def test_no_code_goes_to_an_address_that_nobody_has_proven(api: App) -> None:
    """Whoever mistypes an address must not give the account away to its owner."""
    account("Alice", email="mistyped@example.com")
    mail.outbox.clear()
    call(api, "POST", "auth/password/request", {"email": "mistyped@example.com"})
    [letter] = mail.outbox
    assert "There is no account with this address" in letter.body


def test_the_code_of_a_proven_address_is_of_its_owners_account(api: App) -> None:
    account("Mallory", email="alice@example.com")
    proven("Alice")
    call(api, "POST", "auth/password/request", {"email": "alice@example.com"})
    body = {"key": code_of(mail.outbox[0]), "password": NEW}
    call(api, "POST", "auth/password/reset", body)
    assert User.objects.get(username="Alice").check_password(NEW)
    assert User.objects.get(username="Mallory").check_password(PASSWORD)


# Bad requests


@pytest.mark.parametrize("address", ["auth/login", "auth/signup"])
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"username": None, "password": None},
        {"username": "Alice"},
        {"username": "A\x00", "password": "\x00" * 10},
        {"username": ["Alice"], "password": {"a": 1}},
        {"username": "x" * 30_000, "password": "x" * 30_000},
        {"username": "\ud800", "password": "\udfff" * 10},
        {"username": 7, "password": 123456789},
        {"email": "\ud800@example.com", "password": PASSWORD},
        {"username": "Alice", "password": PASSWORD, "email": "a\x00@example.com"},
    ],
)
def test_bad_bodies_change_nothing(api: App, address: str, body: Any) -> None:
    guest = api.guest()
    answer = call(api, "POST", address, body)
    assert answer.status_code == 400, answer.content
    assert guest.get("games/").status_code == 200
    assert User.objects.count() == 1


def test_the_document_is_served() -> None:
    answer = Client().get("/_allauth/openapi.yaml")
    assert answer.status_code == 200
    assert b"/_allauth/" in answer.content
    assert Client().get("/_allauth/openapi.html").status_code == 404


def test_a_guest_elsewhere_is_still_a_guest(api: App) -> None:
    guest = api.guest()
    call(api, "GET", "auth/session")
    assert guest.deal("classic", 7).state()["status"] == "playing"
    assert Caller(guest.token).post("guests/").status_code == 200
