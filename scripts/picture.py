"""Takes the README's picture of the table as it stands now: deal 7, just dealt. Wants Chromium."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS
from tests.serving import ROOT, Server, scratch_database
from tests.skipping import chromium

PICTURE = ROOT / "docs" / "images" / "table.png"


def main() -> None:
    browser_path = chromium()
    if browser_path is None:
        sys.exit("Chromium is missing: install it.")
    with tempfile.TemporaryDirectory() as folder, scratch_database(Path(folder)) as database_url:
        server = Server(database_url=database_url, log=Path(folder, "log"))
        server.start()
        try:
            take(browser_path, f"{server.url}/play/classic/7")
        finally:
            server.stop()


def take(browser_path: str, url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 960, "height": 690})
        page.goto(url, wait_until="networkidle")
        page.wait_for_timeout(1000)  # until the cards have been dealt
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
