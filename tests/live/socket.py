"""A socket inside the test's own process, and a test as a coroutine beside it."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar
from unittest.mock import patch

from channels.testing import WebsocketCommunicator

from pyramid_site.asgi import application
from pyramid_site.connections import giving_back
from pyramid_site.offload import offload

Frame = dict[str, Any]
T = TypeVar("T")
PATIENCE_S = 10.0


class Closed(Exception):
    """The server has closed the socket. `code`: why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """`async with Socket("games/…/", token=…) as socket`"""

    def __init__(
        self,
        room: str,
        *,
        token: str | None = None,
        headers: dict[str, str] | None = None,
        unread: int = 0,
    ) -> None:
        """`unread`: how many frames may wait to be read before the server has to; 0: any."""
        sent = {"host": "localhost", **(headers or {})}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        encoded = [(name.encode(), text.encode("latin-1")) for name, text in sent.items()]
        self.wire = WebsocketCommunicator(application, f"/ws/v1/{room}", encoded)
        self.wire._output_queue = asyncio.Queue(maxsize=unread)

    async def __aenter__(self) -> "Socket":
        accepted, _ = await self.wire.connect(PATIENCE_S)
        assert accepted
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if not self.wire.future.done():
            await self.wire.disconnect(timeout=PATIENCE_S)

    async def told(self, *types: str) -> Frame:
        """The next frame, or the next of these types. Raises `Closed`."""
        while True:
            message = await self.wire.receive_output(PATIENCE_S)
            if message["type"] == "websocket.close":
                raise Closed(message["code"])
            frame: Frame = json.loads(message["text"])
            if not types or frame["type"] in types:
                return frame

    async def ask(self, **frame: Any) -> None:
        await self.say(json.dumps(frame))

    async def say(self, content: str | bytes) -> None:
        """A frame as raw as it comes."""
        if isinstance(content, str):
            await self.wire.send_to(text_data=content)
        else:
            await self.wire.send_to(bytes_data=content)

    async def closed(self) -> int:
        """The code that the server closes with; what it says before that is passed over."""
        try:
            while True:
                await self.told()
        except Closed as closed:
            return closed.code


def live(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs a coroutine as a test, in an event loop of its own. No thread keeps a connection beyond
    the test: the database could not be dropped."""
    import functools

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        with patch("pyramid_site.offload.keeping", giving_back):
            asyncio.run(asyncio.wait_for(test(*args, **kwargs), 60))

    return run


async def elsewhere(work: Callable[[], T]) -> T:
    """Calls the API or the database as another thread does."""
    return await offload(work)
