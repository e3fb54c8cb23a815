"""Somebody who races: a browser of their own, in front of the pages of a race."""

import re
from typing import Any

from playwright.sync_api import BrowserContext, Locator, WebSocketRoute, expect

from game.rules.notation import parse_line
from tests.browser.table import Table

RACE = re.compile(r"/race/[A-Z0-9]{8}$")
COUNTDOWN_MS = 15_000  # with time to spare for a busy machine


class Racer(Table):
    """`line` is what its sockets go through: it can be cut, and mended."""

    def __init__(self, context: BrowserContext, server: str) -> None:
        super().__init__(context.new_page(), server)
        self.cut = False
        self._sockets: list[WebSocketRoute] = []
        self.page.route_web_socket(re.compile("/ws/v1/"), self._connect)

    def make_race(self, wishes: str = "?rules=classic&number=7") -> str:
        """Opens the page with these wishes, presses its one button; answers the race's address."""
        self.page.goto(f"{self.server}/race/{wishes}")
        self.page.get_by_role("button", name="Create the race").click()
        self.page.wait_for_url(RACE)
        expect(self.seats).to_have_count(1)
        return self.page.url

    def come(self, address: str) -> None:
        self.page.goto(address)
        expect(self.page.locator("#room h2, #table .card").first).to_be_visible()
        self.wait_until_idle()

    def join(self, address: str) -> None:
        self.come(address)
        self.action("join").click()
        expect(self.action("ready")).to_be_visible()

    def be_ready(self) -> None:
        self.action("ready").click()
        self.wait_until_idle()

    def wait_for_start(self) -> None:
        expect(self.page.locator(".row [data-card]").first).to_be_visible(timeout=COUNTDOWN_MS)
        self.wait_until_idle()

    def give_up(self) -> None:
        self.action("give-up").click()
        self.dialog.locator("[data-answer=yes]").click()
        self.wait_until_idle()

    def clear(self, line: str) -> None:
        """Plays a line as quickly as the server takes it, past the page."""
        game = self.race()["game"]["id"]
        for move in parse_line(line):
            made = {"action": move.action, "cards": list(move.cards)}
            self.call("POST", f"games/{game}/moves/", made)

    def race(self) -> dict[str, Any]:
        """The race as the server tells it to this player."""
        return self.call("GET", f"races/{self.code}/")

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        cookies = {cookie["name"]: cookie["value"] for cookie in self.page.context.cookies()}
        answer = self.page.request.fetch(
            f"{self.server}/api/v1/{path}",
            method=method,
            data=body,
            headers={"X-CSRFToken": cookies.get("csrftoken", "")},
        )
        assert answer.ok, answer.text()
        return answer.json()

    def lose_connection(self) -> None:
        """The sockets are gone, and none can be opened."""
        self.cut = True
        for socket in self._sockets:
            socket.close(code=4410)
        self._sockets.clear()

    def find_connection(self) -> None:
        self.cut = False
        self.page.evaluate("dispatchEvent(new Event('online'))")

    @property
    def code(self) -> str:
        return self.page.url.rsplit("/", 1)[1]

    @property
    def name(self) -> str:
        return self.call("GET", "me/")["name"]

    @property
    def seats(self) -> Locator:
        return self.page.locator(".seat:not(.free)")

    @property
    def countdown(self) -> Locator:
        return self.page.locator("#countdown .count")

    @property
    def rivals(self) -> Locator:
        return self.page.locator(".rival")

    @property
    def company(self) -> Locator:
        return self.page.locator(".company")

    @property
    def verdict(self) -> Locator:
        return self.page.locator(".outcome h2")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice")

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close(code=1012)
            return
        socket.connect_to_server()
        self._sockets.append(socket)
