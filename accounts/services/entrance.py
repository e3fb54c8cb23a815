"""How players come in: as guests, by registering, by logging in; and how they go out."""

import secrets

from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User

_NAME_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike


@transaction.atomic
def start_guest(*, request: HttpRequest) -> tuple[User, str]:
    """A new guest, logged in on the request's session, and its token."""
    guest = User(username=f"guest-{_random_name()}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    login(request, guest)
    return guest, SessionTokenStrategy().create_session_token(request)


def _random_name() -> str:
    return "".join(secrets.choice(_NAME_LETTERS) for _ in range(10))
