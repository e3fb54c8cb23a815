"""Who is at a socket: a session, by `Authorization: Bearer <token>` or by the browser's cookie.

Never by the address, which ends up in logs. A page of another origin is not let in: a browser sends
the cookie along for any page.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain
from django.utils.translation import get_language_from_request

from accounts.language import language_of
from accounts.models import User
from accounts.sessions import SessionStore
from accounts.tokens import session_of
from game.live.frames import Close
from game.live.refusal import refuse
from pyramid_site.offload import offload
from pyramid_site.pool import Receive, Scope, Send

Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Visitor:
    """`session`: a digest of its key, for the key is the player's token. Empty: there is none."""

    player: User | AnonymousUser
    language: str
    session: str = ""


class Authenticated:
    """Adds to the scope who it is: `user`, `session` and `language`, as in `Visitor`."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        if not _is_of_this_site(headers):
            await refuse(receive, send, Close.FORBIDDEN)
            return
        visitor = await offload(_visitor, headers)
        if visitor is None:
            await refuse(receive, send, Close.NO_SESSION)
            return
        known = {"user": visitor.player, "language": visitor.language, "session": visitor.session}
        await self.application({**scope, **known}, receive, send)


def digest(session_key: str) -> str:
    """Names a session without giving it away."""
    return sha256(f"session:{session_key}".encode()).hexdigest()


def _visitor(headers: dict[str, str]) -> Visitor | None:
    """None where the token is not good: who sends none is nobody, and may look where all may."""
    request = HttpRequest()
    request.META = {"HTTP_ACCEPT_LANGUAGE": headers.get("accept-language", "")}
    request.COOKIES = parse_cookie(headers.get("cookie", ""))
    language = get_language_from_request(request)
    keyword, _, token = headers.get("authorization", "").partition(" ")
    by_token = keyword.lower() == "bearer"
    key = token.strip() if by_token else request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    session = session_of(key)
    player = None if session is None else session.player()
    if session is None or player is None:
        return None if by_token else Visitor(AnonymousUser(), language)
    if by_token:
        _extend(session)
    else:
        language = language_of(player) or language  # as pages are
    return Visitor(player, language, digest(str(session.session_key)))


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
