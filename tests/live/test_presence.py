"""The clock of a casual game stands still while nobody is at its table."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from game.live import game
from game.live.presence import mind_games
from game.models import Game, Kind, Presence
from tests.caller import Caller, Table
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


async def a_running_game(player: Caller) -> Table:
    table = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: table.play("d"))
    return table


def pass_s(seconds: float) -> None:
    """As if all had been seen so much earlier."""
    for presence in Presence.objects.all():
        presence.seen_at -= timedelta(seconds=seconds)
        presence.save()


async def left(seconds: float) -> None:
    await elsewhere(lambda: pass_s(seconds))
    await elsewhere(mind_games)


@live
async def test_the_clock_stands_still_once_the_player_has_been_away_for_a_while(
    player: Caller,
) -> None:
    table = await a_running_game(player)
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(mind_games)
    await left(7)
    assert (await elsewhere(table.state))["running"]
    await left(2)
    assert not (await elsewhere(table.state))["running"]
    assert [entry["type"] for entry in await elsewhere(table.log)] == ["move", "pause"]


@live
async def test_it_is_stopped_once_for_each_time(player: Caller) -> None:
    table = await a_running_game(player)
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(mind_games)
    await left(9)
    await elsewhere(lambda: table.play("d"))  # by REST, without a socket
    await left(9)
    assert (await elsewhere(table.state))["running"]


@live
async def test_another_tab_keeps_it_running(player: Caller) -> None:
    table = await a_running_game(player)
    room = f"games/{table.id}/"
    async with Socket(room, token=player.token) as socket:
        await socket.told("snapshot")
        async with Socket(room, token=player.token) as other:
            await other.told("snapshot")
            await elsewhere(mind_games)
        await socket.ask(type="ping")
        await socket.told("pong")
        await left(9)
        assert (await elsewhere(table.state))["running"]


@live
async def test_a_socket_that_says_nothing_does_not(player: Caller) -> None:
    table = await a_running_game(player)
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(mind_games)
        await left(9)
        frame = await socket.told()
    assert (frame["type"], frame["state"]["running"]) == ("state", False)


@live
async def test_a_game_that_is_played_without_a_socket_is_left_alone(player: Caller) -> None:
    table = await a_running_game(player)
    await left(9)
    assert (await elsewhere(table.state))["running"]


@live
async def test_a_clock_that_stands_still_already_gets_no_entry(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(mind_games)
    await left(9)
    assert await elsewhere(table.log) == []


@live
async def test_the_clock_of_a_race_is_never_stopped(player: Caller) -> None:
    table = await a_running_game(player)
    await elsewhere(lambda: Game.objects.update(kind=Kind.RACE))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(mind_games)
    await left(9)
    assert await elsewhere(Presence.objects.count) == 0
    assert (await elsewhere(table.state))["version"] == 1


@live
async def test_who_has_not_been_let_in_is_at_no_table(
    player: Caller, stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another's clock would be stopped, once they are away from there again."""
    table = await a_running_game(player)

    def fail(*_: Any) -> Any:
        raise OperationalError

    with monkeypatch.context() as away:
        away.setattr(game, "own_game", fail)  # so that the socket still waits to be let in
        async with Socket(f"games/{table.id}/", token=stranger.token) as socket:
            await socket.ask(type="ping")
            await socket.told("pong")
            await elsewhere(mind_games)
    assert await elsewhere(Presence.objects.count) == 0
