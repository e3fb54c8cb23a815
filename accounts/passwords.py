"""Whose password it is."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from accounts import selectors
from accounts.models import User


class PasswordBackend(AuthenticationBackend):
    """By name or e-mail address. Every attempt costs one hash and tells the same, whether there is
    no such player, a guest, one who was closed out, or another password."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        player = selectors.player_who_calls_themself(
            str(credentials.get("username") or credentials.get("email") or "")
        )
        if player is None:
            return None  # allauth hashes then
        self._did_check_password = True
        return player if player.check_password(credentials["password"]) else None
