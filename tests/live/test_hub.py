"""A hub beside a channel layer that fails."""

import asyncio
from typing import Any

import pytest

from pyramid_site import hub
from pyramid_site.hub import Hub, News
from tests.live.socket import live


class Layer:
    """Refuses the first who want into a group."""

    def __init__(self, refused: int) -> None:
        self.refused = refused
        self.groups: set[str] = set()

    async def new_channel(self) -> str:
        return "mine"

    async def receive(self, _channel: str) -> Any:
        await asyncio.Event().wait()

    async def group_add(self, group: str, _channel: str) -> None:
        if self.refused:
            self.refused -= 1
            raise ConnectionError
        self.groups.add(group)

    async def group_discard(self, group: str, _channel: str) -> None:
        self.groups.discard(group)


class Silent:
    def hear(self, news: News) -> None:
        pass


@live
async def test_a_group_that_the_layer_does_not_take_is_tried_again_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    layer = Layer(refused=3)
    settings.REDIS_URL = "redis://away"
    monkeypatch.setattr(hub, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hub, "RETRY_S", 0.001)
    process, listener = Hub(asyncio.get_running_loop()), Silent()
    await process.join("game.1", listener)
    while not layer.groups:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)  # what is done is cleared away
    assert process.tasks.keys() == {"receive"}
    await process.leave("game.1", listener)
    assert (layer.groups, process.joined, process.listeners) == (set(), set(), {})
    process.tasks["receive"].cancel()
