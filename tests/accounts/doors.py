"""The doors by which one comes in: ours and allauth's, for browsers and for others.

All of them lead to the same, so that a test of what becomes of a guest is run at each.
"""

import json
from typing import Any

from django.test import Client

from tests.caller import API, Caller

PASSWORD = "correct horse battery"


class Door:
    """One visitor at a door, nobody yet."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.token: str | None = None

    def guest(self) -> Caller:
        """Starts as a guest."""
        self.token = Client().post(f"{API}guests/").json()["token"]
        return self.caller()

    def caller(self) -> Caller:
        """Whoever this visitor is now, at the API."""
        return Caller(self.token)

    def register(self, name: str, password: str = PASSWORD, email: str = "") -> Any:
        raise NotImplementedError

    def log_in(self, name: str, password: str = PASSWORD) -> Any:
        raise NotImplementedError

    def log_out(self) -> Any:
        raise NotImplementedError

    def is_in(self, answer: Any) -> bool:
        """Whether the answer let the visitor in."""
        return bool(answer.status_code in (200, 201))


class Rest(Door):
    """REST by token."""

    register_at, log_in_at = f"{API}accounts/", f"{API}tokens/"

    def register(self, name: str, password: str = PASSWORD, email: str = "") -> Any:
        body = {"username": name, "password": password} | ({"email": email} if email else {})
        return self.post(self.register_at, body)

    def log_in(self, name: str, password: str = PASSWORD) -> Any:
        return self.post(self.log_in_at, {"username": name, "password": password})

    def log_out(self) -> Any:
        return self.client.delete(f"{API}tokens/current/", headers=self.headers())

    def post(self, address: str, body: Any) -> Any:
        answer = self.client.post(
            address, json.dumps(body), content_type="application/json", headers=self.headers()
        )
        self.keep_token(answer)
        return answer

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def keep_token(self, answer: Any) -> None:
        if answer.status_code == 201:
            self.token = answer.json()["token"]


class ByCookie(Door):
    """A browser: the session's cookie, and the CSRF token of a page with each change."""

    def __init__(self) -> None:
        super().__init__()
        self.client.get("/")

    def guest(self) -> Caller:
        self.client.post(f"{API}guests/")
        self.keep_token()
        return self.caller()

    def headers(self) -> dict[str, str]:
        return {"X-CSRFToken": self.client.cookies["csrftoken"].value}

    def keep_token(self, *_: Any) -> None:
        cookie = self.client.cookies.get("sessionid")
        self.token = cookie.value if cookie else None


class RestByCookie(ByCookie, Rest):
    """REST as a page's script speaks it."""


class Pages(ByCookie):
    """allauth's pages."""

    def register(self, name: str, password: str = PASSWORD, email: str = "") -> Any:
        return self.submit("signup/", {"username": name, "password1": password, "email": email})

    def log_in(self, name: str, password: str = PASSWORD) -> Any:
        return self.submit("login/", {"login": name, "password": password})

    def log_out(self) -> Any:
        return self.submit("logout/", {})

    def submit(self, page: str, form: dict[str, str]) -> Any:
        answer = self.client.post(f"/accounts/{page}", form, headers=self.headers())
        self.keep_token()
        return answer

    def is_in(self, answer: Any) -> bool:
        return answer.status_code == 302 and answer["Location"] == "/"


class App(Rest):
    """allauth's headless API, as an app speaks it."""

    register_at, log_in_at = "/_allauth/app/v1/auth/signup", "/_allauth/app/v1/auth/login"
    session_at = "/_allauth/app/v1/auth/session"

    def log_in(self, name: str, password: str = PASSWORD) -> Any:
        field = "email" if "@" in name else "username"
        return self.post(self.log_in_at, {field: name, "password": password})

    def log_out(self) -> Any:
        return self.client.delete(self.session_at, headers=self.headers())

    def headers(self) -> dict[str, str]:
        return {"X-Session-Token": self.token} if self.token else {}

    def keep_token(self, answer: Any) -> None:
        meta = answer.json().get("meta", {}) if answer.content else {}
        self.token = meta.get("session_token", self.token)


class AppByBearer(App):
    """The same, with our header."""

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


class Browser(ByCookie, App):
    """allauth's headless API, as a page's script speaks it."""

    register_at, log_in_at = "/_allauth/browser/v1/auth/signup", "/_allauth/browser/v1/auth/login"
    session_at = "/_allauth/browser/v1/auth/session"


DOORS = (Rest, RestByCookie, Pages, App, AppByBearer, Browser)


def account(name: str = "Alice", password: str = PASSWORD, email: str = "") -> Caller:
    """Somebody who has registered from nothing."""
    door = Rest()
    assert door.register(name, password, email).status_code == 201
    return door.caller()
