"""Daphne, less what it does for each request that Django does again or that nobody reads."""

import gc
from io import BytesIO
from typing import Any

import daphne.server  # first: it installs Twisted's asyncio reactor
from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings


class Request(WebRequest):
    """Keeps of a body at most one byte more than is allowed: enough to be refused for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Twisted would read forms in the event loop, and look closely at any content type to see
        # whether it is one; Django reads them.
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

    def gotLength(self, length: int | None) -> None:  # noqa: N802  Twisted's name
        self.content = BytesIO()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        room = settings.REQUEST_BODY_LIMIT + 1 - self.content.tell()
        self.content.write(data[:room])


class Factory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802  Twisted's name
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol

    def log(self, request: Any) -> None:
        """Twisted's own access log, whose lines daphne throws away."""


daphne.server.HTTPFactory = Factory  # daphne has no setting for it


class Server(daphne.server.Server):
    def run(self) -> None:
        _spare_the_collector()
        super().run()


def _spare_the_collector() -> None:
    """What is loaded now stays for good: the collector need not walk through it again and again.

    A request leaves few cycles behind, so that it need not look every 700 objects either.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
