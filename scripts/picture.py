"""Takes the README's pictures as the pages stand now: a table just dealt, and a race that goes on.
Wants Chromium."""

import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.conftest import FLAGS
from tests.live.clients import Person, Tab
from tests.serving import ROOT, Server, scratch_database
from tests.skipping import chromium

PICTURES = ROOT / "docs" / "images"
SIZE: ViewportSize = {"width": 940, "height": 680}  # a picture has 300 kB at most
NUMBER = 7
LINES = ("6D7D JS2D ACQD d d", "6D7D d d d", "6D7D JS2D ACQD d d TD3D KC d")


def main() -> None:
    browser_path = chromium()
    if browser_path is None:
        sys.exit("Chromium is missing: install it.")
    with serving() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        take_table(browser, server)
        take_race(browser, server)
        browser.close()


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder, scratch_database(Path(folder)) as database_url:
        server = Server(database_url=database_url, log=Path(folder, "log"))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def take_table(browser: Browser, server: Server) -> None:
    page = browser.new_page(viewport=SIZE)
    page.goto(f"{server.url}/play/classic/{NUMBER}", wait_until="networkidle")
    page.wait_for_timeout(1000)  # until the cards have been dealt
    page.screenshot(path=PICTURES / "table.png")


def take_race(browser: Browser, server: Server) -> None:
    """Of three: one looks at the page, the others play through the API."""
    people = [named(server, name) for name in ("Ada", "Boris", "Mei")]
    race = people[0].post(server, "races/", {"rules": "classic", "number": NUMBER, "seats": 3})
    address = f"races/{race['code']}/"
    for person in people[1:]:
        person.post(server, f"{address}seats/")
    context = browser.new_context(viewport=SIZE)
    context.add_cookies([{"name": "sessionid", "value": people[0].token, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}{race['url']}")
    with ExitStack() as stack:
        for person in people[1:]:
            stack.enter_context(Tab(address, [server], person.token))
        people[0].post(server, f"{address}starts/")
        page.locator(".row [data-card]").first.wait_for()
        for person, line in zip(people, LINES, strict=True):
            game = person.get(server, address)["game"]["id"]
            for move in line.split():
                person.move(server, game, move)
        page.wait_for_timeout(3000)  # until all has been told and the cards lie still
        page.screenshot(path=PICTURES / "race.png")


def named(server: Server, name: str) -> Person:
    person = Person(server)
    account = {"username": name, "password": secrets.token_hex(16)}
    person.token = person.post(server, "accounts/", account)["token"]
    return person


if __name__ == "__main__":
    main()
