"""A socket ends with its session, by whatever door that is."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.live import check_sessions
from accounts.models import Session, User
from accounts.services.leaving import delete_account
from tests.caller import Caller
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


def log_out(player: Caller) -> None:
    assert player.send("DELETE", "tokens/current/", "").status_code == 204


def log_out_on_the_page(player: Caller) -> None:
    client = Client()
    client.cookies["sessionid"] = player.token
    client.post("/accounts/logout/")


def delete_the_account(player: Caller) -> None:
    delete_account(player=User.objects.get())


def deactivate(player: Caller) -> None:
    user = User.objects.get()
    user.is_active = False
    user.save()


def change_the_password(player: Caller) -> None:
    user = User.objects.get()
    user.set_password("another one, quite long")
    user.save()


def end_all_sessions(player: Caller) -> None:
    Session.objects.all().delete()


@pytest.mark.parametrize(
    "end",
    [
        log_out,
        log_out_on_the_page,
        delete_the_account,
        deactivate,
        change_the_password,
        end_all_sessions,
    ],
)
@live
async def test_the_end_of_a_session_closes_its_sockets(
    player: Caller, end: Callable[[Caller], None]
) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    room = f"games/{table.id}/"
    async with Socket(room, token=player.token) as one, Socket(room, token=player.token) as two:
        await one.told("snapshot")
        await two.told("snapshot")
        await elsewhere(lambda: end(player))
        assert [await one.closed(), await two.closed()] == [4401, 4401]


@live
async def test_other_sessions_sockets_stay(player: Caller, stranger: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    other = await elsewhere(lambda: stranger.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        async with Socket(f"games/{other.id}/", token=stranger.token) as theirs:
            await theirs.told("snapshot")
            await elsewhere(lambda: log_out(stranger))
            assert await theirs.closed() == 4401
        await socket.ask(type="ping", t=1)
        assert (await socket.told())["type"] == "pong"


@live
async def test_a_session_s_end_that_was_not_heard_is_found(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: Session.objects.update(expire_date="2026-01-01T00:00Z"))
        await elsewhere(check_sessions)
        assert await socket.closed() == 4401
