"""The page of a day in a real browser, against a server of its own: what is live or shared."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.accounts.players import PASSWORD
from tests.browser.racer import Racer
from tests.browser.test_accounts import assert_nothing_sticks_out

pytestmark = [pytest.mark.browser]

COUNTDOWN = re.compile(r"^Next deal in (\d\d):(\d\d):(\d\d), at 00:00 UTC( \(09:00 your time\))?$")


def register(racer: Racer, name: str) -> None:
    racer.page.goto(f"{racer.server}/daily/")
    racer.call("POST", "accounts/", {"username": name, "password": PASSWORD})


def finish(racer: Racer, rules: str, removals: int) -> None:
    """Plays today's deal until so many pairs and kings are gone, and gives up."""
    state = racer.call("POST", f"daily/{rules}/games/")
    address = f"games/{state['id']}"
    while removals:
        move = state["legal"][0]
        removals -= move["action"] == "remove"
        state = racer.call("POST", f"{address}/moves/", move)
    racer.call("POST", f"{address}/resignations/", {})


def row(page: Page, name: str) -> Any:
    return page.locator(f"#rows tr[data-player='{name}']")


def test_result_of_another_comes_onto_the_board_by_itself(anna: Racer, boris: Racer) -> None:
    page = anna.page
    page.goto(f"{anna.server}/daily/classic/")
    expect(page.locator("#nobody")).to_be_visible()
    page.evaluate("window.same = true")
    register(boris, "Boris")
    finish(boris, "classic", 1)
    expect(row(page, "Boris")).to_be_visible()
    expect(row(page, "Boris").get_by_role("link")).to_have_attribute("href", "/players/Boris")
    expect(page.locator("[data-players]")).to_have_text("1 player")
    expect(page.locator("#nobody")).to_be_hidden()
    assert page.evaluate("window.same")


def test_own_rank_follows_and_is_said(anna: Racer, boris: Racer) -> None:
    page = anna.page
    register(anna, "Annette")
    finish(anna, "blind", 1)
    page.goto(f"{anna.server}/daily/blind/")
    expect(row(page, "Annette").locator("[data-slot=rank]")).to_have_text("1")
    expect(page.locator("#share-text")).to_contain_text("Rank 1 of 1 so far")
    expect(page.locator("#told")).to_be_empty()
    page.locator("#rows a").focus()
    register(boris, "Bernd")
    finish(boris, "blind", 3)
    expect(page.locator("#told")).to_have_text("Your rank is 2 of 2 now.")
    shown = page.locator("#rows tr [data-slot=player]").all_inner_texts()
    assert shown == ["Bernd", "Annette"]
    expect(page.locator("[data-own-rank]")).to_have_text("2")
    expect(page.locator("#share-text")).to_contain_text("Rank 2 of 2 so far")
    assert page.evaluate("document.activeElement.textContent") == "Annette"


def test_result_is_copied_to_be_shared(anna: Racer) -> None:
    page = anna.page
    register(anna, "Anneliese")
    finish(anna, "open", 2)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{anna.server}/daily/open/")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("It is copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    today = datetime.now(UTC).date()
    assert copied.startswith("Pyramid daily · Open · ")
    assert "Rank 1 of 1 so far" in copied
    assert copied.endswith(f"\n{anna.server}/daily/open/{today}/")


def test_countdown_goes_by_the_servers_clock(anna: Racer) -> None:
    anna.page.add_init_script("Date.now = () => 0")
    anna.page.goto(f"{anna.server}/daily/overlap/")
    countdown = anna.page.locator("#countdown")
    expect(countdown).to_have_text(COUNTDOWN)
    told = COUNTDOWN.match(countdown.inner_text())
    assert told is not None
    hours, minutes, seconds = map(int, told.groups()[:3])
    now = datetime.now(UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    left = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    assert abs(midnight - now - left) < timedelta(seconds=20)


@pytest.fixture
def far(chromium: Browser) -> Iterator[Page]:
    """Nine hours ahead of UTC, with clocks of twelve hours."""
    context = chromium.new_context(locale="en-US", timezone_id="Asia/Tokyo")
    yield context.new_page()
    context.close()


def test_hours_are_told_in_utc_and_by_the_readers_clock(server: str, far: Page) -> None:
    far.goto(f"{server}/daily/classic/")
    told = COUNTDOWN.match(far.locator("#countdown").inner_text())
    assert told is not None
    assert told[4]
    today = datetime.now(UTC).date()
    far.goto(f"{server}/daily/classic/{today - timedelta(days=1)}/")
    end = today + timedelta(days=1)
    utc = f"{end.day}, {end.year}, 00:00 UTC"
    local = f"({end:%b} {end.day}, 09:00 your time)"
    expect(far.locator("time[data-utc]")).to_have_text(re.compile(f"{utc} {re.escape(local)}$"))


def test_ways_of_a_guest_stand_in_order_on_a_phone(boris: Racer) -> None:
    boris.page.goto(f"{boris.server}/daily/classic/")
    ways = boris.page.locator(".ways .button")
    assert ways.all_inner_texts() == ["Register", "Log in", "Play unranked"]
    register, log_in, play = (way.bounding_box() for way in ways.all())
    assert register is not None
    assert log_in is not None
    assert play is not None
    assert log_in["y"] == play["y"] > register["y"] + register["height"]
    assert play["x"] + play["width"] == pytest.approx(register["x"] + register["width"], abs=1)


def test_how_to_check_opens_where_a_link_leads_to_it(anna: Racer) -> None:
    page = anna.page
    steps = page.locator("#check pre").first
    page.goto(f"{anna.server}/daily/open/")
    expect(page.get_by_role("heading", name="How to check the deal")).to_be_visible()
    expect(steps).to_be_hidden()
    page.evaluate("location.hash = 'check'")
    expect(steps).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{anna.server}/daily/open/#check")
    expect(steps).to_be_visible()


def test_when_the_day_is_over_the_next_deal_is_offered(anna: Racer) -> None:
    def end_soon(route: Route) -> None:
        answer = route.fetch()
        soon = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
        text = re.sub(r'"resets_at": "[^"]+"', f'"resets_at": "{soon}"', answer.text())
        route.fulfill(response=answer, body=text)

    page = anna.page
    page.route("**/daily/overlap/", end_soon)
    page.goto(f"{anna.server}/daily/overlap/")
    expect(page.get_by_role("link", name="Play unranked")).to_be_visible()
    offer = page.get_by_role("link", name="The new deal is here")
    expect(offer).to_be_visible()
    expect(page.get_by_role("link", name="Play unranked")).to_be_hidden()
    expect(page.locator("#countdown")).to_be_hidden()


@pytest.fixture
def small(chromium: Browser) -> Iterator[Page]:
    """The smallest phone that there is, in Russian."""
    context = chromium.new_context(
        viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True, locale="ru-RU"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", ["/", "/race/", "/daily/", "/daily/classic/{today}/week/"])
def test_pages_and_the_way_to_the_daily_fit_the_smallest_phone(
    server: str, small: Page, path: str
) -> None:
    small.goto(server + path.format(today=datetime.now(UTC).date()))
    assert_nothing_sticks_out(small)
    way = small.locator(".site-tools a[href='/daily/']:visible")
    if not way.count():
        small.locator(".account-menu summary").tap()
    expect(small.locator(".site-header a[href='/daily/']:visible")).to_have_count(1)
