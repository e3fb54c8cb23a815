"""Daphne, less what it does for each request that Django does again or that nobody reads; with
sockets that hold back for a slow reader, and an end that cuts nobody off."""

import asyncio
import gc
import logging
import os
import signal
import time
from io import BytesIO
from typing import Any
from weakref import WeakSet

import daphne.server  # first: it installs Twisted's asyncio reactor
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet import reactor, tcp

logger = logging.getLogger(__name__)

FRAME_LIMIT = 16 * 1024  # bytes of one that comes in
FRAMES = 200  # that wait to be read by their room
STUCK_S = 10.0  # until a reader that takes nothing is let go
CLOSE_S = 5.0  # for a client to answer that it is closed
DRAIN_S = 10.0  # for requests that run when the server is to end
SIGNALS = (signal.SIGTERM, signal.SIGINT)

# WebSocket closing codes
NORMAL, TOO_MANY, SLOW, GOING_DOWN = 1000, 1008, 4410, 4503


class Connection(tcp.Server):
    """Sends what is to be sent without first having the system say that it may: it hardly ever may
    not. After each such question the event loop would wait for the interpreter's lock."""

    _is_sent_soon = False
    _is_watched = False  # until the system takes more
    _host: Any = None

    def getHost(self) -> Any:  # noqa: N802  Twisted's name
        """Does not change; Twisted asks the system for each request."""
        if self._host is None:
            self._host = super().getHost()
        return self._host

    def startWriting(self) -> None:  # noqa: N802  Twisted's name
        if not (self._is_sent_soon or self._is_watched):
            self._is_sent_soon = True
            self.reactor._asyncioEventloop.call_soon(self._send)

    def stopWriting(self) -> None:  # noqa: N802  Twisted's name
        if self._is_watched:
            self._is_watched = False
            super().stopWriting()

    def _send(self) -> None:
        self._is_sent_soon = False
        if self.fileno() == -1:
            return  # lost meanwhile
        self.reactor._readOrWrite(self, False)
        if self.fileno() != -1 and (self.dataBuffer or self._tempDataBuffer):
            self._is_watched = True
            super().startWriting()


class Request(WebRequest):
    """Keeps of a body at most one byte more than is allowed: enough to be refused for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Twisted would read forms in the event loop, and look closely at any content type to see
        # whether it is one; Django reads them.
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)
        if self.server.ends:
            self.be_the_last()

    def gotLength(self, length: int | None) -> None:  # noqa: N802  Twisted's name
        self.content = BytesIO()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        room = settings.REQUEST_BODY_LIMIT + 1 - self.content.tell()
        self.content.write(data[:room])

    def be_the_last(self) -> None:
        """Its connection is closed behind the answer."""
        if getattr(self, "channel", None) is None:
            return  # its client has left
        self.responseHeaders.setRawHeaders(b"connection", [b"close"])
        self.channel.persistent = False


class Factory(HTTPFactory):
    def __init__(self, server: "Server") -> None:
        super().__init__(server)
        self.connections: WeakSet[Any] = WeakSet()

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802  Twisted's name
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        self.connections.add(protocol)
        return protocol

    def log(self, request: Any) -> None:
        """Twisted's own access log, whose lines daphne throws away."""

    def close_idle(self) -> None:
        """Connections that are kept for a next request."""
        for connection in tuple(self.connections):
            channel = connection._channel
            if not channel.requests and channel.transport is not None:
                channel.loseConnection()


class Socket(WebSocketProtocol):
    """Lets its room wait while the reader does not keep up: what has been sent but not taken is at
    most what the transport holds, and one frame for each who waits."""

    def onConnect(self, request: Any) -> Any:  # noqa: N802  Autobahn's name
        self.free = asyncio.Event()
        self.free.set()
        self.transport.unregisterProducer()  # the HTTP channel that this was
        self.transport.registerProducer(self, True)
        return super().onConnect(request)

    def pauseProducing(self) -> None:  # noqa: N802  Twisted's name
        self.free.clear()

    def resumeProducing(self) -> None:  # noqa: N802  Twisted's name
        self.free.set()

    def stopProducing(self) -> None:  # noqa: N802  Twisted's name
        self.free.set()

    async def drained(self) -> None:
        """Closes the socket where that takes too long."""
        if self.free.is_set():
            return
        try:
            async with asyncio.timeout(STUCK_S):
                await self.free.wait()
        except TimeoutError:
            self.serverClose(code=SLOW)
            self.free.set()

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: N802  Daphne's name
        """Nothing more once either side closes, which the room has yet to hear of."""
        if self.state in (self.STATE_CONNECTING, self.STATE_OPEN):
            super().serverSend(content, binary)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802  Daphne's name
        """Also with the protocol's own codes, which Autobahn keeps back for itself."""
        self.sendCloseFrame(code=code or NORMAL, isReply=False)

    def be_the_last(self) -> None:
        """Its client is to come back, to whoever is there then."""
        self.handle_reply({"type": "websocket.close", "code": GOING_DOWN})

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803  Autobahn's
        if self.application_queue.qsize() < FRAMES:
            super().onMessage(payload, isBinary)
        else:
            self.serverClose(code=TOO_MANY)


class SocketFactory(WebSocketFactory):
    protocol = Socket

    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802  Autobahn's name
        """Of a frame that is too large or is none the client is told by the closing code, and has
        time to answer."""
        super().setProtocolOptions(failByDrop=False, closeHandshakeTimeout=CLOSE_S, **options)


tcp.Port.transport = Connection
# Daphne has no settings for them.
daphne.server.HTTPFactory = Factory
daphne.server.WebSocketFactory = SocketFactory


class Server(daphne.server.Server):
    """Ends by SIGTERM or SIGINT: takes no new connections, answers the requests that run, and
    closes the sockets with a code that has them come back. By a second one it ends at once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            signal_handlers=False,
            websocket_max_message_size=FRAME_LIMIT,
            websocket_max_frame_size=FRAME_LIMIT,
            **options,
        )
        self.ports: list[Any] = []
        self.ends: asyncio.Task[None] | None = None

    def run(self) -> None:
        _spare_the_collector()
        for number in SIGNALS:
            self._loop.add_signal_handler(number, self._end, number)
        super().run()

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports.append(port)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if message["type"] == "websocket.send":
            await protocol.drained()

    def _end(self, number: int) -> None:
        if self.ends is None:
            self.ends = self._loop.create_task(self._drain())
        else:
            self._loop.remove_signal_handler(number)
            os.kill(os.getpid(), number)

    async def _drain(self) -> None:
        deadline = time.monotonic() + DRAIN_S
        try:
            for port in self.ports:
                port.stopListening()
            self.http_factory.close_idle()
            for protocol in self._busy():
                protocol.be_the_last()
            while self._busy() and time.monotonic() < deadline:
                await asyncio.sleep(0.02)
        except Exception:
            logger.exception("The server could not end as it should")
        self.stop()

    def _busy(self) -> list[Any]:
        """Requests that have begun to come in and are not answered; sockets that are not closed."""
        return [
            protocol
            for protocol, details in self.connections.items()
            if "disconnected" not in details or _is_running(details.get("application_instance"))
        ]

    @property
    def _loop(self) -> Any:
        return reactor._asyncioEventloop


def _is_running(application: Any) -> bool:
    return application is not None and not application.done()


def _spare_the_collector() -> None:
    """What is loaded now stays for good: the collector need not walk through it again and again.

    A request leaves few cycles behind, so that it need not look every 700 objects either.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
