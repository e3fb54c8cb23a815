"""What happens while something else is under way that is about the same player."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.http import HttpRequest

from accounts.adapter import AccountAdapter
from accounts.models import Record, Session, User
from accounts.services import leaving, records
from game.models import Game
from tests.accounts.doors import Door, Rest, account
from tests.caller import Caller, Table

pytestmark = pytest.mark.django_db


def delete(name: str) -> None:
    leaving.delete_account(player=User.objects.get(username=name))


@pytest.fixture
def deleted_on_the_way_in(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alice's password has been found right, and then her account is deleted."""
    account("Alice")
    come_in = AccountAdapter.login

    def login(self: AccountAdapter, request: HttpRequest, user: User) -> None:
        delete("Alice")
        come_in(self, request, user)

    monkeypatch.setattr(AccountAdapter, "login", login)


@pytest.mark.usefixtures("deleted_on_the_way_in")
def test_who_logs_in_while_the_account_is_deleted_is_not_let_in(door: Door) -> None:
    guest = door.guest()
    table = guest.deal("classic", 7)
    answer = door.log_in("Alice")
    assert not door.is_in(answer) or answer["Location"] == "/accounts/login/"
    assert answer.status_code < 500
    assert guest.get(table.address).status_code == 200
    assert User.objects.get().is_guest
    assert Session.objects.filter(user__isnull=False).count() == 1


def test_records_of_who_is_deleted_meanwhile_are_not_rebuilt() -> None:
    alice = account("Alice")
    alice.post("games/", {"rules": "classic", "tier": "easy"})
    player = User.objects.get()
    delete("Alice")
    assert records.rebuild(player) == []
    assert not Record.objects.exists()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_guests_game_can_end_while_the_guest_logs_in() -> None:
    """Its first record names the guest, whose row is held meanwhile: neither waits for the other
    in a circle."""
    door = Rest()
    guest = door.guest()  # before the account: its row is held first
    game = guest.post("games/", {"rules": "classic", "tier": "easy"}).json()["id"]
    Table(guest, game).play("d")
    account("Alice")
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            User.objects.select_for_update().get(username="Alice")
            logged_in = threads.submit(alone, door.log_in, "Alice")
            wait_for_one_that_waits()
            caller = Caller(guest.token)
            ended = threads.submit(alone, caller.post, f"games/{game}/resignations/")
            assert ended.result(timeout=10).status_code == 200
        assert logged_in.result(timeout=10).json()["moved"]["games"] == 1
    assert not Record.objects.exists()  # the guest's, who is gone; to the account it is practice
    assert Game.objects.get().counted is False


def alone(call: Any, *arguments: Any) -> Any:
    try:
        return call(*arguments)
    finally:
        connections.close_all()


def wait_for_one_that_waits() -> None:
    """Until another connection waits for a row of this one's."""
    waiting = "select count(*) from pg_locks where not granted and %s = any(pg_blocking_pids(pid))"
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute("select pg_backend_pid()")
            own = cursor.fetchone()[0]
            cursor.execute(waiting, [own])
            if cursor.fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits")


@pytest.mark.parametrize("address", ["auth/login", "auth/signup", "auth/password/request"])
def test_json_that_is_nested_too_deep_is_refused(address: str) -> None:
    body = '{"a":' * 5000 + "1" + "}" * 5000
    answer = Caller().send("POST", f"/_allauth/app/v1/{address}", body)
    assert answer.status_code == 400
