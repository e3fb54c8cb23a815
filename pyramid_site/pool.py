"""HTTP in a bounded pool of threads, inside the same process as the sockets.

Django's ASGI handler starts a thread for every request, about a millisecond of work, without any
bound. This hands each request to its WSGI handler in one hop instead. Requests and answers are
whole: the bodies of this project are small, and of one over the limit nothing is kept. Only an
answer that says it is `streaming`, and not how long it is, goes out as it comes.
"""

import asyncio
import logging
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from wsgiref.types import WSGIApplication

from pyramid_site.connections import giving_back, keeping

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Tell = Callable[[MutableMapping[str, Any]], None]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

PATIENCE_S = 30  # until the event loop has taken a piece of an answer

logger = logging.getLogger(__name__)

CHARSET = re.compile(r";\s*charset\b.*", re.IGNORECASE | re.DOTALL)  # and what follows it


class PooledHTTP:
    """An ASGI application for HTTP over a WSGI one.

    `threads`: how many requests run at once. `slow`: the paths of those that may wait for seconds;
    they have `slow_threads` of their own, so that the others never wait behind them. `body_limit`:
    bytes. `too_large`: answers in place of the application when a body is longer; `fault`: when
    the application raises.
    """

    def __init__(
        self,
        application: WSGIApplication,
        *,
        threads: int,
        slow: re.Pattern[str],
        slow_threads: int,
        body_limit: int,
        too_large: WSGIApplication,
        fault: WSGIApplication,
    ) -> None:
        self.application = application
        self.too_large = too_large
        self.fault = fault
        self.body_limit = body_limit
        self.slow = slow
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="http")
        self.slow_pool = ThreadPoolExecutor(slow_threads, thread_name_prefix="http-slow")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._body(receive)
        except Gone:
            return
        environ = _environ(scope, body or b"")
        is_slow = self.slow.fullmatch(scope["path"])
        pool, run = (self.slow_pool, giving_back) if is_slow else (self.pool, keeping)
        application = self.too_large if body is None else self.application
        loop = asyncio.get_running_loop()

        async def sent(message: MutableMapping[str, Any]) -> None:
            await send(message)

        def tell(message: MutableMapping[str, Any]) -> None:
            asyncio.run_coroutine_threadsafe(sent(message), loop).result(PATIENCE_S)

        answer = await loop.run_in_executor(pool, run, self._answer, application, environ, tell)
        if answer is None:
            return
        status, headers, content = answer
        if scope["method"] == "HEAD":
            content = b""
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body, None when it is over the limit. Raises `Gone`."""
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone()
            chunk = message.get("body", b"")
            size += len(chunk)
            if size <= self.body_limit:
                chunks.append(chunk)
            else:
                chunks.clear()
            if not message.get("more_body", False):
                return b"".join(chunks) if size <= self.body_limit else None

    def _answer(
        self, application: WSGIApplication, environ: dict[str, Any], tell: Tell
    ) -> Answer | None:
        """None: the answer has been told already."""
        try:
            return _answer(application, environ, tell)
        except Exception:
            logger.exception("%(REQUEST_METHOD)s %(PATH_INFO)s was not answered", environ)
            return _answer(self.fault, environ, tell)


class Gone(Exception):
    """The client left before its request was whole."""


def _answer(application: WSGIApplication, environ: dict[str, Any], tell: Tell) -> Answer | None:
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> Any:
        encoded = [
            (name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in headers
        ]
        started[:] = [int(status[:3]), encoded]
        return _no_writing

    chunks: Iterable[bytes] = application(environ, start_response)
    try:
        if getattr(chunks, "streaming", False) and b"content-length" not in dict(started[1]):
            _stream(chunks, started[0], started[1], environ, tell)
            return None
        content = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = started
    return status, headers, content


def _stream(
    chunks: Iterable[bytes],
    status: int,
    headers: list[tuple[bytes, bytes]],
    environ: dict[str, Any],
    tell: Tell,
) -> None:
    """Tells the answer piece by piece. One that fails on the way ends there: its status is out."""
    tell({"type": "http.response.start", "status": status, "headers": headers})
    try:
        for chunk in chunks if environ["REQUEST_METHOD"] != "HEAD" else ():
            tell({"type": "http.response.body", "body": chunk, "more_body": True})
    except Exception:
        logger.exception("%(REQUEST_METHOD)s %(PATH_INFO)s was not answered to its end", environ)
    tell({"type": "http.response.body", "body": b""})


def _no_writing(_: bytes) -> None:
    """PEP 3333's old way to answer, which Django does not use."""
    raise NotImplementedError


def _environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """PEP 3333's view of an ASGI scope."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, text in scope["headers"]:
        if b"_" in name:
            continue  # it would pass for the one with a hyphen
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        joint = "; " if key == "HTTP_COOKIE" else ","
        value = text.decode("latin-1")
        if key == "CONTENT_TYPE":
            value = _in_utf8(value)
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def _in_utf8(content_type: str) -> str:
    """The content type without any charset: everything here is UTF-8, and Django would decode the
    address itself by whatever codec a caller names."""
    return CHARSET.sub("", content_type)
