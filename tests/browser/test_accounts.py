"""The players' pages in a real browser: forms, plots, settings, the menu in the header."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import Session, Settings, User
from game.models import Tier
from tests.accounts.players import PASSWORD, At, account
from tests.browser.table import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 320, "height": 568}


@pytest.fixture
def page(table: Table) -> Page:
    """On a desk; the table's fixture sees to it that the browser does not complain."""
    return table.page


@pytest.fixture
def small(live_server, chromium: Browser) -> Iterator[Page]:
    """The smallest phone that there is."""
    context = chromium.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="en-US")
    yield context.new_page()
    context.close()


@pytest.fixture
def anna(live_server) -> User:
    return account("anna")


def log_in(page: Page, server: str) -> None:
    page.goto(f"{server}/accounts/login/?next=/profile")
    page.get_by_label("Name or e-mail address").fill("anna")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{server}/profile")


def assert_nothing_sticks_out(page: Page) -> None:
    """No scrolling sideways, and no button or link cut by an edge of the window."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    outside = page.locator("a, button, summary, input, select, h1").evaluate_all(
        """all => all.filter(e => e.checkVisibility() && !e.closest(".scroll")).filter(e => {
            const {left, right, width} = e.getBoundingClientRect();
            return width && (left < 0 || right > innerWidth);
        }).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert outside == []


def test_wrong_sign_up_leads_to_what_must_be_mended(live_server, page: Page) -> None:
    page.goto(f"{live_server.url}/accounts/signup/")
    page.get_by_label("Name", exact=True).fill("anna")
    page.get_by_label("Password", exact=True).fill("123")
    page.get_by_role("button", name="Register").click()
    password = page.get_by_label("Password", exact=True)
    expect(password).to_be_focused()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".errorlist")).to_contain_text("8 characters or more")
    expect(page.get_by_label("Name", exact=True)).to_have_value("anna")


def test_password_can_be_looked_at(live_server, page: Page) -> None:
    page.goto(f"{live_server.url}/accounts/signup/")
    password = page.get_by_label("Password", exact=True)
    password.fill("something")
    page.get_by_role("button", name="Show the password").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Show the password").click()
    expect(password).to_have_attribute("type", "password")


def test_plots_are_drawn_and_read_as_tables(live_server, page: Page, anna: User) -> None:
    at = At(anna)
    at.wins(detour=1)
    at.loses()
    at.wins("open", Tier.STANDARD)
    page.goto(f"{live_server.url}/players/anna")
    expect(page.locator(".plot canvas")).to_have_count(3)
    legend = page.locator("[data-plot=win-rate] .u-legend")
    expect(legend).to_contain_text(re.compile(r"Game.*2 \(.*\d.*\).*All games.*50%", re.DOTALL))
    table = page.locator("[data-plot=win-rate] details:visible")
    expect(table).to_have_count(1)
    expect(table).to_contain_text("Table: Classic · Easy")
    table.locator("summary").click()
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("row").nth(1)).to_contain_text("50%")
    page.get_by_label("Rule set and kind of deal").select_option("Open · Standard")
    expect(table).to_contain_text("Table: Open · Standard")
    expect(page.locator(".plot canvas")).to_have_count(3)


def test_without_scripts_the_tables_tell_it_all(live_server, chromium: Browser, anna: User) -> None:
    At(anna).wins()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/players/anna")
    expect(page.locator(".plot canvas")).to_have_count(0)
    expect(page.locator("details.more:visible")).to_have_count(3)
    expect(page.locator("time").last).to_contain_text("UTC")
    context.close()


def test_settings_are_saved_and_come_back(live_server, page: Page) -> None:
    page.goto(f"{live_server.url}/settings")
    page.get_by_label("Four-colour deck").check()
    page.get_by_label("Reduced").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    expect(page.get_by_label("Four-colour deck")).to_be_checked()
    expect(page.get_by_label("Reduced")).to_be_checked()
    assert Settings.objects.get().four_colours


def test_settings_that_were_never_saved_need_no_choice(live_server, page: Page) -> None:
    page.goto(f"{live_server.url}/settings")
    page.get_by_label("For the left hand").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")


def test_game_of_the_history_can_be_looked_at_again(live_server, page: Page, anna: User) -> None:
    At(anna).loses()
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/history")
    page.get_by_role("link", name="Deal 7").click()
    expect(page.locator(".result")).to_contain_text("Game over")
    expect(page).to_have_url(f"{live_server.url}/play/classic/7")


def test_menu_fits_the_smallest_phone_and_closes_by_itself(live_server, small: Page) -> None:
    table = Table(small, live_server.url)
    table.open()
    opener, menu = small.locator(".account-menu summary"), small.locator(".sheet-menu")
    opener.tap()
    expect(menu.get_by_role("link", name="Profile")).to_be_visible()
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] + box["height"] <= PHONE["height"]
    small.locator("#status").tap()
    expect(menu).to_be_hidden()
    opener.tap()
    small.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_long_address_fits_the_smallest_phone(live_server, small: Page, anna: User) -> None:
    log_in(small, live_server.url)
    small.goto(f"{live_server.url}/accounts/email/")
    small.get_by_label("E-mail").fill(f"{'long' * 14}@{'x' * 50}.example.org")
    small.get_by_role("button", name="Add", exact=True).click()
    expect(small.locator(".notes")).to_contain_text("on its way to")
    assert_nothing_sticks_out(small)
    small.get_by_role("button", name="Remove").click()
    expect(small.locator(".notes")).to_contain_text("is removed")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pages_fit_the_smallest_phone(live_server, small: Page, anna: User, language: str) -> None:
    long_name = "漢" * 20
    User.objects.filter(pk=anna.pk).update(username=long_name)
    anna.refresh_from_db()
    At(anna).wins()
    small.set_extra_http_headers({"Accept-Language": language})
    for path in ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/settings"):
        small.goto(live_server.url + path)
        assert_nothing_sticks_out(small)
    key = At(anna).caller.token
    small.context.add_cookies([{"name": "sessionid", "value": str(key), "url": live_server.url}])
    for path in ("/profile", "/history", "/settings", "/settings/delete", "/accounts/email/"):
        small.goto(live_server.url + path)
        expect(small.locator(".account-menu")).to_be_visible()
        assert_nothing_sticks_out(small)
    assert re.search(long_name, small.locator(".account-menu").inner_html())


def test_account_that_is_logged_out_elsewhere_is_told_so(
    live_server, table: Table, anna: User
) -> None:
    page = table.page
    log_in(page, live_server.url)
    table.open()
    Session.objects.all().delete()
    page.keyboard.press("d")
    expect(table.status).to_have_text("You are logged out on this device.")
    assert User.objects.count() == 1
    banner = page.locator(".banner")
    login = f"/accounts/login/?next={quote('/play/classic/7', safe='')}"
    expect(banner.get_by_role("link", name="Log in")).to_have_attribute("href", login)
    banner.get_by_role("button", name="Go on as a guest").click()
    expect(banner).to_have_count(0)
    table.wait_for_deal()
    expect(page).to_have_url(f"{live_server.url}/play/classic/7")
    assert User.objects.filter(is_guest=True).count() == 1


def test_guest_whose_session_has_ended_is_told_so(live_server, table: Table) -> None:
    table.open()
    Session.objects.all().delete()
    table.page.keyboard.press("d")
    expect(table.status).to_contain_text("You are a new guest now.")
    table.wait_until_idle()
    table.press("d")
    expect(table.stat("stock")).to_have_text("23")


def test_game_of_somebody_else_is_shown_as_theirs(live_server, table: Table, anna: User) -> None:
    game = At(anna).wins()
    address = f"{live_server.url}/play/classic/{game.deal.number}?game={game.pk}"
    table.page.goto(address)
    result = table.page.locator(".result")
    for _ in range(2):
        expect(result).to_contain_text("anna won this game.")
        expect(result).not_to_contain_text("your best")
        expect(result.locator(".invitation, .record")).to_have_count(0)
        expect(table.action("undo")).to_have_count(0)
        expect(table.page).to_have_url(address)
        table.page.reload()
    result.get_by_role("button", name="Play this deal").click()
    expect(result).to_have_count(0)
    expect(table.page).to_have_url(address.split("?")[0])
    expect(table.stat("moves")).to_have_text("0")


def test_game_that_is_kept_private_is_not_dealt_instead(
    live_server, table: Table, anna: User
) -> None:
    game = At(anna).loses()
    Settings.objects.update_or_create(player=anna, defaults={"private": True})
    table.page.goto(f"{live_server.url}/play/classic/7?game={game.pk}")
    banner = table.page.locator(".banner")
    expect(banner).to_contain_text("This game is not open to you.")
    expect(table.page.locator(".card")).to_have_count(0)
    banner.get_by_role("button", name="Play this deal").click()
    table.wait_for_deal()
    expect(banner).to_have_count(0)
    expect(table.page).to_have_url(f"{live_server.url}/play/classic/7")
