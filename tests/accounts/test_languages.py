"""Readers find no English on the pages of players and accounts, in what is wrong, or in mails.

None of the languages is written in Latin letters, so that a Latin word is one that was left.
"""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client

from accounts.models import Settings, User
from tests.accounts.authenticator import code_at, switch_on
from tests.accounts.players import PASSWORD, At, account
from tests.accounts.test_pages_account import INSIDE, OUTSIDE, WITH_TWO_STEPS

pytestmark = pytest.mark.django_db

LANGUAGES = ["zh-hans", "zh-hant", "ru", "ja"]
EVERYBODYS = ["/", "/profile", "/history", "/settings", "/players/anna", "/play/classic/7", "/none"]
OWN = [*EVERYBODYS, "/settings/delete", "/history?result=won", "/history?page=2"]
NEW_PASSWORD = "another long one"

# Written so in every language, besides addresses.
SAME = {"anna", "boris", "testserver", "Firefox", "Linux", "UTC", "JSON", "QR", "JavaScript"}
SAME |= {"Cookie", "cookie", "IP", "NUL", "null", "English", "No"}
ADDRESS = re.compile(r"\S+@\S+|https?://\S+|/play/\S+|guest-\w+")
CODE = re.compile(r"^[A-Z0-9]{3,}-?[A-Z0-9]{3,}$", re.MULTILINE)
LATIN = re.compile(r"[A-Za-z]{2,}")

HIDDEN = {"script", "style", "code", "bdi"}
SPOKEN = {"alt", "aria-label", "placeholder", "title"}
FOR_SCRIPTS = ("data-all", "data-recent", "data-game", "data-cards", "data-over", "data-show-")
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "circle"}


class Texts(HTMLParser):
    """What a page says to its readers, to screen readers and through its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.open: list[bool] = []  # of each element around: whether it is passed over
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            foreign = tag != "html" and any(name == "lang" for name, _ in attrs)
            self.open.append(tag in HIDDEN or foreign)
        for name, value in attrs:
            if name in SPOKEN or name.startswith(FOR_SCRIPTS):
                self.said.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.open):
            self.said.append(data)


def assert_no_english(*texts: str) -> None:
    left = [text for text in texts if set(LATIN.findall(ADDRESS.sub("", text))) - SAME]
    if left:
        raise AssertionError([" ".join(text.split()) for text in left])


class Reader:
    """A browser in which each page is read."""

    def __init__(self, language: str) -> None:
        agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        self.headers = {"Accept-Language": language, "User-Agent": agent}
        self.client = Client(headers=self.headers)

    def get(self, path: str) -> str:
        return self.read(self.client.get(path, follow=True))

    def post(self, path: str, **fields: str) -> str:
        return self.read(self.client.post(path, fields, follow=True))

    def read(self, answer: Any) -> str:
        page: str = answer.content.decode()
        assert answer["Content-Type"].startswith("text/html"), answer
        texts = Texts(page)
        assert texts.open == []
        assert_no_english(*texts.said)
        return page

    def log_in(self) -> None:
        self.post("/accounts/login/", login="anna", password=PASSWORD)
        self.post("/accounts/reauthenticate/", password=PASSWORD)


@pytest.fixture(params=LANGUAGES)
def reader(request: pytest.FixtureRequest) -> Reader:
    return Reader(request.param)


@pytest.fixture
def anna() -> User:
    user = account("anna", email="anna@example.org")
    EmailAddress.objects.create(user=user, email="anna@example.org", verified=True, primary=True)
    return user


def read_mails(count: int) -> str:
    """All that were sent since; the last one's text."""
    assert len(mail.outbox) == count, [letter.subject for letter in mail.outbox]
    for letter in mail.outbox:
        body = CODE.sub("", re.sub(r"Mozilla/5\.0 .*", "", str(letter.body)))
        assert_no_english(str(letter.subject), body)
    last = str(mail.outbox[-1].body)
    mail.outbox.clear()
    return last


# Pages


def test_pages_of_nobody(reader: Reader, anna: User) -> None:
    for path in [*EVERYBODYS, *OUTSIDE]:
        reader.get(path)


def test_pages_of_a_guest(reader: Reader) -> None:
    reader.client.post("/api/v1/guests/")
    for path in [*OWN, "/accounts/login/", "/accounts/signup/", "/accounts/logout/"]:
        reader.get(path)


def test_pages_of_an_account(reader: Reader, anna: User) -> None:
    reader.log_in()
    for path in [*OWN, *INSIDE]:
        reader.get(path)


def test_pages_of_a_player_with_games(reader: Reader, anna: User) -> None:
    reader.log_in()
    player = At(anna)
    player.wins(detour=1)
    player.loses("open", None)
    player.starts("blind")
    for path in OWN:
        reader.get(path)


def test_pages_of_a_private_player(reader: Reader, anna: User) -> None:
    Settings.objects.create(player=anna, private=True)
    reader.get("/players/anna")
    reader.log_in()
    reader.get("/profile")


def test_pages_of_an_account_with_two_steps(reader: Reader, anna: User) -> None:
    reader.log_in()
    switch_on("anna")
    for path in WITH_TWO_STEPS:
        reader.get(path)


def test_two_steps_of_an_account_with_an_unconfirmed_address(reader: Reader, anna: User) -> None:
    reader.log_in()
    EmailAddress.objects.create(user=anna, email="new@example.org")
    reader.get("/accounts/2fa/")
    reader.post("/accounts/2fa/totp/activate/", code="000000")


def test_pages_of_links_that_are_not_good(reader: Reader, anna: User) -> None:
    reader.get("/accounts/confirm-email/nonsense/")
    reader.get("/accounts/password/reset/key/1-nonsense/")


def test_too_many_tries(reader: Reader, anna: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"change_password": "1/m/user"}
    reader.log_in()
    for _ in range(3):
        page = reader.post("/accounts/password/change/")
    assert 'name="oldpassword"' not in page


def test_request_that_cannot_be_told_to_be_the_readers(reader: Reader) -> None:
    careful = Client(enforce_csrf_checks=True, headers=reader.headers)
    reader.read(careful.post("/settings", {"language": ""}))


# What is wrong


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"username": "a", "email": "none", "password1": "short"},
        {"username": "x" * 30, "email": "x" * 300 + "@example.org", "password1": "1234567890"},
        {"username": "123", "password1": "password"},
        {"username": "a b", "password1": "anna-anna"},
        {"username": "аnna", "password1": "x\0x"},  # one letter is Cyrillic
        {"username": "admin", "password1": "admin-admin"},
        {"username": "anna", "email": "anna@example.org", "password1": "correct horse"},
        {"username": "boris", "password1": "boris123"},
        {"username": "b\0b", "password1": PASSWORD},
    ],
)
def test_sign_up_that_is_refused(reader: Reader, anna: User, fields: dict[str, str]) -> None:
    assert "aria-invalid" in reader.post("/accounts/signup/", **fields)


def test_log_in_that_is_refused(reader: Reader, anna: User) -> None:
    reader.post("/accounts/login/")
    for name in ("anna", "anna@example.org"):
        for _ in range(7):  # at last, of too many tries
            assert "<form" in reader.post("/accounts/login/", login=name, password="wrong")
    User.objects.update(is_active=False)
    reader.post("/accounts/login/", login="anna", password=PASSWORD)


def test_second_step_that_is_refused(reader: Reader, anna: User) -> None:
    switch_on("anna")
    reader.post("/accounts/login/", login="anna", password=PASSWORD)
    reader.post("/accounts/2fa/authenticate/")
    reader.post("/accounts/2fa/authenticate/", code="000000")


def test_changes_that_are_refused(reader: Reader, anna: User) -> None:
    reader.log_in()
    changes = [
        *(("reauthenticate/", {}), ("reauthenticate/", {"password": "wrong"})),
        *(("password/change/", {}), ("email/", {"action_add": ""})),
        ("password/change/", {"oldpassword": "x", "password1": "x", "password2": "y"}),
        ("password/change/", {"oldpassword": PASSWORD, "password1": "5" * 9, "password2": "y"}),
        ("email/", {"action_add": "", "email": "none"}),
        ("email/", {"action_add": "", "email": "anna@example.org"}),
        ("email/", {"action_remove": "", "email": "anna@example.org"}),
        ("email/", {"action_primary": "", "email": "none@example.org"}),
        *(("2fa/totp/activate/", {}), ("2fa/totp/activate/", {"code": "000000"})),
    ]
    for path, fields in changes:
        reader.post(f"/accounts/{path}", **fields)
    reader.post("/settings", whose="anna", language="9", motion="9")
    reader.post("/settings/delete", password="wrong")
    reader.post("/settings/delete")


def test_settings_that_somebody_else_opened(reader: Reader, anna: User) -> None:
    reader.post("/settings", whose="anna", motion="full")
    reader.log_in()
    reader.post("/settings", whose="boris", motion="full")


def test_deletion_that_a_guest_does_not_mean(reader: Reader) -> None:
    reader.client.post("/api/v1/guests/")
    reader.post("/settings/delete")


def test_more_addresses_than_there_may_be(reader: Reader, anna: User, settings: Any) -> None:
    settings.ACCOUNT_MAX_EMAIL_ADDRESSES = 1
    reader.log_in()
    reader.post("/accounts/email/", action_add="", email="new@example.org")


# What is done, and the mails of it


def test_registering_and_confirming_the_address(reader: Reader) -> None:
    reader.post(
        "/accounts/signup/", username="boris", email="boris@example.org", password1=PASSWORD
    )
    link = re.search(r"http://testserver(\S+/confirm-email/\S+)", read_mails(1))
    assert link is not None
    reader.get(link[1])
    reader.post(link[1])
    assert EmailAddress.objects.get(email="boris@example.org").verified


def test_guest_who_registers(reader: Reader) -> None:
    reader.client.post("/api/v1/guests/")
    At(User.objects.get()).loses()
    reader.post("/accounts/signup/", username="boris", password1=PASSWORD)


def test_registering_with_an_address_that_has_an_account(reader: Reader, anna: User) -> None:
    reader.post("/accounts/signup/", username="boris", email="anna@example.org", password1=PASSWORD)
    read_mails(1)


def test_addresses(reader: Reader, anna: User) -> None:
    reader.log_in()
    new = "new@example.org"
    reader.post("/accounts/email/", action_add="", email=new)
    read_mails(1)
    reader.post("/accounts/email/", action_send="", email=new)
    reader.post("/accounts/email/", action_primary="", email=new)
    EmailAddress.objects.update(verified=True)
    mail.outbox.clear()
    reader.post("/accounts/email/", action_primary="", email=new)
    read_mails(1)
    reader.post("/accounts/email/", action_remove="", email="anna@example.org")
    read_mails(1)


def test_forgotten_password(reader: Reader, anna: User) -> None:
    reader.post("/accounts/password/reset/")
    reader.post("/accounts/password/reset/", email="anna@example.org")
    code = CODE.search(read_mails(1))
    assert code is not None
    confirm = "/accounts/password/reset/confirm/"
    reader.post(confirm, code="AAAA-BBBB")
    page = reader.post(confirm, code=code[0])
    assert "password2" in page
    path = "/accounts/password/reset/complete/"
    reader.post(path, password1="x", password2="y")
    reader.post(path, password1=NEW_PASSWORD, password2=NEW_PASSWORD)
    read_mails(1)


def test_forgotten_password_of_nobody(reader: Reader) -> None:
    reader.post("/accounts/password/reset/", email="boris@example.org")
    read_mails(1)


def test_changing_the_password(reader: Reader, anna: User) -> None:
    reader.log_in()
    reader.post(
        "/accounts/password/change/",
        oldpassword=PASSWORD,
        password1=NEW_PASSWORD,
        password2=NEW_PASSWORD,
    )
    read_mails(1)


@pytest.mark.django_db(transaction=True)  # some is told once it is sure
def test_two_steps(reader: Reader, anna: User) -> None:
    reader.log_in()
    page = reader.get("/accounts/2fa/totp/activate/")
    secret = re.search(r'id="authenticator_secret" type="text" value="(\w+)"', page)
    assert secret is not None
    reader.post("/accounts/2fa/totp/activate/", code=code_at(secret=secret[1]))
    read_mails(1)
    reader.post("/accounts/2fa/recovery-codes/generate/")
    read_mails(1)
    reader.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    read_mails(1)


def test_sessions(reader: Reader, anna: User) -> None:
    Client().post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    reader.log_in()
    reader.get("/accounts/sessions/")
    reader.post("/accounts/sessions/")
    reader.post("/accounts/logout/")


def test_guest_who_logs_in(reader: Reader, anna: User) -> None:
    reader.client.post("/api/v1/guests/")
    guest = User.objects.get(is_guest=True)
    At(guest).loses()
    reader.log_in()
    reader.get("/profile")


def test_settings_and_deletion(reader: Reader, anna: User) -> None:
    reader.log_in()
    reader.post("/settings", whose="anna", language="", motion="full")
    reader.post("/settings/delete", password=PASSWORD)
    assert not User.objects.filter(username="anna").exists()
