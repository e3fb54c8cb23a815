"""A guest at the entrance.

To allauth whoever is authenticated has an account: it refuses them sign-up and log-in, and offers
them to change a password that a guest does not have. So at its addresses, and where ours do the
same, a guest is set aside: nobody to `request.user`, and found in `request.guest`. The session
stays the guest's until somebody has come in.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from accounts.sessions import SessionStore


def set_guest_aside(request: HttpRequest) -> None:
    """Holds too when another session takes the place of the request's, as allauth does for a
    token: it then empties what is lazy, which is looked up anew."""
    request.user = SimpleLazyObject(partial(_registered, request))  # type: ignore[assignment]


def guest_of(request: HttpRequest) -> User | None:
    """The guest who was set aside, if there is one."""
    if not hasattr(request, "guest"):
        _registered(request)
    guest: User | None = request.guest  # type: ignore[attr-defined]
    return guest


def _registered(request: HttpRequest) -> User | AnonymousUser:
    assert isinstance(request.session, SessionStore)
    player = request.session.player()
    request.guest = player if player is not None and player.is_guest else None  # type: ignore[attr-defined]
    return AnonymousUser() if player is None or player.is_guest else player


@contextmanager
def at_the_entrance(
    request: HttpRequest, token_session: SessionStore | None
) -> Iterator[HttpRequest]:
    """The request as allauth's flows take it: with a guest set aside and, for a caller by token,
    with the token's session, so that no cookie is set."""
    session, user = request.session, request.user
    if token_session is not None:
        request.session = token_session
    set_guest_aside(request)
    request.by_api = True  # type: ignore[attr-defined]
    try:
        yield request
    finally:
        if token_session is not None:
            if request.session.modified and not request.session.is_empty():
                request.session.save()
            request.session, request.user = session, user
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False
