"""Two-factor authentication: after the password a code, which is good once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django import Settings as DjangoSettings

from accounts.models import User
from tests.accounts.authenticator import SECRET, code_at, switch_on
from tests.accounts.doors import PASSWORD, App, Browser, Door, Pages, Rest, account
from tests.caller import Caller, assert_problem
from tests.game.test_at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A code must not run out between two lines."""
    with time_machine.travel(datetime(2026, 12, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


@pytest.fixture
def recovery(db: None) -> list[str]:
    """Alice has an authenticator app; her recovery codes."""
    account("Alice")
    return switch_on("Alice")


def log_in(caller: Caller | None = None, **body: Any) -> Any:
    return (caller or Caller()).post("tokens/", {"username": "Alice", "password": PASSWORD, **body})


def test_the_code_is_as_the_standard_has_it() -> None:
    """RFC 6238, appendix B, its last six digits."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert [code_at(at, secret) for at in (59, 1111111109, 2000000000)] == [
        "287082",
        "081804",
        "279037",
    ]


@pytest.mark.usefixtures("recovery")
def test_a_password_alone_asks_for_a_code() -> None:
    for body in ({}, {"code": None}):
        assert_problem(log_in(**body), 401, "mfa_required")


@pytest.mark.usefixtures("recovery")
def test_a_code_lets_in() -> None:
    answer = log_in(code=code_at())
    assert answer.status_code == 201
    assert Caller(answer.json()["token"]).get("games/").status_code == 200


@pytest.mark.usefixtures("recovery")
def test_a_wrong_password_is_told_before_any_code() -> None:
    assert_problem(log_in(password="a wrong one", code=code_at()), 401, "login_failed")
    assert_problem(log_in(password="a wrong one"), 401, "login_failed")


@pytest.mark.usefixtures("recovery")
@pytest.mark.parametrize("code", ["000000", "12345", "abcdef", "-1", "１２３４５６", "1" * 100])
def test_a_wrong_code_is_refused(code: str) -> None:
    assert_problem(log_in(code=code), 401, "mfa_code_wrong")


@pytest.mark.usefixtures("recovery")
def test_a_code_is_good_once() -> None:
    code = code_at()
    assert log_in(code=code).status_code == 201
    assert_problem(log_in(code=code), 401, "mfa_code_wrong")


@pytest.mark.usefixtures("recovery")
def test_the_next_code_is_good_again(clock: time_machine.Traveller) -> None:
    assert log_in(code=code_at()).status_code == 201
    clock.shift(timedelta(seconds=30))
    assert log_in(code=code_at()).status_code == 201


def test_a_recovery_code_is_good_once(recovery: list[str]) -> None:
    assert log_in(code=recovery[0]).status_code == 201
    assert_problem(log_in(code=recovery[0]), 401, "mfa_code_wrong")
    assert log_in(code=recovery[1]).status_code == 201


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_that_is_used_many_times_at_once_is_good_once(
    kind: str, recovery: list[str]
) -> None:
    code = code_at() if kind == "app" else recovery[3]
    answers = at_once(*[lambda: log_in(code=code) for _ in range(6)])
    assert sorted(answer.status_code for answer in answers) == [201] + [401] * 5


@pytest.mark.usefixtures("recovery")
def test_the_code_of_another_is_not_good() -> None:
    account("Bob")
    other = f"{SECRET[8:]}{SECRET[:8][::-1]}"
    assert_problem(log_in(code=code_at(secret=other)), 401, "mfa_code_wrong")


@pytest.mark.usefixtures("recovery")
def test_a_code_is_not_asked_of_whoever_has_no_app() -> None:
    account("Bob")
    assert log_in(username="Bob").status_code == 201
    assert log_in(username="Bob", code="000000").status_code == 201


@pytest.mark.usefixtures("recovery")
def test_codes_are_not_to_be_found_by_trying(settings: DjangoSettings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "100/m/ip,5/300s/key"}
    for attempt in range(5):
        assert_problem(log_in(code=f"00000{attempt}"), 401, "mfa_code_wrong")
    assert_problem(log_in(code=code_at()), 429, "throttled")


@pytest.mark.usefixtures("recovery")
def test_a_guest_stays_one_until_the_code_is_right() -> None:
    guest = Caller.guest()
    table = guest.deal("classic", 7)
    log_in(guest)
    log_in(guest, code="000000")
    assert guest.get(table.address).status_code == 200
    answer = log_in(guest, code=code_at())
    assert answer.json()["moved"]["games"] == 1
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.usefixtures("recovery")
def test_the_session_knows_both_steps() -> None:
    token = log_in(code=code_at()).json()["token"]
    answer = Client(headers={"X-Session-Token": token}).get("/_allauth/app/v1/auth/session")
    assert [each["method"] for each in answer.json()["data"]["methods"]] == ["password", "mfa"]


# In two requests, as allauth does it


def second_step(door: Door, code: str) -> Any:
    if isinstance(door, Pages):
        return door.submit("2fa/authenticate/", {"code": code})
    assert isinstance(door, App)
    kind = "browser" if isinstance(door, Browser) else "app"
    return door.post(f"/_allauth/{kind}/v1/auth/2fa/authenticate", {"code": code})


@pytest.mark.usefixtures("recovery")
@pytest.mark.parametrize("place", [Pages, App, Browser], ids=lambda door: door.__name__)
def test_games_go_over_when_the_second_step_is_done(place: type[Door]) -> None:
    door = place()
    guest = door.guest()
    table = guest.deal("classic", 7)
    assert not door.is_in(door.log_in("Alice"))
    assert guest.get(table.address).status_code == 200  # still a guest
    assert not door.is_in(second_step(door, "000000"))
    assert guest.get(table.address).status_code == 200
    assert door.is_in(second_step(door, code_at()))
    assert door.caller().get("games/").json()["results"][0]["id"] == table.id
    assert_problem(guest.get("games/"), 401, "authentication_failed")
    assert [player.username for player in User.objects.all()] == ["Alice"]


@pytest.mark.usefixtures("recovery")
@pytest.mark.parametrize("place", [Pages, App, Browser], ids=lambda door: door.__name__)
def test_a_guest_may_register_instead_of_the_second_step(place: type[Door]) -> None:
    door = place()
    table = door.guest().deal("classic", 7)
    door.log_in("Alice")
    answer = door.register("Bob")
    if not door.is_in(answer):
        pytest.skip("allauth leads back to the code")
    assert door.caller().get("games/").json()["results"][0]["id"] == table.id


@pytest.mark.parametrize("place", [Rest, App], ids=lambda door: door.__name__)
def test_an_app_is_switched_on_and_asked_for(place: type[Door]) -> None:
    """By allauth's API, with nothing made by hand."""
    account("Alice", email="alice@example.com")
    EmailAddress.objects.update(verified=True)  # allauth wants the one to be proven for the other
    door = App()
    door.log_in("Alice")
    door.post("/_allauth/app/v1/auth/reauthenticate", {"password": PASSWORD})
    address = "/_allauth/app/v1/account/authenticators/totp"
    secret = door.client.get(address, headers=door.headers()).json()["meta"]["secret"]
    answer = door.post(address, {"code": code_at(secret=secret)})
    assert answer.status_code == 200, answer.content
    visitor = place()
    assert not visitor.is_in(visitor.log_in("Alice"))
