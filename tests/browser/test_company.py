"""Tables beside each other: of one player in two tabs, and of players on the same deal."""

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.racer import RACE, Racer
from tests.browser.table import Table

pytestmark = [pytest.mark.browser]


def test_other_tab_follows_at_once(anna: Racer) -> None:
    anna.open("/play/classic/7")
    other = Racer(anna.page.context, anna.server)
    other.open("/play/classic/7")
    anna.press("d")
    expect(other.stat("stock")).to_have_text("23")


def test_move_goes_over_the_socket_where_there_is_one(server: str, desk: BrowserContext) -> None:
    table = Table(desk.new_page(), server)
    calls = []
    table.page.on("request", lambda request: calls.append(request.url))
    with table.page.expect_websocket(lambda socket: "/games/" in socket.url) as opening:
        table.open("/play/classic/7")
    opening.value.wait_for_event("framereceived")
    table.press("d")
    expect(table.stat("stock")).to_have_text("23")
    assert [call for call in calls if call.endswith("/moves/")] == []


def test_who_plays_the_same_deal_is_shown_with_their_progress(anna: Racer, boris: Racer) -> None:
    anna.open("/play/classic/2000")
    boris.open("/play/classic/2000")
    expect(anna.company.locator("bdi")).to_have_text(boris.name)
    boris.open("/play/classic/7")
    expect(anna.company).to_have_count(0)


def test_company_becomes_a_race_at_one_click(anna: Racer, boris: Racer) -> None:
    anna.open("/play/classic/1879")
    boris.open("/play/classic/1879")
    boris.play("8H5H")
    expect(anna.company.locator("b")).to_have_text("2/28")
    anna.company.click()
    anna.page.wait_for_url(RACE)
    expect(boris.notice).to_contain_text(f"{anna.name} wants to race on this deal.")
    boris.notice.get_by_text("Join the race").click()
    boris.action("join").click()
    expect(anna.seats).to_have_count(2)


def test_who_wants_no_company_neither_sees_nor_is_seen(anna: Racer, boris: Racer) -> None:
    anna.open("/play/classic/9")
    anna.call("PATCH", "me/", {"settings": {"company": False}})
    anna.open("/play/classic/2001")
    boris.open("/play/classic/2001")
    boris.press("d")
    for racer in (anna, boris):
        expect(racer.company).to_have_count(0)
