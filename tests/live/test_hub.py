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


class Stuck(Layer):
    """Does not answer the first who wants into a group."""

    def __init__(self) -> None:
        super().__init__(refused=0)
        self.asked = 0

    async def group_add(self, group: str, channel: str) -> None:
        self.asked += 1
        if self.asked == 1:
            await asyncio.Event().wait()
        await super().group_add(group, channel)


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


@live
async def test_only_the_first_waits_for_a_layer_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    layer = Stuck()
    settings.REDIS_URL = "redis://away"
    monkeypatch.setattr(hub, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hub, "PATIENCE_S", 0.01)
    monkeypatch.setattr(hub, "RETRY_S", 0.5)
    process = Hub(asyncio.get_running_loop())
    process.channel = "mine"
    groups = {f"game.{number}" for number in range(20)}
    await asyncio.gather(*[process.join(group, Silent()) for group in groups])
    assert layer.asked == 1
    while layer.groups != groups:
        await asyncio.sleep(0.01)
    process.tasks["receive"].cancel()
