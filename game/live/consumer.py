"""A socket in a room: what all rooms do alike.

A room is one thing in the database, with a version, and a group of those who look at it. A socket
enters by joining the group first and reading the database then, so that nothing falls between the
two. From there on it passes on what the group is told, as long as each version follows the last;
whatever is missing it reads from the database. So news may be lost, doubled or late.

A room is a subclass: it says who may enter, what there is to see and what may be asked. All that
it does for that runs in a thread, where it may use the database.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer
from django.conf import settings
from django.db import DatabaseError, IntegrityError
from django.utils import timezone
from django.utils.translation import override
from rest_framework.exceptions import ErrorDetail, ParseError, ValidationError

from game.errors import StaleVersion
from game.live.allowance import Allowance
from game.live.frames import Close
from game.live.refusal import refuse
from game.presentation import instant, state
from game.rules.errors import RuleError
from pyramid_site.hub import News, hub, warn
from pyramid_site.offload import offload, offload_long
from pyramid_site.parsers import read_json
from pyramid_site.pool import Receive, Send
from pyramid_site.problem import has_gone, problem_body, problem_of

logger = logging.getLogger(__name__)

Frame = dict[str, Any]

SILENCE_S = 30.0  # after which a socket is closed
NEWS = 100  # that wait for a socket; above that it reads the database instead
ASKED = 16  # frames of its client that wait; above that they are not read
NOTHING_SEEN = -1  # a version before all others
RETRY_S = 1.0  # until a database that is away is asked again


class Room(AsyncConsumer):
    """One socket: a Channels consumer that takes its news from the process's hub instead of a
    channel of its own, so that it can pass over what it knows.

    Subclasses give the room; `self.player`, `self.args` (of its address) and `self.version` (of
    the last frame sent) are theirs to read.
    """

    kind: ClassVar[str]  # in `game.live.frames.ROOMS`
    open_to_all: ClassVar[bool] = False  # also to whoever is not logged in
    asked: ClassVar[Mapping[str, str]] = {}  # type of a client's frame -> the method for it

    @property
    def key(self) -> Any:
        """Which room of its kind."""
        raise NotImplementedError

    @property
    def group(self) -> str:
        """What its news are told to."""
        raise NotImplementedError

    # In a thread

    def enter(self) -> None:
        """Is called before anything is read; again where the database went away over that. Raises
        a `RuleError` of status 404 or the like where this player may not look."""

    def snapshot(self) -> Frame:
        """All there is to see now."""
        raise NotImplementedError

    def events_since(self, version: int) -> Sequence[Frame] | None:
        """The frames of what came after that version, oldest first; None where that cannot be said
        any more, or there never was such a version."""
        return None

    def takes_long(self, frame: Frame) -> bool:
        """Whether the answer to this frame may have to wait for the solver."""
        return False

    @classmethod
    def versions(cls, keys: Collection[Any]) -> Mapping[Any, int]:
        """As the database has them. A key that is missing there is of a room that has gone."""
        return dict.fromkeys(keys, 0)

    # In the event loop

    def passed_on(self, news: News) -> str | None:
        """What this socket is sent of the news of the next version; None: what it finds in the
        database, and nothing of news without a version."""
        return news.text

    @property
    def further_groups(self) -> Collection[str]:
        """What else it hears the news of, once it has entered."""
        return ()

    def hear(self, news: News) -> None:
        """The hub's way to say something."""
        if len(self.news) < NEWS:
            self.news.append(news)
        else:
            self.behind = True
        self.woken.set()

    def hear_of(self, version: int) -> None:
        """The room has come to this version, whatever was told of it."""
        if version > self.version:
            self.behind = True
            self.woken.set()

    def close(self, code: Close) -> None:
        if not self.closed.done():
            self.closed.set_result(code)

    # From any thread

    def hear_of_soon(self, version: int) -> None:
        """As `hear_of`; nothing where the socket has seen that version."""
        if version > self.version:
            self._soon(self.hear_of, version)

    def close_soon(self, code: Close) -> None:
        self._soon(self.close, code)

    def _soon(self, what: Callable[..., None], *args: Any) -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile
            self.loop.call_soon_threadsafe(what, *args)

    @property
    def silent_s(self) -> float:
        """For how long nothing has come in."""
        return time.monotonic() - self.heard_at

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Channels makes a consumer for each socket, and calls it once."""
        self._begin(scope, receive, send)
        await self._open()

    def _begin(self, scope: Any, receive: Receive, send: Send) -> None:
        self.scope, self.receive, self.send_message = scope, receive, send
        self.player, self.language = scope["user"], scope["language"]
        self.counted_as: str = scope["counted_as"]
        self.session: str = scope["session"]  # its key; empty: there is none
        self.args: dict[str, Any] = scope["url_route"]["kwargs"]
        self.loop = asyncio.get_running_loop()
        self.hub = hub()
        self.version = _version_asked_for(scope["query_string"])
        self.has_entered = False
        self.groups: list[str] = []
        self.news: deque[News] = deque()
        self.questions: deque[Frame] = deque()
        self.room_for_questions = asyncio.Semaphore(ASKED)
        self.behind = False
        self.woken = asyncio.Event()
        self.closed: asyncio.Future[Close | None] = self.loop.create_future()
        self.heard_at = time.monotonic()
        self.allowance = Allowance()

    async def _open(self) -> None:
        if not (self.player.is_authenticated or self.open_to_all):
            await refuse(self.receive, self.send_message, Close.NO_SESSION)
            return
        if self._has_too_many():
            await refuse(self.receive, self.send_message, Close.TOO_MANY)
            return
        await self.receive()
        await self.send_message({"type": "websocket.accept"})
        await self._stay()

    def _has_too_many(self) -> bool:
        """Whether the player, or the network of one who is nobody, has as many sockets at this
        process as one may have."""
        most = settings.SOCKETS_AT_ONCE
        return most is not None and most <= sum(
            each.counted_as == self.counted_as for each in SOCKETS
        )

    async def _stay(self) -> None:
        """Until either side closes."""
        self.silence = self.loop.call_later(SILENCE_S, self._mind_silence)
        SOCKETS.add(self)
        tasks = [self.loop.create_task(work()) for work in (self._listen, self._serve)]
        for task in tasks:
            task.add_done_callback(self._end)
        try:
            code = await self.closed
            if code is not None:
                await self.send_message({"type": "websocket.close", "code": int(code)})
        finally:
            self.silence.cancel()
            SOCKETS.discard(self)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for group in self.groups:
                await self.hub.leave(group, self)

    def _end(self, task: "asyncio.Task[None]") -> None:
        """Of one of the two tasks: the client has gone, or something has failed."""
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            logger.error("%s %s failed", type(self).__name__, self.args, exc_info=fault)
        if not self.closed.done():
            self.closed.set_result(None if fault is None else Close.FAULT)

    def _mind_silence(self) -> None:
        left = SILENCE_S - self.silent_s
        if left <= 0:
            self.close(Close.SILENT)
        else:
            self.silence = self.loop.call_later(left, self._mind_silence)

    # What comes in

    async def _listen(self) -> None:
        while True:
            message = await self.receive()
            if message["type"] == "websocket.disconnect":
                return
            self.heard_at = time.monotonic()
            text = message.get("text")
            if not self.allowance.take(self.heard_at):
                self.close(Close.TOO_MANY)
                return
            if text is None:
                self.close(Close.BINARY)
                return
            await self._take(text)

    async def _take(self, text: str) -> None:
        """Answers a ping at once; other frames wait for their turn."""
        try:
            frame = _frame(text, self.asked)
        except (ParseError, ValidationError) as error:
            with override(self.language):
                await self._send(self._problem(error, {}))
            return
        if frame["type"] == "ping":
            await self._send(self._pong(frame))
            return
        await self.room_for_questions.acquire()
        self.questions.append(frame)
        self.woken.set()

    def _pong(self, ping: Frame) -> Frame:
        now = instant(timezone.now())
        return {"type": "pong", "v": max(0, self.version), "t": ping.get("t"), "server_now": now}

    # What goes out, one after the other

    async def _serve(self) -> None:
        await self._join(self.group)
        await self._catch_up()
        while True:
            await self.woken.wait()
            self.woken.clear()
            while self.behind or self.news or self.questions:
                if self.behind:
                    await self._catch_up()
                elif self.news:
                    await self._pass_on(self.news.popleft())
                else:
                    await self._answer(self.questions.popleft())
                    self.room_for_questions.release()

    async def _pass_on(self, news: News) -> None:
        if not news.version:
            text = self.passed_on(news)
            if text is not None:
                await self._send_text(text)
        elif news.version > self.version:
            follows = news.version == self.version + 1
            text = self.passed_on(news) if follows else None
            if text is None:
                await self._catch_up()
            else:
                self.version = news.version
                await self._send_text(text)

    async def _catch_up(self) -> None:
        """Sends what the database has beyond the last frame."""
        self.behind = False
        try:
            frames = await self.database(self._missed, self.version)
        except RuleError:
            self.close(Close.NO_ROOM)
            return
        except DatabaseError as error:
            warn("The database does not answer; sockets wait for it: %r", error)
            await asyncio.sleep(RETRY_S)
            self.behind = True
            self.woken.set()
            return
        for group in self.further_groups:
            await self._join(group)
        for frame in frames:
            self.version = frame["v"]
            await self._send(frame)

    async def _join(self, group: str) -> None:
        """Hears what is told to the group, until the socket is closed."""
        if group not in self.groups:
            self.groups.append(group)
            await self.hub.join(group, self)

    def _missed(self, version: int) -> Sequence[Frame]:
        if not self.has_entered:
            self.enter()
        frames = None if version == NOTHING_SEEN else self.events_since(version)
        if frames is None:
            frames = [self.snapshot()]
        self.has_entered = True
        return frames

    async def _answer(self, frame: Frame) -> None:
        work = partial(self._in_language, getattr(self, self.asked[frame["type"]]), frame)
        try:
            answers = await (offload_long if self.takes_long(frame) else offload)(work)
        except Exception as error:
            answers = [await self.database(self._problem, error, frame)]
        for answer in answers or ():
            self.version = max(self.version, answer["v"])
            await self._send(answer)

    def _problem(self, error: Exception, asked: Frame) -> Frame:
        """The frame that says what stands against it, in the reader's language."""
        body = problem_of(error)
        if isinstance(error, IntegrityError) and has_gone(self.player):
            body = problem_body("authentication_failed")
        if body is None:
            logger.error("%s was not answered", asked.get("type"), exc_info=error)
            body = problem_body("server_error")
        del body["type"]
        frame = {"type": "problem", "v": max(0, self.version), **body}
        if isinstance(asked.get("client_move_id"), str):
            frame["client_move_id"] = asked["client_move_id"]
        if isinstance(error, StaleVersion):
            frame["state"] = state(error.view)
        return frame

    async def database(self, work: Callable[..., Any], *args: Any) -> Any:
        """What the work answers, which is done in a thread, in the reader's language."""
        return await offload(self._in_language, work, *args)

    def _in_language(self, work: Callable[..., Any], *args: Any) -> Any:
        with override(self.language):
            return work(*args)

    async def _send(self, frame: Frame) -> None:
        await self._send_text(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))

    async def _send_text(self, text: str) -> None:
        await self.send_message({"type": "websocket.send", "text": text})


SOCKETS: set[Room] = set()  # of this process; to be looked at from any thread by a copy


def _frame(text: str, asked: Mapping[str, str]) -> Frame:
    """Raises `ParseError`, or `ValidationError` for what is no frame of these types."""
    frame = read_json(text)
    if not isinstance(frame, dict):
        raise ValidationError(code="invalid")
    if "type" not in frame:
        raise ValidationError({"type": [ErrorDetail("missing", "required")]})
    if frame["type"] not in ("ping", *asked):
        raise ValidationError({"type": [ErrorDetail("unknown", "invalid_choice")]})
    return frame


def _version_asked_for(query: bytes) -> int:
    """`?v=`: the last version that the client has seen; of what is no number, `NOTHING_SEEN`."""
    with suppress(ValueError, KeyError, UnicodeDecodeError):
        text = parse_qs(query.decode("ascii"))["v"][0]
        if text.isascii() and text.isdigit() and len(text) <= 16:  # 53 bits, as JavaScript has
            return int(text)
    return NOTHING_SEEN
