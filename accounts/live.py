"""Who is at a socket: a session, by `Authorization: Bearer <token>` or by the browser's cookie.

Never by the address, which ends up in logs. A page of another origin is not let in: a browser sends
the cookie along for any page.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest, parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain
from django.utils.translation import get_language_from_request

from accounts.language import language_of
from accounts.models import Session, User
from accounts.sessions import SessionStore
from accounts.tokens import session_of
from game.live.consumer import SOCKETS, Room
from game.live.duties import DUTIES
from game.live.frames import Close
from game.live.keeper import Duty
from game.live.refusal import refuse
from pyramid_site.broadcast import tell_on_commit
from pyramid_site.hub import News, hub, warn
from pyramid_site.offload import offload
from pyramid_site.pool import Receive, Scope, Send
from pyramid_site.throttling import RateLimit

SESSIONS = "sessions"  # the group that is told of those that end
CHECK_EVERY_S = 30.0

Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Visitor:
    """`counted_as`: to whom calls are counted, a player or a network. `session`: its key, which is
    the player's token. Empty: there is none."""

    player: User | AnonymousUser
    language: str
    counted_as: str
    session: str = ""


class Authenticated:
    """Adds to the scope who it is: `user`, `session`, `language` and `counted_as`, as in
    `Visitor`."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        if not _is_of_this_site(headers):
            await refuse(receive, send, Close.FORBIDDEN)
            return
        address = (scope.get("client") or ("", 0))[0]
        try:
            visitor = await offload(_visitor, headers, address)
        except DatabaseError as error:
            warn("The database does not answer; sockets are refused: %r", error)
            visitor = Close.FAULT
        if isinstance(visitor, Close):
            await refuse(receive, send, visitor)
            return
        await _keep_the_door()
        known = {
            "user": visitor.player,
            "language": visitor.language,
            "counted_as": visitor.counted_as,
            "session": visitor.session,
        }
        await self.application({**scope, **known}, receive, send)


def listen() -> None:
    """Sees to it that a socket ends with its session, by whatever door that is."""
    post_delete.connect(_session_ended, sender=Session)
    post_save.connect(_player_changed, sender=User)
    DUTIES.append(Duty(check_sessions, every_s=CHECK_EVERY_S))


def check_sessions() -> None:
    """Closes the sockets of this process whose sessions have ended: by their time, or unheard."""
    _check(list(SOCKETS))


class Doorkeeper:
    """Hears of sessions that end, for all sockets of a process."""

    def __init__(self) -> None:
        self.checks: set[asyncio.Task[None]] = set()

    def hear(self, news: News) -> None:
        told = news.message
        match news.type:
            case "ended":
                for socket in tuple(SOCKETS):
                    if _digest(socket.session) == told["session"]:
                        socket.close(Close.NO_SESSION)
            case "player":
                sockets = [each for each in tuple(SOCKETS) if each.player.pk == told["player"]]
                if sockets:
                    check = asyncio.create_task(offload(_check, sockets))
                    self.checks.add(check)
                    check.add_done_callback(self.checks.discard)


async def _keep_the_door() -> None:
    listening = hub()
    if SESSIONS not in listening.listeners:
        await listening.join(SESSIONS, Doorkeeper())


def _session_ended(instance: Session, **_: Any) -> None:
    tell_on_commit(SESSIONS, {"type": "ended", "session": _digest(instance.session_key)})


def _player_changed(instance: User, created: bool, **_: Any) -> None:
    """Another password ends sessions that it does not delete, and so does an account's end."""
    if not created:
        tell_on_commit(SESSIONS, {"type": "player", "player": instance.pk})


def _check(sockets: Collection[Room]) -> None:
    keys = {socket.session for socket in sockets} - {""}
    alive = SessionStore.alive(keys) if keys else set()
    for socket in sockets:
        if socket.session not in alive | {""}:
            socket.close_soon(Close.NO_SESSION)


def _digest(session_key: str) -> str:
    """Names a session without giving it away."""
    return sha256(f"session:{session_key}".encode()).hexdigest()


def _visitor(headers: dict[str, str], address: str) -> Visitor | Close:
    """Who sends no token is nobody, and may look where all may; or why there is no way in."""
    request = HttpRequest()
    request.META = {
        "HTTP_ACCEPT_LANGUAGE": headers.get("accept-language", ""),
        "HTTP_X_FORWARDED_FOR": headers.get("x-forwarded-for"),
        "REMOTE_ADDR": address,
    }
    request.COOKIES = parse_cookie(headers.get("cookie", ""))
    language = get_language_from_request(request)
    keyword, _, token = headers.get("authorization", "").partition(" ")
    by_token = keyword.lower() == "bearer"
    key = token.strip() if by_token else request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    session = session_of(key)
    player = None if session is None else session.player()
    request.user = player or AnonymousUser()
    limit = RateLimit()
    if not limit.allow(request, "read"):
        return Close.TOO_MANY
    counted_as = limit.counted_as(request)
    if session is None or player is None:
        return Close.NO_SESSION if by_token else Visitor(AnonymousUser(), language, counted_as)
    if by_token:
        _extend(session)
    else:
        language = language_of(player) or language  # as pages are
    return Visitor(player, language, counted_as, str(session.session_key))


def _extend(session: SessionStore) -> None:
    if session.modified:
        session.extend()


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]}


def _is_of_this_site(headers: dict[str, str]) -> bool:
    """Whether the socket was opened by a page of ours, or by what is no browser: that names no
    origin."""
    host = headers.get("host", "")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, _allowed_hosts()):
        return False
    if "origin" not in headers:
        return True
    try:
        origin = urlsplit(headers["origin"])
    except ValueError:
        return False
    if origin.scheme not in ("http", "https"):
        return False
    return origin.netloc.lower() == host.lower() or _is_trusted(origin.scheme, origin.netloc)


def _is_trusted(scheme: str, netloc: str) -> bool:
    trusted = (urlsplit(origin) for origin in settings.CSRF_TRUSTED_ORIGINS)
    return any(
        scheme == origin.scheme and is_same_domain(netloc, origin.netloc.lstrip("*"))
        for origin in trusted
    )


def _allowed_hosts() -> list[str]:
    hosts: list[str] = settings.ALLOWED_HOSTS
    return hosts or ([".localhost", "127.0.0.1", "[::1]"] if settings.DEBUG else [])
