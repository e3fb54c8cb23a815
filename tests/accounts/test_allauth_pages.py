"""allauth's pages, as a browser meets them."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.core import mail
from django.test import Client
from pytest_django import Settings as DjangoSettings

from accounts.models import Session, User
from tests.accounts.doors import PASSWORD, Pages, Rest, account
from tests.caller import API, Caller, assert_problem

pytestmark = pytest.mark.django_db

NEW = "another good one"
ENTRANCES = ("login/", "signup/", "password/reset/")
OF_ACCOUNTS = (
    *("email/", "password/change/", "password/set/", "reauthenticate/", "sessions/"),
    *("2fa/", "2fa/totp/activate/", "2fa/recovery-codes/", "2fa/recovery-codes/generate/"),
    *("2fa/recovery-codes/download/", "2fa/totp/deactivate/", "2fa/reauthenticate/"),
)
OTHERS = ("inactive/", "confirm-email/", "confirm-email/x:y/", "password/reset/key/1-x/")


def guest() -> Pages:
    door = Pages()
    door.guest()
    return door


def alice(email: str = "") -> Pages:
    door = Pages()
    assert door.is_in(door.register("Alice", email=email))
    return door


def told(answer: Any) -> str:
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


@pytest.mark.parametrize("page", ENTRANCES)
def test_a_guest_sees_the_entrance(page: str) -> None:
    assert guest().client.get(f"/accounts/{page}").status_code == 200


@pytest.mark.parametrize("page", ["login/", "signup/"])
def test_who_has_an_account_is_led_home_from_the_entrance(page: str) -> None:
    answer = alice().client.get(f"/accounts/{page}")
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("page", OF_ACCOUNTS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_guest_is_led_to_log_in_where_an_account_is_needed(page: str, method: str) -> None:
    door = guest()
    answer = getattr(door.client, method)(f"/accounts/{page}", headers=door.headers())
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    assert door.caller().get("games/").status_code == 200


@pytest.mark.parametrize("page", OTHERS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_page_fails_for_a_guest(page: str, method: str) -> None:
    door = guest()
    answer = getattr(door.client, method)(f"/accounts/{page}", headers=door.headers())
    assert answer.status_code < 500
    assert door.caller().get("games/").status_code == 200


@pytest.mark.parametrize("page", OF_ACCOUNTS)
def test_no_page_fails_for_an_account(page: str) -> None:
    assert alice().client.get(f"/accounts/{page}").status_code < 500


def test_a_guest_goes_on_to_the_page_that_was_wanted() -> None:
    account("Alice")
    door = guest()
    form = {"login": "Alice", "password": PASSWORD, "next": "/play/classic/7"}
    assert door.submit("login/", form)["Location"] == "/play/classic/7"


def test_nobody_is_led_to_another_site() -> None:
    account("Alice")
    form = {"login": "Alice", "password": PASSWORD, "next": "https://evil.example/"}
    assert guest().submit("login/", form)["Location"] == "/"


def test_a_page_needs_the_csrf_token() -> None:
    door = guest()
    answer = door.client.post("/accounts/signup/", {"username": "Alice", "password1": PASSWORD})
    assert answer.status_code == 403
    assert User.objects.get().is_guest


def test_what_is_wrong_stands_on_the_page() -> None:
    account("Alice")
    answer = guest().submit("signup/", {"username": "alice", "password1": "short"})
    assert answer.status_code == 200
    assert "Somebody has this name" in answer.content.decode()
    assert "A password has 8 characters or more." in answer.content.decode()


def test_a_guest_may_log_out_on_the_page() -> None:
    door = guest()
    token = door.token
    assert door.client.get("/accounts/logout/").status_code == 200
    door.log_out()
    assert_problem(Caller(token).get("games/"), 401, "authentication_failed")


def test_the_table_knows_who_came_in() -> None:
    page = alice().client.get("/").content.decode()
    assert "Alice" in page


def test_the_table_still_knows_a_guest() -> None:
    door = guest()
    door.client.get("/accounts/login/")
    assert User.objects.get().username in door.client.get("/").content.decode()


# The password


def change(door: Pages) -> Any:
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    return door.submit("password/change/", form)


def test_a_change_of_the_password_ends_the_other_sessions() -> None:
    door = alice()
    other = Rest()
    other.log_in("Alice")
    assert change(door).status_code == 302
    assert door.caller().get("games/").status_code == 200
    assert_problem(other.caller().get("games/"), 401, "authentication_failed")
    assert not Rest().is_in(Rest().log_in("Alice"))
    assert Rest().is_in(Rest().log_in("Alice", NEW))


def test_the_session_that_changed_it_gets_a_new_key() -> None:
    door = alice()
    before = door.token
    change(door)
    assert door.token != before
    assert not Session.objects.filter(session_key=before).exists()


def test_a_new_password_must_be_a_good_one() -> None:
    door = alice()
    form = {"oldpassword": PASSWORD, "password1": "alice1", "password2": "alice1"}
    assert door.submit("password/change/", form).status_code == 200
    assert User.objects.get().check_password(PASSWORD)


def test_the_owner_hears_of_a_new_password() -> None:
    door = alice("alice@example.com")
    mail.outbox.clear()
    change(door)
    assert [letter.to for letter in mail.outbox] == [["alice@example.com"]]


# The address


def link(letter: Any) -> str:
    return next(line for line in letter.body.split() if "/confirm-email/" in line)


def test_the_link_in_the_mail_proves_the_address() -> None:
    alice("alice@example.com")
    page = link(mail.outbox[0])
    anybody = Client()
    assert anybody.get(page).status_code == 200
    assert not EmailAddress.objects.get().verified  # what only looks at the link changes nothing
    anybody.post(page)
    assert EmailAddress.objects.get().verified


def test_a_guest_can_follow_the_link_and_stays_a_guest() -> None:
    alice("alice@example.com")
    door = guest()
    door.client.post(link(mail.outbox[0]), headers=door.headers())
    assert EmailAddress.objects.get().verified
    assert User.objects.filter(is_guest=True).exists()
    assert door.caller().get("games/").status_code == 200


def test_behind_a_proxy_the_link_leads_to_the_proxy(settings: DjangoSettings) -> None:
    settings.ALLOWED_HOSTS = ["pyramid.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    client = Client(headers={"Host": "pyramid.example", "X-Forwarded-Proto": "https"})
    body = {"username": "Alice", "password": PASSWORD, "email": "alice@example.com"}
    for address in (f"{API}accounts/", "/_allauth/app/v1/auth/signup"):
        body["username"] += "x"
        answer = client.post(address, body, content_type="application/json")
        assert answer.status_code in (200, 201), answer.content
        client.cookies.clear()
    assert len(mail.outbox) == 2
    for letter in mail.outbox:
        assert link(letter).startswith("https://pyramid.example/accounts/confirm-email/")


def test_mails_come_from_the_address_of_the_settings(settings: DjangoSettings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Cards <cards@pyramid.example>"
    alice("alice@example.com")
    assert mail.outbox[0].from_email == "Cards <cards@pyramid.example>"
    assert mail.outbox[0].subject.startswith("[Pyramid] ")


@pytest.mark.parametrize("language", ["ru", "ja", "zh-hans", "zh-hant"])
def test_mails_are_in_the_readers_language(language: str) -> None:
    body = {"username": "Alice", "password": PASSWORD, "email": "alice@example.com"}
    Caller().post("accounts/", body)
    Caller(language=language).post("accounts/", {**body, "username": "Bob", "email": "b@x.org"})
    english, other = mail.outbox
    assert english.subject != other.subject


# Sessions


def test_the_list_of_sessions_has_every_device() -> None:
    door = alice()
    other = Rest()
    other.log_in("Alice")
    answer = door.client.get("/accounts/sessions/")
    assert len(answer.context["sessions"]) == 2


def test_other_sessions_can_be_ended_from_the_list() -> None:
    door = alice()
    other = Rest()
    other.log_in("Alice")
    door.submit("sessions/", {})
    assert_problem(other.caller().get("games/"), 401, "authentication_failed")
    assert door.caller().get("games/").status_code == 200
