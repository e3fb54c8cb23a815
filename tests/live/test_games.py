"""The room of a game."""

import pytest

from tests.caller import Caller
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


@live
async def test_a_game_is_shown_at_once(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        frame = await socket.told()
    assert frame["type"] == "snapshot"
    assert frame["v"] == 0
    assert frame["state"]["id"] == table.id


@live
async def test_another_door_s_move_is_seen(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: table.play("d"))
        frame = await socket.told()
    assert (frame["type"], frame["v"], frame["state"]["version"]) == ("state", 1, 1)
    assert frame["state"]["waste"]["count"] == 1
