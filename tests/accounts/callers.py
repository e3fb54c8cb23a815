"""Players of a name, as if they had registered, and what they send."""

import json
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from tests.caller import Caller

PASSWORD = "correct horse battery"


def account(name: str = "ada", *, email: str = "", password: str | None = PASSWORD) -> Caller:
    """A registered player, logged in; without a password one that comes in some other way."""
    user = User(username=name, email=email)
    user.set_password(password)
    user.save()
    if email:
        EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return logged_in(user)


def logged_in(user: User) -> Caller:
    """On one more device."""
    client = Client()
    client.force_login(user)
    return Caller(client.session.session_key)


def patch(caller: Caller, body: Any, address: str = "me/") -> Any:
    return caller.send("PATCH", address, json.dumps(body))


def delete(caller: Caller, body: Any = None, address: str = "me/") -> Any:
    return caller.send("DELETE", address, "" if body is None else json.dumps(body))


def settings_of(caller: Caller) -> dict[str, Any]:
    return caller.get("me/").json()["settings"]
