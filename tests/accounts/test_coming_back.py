"""Whoever comes in from a race or a table is there again afterwards."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.authenticator import code_at, switch_on
from tests.accounts.markup import Page
from tests.accounts.players import PASSWORD, At, account, browser, guest
from tests.caller import Caller
from tests.game.racers import Racers

pytestmark = pytest.mark.django_db

NEW = {"username": "Alice", "password1": PASSWORD}
AS_ANNA = {"login": "Anna", "password": PASSWORD}


@pytest.fixture(autouse=True)
def unlimited() -> None:
    cache.clear()  # allauth counts there how often an address has tried


@pytest.fixture
def anna() -> User:
    return account("Anna")


@pytest.fixture
def client(anna: User) -> Client:
    return browser(anna)


@pytest.fixture
def race(anna: User) -> Racers:
    return Racers(At(anna).caller, Caller.guest(), number=7)


def links(client: Client, path: str) -> set[str]:
    """Of the page, those to the entrance."""
    page = Page(client.get(path))
    found = {link.get("href") or "" for link in page.all("a")}
    return {link for link in found if link.startswith(("/accounts/signup", "/accounts/login"))}


def both(wanted: str) -> set[str]:
    return {f"/accounts/{page}/?next={quote(wanted, safe='')}" for page in ("signup", "login")}


def sent_back(client: Client, address: str, form: dict[str, str]) -> str:
    """Where one is led who fills in the form that the address shows."""
    text = client.get(address).content.decode()
    found = re.search(r'<form class="form".*?name="next" value="([^"]*)"', text, re.DOTALL)
    assert found is not None
    answer = client.post(address.split("?")[0], {**form, "next": found[1]})
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


@pytest.mark.parametrize("path", ["/play/classic/7", "/race/", "/race/?rules=open&number=7"])
@pytest.mark.parametrize("visitor", [Client, lambda: guest()[0]], ids=["nobody", "guest"])
def test_table_and_race_are_named_to_the_entrance(path: str, visitor: Any) -> None:
    assert links(visitor(), path) == both(path)


def test_race_is_named_to_the_entrance_and_handed_on_there(race: Racers) -> None:
    path = f"/race/{race.code}"
    visitor = Client()
    assert links(visitor, path) == both(path)
    for address in both(path):
        assert links(visitor, address) == both(path)


@pytest.mark.parametrize("path", ["/", "/profile"])
def test_elsewhere_nothing_is_named(path: str) -> None:
    assert "/accounts/signup/" in links(Client(), path)


@pytest.mark.parametrize("wanted", ["https://elsewhere.example/", "//elsewhere.example"])
def test_page_of_another_site_is_neither_handed_on_nor_gone_to(anna: User, wanted: str) -> None:
    address = f"/accounts/login/?next={quote(wanted, safe='')}"
    assert links(Client(), address) == {"/accounts/signup/", "/accounts/login/"}
    answer = Client().post("/accounts/login/", {**AS_ANNA, "next": wanted})
    assert answer["Location"] == "/"


def test_guest_who_registers_in_a_lobby_is_there_again_in_the_same_seat() -> None:
    client, player = guest()
    race = Racers(Caller(client.session.session_key), Caller.guest())
    path = f"/race/{race.code}"
    address = next(link for link in links(client, path) if "signup" in link)
    assert sent_back(client, address, NEW) == path
    race.callers = (Caller(client.session.session_key),)
    assert race.seats("seat", "player")[0] == (1, "Alice")
    assert race.body()["me"] == 1
    assert player.seats.get().number == 1


def test_guest_who_logs_in_in_a_running_race_is_there_again(anna: User) -> None:
    client, _ = guest()
    race = Racers(Caller(client.session.session_key), Caller.guest())
    race.start()
    path = f"/race/{race.code}"
    address = next(link for link in links(client, path) if "login" in link)
    assert sent_back(client, address, AS_ANNA) == path
    race.callers = (Caller(client.session.session_key),)
    assert (race.body()["me"], race.seats("player")[0]) == (1, "Anna")


def test_second_step_leads_back_as_well(anna: User, race: Racers) -> None:
    switch_on("Anna")
    client = Client()
    path = f"/race/{race.code}"
    address = next(link for link in links(client, path) if "login" in link)
    step = sent_back(client, address, AS_ANNA)
    assert step.startswith("/accounts/2fa/authenticate/")
    assert client.post(step, {"code": code_at()})["Location"] == path


def test_log_out_in_a_race_leads_home(client: Client, race: Racers) -> None:
    text = client.get(f"/race/{race.code}").content.decode()
    form = text.split('action="/accounts/logout/"', 1)[1].split("</form>")[0]
    assert "next" not in form
    assert client.post("/accounts/logout/")["Location"] == "/"
