"""The table as somebody in front of it sees and uses it."""

from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from game.rules.notation import parse_line

expect.set_options(timeout=10_000)


class Table:
    """A page with the game, at the server's address; complaints are the browser's own errors."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server
        self.complaints: list[str] = []
        page.set_default_timeout(10_000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str = "/play/classic/7") -> None:
        self.page.goto(self.server + path)
        self.wait_for_deal()

    def wait_for_deal(self) -> None:
        expect(self.page.locator(".row .card").first).to_be_visible()
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        expect(self.page.locator("body.busy")).to_have_count(0)

    def card(self, card: str) -> Locator:
        return self.page.locator(f"[data-card='{card}']")

    def cards(self) -> list[str | None]:
        """The pyramid's cards that are left, row by row; None is one that lies face down."""
        cards = self.page.locator(".row .card").all()
        return [card.get_attribute("data-card") for card in cards]

    def tap(self, *cards: str) -> None:
        """Clicks each card near its upper edge, where a covered card can be reached."""
        for card in cards:
            self.card(card).click(position={"x": 12, "y": 12})

    def press(self, key: str, times: int = 1) -> None:
        """Presses a key, each time once the server has answered."""
        for _ in range(times):
            self.page.keyboard.press(key)
            self.wait_until_idle()

    def play(self, line: str) -> None:
        """Plays a line of moves, such as `6D7D d KH`."""
        for move in parse_line(line):
            if move.cards:
                self.tap(*move.cards)
                self.wait_until_idle()
            else:
                self.press({"draw": "d", "redeal": "r"}[move.action])

    def hinted(self) -> list[str | None]:
        return self.page.locator(".card.hinted").evaluate_all("all => all.map(c => c.dataset.card)")

    def state(self) -> dict[str, Any]:
        """The state of the game as the server has it."""
        game = self.page.evaluate("history.state.game")
        return self.page.request.get(f"{self.server}/api/v1/games/{game}/").json()

    def give_up(self) -> None:
        self.action("more").click()
        self.dialog.get_by_text("Give up").click()
        self.dialog.locator("[data-answer=yes]").click()
        expect(self.page.locator(".result")).to_be_visible()

    def action(self, name: str) -> Locator:
        return self.page.locator(f"[data-action='{name}']")

    def stat(self, name: str) -> Locator:
        return self.page.locator(f"[data-stat='{name}']")

    @property
    def heading(self) -> Locator:
        return self.page.locator("#heading")

    @property
    def status(self) -> Locator:
        return self.page.get_by_role("status")

    @property
    def chosen(self) -> Locator:
        return self.page.locator(".card.chosen")

    @property
    def fitting(self) -> Locator:
        return self.page.locator(".card.fits")

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    def focused(self, attribute: str) -> str | None:
        return self.page.evaluate("name => document.activeElement.getAttribute(name)", attribute)

    def _hear(self, message: ConsoleMessage) -> None:
        # A refused move is an answer with a status of its own, which Chromium notes as an error;
        # and pytest's server knows no sockets, without which the table does as well.
        expected = message.text.startswith(("Failed to load resource", "WebSocket connection to"))
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(message.text)
