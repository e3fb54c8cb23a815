"""What can be done with players."""

import secrets

from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User

_NAME_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike


def start_guest(*, request: HttpRequest) -> User:
    """A new guest, logged in on the request's session. Unnamed until it registers."""
    guest = User(username=f"guest-{_random_name()}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    login(request, guest)
    return guest


def _random_name() -> str:
    return "".join(secrets.choice(_NAME_LETTERS) for _ in range(10))
