"""Nobody learns from an answer which names and addresses there are.

Compared are whole answers: status, body, headers, and what cookies are set. A name can be found out
by registering, as it must be the only one, and stands on boards anyway; an address cannot.
"""

import json
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse

from accounts.models import User
from tests.accounts.doors import PASSWORD, App, Browser, Door, Pages, account

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "alice@example.com", "nobody@example.com"
HEADLESS = {App: "app", Browser: "browser"}


@pytest.fixture(autouse=True)
def alice(db: None) -> None:
    account("Alice", email=KNOWN)
    EmailAddress.objects.update(verified=True)
    mail.outbox.clear()


def seen(answer: HttpResponse, *given: str) -> tuple[Any, ...]:
    """What can be seen of an answer, without what is random, the time, and what was sent."""
    body = answer.content.decode()
    for text in given:
        body = body.replace(text, "…")
    body = re.sub(r'(csrfmiddlewaretoken" value=|nonce=|"session_token": )"[^"]*"', r'\1"…"', body)
    body = re.sub(r'"at": [0-9.]+', '"at": …', body)
    headers = {name: value for name, value in answer.headers.items() if name != "Expires"}
    headers.pop("Content-Length", None)  # of what is compared itself
    cookies = {name: (len(c.value) > 0, c["max-age"]) for name, c in answer.cookies.items()}
    cookies.pop("messages", None)  # in which the address is
    return answer.status_code, body, headers, cookies


def twice(kind: type[Door], call: Any, known: str, unknown: str, *, as_guest: bool) -> None:
    answers = []
    for text in (known, unknown):
        door = kind()
        given = [text]
        if as_guest:
            given.append(door.guest().get("me/").json()["name"])  # stands in the menu of pages
        given.append(door.token or "-")
        answers.append(seen(call(door, text), *given))
    assert answers[0] == answers[1]


@pytest.fixture(params=[False, True], ids=["nobody", "guest"])
def as_guest(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_log_in_tells_no_name(door: Door, as_guest: bool) -> None:
    def call(door: Door, name: str) -> Any:
        return door.log_in(name, "a wrong one")

    twice(type(door), call, "Alice", "Xlice", as_guest=as_guest)


def test_a_log_in_tells_no_address(door: Door, as_guest: bool) -> None:
    def call(door: Door, email: str) -> Any:
        return door.log_in(email, "a wrong one")

    twice(type(door), call, KNOWN, UNKNOWN, as_guest=as_guest)


def test_a_log_in_tells_not_who_was_closed_out(door: Door) -> None:
    account("Closed")
    User.objects.filter(username="Closed").update(is_active=False)
    twice(type(door), lambda door, name: door.log_in(name), "Closed", "Xlosed", as_guest=False)


def test_a_log_in_tells_no_guest(door: Door) -> None:
    guest = User(username="guest-abcdefghjk", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    twice(
        type(door),
        lambda door, name: door.log_in(name),
        "guest-abcdefghjk",
        "guest-zzzzzzzzzz",
        as_guest=True,
    )


def reset(door: Door, email: str) -> Any:
    if isinstance(door, Pages):
        return door.submit("password/reset/", {"email": email})
    assert isinstance(door, App)
    return door.post(f"/_allauth/{HEADLESS[type(door)]}/v1/auth/password/request", {"email": email})


@pytest.mark.parametrize("kind", [Pages, App, Browser], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("state", ["proven", "not proven"])
def test_a_reset_tells_no_address(kind: type[Door], state: str, as_guest: bool) -> None:
    EmailAddress.objects.update(verified=state == "proven")
    twice(kind, reset, KNOWN, UNKNOWN, as_guest=as_guest)
    assert [letter.to for letter in mail.outbox] == [[KNOWN], [UNKNOWN]]


@pytest.mark.parametrize("kind", [Pages, App, Browser], ids=lambda kind: kind.__name__)
def test_a_code_tells_no_address(kind: type[Door]) -> None:
    """Nor does what comes after the first answer."""

    def call(door: Door, email: str) -> Any:
        reset(door, email)
        if isinstance(door, Pages):
            return door.submit("password/reset/confirm/", {"code": "AAAA-AAAA"})
        assert isinstance(door, App)
        address = f"/_allauth/{HEADLESS[type(door)]}/v1/auth/password/reset"
        return door.post(address, {"key": "AAAA-AAAA", "password": PASSWORD})

    twice(kind, call, KNOWN, UNKNOWN, as_guest=False)


@pytest.mark.parametrize("state", ["proven", "not proven"])
def test_registering_tells_no_address(door: Door, state: str, as_guest: bool) -> None:
    EmailAddress.objects.update(verified=state == "proven")
    names = iter(["Carol", "Xarol"])

    def call(door: Door, email: str) -> Any:
        name = next(names)
        answer = door.register(name, email=email)
        assert door.is_in(answer)
        return _without(answer, name, str(door.token))

    twice(type(door), call, KNOWN, UNKNOWN, as_guest=as_guest)
    assert [letter.to for letter in mail.outbox] == [[KNOWN], [UNKNOWN]]


def _without(answer: Any, *given: str) -> Any:
    body = answer.content.decode()
    for text in given:
        body = body.replace(text, "…")
    if body.startswith("{"):
        body = json.dumps(_without_ids(json.loads(body)))
    answer.content = body.encode()
    return answer


def _without_ids(body: dict[str, Any]) -> dict[str, Any]:
    body.get("data", {}).get("user", {}).pop("id", None)
    return body


def test_no_mail_can_be_sent_and_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    twice(Pages, reset, KNOWN, UNKNOWN, as_guest=False)
    twice(App, reset, KNOWN, UNKNOWN, as_guest=False)
