"""allauth's pages: each that can be reached is in our look, and says what is wrong beside it."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.usersessions.models import UserSession
from django.contrib.messages import get_messages
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import gettext, ngettext, override

from accounts.models import Settings, User
from tests.accounts.markup import Page, assert_ours
from tests.accounts.players import PASSWORD, At, account, guest

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXP"
COME = (
    "%(count)s game that you played as a guest is among your games now, as practice.",
    "%(count)s games that you played as a guest are among your games now, as practice.",
)


@pytest.fixture(autouse=True)
def unlimited() -> None:
    cache.clear()  # allauth counts there how often an address has tried


@pytest.fixture
def anna() -> User:
    user = account("anna", email="anna@example.org")
    EmailAddress.objects.create(user=user, email="anna@example.org", verified=True, primary=True)
    return user


def logged_in() -> Client:
    """By the forms: the second tells that the password was given just now."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    assert answer.status_code == 302, answer.content
    answer = client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302, answer.content
    return client


def with_two_steps(user: User) -> User:
    TOTP.activate(user, SECRET)
    RecoveryCodes.activate(user)
    return user


def code_of_now() -> str:
    return format_hotp_value(hotp_value(SECRET, next(yield_hotp_counters_from_time())))


# Every page


OUTSIDE = [
    *("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
    *("/accounts/inactive/", "/accounts/confirm-email/", "/accounts/confirm-email/nonsense/"),
    "/accounts/password/reset/done/",
]
INSIDE = [
    *("/accounts/logout/", "/accounts/email/", "/accounts/password/change/"),
    *("/accounts/reauthenticate/", "/accounts/sessions/", "/accounts/2fa/"),
    "/accounts/2fa/totp/activate/",
]
WITH_TWO_STEPS = [
    *("/accounts/2fa/", "/accounts/2fa/totp/deactivate/", "/accounts/2fa/recovery-codes/"),
    *("/accounts/2fa/recovery-codes/generate/", "/accounts/2fa/reauthenticate/"),
]
ON_THE_WAY = [  # seen in a flow, each by a test of its own below
    "/accounts/password/reset/confirm/",
    "/accounts/password/reset/complete/",
    "/accounts/2fa/authenticate/",
]
ELSEWHERE = [
    "/accounts/2fa/recovery-codes/download/",  # a file
    "/accounts/password/set/",  # of accounts without a password, which there are none
    # Not turned on.
    "/accounts/login/code/confirm/",
    "/accounts/reauthenticate/code/",
    "/accounts/reauthenticate/code/confirm/",
]


def test_no_page_is_left_out_here() -> None:
    known = {*OUTSIDE, *INSIDE, *WITH_TWO_STEPS, *ON_THE_WAY, *ELSEWHERE}
    there = {path for path in paths(get_resolver()) if path.startswith("/accounts/")}
    assert there == {path for path in known if "nonsense" not in path}


def paths(resolver: URLResolver, before: str = "/") -> set[str]:
    """The addresses without a parameter."""
    found = set()
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found |= {route} if re.fullmatch(r"[-/\w]+", route) else set()
        else:
            found |= paths(pattern, route)
    return found


@pytest.mark.parametrize("path", OUTSIDE)
def test_page_for_those_who_are_not_logged_in_is_ours(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert_ours(answer)


@pytest.mark.parametrize("path", INSIDE)
def test_page_of_an_account_is_ours(anna: User, path: str) -> None:
    answer = logged_in().get(path)
    assert answer.status_code == 200
    assert_ours(answer)


@pytest.mark.parametrize("path", WITH_TWO_STEPS)
def test_page_of_an_account_with_two_steps_is_ours(anna: User, path: str) -> None:
    client = logged_in()
    with_two_steps(anna)
    answer = client.get(path)
    assert answer.status_code == 200
    assert_ours(answer)


def test_too_many_tries_are_told_in_our_look(anna: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"change_password": "1/m/user"}
    client = logged_in()
    assert client.get("/accounts/password/change/").status_code == 200
    for _ in range(2):
        answer = client.post("/accounts/password/change/", {})
    assert answer.status_code == 429
    assert_ours(answer)


# Registering and logging in


def test_sign_up_says_what_is_kept_and_what_the_address_is_for() -> None:
    page = assert_ours(Client().get("/accounts/signup/"))
    assert "Your games and records are kept" in page.text
    assert "Only needed to reset a forgotten password." in page.text


def test_log_in_speaks_of_a_guests_games_once_there_are_some() -> None:
    client, player = guest()
    at = At(player)
    game = at.starts()
    assert "come along" not in assert_ours(client.get("/accounts/login/")).text
    at.table(game).play("d")
    assert "come along" in assert_ours(client.get("/accounts/login/")).text


def test_fields_tell_password_managers_what_they_are() -> None:
    sign_up = assert_ours(Client().get("/accounts/signup/"))
    assert [field["autocomplete"] for field in visible(sign_up)] == [
        *("username", "email", "new-password")
    ]
    log_in = assert_ours(Client().get("/accounts/login/"))
    assert [field["autocomplete"] for field in visible(log_in)] == ["username", "current-password"]


def visible(page: Page) -> list[dict[str, str | None]]:
    return [field for field in page.all("input") if field["type"] != "hidden"]


def test_what_is_wrong_with_a_field_stands_at_it_and_the_first_has_the_focus() -> None:
    wrong = {"username": "anna", "email": "no address", "password1": "12345"}
    page = assert_ours(Client().post("/accounts/signup/", wrong))
    name, email, password = visible(page)
    assert "aria-invalid" not in name
    assert (email["aria-invalid"], password["aria-invalid"]) == ("true", "true")
    assert "autofocus" in email
    assert "autofocus" not in password
    for field in (email, password):
        described = (field["aria-describedby"] or "").split()
        assert described == [f"{field['id']}_helptext", f"{field['id']}_error"]
        assert set(described) <= set(page.ids)


def test_refused_log_in_is_said_over_the_form_and_names_no_field(anna: User) -> None:
    answer = Client().post("/accounts/login/", {"login": "anna", "password": "wrong"})
    page = assert_ours(answer)
    assert page.all("div", role="alert")
    assert not any("aria-invalid" in field for field in visible(page))
    assert "autofocus" in visible(page)[0]


def test_password_is_never_sent_back(anna: User) -> None:
    answer = Client().post("/accounts/login/", {"login": "anna", "password": "wrong-secret"})
    assert "wrong-secret" not in answer.content.decode()


def test_log_out_is_told_on_the_next_page(anna: User) -> None:
    client = logged_in()
    answer = client.post("/accounts/logout/", follow=True)
    assert "You are logged out." in answer.content.decode()
    assert "You are logged out." not in client.get("/").content.decode()


def test_what_a_log_in_tells_is_in_the_language_of_the_player(anna: User) -> None:
    Settings.objects.create(player=anna, language="ja")
    client, player = guest()
    At(player).starts()
    with override("ja"):
        logged_in_as = gettext("Logged in as %(name)s.") % {"name": "anna"}
        come = ngettext(COME[0], COME[1], 1) % {"count": 1}
    fields = {"login": "anna", "password": PASSWORD}
    answer = client.post("/accounts/login/", fields, headers={"Accept-Language": "ru"})
    assert [str(note) for note in get_messages(answer.wsgi_request)] == [logged_in_as, come]
    assert "Logged" not in logged_in_as


@pytest.mark.parametrize("has_played", [True, False])
def test_guest_who_registers_is_told_of_the_games_if_there_are_any(has_played: bool) -> None:
    client, player = guest()
    if has_played:
        At(player).starts()
    answer = client.post(
        "/accounts/signup/", {"username": "boris", "password1": PASSWORD}, follow=True
    )
    told = "Your games are yours on every device now." in answer.content.decode()
    assert told is has_played


# A forgotten password


def test_password_is_reset_by_a_code(anna: User) -> None:
    client = Client()
    answer = client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    page = assert_ours(client.get(answer["Location"]))
    assert "If there is an account with" in page.text
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]{3,})$", mail.outbox[0].body, re.MULTILINE)
    assert code is not None, mail.outbox[0].body
    answer = client.post(answer["Location"], {"code": code[1]})
    page = assert_ours(client.get(answer["Location"]))
    assert [field["autocomplete"] for field in visible(page)] == ["new-password", "new-password"]
    new = {"password1": "another long one", "password2": "another long one"}
    answer = client.post(answer["Location"], new, follow=True)
    assert "The password is changed" in assert_ours(answer).text
    anna.refresh_from_db()
    assert anna.check_password("another long one")


def test_wrong_code_is_said_at_the_field(anna: User) -> None:
    client = Client()
    answer = client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    page = assert_ours(client.post(answer["Location"], {"code": "AAAA-BBBB"}))
    [code] = visible(page)
    assert (code["aria-invalid"], code["autocomplete"]) == ("true", "one-time-code")


def test_address_of_nobody_gets_the_same_page() -> None:
    client = Client()
    answer = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    page = assert_ours(client.get(answer["Location"]))
    assert "If there is an account with <b>nobody@example.org</b>" in page.text


# Addresses


def test_address_is_confirmed_by_its_link(anna: User) -> None:
    address = EmailAddress.objects.create(user=anna, email="new@example.org")
    path = f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/"
    page = assert_ours(Client().get(path))
    assert "new@example.org" in page.text
    answer = Client().post(path)
    assert (answer.status_code, answer["Location"]) == (302, "/profile")
    address.refresh_from_db()
    assert address.verified


def test_owner_who_confirms_an_address_sees_it_among_the_addresses(anna: User) -> None:
    address = EmailAddress.objects.create(user=anna, email="new@example.org")
    answer = logged_in().post(f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/")
    assert answer["Location"] == "/accounts/email/"


def test_settings_come_after_a_changed_password(anna: User) -> None:
    fields = {"oldpassword": PASSWORD, "password1": "another long", "password2": "another long"}
    answer = logged_in().post("/accounts/password/change/", fields)
    assert answer["Location"] == "/settings"


def test_only_what_can_be_done_with_an_address_is_offered(anna: User) -> None:
    client = logged_in()
    assert offered(client) == ["remove"]
    new = EmailAddress.objects.create(user=anna, email="new@example.org")
    assert offered(client) == ["send", "remove"]
    EmailAddress.objects.filter(pk=new.pk).update(verified=True)
    assert offered(client) == ["primary", "remove"]
    EmailAddress.objects.update(verified=False)
    assert offered(client) == ["send", "primary", "send", "remove"]


def offered(client: Client) -> list[str]:
    """The actions with the addresses, in order, the main address first."""
    page = assert_ours(client.get("/accounts/email/"))
    names = [button.get("name") or "" for button in page.all("button")]
    actions = [name.removeprefix("action_") for name in names if name.startswith("action_")]
    assert actions.pop() == "add"
    return actions


def test_action_is_done_with_the_address_beside_it(anna: User) -> None:
    new = EmailAddress.objects.create(user=anna, email="new@example.org", verified=True)
    client = logged_in()
    page = assert_ours(client.get("/accounts/email/"))
    beside = [field["value"] for field in page.all("input", type="hidden", name="email")]
    assert beside == ["anna@example.org", "new@example.org"]
    client.post("/accounts/email/", {"action_primary": "", "email": beside[1]})
    new.refresh_from_db()
    assert new.primary


def test_account_without_an_address_is_told_what_that_means() -> None:
    account("anna")
    page = assert_ours(logged_in().get("/accounts/email/"))
    assert "a forgotten password could not be reset" in page.text


# Two steps


def test_authenticator_app_is_turned_on_by_a_picture_or_a_secret(anna: User) -> None:
    page = assert_ours(logged_in().get("/accounts/2fa/totp/activate/"))
    [picture] = page.all("img")
    assert (picture["src"] or "").startswith("data:image/svg+xml")
    assert page.all("input", id="authenticator_secret")


def test_unconfirmed_address_stands_before_turning_two_steps_on(anna: User) -> None:
    client = logged_in()
    assert '"/accounts/2fa/totp/activate/"' in client.get("/accounts/2fa/").content.decode()
    EmailAddress.objects.create(user=anna, email="new@example.org")
    page = assert_ours(client.get("/accounts/2fa/"))
    assert "Confirm your e-mail addresses first" in page.text
    assert page.all("a", href="/accounts/email/")
    assert not page.all("a", href="/accounts/2fa/totp/activate/")


def test_log_in_with_two_steps_asks_for_a_code(anna: User) -> None:
    with_two_steps(anna)
    client = Client()
    answer = client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    page = assert_ours(client.get(answer["Location"]))
    assert [field["autocomplete"] for field in visible(page)] == ["one-time-code"]
    refused = assert_ours(client.post(answer["Location"], {"code": "000"}))
    assert visible(refused)[0]["aria-invalid"] == "true"
    client.post(answer["Location"], {"code": code_of_now()})
    assert client.get("/profile").context["user"] == anna


def test_code_by_mail_is_no_proof_before_changes(anna: User) -> None:
    with_two_steps(anna)
    client = Client()
    client.force_login(anna)
    answer = client.get("/accounts/2fa/totp/deactivate/")
    assert answer["Location"].startswith("/accounts/reauthenticate/?")
    assert "/accounts/reauthenticate/code/" not in client.get(answer["Location"]).content.decode()
    for path in ("/accounts/reauthenticate/code/", "/accounts/reauthenticate/code/confirm/"):
        for answer in (client.get(path), client.post(path, {"email": "anna@example.org"})):
            assert answer.status_code in (302, 403, 404), (path, answer)
    assert mail.outbox == []


def test_recovery_codes_can_be_seen_and_downloaded(anna: User) -> None:
    client = logged_in()
    with_two_steps(anna)
    page = assert_ours(client.get("/accounts/2fa/recovery-codes/"))
    codes = Authenticator.objects.get(user=anna, type="recovery_codes").wrap().get_unused_codes()
    assert all(code in page.text for code in codes)
    file = client.get("/accounts/2fa/recovery-codes/download/")
    assert file["Content-Disposition"].startswith("attachment")


# Sessions


def test_sessions_are_listed_with_browser_and_system(anna: User) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    Client(headers={"User-Agent": agent}).post(
        "/accounts/login/", {"login": "anna", "password": PASSWORD}
    )
    client = logged_in()
    page = assert_ours(client.get("/accounts/sessions/"))
    assert "Firefox, Linux" in page.text
    assert page.text.count("This one") == 1
    assert "Log the others out" in page.text
    assert (
        "Log the others out" not in client.post("/accounts/sessions/", follow=True).content.decode()
    )


def test_one_session_can_be_ended_and_the_others_stay(anna: User) -> None:
    fields = {"login": "anna", "password": PASSWORD}
    lost, kept = Client(), Client()
    for client in (lost, kept):
        client.post("/accounts/login/", fields)
    here = logged_in()
    ends = ends_of(here)
    assert len(ends) == 2  # not the one that looks
    answer = here.post(ends[0], follow=True)
    assert len(ends_of(here)) == 1
    assert_ours(answer)
    assert not lost.get("/profile").context["user"].is_authenticated
    assert kept.get("/profile").context["user"] == anna


def ends_of(client: Client) -> list[str]:
    page = assert_ours(client.get("/accounts/sessions/"))
    return [str(form["action"]) for form in page.all("form") if "/end" in (form["action"] or "")]


def test_session_of_somebody_else_cannot_be_ended(anna: User) -> None:
    here = logged_in()
    session = UserSession.objects.get(user=anna)
    other = Client()
    other.force_login(account("boris"))
    for client, path in ((other, f"{session.pk}"), (Client(), f"{session.pk}"), (other, "9" * 30)):
        assert client.post(f"/settings/sessions/{path}/end").status_code == 302
    assert here.get(f"/settings/sessions/{session.pk}/end").status_code == 405
    assert here.get("/profile").context["user"] == anna
    careful = Client(enforce_csrf_checks=True)
    assert careful.post(f"/settings/sessions/{session.pk}/end").status_code == 403
