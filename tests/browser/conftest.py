"""A browser and a table for each test: the system's Chromium, driven through Playwright."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests import skipping
from tests.browser.table import Table

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser, for as long as a module's tests run and no longer.

    Playwright's loop runs in this very thread, where Django then takes its own calls (it empties
    the database after each test) for unsafe ones: they are not, no coroutine is under way.
    """
    path = skipping.chromium()
    if path is None:
        pytest.skip("no Chromium found; on Debian and Ubuntu `apt install chromium` brings it")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS], headless=True)
        yield browser
        browser.close()


@pytest.fixture
def desk(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    yield context
    context.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, locale="en-US"
    )
    yield context
    context.close()


@pytest.fixture
def table(live_server, desk: BrowserContext) -> Iterator[Table]:
    """A table on a desk; at the end the browser must have had nothing to complain about."""
    table = Table(desk.new_page(), live_server.url)
    yield table
    assert table.complaints == []


@pytest.fixture
def phone_table(live_server, phone: BrowserContext) -> Iterator[Table]:
    table = Table(phone.new_page(), live_server.url)
    yield table
    assert table.complaints == []
