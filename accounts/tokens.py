"""A token is the key of a session, as it is to allauth."""

from allauth.core.internal.httpkit import get_authorization_credential
from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest

from accounts.sessions import SessionStore


class TokenStrategy(SessionTokenStrategy):
    """allauth's headless API takes `Authorization: Bearer` as ours does, besides its own header."""

    def get_session_token(self, request: HttpRequest) -> str | None:
        own: str | None = super().get_session_token(request)
        bearer: str | None = get_authorization_credential(request, "bearer")
        return own or bearer

    def lookup_session(self, session_token: str) -> SessionStore | None:
        session = session_of(session_token)
        if session is None:
            return None
        session.get(SESSION_KEY)  # loads it; one that has ended has no key any more
        return session if session.session_key else None


def session_of(token: str) -> SessionStore | None:
    """The session, not looked up yet; None for what no token can be."""
    return SessionStore(token) if token.isalnum() and token.isascii() else None
