"""Who calls: a session, by `Authorization: Bearer <session token>` or by the browser's cookie."""

from rest_framework.authentication import (
    BaseAuthentication,
    SessionAuthentication,
    get_authorization_header,
)
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.models import User
from accounts.sessions import SessionStore
from accounts.tokens import session_of

KEYWORD = b"bearer"


class TokenAuthentication(BaseAuthentication):
    """`request.auth` is the token."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        keyword, _, token = get_authorization_header(request).partition(b" ")
        if keyword.lower() != KEYWORD:
            return None
        session = session_of(token.decode("latin-1").strip())
        player = None if session is None else session.player()
        if session is None or player is None:
            raise AuthenticationFailed()
        if session.modified:
            session.extend()
        request._request.token_session = session  # type: ignore[attr-defined]
        return player, str(session.session_key)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def token_session(request: Request) -> SessionStore | None:
    """The session of the token that the call came with, as it was when its caller became known."""
    by_token = isinstance(request.successful_authenticator, TokenAuthentication)
    return request._request.token_session if by_token else None  # type: ignore[attr-defined]


class CookieAuthentication(SessionAuthentication):
    """The session cookie, with CSRF protection. `request.auth` is the token."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        session = request._request.session
        assert isinstance(session, SessionStore)
        player = session.player()
        if player is None or session.session_key is None:
            return None
        self.enforce_csrf(request)
        return player, session.session_key

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise PermissionDenied(code="csrf_failed") from None
