"""The daily at the table: asked before, played once, shown with its rank, and practice later."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from playwright.sync_api import Locator, expect

from accounts.models import User
from leaderboards.days import Day
from leaderboards.models import DailyResult
from leaderboards.services.games import close_days
from tests.accounts.players import PASSWORD, account, browser
from tests.browser.table import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TODAY = Day.at(NOON)
PLAY = "/daily/classic/2026-12-01/play"
PAGE = "/daily/classic/2026-12-01/"
COUNTING = "The board counts until the moment with the most cards removed."


@pytest.fixture(autouse=True)
def clock(table: Table) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=True) as clock:
        yield clock


@pytest.fixture(autouse=True)
def browser_clock(table: Table) -> None:
    """The browser's calendar is the server's."""
    table.page.clock.set_fixed_time(NOON)


@pytest.fixture
def anna(table: Table) -> User:
    """Logged in at the table."""
    player = account("anna")
    key = browser(player).cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": table.server}
    table.page.context.add_cookies([cookie])
    return player


def ask(table: Table, path: str = PLAY) -> None:
    table.page.goto(table.server + path)
    expect(table.dialog.locator("[data-answer=yes]")).to_be_visible()
    table.wait_until_idle()


def begin(table: Table) -> None:
    ask(table)
    table.dialog.locator("[data-answer=yes]").click()
    table.wait_for_deal()


def register(table: Table) -> None:
    table.page.get_by_label("Name", exact=True).fill("dora")
    for field in table.page.locator("main input[type=password]").all():
        field.fill(PASSWORD)
    table.page.get_by_role("main").get_by_role("button", name="Register").click()


def play_past_the_best_moment(table: Table, clock: time_machine.Traveller) -> None:
    """A king or a pair goes after a minute and comes back after another, and that is the end."""
    begin(table)
    clock.shift(timedelta(minutes=1))
    moves = table.state()["legal"]
    cards = next(move["cards"] for move in moves if move["action"] == "remove")
    table.tap(*cards)
    table.wait_until_idle()
    clock.shift(timedelta(minutes=1))
    table.press("u")
    table.give_up()


def fact(table: Table, name: str) -> Locator:
    facts = table.page.locator(".result > dl > div")
    return facts.filter(has_text=name).locator("dd")


def test_guest_is_told_before_and_plays_unranked(table: Table) -> None:
    ask(table)
    expect(table.dialog).to_contain_text("The clock never stops")
    expect(table.dialog).to_contain_text("will not be ranked")
    for name, page in (("Register", "signup"), ("Log in", "login")):
        link = f"/accounts/{page}/?next=%2Fdaily%2Fclassic%2F2026-12-01%2Fplay"
        expect(table.dialog.get_by_role("link", name=name)).to_have_attribute("href", link)
    assert not User.objects.exists()
    table.dialog.get_by_text("Play unranked").click()
    table.wait_for_deal()
    expect(table.heading).to_contain_text("Classic · Unranked")
    expect(table.heading).to_contain_text("Daily · Dec 1")
    table.press("d")
    table.give_up()
    expect(table.page.locator(".result")).to_contain_text("it is on no board")
    expect(table.page.locator(".result")).to_contain_text("Analysis from")
    expect(table.action("analyse")).to_have_count(0)


def test_account_plays_ranked_and_ends_with_rank_board_and_words_to_share(
    table: Table, anna: User
) -> None:
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin(table)
    expect(table.heading).to_contain_text("Classic · Ranked")
    expect(table.action("check")).to_have_count(0)
    table.press("d")
    table.give_up()
    expect(table.page.locator(".result .standing")).to_have_text("Rank 1 of 1 so far")
    expect(table.action("board")).to_have_attribute("href", PAGE)
    expect(table.page.get_by_text("Same deal again")).to_have_count(0)
    table.action("share").click()
    expect(table.status).to_have_text("It is copied.")
    shared = table.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert shared[0] == "Pyramid daily · Classic · Dec 1, 2026"
    assert shared[1].startswith("▱▱▱▱▱▱▱ 0/28 · 0:0")
    assert shared[2:] == ["Rank 1 of 1 so far", table.server + PAGE]
    table.page.reload()
    expect(table.page.locator(".result .standing")).to_have_text("Rank 1 of 1 so far")


def test_first_hint_of_a_ranked_daily_asks_what_it_is_worth(table: Table, anna: User) -> None:
    begin(table)
    expect(table.stat("hints")).to_have_text("0")
    table.action("hint").click()
    expect(table.dialog).to_contain_text("A hint counts: on the board you then come behind those")
    assert table.focused("data-answer") == "no"
    table.page.keyboard.press("Enter")
    expect(table.dialog).to_have_count(0)
    assert table.focused("data-action") == "hint"
    assert table.state()["hints"] == 0
    table.page.keyboard.press("h")
    table.dialog.get_by_role("button", name="Take it").click()
    expect(table.stat("hints")).to_have_text("1")
    table.wait_until_idle()
    table.press("h")
    expect(table.stat("hints")).to_have_text("2")
    expect(table.dialog).to_have_count(0)


def test_result_says_whether_a_hint_came_before_what_counts(table: Table, anna: User) -> None:
    begin(table)
    table.press("h")
    table.dialog.get_by_role("button", name="Take it").click()
    expect(table.stat("hints")).to_have_text("1")
    table.wait_until_idle()
    table.press("d")
    table.give_up()
    expect(fact(table, "Hints")).to_have_text("0")


def test_guest_takes_hints_unasked(table: Table) -> None:
    begin(table)
    table.press("h")
    expect(table.stat("hints")).to_have_text("1")
    expect(table.dialog).to_have_count(0)


def test_guest_who_registers_afterwards_is_back_at_the_result(table: Table) -> None:
    begin(table)
    table.press("d")
    table.give_up()
    table.page.get_by_role("link", name="Register to be on the next board").click()
    register(table)
    table.page.wait_for_url(table.server + PLAY)
    expect(table.page.locator(".result")).to_contain_text("it is on no board")
    expect(table.page.locator(".account-menu summary")).to_contain_text("dora")


def test_guest_who_registers_after_another_deal_is_back_at_that_game(table: Table) -> None:
    table.open()
    table.press("d")
    ended = table.state()["id"]
    table.give_up()
    table.page.locator(".account-menu summary").click()
    table.page.locator(".account-menu").get_by_role("link", name="Register").click()
    register(table)
    expect(table.page.locator(".result")).to_be_visible()
    assert table.state()["id"] == ended


def test_result_shows_what_the_board_counts(
    table: Table, anna: User, clock: time_machine.Traveller
) -> None:
    play_past_the_best_moment(table, clock)
    result = DailyResult.objects.get()
    expect(fact(table, "Time")).to_have_text(re.compile("^1:0"))
    expect(fact(table, "Removed")).to_have_text(str(result.removed))
    expect(fact(table, "Undos")).to_have_text("0")
    expect(table.stat("time")).to_have_text(re.compile("^2:0"))
    expect(table.page.locator(".result")).to_contain_text(COUNTING)


def test_guest_sees_what_a_board_would_have_counted(
    table: Table, clock: time_machine.Traveller
) -> None:
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play_past_the_best_moment(table, clock)
    best = table.state()["result"]["best"]
    expect(fact(table, "Time")).to_have_text(re.compile("^1:0"))
    expect(fact(table, "Removed")).to_have_text(str(best["removed"]))
    expect(table.page.locator(".result")).to_contain_text(COUNTING)
    table.action("share").click()
    expect(table.status).to_have_text("It is copied.")
    shared = table.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert re.search(rf" {best['removed']}/28 · 1:0\d · 1 move$", shared[1])


@pytest.mark.parametrize("width", [320, 390, 430])
def test_way_to_the_daily_is_in_the_header_of_a_phone(phone_table: Table, width: int) -> None:
    phone_table.page.set_viewport_size({"width": width, "height": 640})
    phone_table.open("/play/classic/13731")
    link = phone_table.page.get_by_role("link", name="Daily", exact=True)
    box = link.bounding_box()
    assert box is not None
    assert box["width"] >= 44
    assert box["height"] >= 44
    number = phone_table.heading.locator(".deal b")
    assert number.evaluate("shown => shown.scrollWidth <= shown.clientWidth + 1")
    assert phone_table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    link.click()
    expect(phone_table.page).to_have_url(phone_table.server + "/daily/")


def test_daily_goes_on_after_a_reload_and_after_other_deals(table: Table, anna: User) -> None:
    begin(table)
    table.press("d")
    table.page.reload()
    table.wait_for_deal()
    expect(table.stat("stock")).to_have_text("23")
    table.press("n")
    table.page.wait_for_url(re.compile("/play/classic/"))
    expect(table.status).to_contain_text("The clock of your daily goes on.")
    expect(table.dialog).to_have_count(0)
    row = table.page.locator(".way-back")
    expect(row).to_contain_text("Your daily deal is still running.")
    table.page.go_back()
    expect(table.heading).to_contain_text("Daily · Dec 1")
    expect(table.stat("stock")).to_have_text("23")
    expect(row).to_be_hidden()
    table.open("/")
    row.get_by_role("link", name="Go on").click()
    table.page.wait_for_url(table.server + PLAY)
    expect(table.stat("stock")).to_have_text("23")
    expect(row).to_be_hidden()
    table.give_up()
    table.page.get_by_role("button", name="New deal").last.click()
    table.page.wait_for_url(re.compile("/play/classic/"))
    expect(row).to_be_hidden()


def test_second_tab_finds_the_game_that_the_first_has_begun(table: Table, anna: User) -> None:
    other = Table(table.page.context.new_page(), table.server)
    ask(other)
    begin(table)
    table.press("d")
    other.dialog.locator("[data-answer=yes]").click()
    other.wait_for_deal()
    expect(other.stat("stock")).to_have_text("23")


def test_clock_goes_on_while_the_page_is_hidden(table: Table, anna: User) -> None:
    begin(table)
    calls = []
    table.page.on("request", lambda request: calls.append(request.url))
    table.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    table.press("d")
    assert [call for call in calls if "/pauses/" in call] == []
    assert table.state()["running"]


def test_who_has_logged_in_elsewhere_meanwhile_is_asked_again(table: Table) -> None:
    ask(table)
    player = account("anna")
    key = browser(player).cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": table.server}
    table.page.context.add_cookies([cookie])
    table.dialog.get_by_text("Play unranked").click()
    expect(table.dialog.get_by_text("Start the clock")).to_be_visible()
    assert not player.games.exists()


def test_day_that_ends_can_be_gone_on_with_but_not_begun(
    table: Table, anna: User, clock: time_machine.Traveller
) -> None:
    begin(table)
    clock.move_to(TODAY.resets_at)
    table.page.goto(table.server + PLAY)
    table.wait_for_deal()
    expect(table.heading).to_contain_text("Ranked")
    table.page.goto(f"{table.server}/daily/blind/2026-12-01/play")
    notice = table.page.locator(".banner")
    expect(notice).to_contain_text("The daily of Dec 1 cannot be started any more.")
    expect(notice.get_by_role("link", name="Today's daily")).to_have_attribute(
        "href", "/daily/blind/2026-12-02/play"
    )


def test_game_that_the_day_closes_on_is_shown_as_it_stood(
    table: Table, anna: User, clock: time_machine.Traveller
) -> None:
    begin(table)
    table.press("d")
    clock.move_to(TODAY.closes_at + timedelta(seconds=1))
    table.page.clock.set_fixed_time(TODAY.closes_at + timedelta(seconds=1))
    table.press("d")
    expect(table.status).to_have_text("The day of this daily deal is over.")
    close_days()
    expect(table.page.locator(".result .standing")).to_have_text("Rank 1 of 1")
    expect(table.status).to_contain_text("the game has ended as it stood")
    assert DailyResult.objects.get().moves == 0
    table.action("analyse").click()
    expect(table.dialog.locator(".finding")).to_be_visible()


def test_closed_day_is_dealt_as_practice_as_often_as_one_likes(table: Table) -> None:
    table.open("/daily/classic/2026-11-20/play")
    expect(table.heading).to_contain_text("Classic · Practice")
    expect(table.heading).to_contain_text("Daily · Nov 20")
    expect(table.status).to_contain_text("its deal is practice")
    expect(table.action("check")).to_be_visible()
    first = table.state()["id"]
    table.press("d")
    table.give_up()
    table.page.get_by_text("Same deal again").click()
    expect(table.page.locator(".result")).to_have_count(0)
    table.wait_until_idle()
    assert (table.state()["daily"], table.state()["id"] == first) == ("2026-11-20", False)


def test_guest_who_logs_in_midway_goes_on_with_the_game(table: Table) -> None:
    account("anna")
    begin(table)
    table.press("d")
    table.page.locator(".account-menu summary").click()
    table.page.locator(".account-menu").get_by_role("link", name="Log in").click()
    table.page.get_by_label("Name or e-mail address").fill("anna")
    table.page.get_by_label("Password", exact=True).fill(PASSWORD)
    table.page.get_by_role("main").get_by_role("button", name="Log in").click()
    table.page.wait_for_url(table.server + PLAY)
    table.wait_for_deal()
    expect(table.page.locator(".account-menu summary")).to_contain_text("anna")
    expect(table.heading).to_contain_text("Classic · Unranked")
    expect(table.stat("stock")).to_have_text("23")


def test_way_back_from_other_deals_asks_for_the_day_again(table: Table) -> None:
    ask(table)
    table.dialog.get_by_text("Not now").click()
    table.page.get_by_text("Play other deals").click()
    table.wait_for_deal()
    table.page.go_back()
    expect(table.dialog).to_contain_text("The clock never stops")
    expect(table.page.locator("#table .card")).to_have_count(0)
    table.page.go_forward()
    table.wait_for_deal()
    expect(table.heading).to_contain_text("Classic · Easy")


def test_new_guest_is_asked_where_the_one_before_has_played(table: Table) -> None:
    begin(table)
    table.press("d")
    table.page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    table.page.keyboard.press("d")
    expect(table.dialog.get_by_text("Play unranked")).to_be_visible()
    expect(table.status).to_contain_text("You are a new guest now.")
    expect(table.page.locator("#table .card")).to_have_count(0)
