"""Who listens in this process, and how news reach them from here and from other processes.

A hub belongs to an event loop; a server has one. What is told in a process is heard there at once;
the channel layer takes it to the others, where there are others: that is, with Redis. Of that layer
a process uses one channel, which is in each group that somebody here listens to.

News may be lost, with Redis away or a process killed: they are hints, and whoever listens finds in
the database what is true.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol
from uuid import uuid4

from channels.layers import get_channel_layer
from django.conf import settings

logger = logging.getLogger(__name__)

WAITING = 1000  # news on their way to other processes; the oldest are dropped above that
PATIENCE_S = 2.0  # with the layer, for one of them
RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class News:
    """Something told to a group. `version`: of what it is about, 0 where nothing counts them."""

    group: str
    type: str
    version: int
    text: str  # all of it, as JSON

    @classmethod
    def of(cls, group: str, message: Mapping[str, Any]) -> "News":
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        return cls(group, message["type"], message.get("v", 0), text)

    @property
    def message(self) -> Any:
        return json.loads(self.text)


class Listener(Protocol):
    def hear(self, news: News) -> None:
        """Is called on the hub's loop; must neither wait nor raise."""


class Hub:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.name = uuid4().hex
        self.listeners: dict[str, set[Listener]] = {}
        self.channel: str | None = None  # of the layer, once there is one
        self.joined: set[str] = set()  # the groups that the channel is in
        self.joining = asyncio.Lock()
        self.waiting: deque[News] = deque(maxlen=WAITING)
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def is_heard(self, group: str) -> bool:
        """Whether anybody may listen, here or in another process. From any thread."""
        return group in self.listeners or bool(settings.REDIS_URL)

    def post(self, news: News) -> None:
        """From any thread. Raises `RuntimeError` when the loop has ended."""
        self.loop.call_soon_threadsafe(self._spread, news)

    async def join(self, group: str, listener: Listener) -> None:
        """From now on the listener hears what is told to the group."""
        self.listeners.setdefault(group, set()).add(listener)
        if settings.REDIS_URL:
            self._see_to("receive", self._receive)
            await self._settle(group)

    async def leave(self, group: str, listener: Listener) -> None:
        listeners = self.listeners.get(group, set())
        listeners.discard(listener)
        if not listeners:
            self.listeners.pop(group, None)
            if settings.REDIS_URL:
                await self._settle(group)

    def _spread(self, news: News) -> None:
        self._deliver(news)
        if settings.REDIS_URL:
            self.waiting.append(news)
            self._see_to("send", self._send)

    def _deliver(self, news: News) -> None:
        for listener in tuple(self.listeners.get(news.group, ())):
            listener.hear(news)

    def _see_to(self, name: str, work: Any) -> None:
        task = self.tasks.get(name)
        if task is None or task.done():
            task = self.tasks[name] = self.loop.create_task(work())
            task.add_done_callback(partial(self._forget, name))

    def _forget(self, name: str, task: "asyncio.Task[None]") -> None:
        if self.tasks.get(name) is task:
            del self.tasks[name]

    async def _send(self) -> None:
        while self.waiting:
            news = self.waiting.popleft()
            try:
                await send(news, self.name)
            except Exception as error:
                warn("News do not reach other processes: %r", error)

    async def _receive(self) -> None:
        layer: Any = get_channel_layer()
        while self.channel is None:
            try:
                self.channel = await layer.new_channel()
            except Exception as error:
                warn("News of other processes do not come in: %r", error)
                await asyncio.sleep(RETRY_S)
        for group in list(self.listeners):
            await self._settle(group)
        while True:
            told = await layer.receive(self.channel)
            if told["from"] != self.name:
                self._deliver(News(told["group"], told["kind"], told["version"], told["text"]))

    async def _settle(self, group: str) -> None:
        """Puts the channel into the group or takes it out, as somebody listens to it or nobody."""
        layer: Any = get_channel_layer()
        async with self.joining:
            wanted, is_in = group in self.listeners, group in self.joined
            if self.channel is None or wanted == is_in:
                return
            try:
                async with asyncio.timeout(PATIENCE_S):
                    if wanted:
                        await layer.group_add(group, self.channel)
                    else:
                        await layer.group_discard(group, self.channel)
            except Exception as error:
                warn("News of other processes do not come in: %r", error)
                self.loop.call_later(RETRY_S, self._see_to, group, lambda: self._settle(group))
                return
            if wanted:
                self.joined.add(group)
            else:
                self.joined.discard(group)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}
_last_warning = float("-inf")


def hub() -> Hub:
    """That of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for ended in [other for other in _hubs if other.is_closed()]:
            del _hubs[ended]
        _hubs[loop] = Hub(loop)
    return _hubs[loop]


def running_hub() -> Hub | None:
    """That of whichever loop runs in this process, from any thread."""
    return next((hub for loop, hub in list(_hubs.items()) if loop.is_running()), None)


async def send(news: News, sender: str) -> None:
    """To the hubs of all processes. Raises what the layer raises."""
    layer: Any = get_channel_layer()
    message = {
        "type": "news",
        "from": sender,
        "group": news.group,
        "kind": news.type,
        "version": news.version,
        "text": news.text,
    }
    async with asyncio.timeout(PATIENCE_S):
        await layer.group_send(news.group, message)


def warn(text: str, *args: Any) -> None:
    """At most every ten seconds: with Redis away there would be one for each move."""
    global _last_warning
    now = time.monotonic()
    if now - _last_warning >= 10:
        _last_warning = now
        logger.warning(text, *args)
