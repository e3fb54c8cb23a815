"""`POST accounts/`: an account by name and password."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import user_signed_up
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.doors import PASSWORD, Door, Rest, RestByCookie, account
from tests.caller import API, Caller, assert_problem

pytestmark = pytest.mark.django_db

ACCOUNTS = f"{API}accounts/"


def register(caller: Caller | None = None, **body: Any) -> Any:
    return (caller or Caller()).post(
        "accounts/", {"username": "Alice", "password": PASSWORD, **body}
    )


def codes(answer: Any) -> dict[str, list[str]]:
    errors = assert_problem(answer, 400, "invalid")["errors"]
    return {field: [error["code"] for error in each] for field, each in errors.items()}


def test_a_name_and_a_password_make_an_account() -> None:
    answer = register()
    assert answer.status_code == 201
    body = answer.json()
    assert body.keys() == {"token", "player"}
    assert body["player"] == {"name": "Alice", "is_guest": False}
    assert Caller(body["token"]).get("games/").status_code == 200


def test_the_password_is_not_kept_as_it_is() -> None:
    register()
    player = User.objects.get()
    assert PASSWORD not in player.password
    assert player.check_password(PASSWORD)


def test_a_browser_is_logged_in_by_its_cookie() -> None:
    door = RestByCookie()
    answer = door.register("Alice")
    assert door.client.cookies["sessionid"].value == answer.json()["token"]
    assert door.client.get(f"{API}games/").status_code == 200


def test_who_calls_by_token_gets_no_cookie() -> None:
    answer = register(Caller.guest())
    assert answer.status_code == 201
    assert not answer.cookies


def test_a_browser_that_is_a_guest_needs_the_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    client.post(f"{API}guests/")
    answer = client.post(
        ACCOUNTS, {"username": "Alice", "password": PASSWORD}, content_type="application/json"
    )
    assert_problem(answer, 403, "csrf_failed")
    assert User.objects.get().is_guest


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
@pytest.mark.parametrize("address", ["accounts/", "tokens/"])
def test_another_site_cannot_bring_a_browser_in(headers: dict[str, str], address: str) -> None:
    account("Alice")
    answer = Client(headers=headers).post(
        f"{API}{address}",
        {"username": "Alice", "password": PASSWORD},
        content_type="application/json",
    )
    assert_problem(answer, 403, "csrf_failed")
    assert not answer.cookies


def test_who_has_an_account_needs_no_second_one() -> None:
    alice = account("Alice")
    assert_problem(register(alice, username="Bob"), 409, "already_registered")
    assert [player.username for player in User.objects.all()] == ["Alice"]
    assert alice.get("games/").status_code == 200


def test_allauth_tells_of_the_sign_up() -> None:
    told = []
    listener = lambda user, **_: told.append(user.username)  # noqa: E731
    user_signed_up.connect(listener)
    try:
        register(Caller.guest())
    finally:
        user_signed_up.disconnect(listener)
    assert told == ["Alice"]


# The e-mail address


def test_an_account_needs_no_address() -> None:
    assert register().status_code == 201
    assert register(username="Bob", email="").status_code == 201
    assert not EmailAddress.objects.exists()
    assert mail.outbox == []


def test_an_address_is_asked_to_prove_itself() -> None:
    register(email="Alice@Example.com")
    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("alice@example.com", False, True)
    [letter] = mail.outbox
    assert letter.to == ["alice@example.com"]
    assert "http://testserver/accounts/confirm-email/" in letter.body


def test_a_guest_may_give_an_address_too() -> None:
    register(Caller.guest(), email="alice@example.com")
    assert EmailAddress.objects.get().user.username == "Alice"


@pytest.mark.parametrize("email", ["nobody", "a@b", "a b@example.com", "a@exam\nple.com", "@", 7])
def test_what_is_no_address_is_refused(email: Any) -> None:
    assert codes(register(email=email)) == {"email": ["invalid"]}


def test_an_account_is_made_though_no_mail_can_be_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert register(email="alice@example.com").status_code == 201
    assert "A mail could not be sent" in caplog.text


# Bad passwords


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("s3cret!", "password_too_short"),
        ("password1", "password_too_common"),
        ("8302847561", "password_entirely_numeric"),
        ("alicewonderland", "password_too_similar"),
    ],
)
def test_weak_passwords_are_refused_at_every_door(door: Door, password: str, code: str) -> None:
    answer = door.register("AliceWonderland", password)
    assert not door.is_in(answer)
    assert not User.objects.exists()
    if isinstance(door, Rest) and answer["Content-Type"] == "application/problem+json":
        assert code in codes(answer)["password"]


def test_a_password_like_the_address_is_refused() -> None:
    answer = register(email="wonderful.place@example.com", password="wonderful.place")
    assert codes(answer) == {"password": ["password_too_similar"]}


def test_a_password_keeps_its_blanks() -> None:
    register(password="  correct horse  ")
    assert User.objects.get().check_password("  correct horse  ")


def test_everything_that_is_wrong_is_told_at_once() -> None:
    account("Bob")
    answer = register(username="bob", password="short", email="alice@example.com")
    assert codes(answer) == {"username": ["name_taken"], "password": ["password_too_short"]}


def test_what_is_wrong_has_a_text_for_people() -> None:
    errors = register(password="short").json()["errors"]
    assert errors["password"] == [
        {"code": "password_too_short", "detail": "A password has 8 characters or more."}
    ]


# Bad requests


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, {"username": ["required"], "password": ["required"]}),
        ({"username": None, "password": None}, {"username": ["null"], "password": ["null"]}),
        ({"username": "", "password": ""}, {"username": ["blank"], "password": ["blank"]}),
        (
            {"username": 12345678, "password": 12345678},
            {"username": ["invalid"], "password": ["invalid"]},
        ),
        ({"username": True, "password": []}, {"username": ["invalid"], "password": ["invalid"]}),
        (
            {"username": {"a": 1}, "password": {}},
            {"username": ["invalid"], "password": ["invalid"]},
        ),
        (
            {"username": "A\x00b", "password": PASSWORD},
            {"username": ["null_characters_not_allowed"]},
        ),
        (
            {"username": "Alice", "password": f"{PASSWORD}\x00"},
            {"password": ["null_characters_not_allowed"]},
        ),
        ({"username": "x" * 60_000, "password": PASSWORD}, {"username": ["max_length"]}),
        ({"username": "Alice", "password": "x" * 60_000}, {"password": ["max_length"]}),
        ({"username": "x" * 21, "password": PASSWORD}, {"username": ["name_too_long"]}),
        ({"username": "Alice", "password": PASSWORD, "email": None}, {"email": ["null"]}),
        (
            {"username": "Alice", "password": PASSWORD, "email": f"{'x' * 300}@example.com"},
            {"email": ["max_length"]},
        ),
    ],
)
def test_what_is_not_of_the_form_is_told_by_field(
    body: dict[str, Any], expected: dict[str, list[str]]
) -> None:
    answer = Caller().post("accounts/", body)
    given = codes(answer)
    assert {field: given[field][:1] for field in expected} == expected
    assert not User.objects.exists()


@pytest.mark.parametrize("address", ["accounts/", "tokens/"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "invalid"),
        (b"[]", 400, "invalid"),
        (b'"Alice"', 400, "invalid"),
        (b"{", 400, "parse_error"),
        (b"\xff\xfe", 400, "parse_error"),
        (b'{"username": "\\ud800", "password": "\\udfff"}', 400, "parse_error"),
        (b"[" * 60_000, 400, "parse_error"),
    ],
)
def test_bodies_that_are_none_are_refused(
    address: str, body: bytes, status: int, code: str
) -> None:
    assert_problem(Caller().send("POST", address, body), status, code)


@pytest.mark.parametrize("address", ["accounts/", "tokens/"])
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_only_json_is_taken(address: str, kind: str) -> None:
    answer = Caller().send("POST", address, b"username=Alice&password=correct+horse", kind)
    assert_problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("address", ["accounts/", "tokens/"])
def test_there_is_nothing_else_to_do_there(address: str, method: str) -> None:
    assert_problem(Caller().send(method, address, b""), 405, "method_not_allowed")


def test_a_token_that_is_not_good_registers_nobody() -> None:
    assert_problem(register(Caller("a" * 32)), 401, "authentication_failed")
    assert not User.objects.exists()


MORE = {
    "is_guest": True,
    "is_staff": True,
    "is_superuser": True,
    "is_active": False,
    "id": 4711,
    "pk": 4711,
    "name_key": "admin",
    "first_name": "Root",
    "date_joined": "2001-01-01T00:00:00Z",
    "last_login": None,
    "groups": [1],
    "won": 999,
    "played": 999,
    "records": [{"won": 999}],
    "password1": "something else entirely",
    "player": {"is_staff": True},
}


@pytest.mark.parametrize("as_guest", [True, False])
def test_more_members_than_are_asked_for_change_nothing(as_guest: bool) -> None:
    assert register(Caller.guest() if as_guest else None, **MORE).status_code == 201
    player = User.objects.get()
    assert (player.is_guest, player.is_staff, player.is_superuser) == (False, False, False)
    assert (player.is_active, player.first_name, player.name_key) == (True, "", "allce")
    assert player.pk != 4711
    assert player.date_joined.year != 2001
    assert player.check_password(PASSWORD)
    assert not player.groups.exists()
    assert not player.records.exists()


def test_more_members_change_nothing_at_allauths_doors_either(door: Door) -> None:
    door.guest()
    post = getattr(door, "submit", None)
    if post:
        more = {key: "1" for key in MORE if key != "password1"}
        post("signup/", {"username": "Alice", "password1": PASSWORD, **more})
    else:
        body = {"username": "Alice", "password": PASSWORD, **MORE}
        door.post(door.register_at, body)  # type: ignore[attr-defined]
    player = User.objects.get()
    assert (player.username, player.is_guest) == ("Alice", False)
    assert (player.is_staff, player.is_superuser, player.is_active) == (False, False, True)
