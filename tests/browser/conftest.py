"""A browser and a table for each test: the system's Chromium, driven through Playwright."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests import skipping
from tests.browser.racer import Racer
from tests.browser.table import Table
from tests.serving import Server, scratch_database

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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a process of its own, with sockets, which pytest's server has none of."""
    folder: Path = tmp_path_factory.mktemp("server")
    with scratch_database(folder) as url:
        server = Server(database_url=url, log=folder / "log", RATE_LIMITS="off", REDIS_URL="")
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


@pytest.fixture
def anna(server: str, desk: BrowserContext) -> Iterator[Racer]:
    """The host, on a desk."""
    anna = Racer(desk, server)
    yield anna
    assert anna.complaints == []


@pytest.fixture
def boris(server: str, phone: BrowserContext) -> Iterator[Racer]:
    """Who gets the link, on a phone."""
    boris = Racer(phone, server)
    yield boris
    assert boris.complaints == []


@pytest.fixture
def watcher(server: str, chromium: Browser) -> Iterator[Racer]:
    context = chromium.new_context(viewport={"width": 1000, "height": 700}, locale="en-US")
    watcher = Racer(context, server)
    yield watcher
    assert watcher.complaints == []
    context.close()
