"""What sockets survive: lost, doubled and late news, slow readers, a database that goes away."""

import asyncio
from typing import Any

import pytest
from django.db import OperationalError

from game.live import consumer
from game.live.consumer import Room
from game.live.game import GameRoom
from game.models import Game, LogEntry
from game.selectors import own_game
from pyramid_site import server
from pyramid_site.hub import News, hub
from tests.caller import Caller, Table
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


async def dealt(player: Caller) -> Table:
    return await elsewhere(lambda: player.deal("classic", 7))


def at(table: Table, **how: Any) -> Socket:
    return Socket(f"games/{table.id}/", token=table.caller.token, **how)


def player_of(table: Table) -> Any:
    return Game.objects.get(pk=table.id).player


def rumour(table: Table, version: int) -> None:
    """News that may or may not be true."""
    hub().post(News.of(f"game.{table.id}", {"type": "changed", "v": version}))


@live
async def test_old_and_doubled_news_are_passed_over(player: Caller) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.play("d d"))
    async with at(table) as socket:
        await socket.told("snapshot")
        for version in (1, 2, 2, 1):
            rumour(table, version)
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"
        await elsewhere(lambda: table.play("d"))
        rumour(table, 3)
        assert (await socket.told())["v"] == 3
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"


@live
async def test_news_of_what_is_not_so_do_no_harm(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        rumour(table, 99)
        await elsewhere(lambda: table.play("d"))
        assert (await socket.told("state"))["v"] == 1


@live
async def test_a_slow_reader_is_told_how_it_stands_in_the_end(player: Caller) -> None:
    table = await dealt(player)
    many = consumer.NEWS + 60
    async with at(table, unread=1) as slow, at(table) as other:
        await other.told("snapshot")
        for _ in range(many):
            await other.ask(type="pause", paused=True)
        while (await other.told())["v"] < many:
            pass
        seen = [(await slow.told("snapshot"))["v"]]
        while seen[-1] < many:
            seen.append((await slow.told("state"))["v"])
    assert seen == sorted(set(seen))
    assert len(seen) < 10


@live
async def test_a_transport_that_is_full_holds_its_room_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[int] = []
    monkeypatch.setattr(server.Socket, "serverClose", lambda _, code: closed.append(code))
    transport = server.Socket.__new__(server.Socket)
    transport.free = asyncio.Event()
    transport.resumeProducing()
    await transport.drained()
    transport.pauseProducing()
    waiting = asyncio.create_task(transport.drained())
    await asyncio.sleep(0)
    assert not waiting.done()
    transport.resumeProducing()
    await waiting
    assert closed == []
    monkeypatch.setattr(server, "STUCK_S", 0.01)
    transport.pauseProducing()
    await transport.drained()
    assert closed == [4410]


@live
async def test_whoever_says_nothing_is_closed(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "SILENCE_S", 0.2)
    table = await dealt(player)
    async with at(table) as socket:
        assert await socket.closed() == 4408


@live
async def test_a_database_that_goes_away_is_waited_for(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "RETRY_S", 0.01)
    table = await dealt(player)
    failures = [1, 2, 3]

    def fail_thrice(*_: Any) -> Any:
        if failures:
            failures.pop()
            raise OperationalError
        return own_game(table.id, player_of(table))

    monkeypatch.setattr("game.live.game.own_game", fail_thrice)
    async with at(table) as socket:
        await socket.told("snapshot")
        assert failures == []
        failures.append(1)
        await elsewhere(lambda: table.play("d"))
        assert (await socket.told("state"))["v"] == 1
    assert failures == []


@live
async def test_a_fault_in_a_room_is_answered_and_logged(
    player: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(GameRoom, "change", fail)
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="undo", client_move_id="one")
        problem = await socket.told()
    assert (problem["status"], problem["code"]) == (500, "server_error")
    assert problem["client_move_id"] == "one"
    assert "ZeroDivisionError" not in str(problem)
    assert "ZeroDivisionError" in caplog.text


@live
async def test_a_room_that_cannot_be_shown_is_closed(
    player: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Room) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(GameRoom, "snapshot", fail)
    table = await dealt(player)
    async with at(table) as socket:
        assert await socket.closed() == 1011
    assert "ZeroDivisionError" in caplog.text


@live
async def test_a_repeated_change_does_not_take_the_room_back(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        for asked in ("one", "two", "one"):
            await socket.ask(type="move", action="draw", client_move_id=asked)
        assert [(await socket.told())["v"] for _ in range(3)] == [1, 2, 1]
        await elsewhere(lambda: table.play("d"))
        assert (await socket.told())["v"] == 3
    assert await elsewhere(LogEntry.objects.count) == 3


@live
async def test_a_socket_that_has_gone_leaves_nothing_behind(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        assert f"game.{table.id}" in hub().listeners
        assert len(consumer.SOCKETS) == 1
    assert f"game.{table.id}" not in hub().listeners
    assert not consumer.SOCKETS
