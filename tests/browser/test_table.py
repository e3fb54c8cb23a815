"""The first page, played in a real browser against a real server."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.table import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PYRAMID_7 = (
    *("JC", "9S", "JD", "3H", "8S", "QH", "KS", "3S", "6H", "AD", "AH", "AS", "7H", "TS", "5D"),
    *("5H", "8H", "8C", "6S", "4C", "KC", "6D", "JS", "2D", "7D", "AC", "QD", "3D"),
)  # its stock begins with 5S TD 4D QS QC KH and ends with 7S
WON_1879 = (
    "8H5H 2DJD 8C5C 2HJC d d TH3S d d d d d AHQS 4H9C 8D5D d d JH2S 7H6S QDAS KD 4S9H KC "
    "d d d d d KS d 4D9D d 7D6H QHAC QCAD TS3D"
)
STUCK_BLIND_2 = "d " * 24
LOCKING_60 = "KH 5D8D"


# Deals


def test_first_page_deals_at_once(table: Table) -> None:
    table.open("/")
    assert len(table.cards()) == 28
    expect(table.page).to_have_url(re.compile(r"/play/classic/\d+$"))


def test_first_page_goes_on_with_the_running_game(table: Table) -> None:
    table.open("/")
    table.press("d")
    address = table.page.url
    table.open("/")
    expect(table.page).to_have_url(address)
    expect(table.stat("stock")).to_have_text("23")


def test_link_shows_the_cards_of_its_deal(table: Table) -> None:
    table.open("/play/classic/7")
    assert table.cards() == [*PYRAMID_7]


def test_deal_is_named_in_header_and_title(table: Table) -> None:
    table.open("/play/classic/7")
    expect(table.page.locator("header .deal")).to_have_text(
        re.compile("Classic.*Deal 7", re.DOTALL)
    )
    expect(table.page).to_have_title("Classic, Deal 7 – Pyramid")


@pytest.mark.parametrize(
    ("size", "language"), [((360, 740), "ru"), ((360, 740), "ja"), ((740, 360), "en")]
)
def test_kind_of_deal_is_read_whole_in_the_header(
    table: Table, size: tuple[int, int], language: str
) -> None:
    table.page.set_extra_http_headers({"Accept-Language": language})
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    table.open("/")
    kind = table.page.locator(".deal small")
    assert kind.evaluate("line => line.scrollWidth <= line.clientWidth")


def test_practice_says_so_in_the_header(table: Table) -> None:
    table.open("/play/classic/7")
    expect(table.page.locator(".deal small")).to_have_text("Classic · Practice")
    table.action("new").click()
    expect(table.page.locator(".deal small")).to_have_text("Classic · Easy")


def test_two_tabs_opened_at_once_are_one_player(live_server, desk: BrowserContext) -> None:
    tabs = [desk.new_page(), desk.new_page()]
    for tab in tabs:
        tab.goto(f"{live_server.url}/play/classic/7", wait_until="commit")
    games = [_game_of(tab) for tab in tabs]
    assert games[0] == games[1]


def test_new_deal_replaces_an_untouched_game_without_asking(table: Table) -> None:
    table.open("/")
    address = table.page.url
    table.action("new").click()
    expect(table.page).not_to_have_url(address)


def test_new_deal_asks_first_when_it_would_count_as_lost(table: Table) -> None:
    table.open("/")
    table.press("d")
    address = table.page.url
    table.press("n")
    expect(table.dialog).to_contain_text("counts as lost")
    table.dialog.get_by_text("Play on").click()
    expect(table.dialog).to_have_count(0)
    expect(table.page).to_have_url(address)


def test_new_deal_asks_for_a_counted_game_that_is_not_on_the_table(table: Table) -> None:
    table.open("/")
    table.press("d")
    address = table.page.url
    number = address.rsplit("/", 1)[1]
    table.open("/play/classic/9")
    table.press("n")
    expect(table.dialog).to_have_accessible_name(f"Leave deal {number}?")
    table.dialog.get_by_text("Cancel").click()
    expect(table.page).to_have_url(f"{table.server}/play/classic/9")
    table.press("n")
    table.dialog.get_by_text(f"Go on with deal {number}").click()
    expect(table.page).to_have_url(address)
    expect(table.stat("stock")).to_have_text("23")


def test_no_deal_comes_while_it_is_not_known_what_it_would_lose(table: Table) -> None:
    table.open("/")
    table.page.route("**/games/?*", lambda route: route.abort())
    address = table.page.url
    table.page.keyboard.press("n")
    expect(table.page.locator(".banner.alarm")).to_be_visible()
    expect(table.page).to_have_url(address)


def test_first_page_goes_on_with_the_game_that_counts(table: Table) -> None:
    table.open("/")
    table.press("d")
    address = table.page.url
    table.open("/play/classic/9")
    table.press("d")
    table.open("/")
    expect(table.page).to_have_url(address)


def test_new_deal_comes_once_the_loss_is_accepted(table: Table) -> None:
    table.open("/")
    table.press("d")
    address = table.page.url
    table.press("n")
    table.dialog.locator("[data-answer=yes]").click()
    expect(table.page).not_to_have_url(address)
    expect(table.stat("moves")).to_have_text("0")


def test_deal_is_chosen_by_rule_set_and_number(table: Table) -> None:
    table.open("/play/classic/7")
    table.page.locator("header .deal").click()
    table.dialog.locator("input[value=open]").check()
    table.dialog.get_by_label("Deal number").fill("3")
    table.dialog.get_by_text("Play this deal").click()
    expect(table.page).to_have_url(f"{table.server}/play/open/3")
    expect(table.dialog).to_have_count(0)


@pytest.mark.parametrize("pasted", ["https://pyramid.example/play/open/3", " /play/open/3 "])
def test_a_link_may_be_pasted_for_a_number(table: Table, pasted: str) -> None:
    table.open()
    table.page.locator("#heading .deal").click()
    table.dialog.get_by_label("Deal number").fill(pasted)
    table.dialog.get_by_role("button", name="Play this deal").click()
    expect(table.page).to_have_url(f"{table.server}/play/open/3")


@pytest.mark.parametrize("typed", ["\uff11\uff12", "1 2", "#12"])  # full-width digits first
def test_a_number_is_taken_as_people_write_it(table: Table, typed: str) -> None:
    table.open()
    table.page.locator("#heading .deal").click()
    table.dialog.get_by_label("Deal number").fill(typed)
    table.dialog.get_by_role("button", name="Play this deal").click()
    expect(table.page).to_have_url(f"{table.server}/play/classic/12")


def test_number_that_no_deal_has_is_refused_in_the_dialog(table: Table) -> None:
    table.open("/play/classic/7")
    table.page.locator("header .deal").click()
    table.dialog.get_by_label("Deal number").fill("9999999999")
    table.dialog.get_by_text("Play this deal").click()
    expect(table.dialog.get_by_role("alert")).not_to_be_empty()


def test_back_button_returns_to_the_deal_before(table: Table) -> None:
    table.open("/play/classic/7")
    table.action("new").click()
    expect(table.page).not_to_have_url(f"{table.server}/play/classic/7")
    table.page.go_back()
    expect(table.card("JC")).to_be_visible()
    expect(table.page).to_have_url(f"{table.server}/play/classic/7")


def test_reload_goes_on_where_it_was(table: Table) -> None:
    table.open("/play/classic/7")
    table.play("6D7D d")
    table.page.reload()
    table.wait_for_deal()
    expect(table.stat("removed")).to_have_text("2/28")
    expect(table.card("5S")).to_be_visible()


def test_reload_shows_a_game_that_has_ended(table: Table) -> None:
    table.open("/play/classic/7")
    table.play("6D7D")
    table.give_up()
    table.page.reload()
    expect(table.page.locator(".result")).to_contain_text("Game over")


# Removing cards


def test_pair_is_removed_by_mouse(table: Table) -> None:
    table.open()
    table.tap("6D", "7D")
    expect(table.card("6D")).to_have_count(0)
    expect(table.card("7D")).to_have_count(0)
    expect(table.stat("removed")).to_have_text("2/28")


def test_partners_of_the_chosen_card_are_lit(table: Table) -> None:
    table.open()
    table.tap("QD")
    expect(table.chosen).to_have_attribute("data-card", "QD")
    expect(table.fitting).to_have_attribute("data-card", "AC")


def test_chosen_card_is_let_go_when_chosen_again(table: Table) -> None:
    table.open()
    table.tap("QD", "QD")
    expect(table.chosen).to_have_count(0)
    expect(table.fitting).to_have_count(0)


def test_escape_lets_go_of_the_chosen_card(table: Table) -> None:
    table.open()
    table.tap("QD")
    table.press("Escape")
    expect(table.chosen).to_have_count(0)


def test_king_goes_alone_at_one_click(table: Table) -> None:
    table.open()
    table.press("d", 6)
    table.tap("KH")
    expect(table.card("KH")).to_have_count(0)
    expect(table.card("QC")).to_be_visible()


def test_double_click_on_a_king_asks_once(table: Table) -> None:
    table.open()
    table.press("d", 6)
    table.card("KH").dblclick(delay=10)
    expect(table.card("KH")).to_have_count(0)
    table.wait_until_idle()
    expect(table.status).not_to_have_class("refused")
    expect(table.stat("moves")).to_have_text("7")


def test_card_of_the_waste_pairs_with_one_of_the_pyramid(table: Table) -> None:
    table.open()
    table.press("d", 2)
    table.tap("TD", "3D")
    expect(table.stat("removed")).to_have_text("1/28")
    expect(table.card("5S")).to_be_visible()


def test_top_of_an_open_stock_is_chosen_like_a_card(table: Table) -> None:
    table.open("/play/open/7")
    table.press("d")
    table.tap("TD", "3D")
    expect(table.stat("removed")).to_have_text("1/28")
    expect(table.stat("stock")).to_have_text("22")


def test_overlap_pair_goes_together(table: Table) -> None:
    table.open("/play/overlap/7")
    table.play("6D7D d d d")
    table.tap("QD", "AC")
    expect(table.stat("removed")).to_have_text("4/28")


def test_pair_that_does_not_fit_is_refused_with_its_reason(table: Table) -> None:
    table.open()
    table.tap("6D", "JS")
    expect(table.status).to_contain_text("17")
    expect(table.stat("removed")).to_have_text("0/28")


def test_card_that_did_not_fit_is_the_chosen_one_then(table: Table) -> None:
    table.open()
    table.tap("6D", "JS")
    table.wait_until_idle()
    expect(table.chosen).to_have_attribute("data-card", "JS")
    expect(table.fitting).to_have_attribute("data-card", "2D")


def test_covered_card_says_what_covers_it(table: Table) -> None:
    table.open()
    table.tap("TS")
    expect(table.status).to_have_class("refused")
    expect(table.page.locator(".card.marked")).to_have_count(2)
    marked = table.page.locator(".card.marked").evaluate_all("all => all.map(c => c.dataset.card)")
    assert set(marked) == {"6S", "4C"}


# Stock and waste


def test_draw_turns_the_next_card_up(table: Table) -> None:
    table.open()
    table.action("draw").click()
    expect(table.card("5S")).to_be_visible()
    expect(table.stat("stock")).to_have_text("23")
    expect(table.page.locator("[data-count=waste]")).to_have_text("1")


def test_stock_that_is_tapped_is_drawn_from(table: Table) -> None:
    table.open()
    table.page.locator("[data-place=stock]").click()
    expect(table.card("5S")).to_be_visible()


def test_nothing_more_is_taken_while_an_answer_is_missed(table: Table) -> None:
    table.open()
    table.page.context.set_offline(True)
    table.page.keyboard.press("d")
    expect(table.status).to_have_text("Sending…")
    for _ in range(4):
        table.page.keyboard.press("d")
    expect(table.page.locator("#notice")).to_contain_text("cannot be reached")
    table.page.context.set_offline(False)
    table.page.evaluate("dispatchEvent(new Event('online'))")
    expect(table.page.locator("#notice")).not_to_contain_text("cannot be reached")
    table.wait_until_idle()
    expect(table.stat("stock")).to_have_text("23")


def test_quick_keys_draw_a_card_each(table: Table) -> None:
    table.open()
    for _ in range(3):
        table.page.keyboard.press("d")
    expect(table.stat("stock")).to_have_text("21")
    expect(table.card("4D")).to_be_visible()


def test_empty_stock_is_redealt_by_its_button(table: Table) -> None:
    table.open()
    table.press("d", 24)
    expect(table.card("7S")).to_be_visible()
    expect(table.action("draw")).to_contain_text("Redeal")
    table.action("draw").click()
    expect(table.stat("pass")).to_have_text("2/3")
    expect(table.stat("stock")).to_have_text("24")


def test_empty_stock_without_a_pass_says_so(table: Table) -> None:
    table.open("/play/open-1/7")
    table.press("d", 24)
    table.page.locator("[data-place=stock]").click()
    expect(table.status).to_have_class("refused")
    expect(table.stat("pass")).to_have_text("1/1")


# Taking back


def test_undo_brings_a_pair_back_whole(table: Table) -> None:
    table.open()
    table.play("6D7D")
    table.press("u")
    assert table.cards() == [*PYRAMID_7]
    expect(table.stat("removed")).to_have_text("0/28")


def test_restart_returns_to_the_deal(table: Table) -> None:
    table.open()
    table.play("6D7D d d")
    table.action("restart").click()
    table.dialog.get_by_role("button", name="Restart").click()
    expect(table.stat("stock")).to_have_text("24")
    assert table.cards() == [*PYRAMID_7]


def test_restart_asks_before_it_takes_everything_back(table: Table) -> None:
    table.open()
    table.play("d d")
    table.action("restart").click()
    expect(table.dialog).to_have_accessible_name("Start this deal again?")
    table.dialog.get_by_role("button", name="Play on").click()
    expect(table.stat("stock")).to_have_text("22")


def test_a_key_held_down_asks_for_nothing_in_vain(table: Table) -> None:
    table.open()
    table.play("d d d")
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url.split("/")[-2]))
    for _ in range(8):  # the key repeats, as it does not go up
        table.page.keyboard.down("u")
        table.page.keyboard.down("u")
        table.wait_until_idle()
    table.page.keyboard.up("u")
    expect(table.stat("stock")).to_have_text("24")
    assert asked.count("undos") == 3


def test_a_strict_game_counts_all_cards(table: Table) -> None:
    table.open("/play/strict/7")
    expect(table.stat("removed")).to_have_text("0/52")
    table.play("6D7D")
    expect(table.stat("removed")).to_have_text("2/52")


def test_locked_card_is_marked_and_can_be_rewound(table: Table) -> None:
    table.open("/play/classic/60")
    table.play(LOCKING_60)
    expect(table.card("8S").locator(".lock")).to_be_visible()
    expect(table.status).to_contain_text("locked")
    table.page.get_by_text("Rewind to before it").click()
    expect(table.page.locator(".lock")).to_have_count(0)
    expect(table.stat("removed")).to_have_text("1/28")


def test_deal_locked_from_the_start_offers_no_rewind(table: Table) -> None:
    table.open("/play/classic/66")
    expect(table.page.locator(".banner.locked")).to_contain_text("cannot be won")
    expect(table.page.get_by_text("Rewind to before it")).to_have_count(0)


# The end


def test_stuck_game_offers_undo_restart_and_a_new_deal(table: Table) -> None:
    table.open("/play/blind/2")
    table.play(STUCK_BLIND_2)
    banner = table.page.locator(".banner.stuck")
    expect(banner.get_by_role("button")).to_have_text(["Undo", "Restart", "New deal"])
    banner.get_by_text("Undo").click()
    expect(banner).to_have_count(0)


def test_won_game_shows_its_result(table: Table) -> None:
    table.open("/play/classic/1879")
    table.play(WON_1879)
    result = table.page.locator(".result")
    expect(result).to_contain_text("Deal cleared")
    expect(result).to_contain_text("36")
    result.get_by_text("Same deal again").click()
    expect(table.stat("removed")).to_have_text("0/28")
    expect(table.page).to_have_url(f"{table.server}/play/classic/1879")


def test_result_is_seen_whole_on_small_phones(table: Table) -> None:
    table.page.set_extra_http_headers({"Accept-Language": "ru"})  # it has the longest words
    table.open("/play/classic/1879")
    table.play(WON_1879)
    result = table.page.locator(".result")
    expect(result.locator(".invitation")).to_be_visible()
    for width, height in ((360, 740), (360, 640), (320, 568), (740, 360)):
        table.page.set_viewport_size({"width": width, "height": height})
        assert result.evaluate("card => card.scrollHeight <= card.clientHeight"), (width, height)


def test_lost_game_lets_its_cards_be_looked_at(table: Table) -> None:
    table.open()
    table.play("6D7D")
    table.give_up()
    table.page.locator(".result").get_by_text("Look at the cards").click()
    expect(table.page.locator(".result")).to_have_count(0)
    expect(table.card("JC")).to_be_visible()


# Keyboard and ear


def test_pair_is_removed_by_keyboard_alone(table: Table) -> None:
    table.open()
    _tab_to_table(table)
    table.press("Enter")
    table.press("ArrowRight", 3)
    table.press("Space")
    expect(table.stat("removed")).to_have_text("2/28")
    expect(table.card("6D")).to_have_count(0)


def test_focus_stays_at_the_table_when_its_card_leaves(table: Table) -> None:
    table.open()
    _tab_to_table(table)
    table.press("Enter")
    table.press("ArrowRight", 3)
    table.press("Enter")
    expect(table.card("7D")).to_have_count(0)
    assert table.focused("data-place") is not None


def test_arrow_keys_reach_every_card(table: Table) -> None:
    table.open()
    table.press("d")
    _tab_to_table(table)
    reached, ahead = set(), {table.focused("data-place")}
    while ahead:
        place = ahead.pop()
        reached.add(place)
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            table.page.locator(f"[data-place='{place}']").focus()
            table.page.keyboard.press(key)
            ahead |= {table.focused("data-place")} - reached
    assert len(reached) == 30


def test_removed_slots_take_no_focus(table: Table) -> None:
    table.open()
    table.play("6D7D")
    stops = table.page.locator(".row [tabindex='0'], .piles [tabindex='0']")
    expect(stops).to_have_count(1)
    expect(table.page.locator("[data-place='6,0']")).to_have_count(0)


def test_covered_card_is_spoken_with_its_coverers(table: Table) -> None:
    table.open()
    name = "ten of spades, covered by six of spades and four of clubs"
    expect(table.card("TS")).to_have_attribute("aria-label", name)


def test_help_opens_by_question_mark_and_closes_by_escape(table: Table) -> None:
    table.open()
    table.press("?")
    expect(table.dialog).to_contain_text("How to play")
    table.press("Escape")
    expect(table.dialog).to_have_count(0)


def test_keys_do_nothing_while_a_dialog_is_open(table: Table) -> None:
    table.open()
    table.press("?")
    table.press("d")
    expect(table.stat("stock")).to_have_text("24")


# Links


def test_link_of_the_deal_is_copied(live_server, chromium) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    table = Table(context.new_page(), live_server.url)
    table.open()
    table.page.get_by_label("Copy link").click()
    expect(table.status).to_contain_text("copied")
    copied = table.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{live_server.url}/play/classic/7"
    context.close()


def test_link_is_shown_where_it_cannot_be_copied(table: Table) -> None:
    table.page.add_init_script("delete Navigator.prototype.clipboard")
    table.open()
    table.page.get_by_label("Copy link").click()
    expect(table.dialog.locator("input")).to_have_value(f"{table.server}/play/classic/7")


# What is hidden


def test_blind_page_names_no_card_that_lies_face_down(table: Table) -> None:
    table.open("/play/blind/7")
    assert table.cards() == [None] * 21 + [*PYRAMID_7[21:]]
    html = table.page.content()
    named = set(re.findall(r"data-card=\"(..)\"", html))
    assert named == set(PYRAMID_7[21:])
    assert "jack of clubs" not in html


def test_card_turned_up_in_blind_is_shown(table: Table) -> None:
    table.open("/play/blind/7")
    table.play("6D7D JS2D")
    expect(table.card("5H")).to_be_visible()


# Phones and bad lines


def test_pair_is_removed_by_touch(phone_table: Table) -> None:
    phone_table.open()
    phone_table.card("6D").tap()
    phone_table.card("7D").tap()
    expect(phone_table.stat("removed")).to_have_text("2/28")


@pytest.mark.parametrize("language", ["en", "ru"])  # Russian has the longest words
@pytest.mark.parametrize(
    "size",
    [(1440, 900), (1240, 800), (1100, 700), (900, 520), (390, 844), (320, 568), (844, 390)],
    ids="{0[0]}x{0[1]}".format,
)
def test_everything_fits_without_scrolling(
    table: Table, size: tuple[int, int], language: str
) -> None:
    table.page.set_extra_http_headers({"Accept-Language": language})
    table.page.emulate_media(reduced_motion="reduce")
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    table.open()
    outside = table.page.locator("button").evaluate_all(
        """all => all.filter(e => e.getClientRects().length).filter(e => {
            const {left, top, right, bottom} = e.getBoundingClientRect();
            const cut = e.matches(".action") && e.scrollWidth > e.clientWidth;
            return cut || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        }).map(e => e.getAttribute("aria-label") ?? e.textContent.trim())"""
    )
    assert outside == []


def test_lost_answer_is_asked_for_again_and_the_move_counts_once(table: Table) -> None:
    table.open()
    sent: list[str] = []

    def lose_first(route) -> None:
        sent.append(route.request.post_data_json["client_move_id"])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    table.page.route("**/moves/", lose_first)
    with table.page.expect_response("**/moves/"):
        table.press("d")
    expect(table.stat("moves")).to_have_text("1")
    expect(table.stat("stock")).to_have_text("23")
    assert sent[0] == sent[1]


def test_unreachable_server_can_be_tried_again(table: Table) -> None:
    table.open()
    table.page.context.set_offline(True)
    table.page.keyboard.press("d")
    retry = table.page.get_by_text("Try again")
    expect(retry).to_be_visible()
    table.page.context.set_offline(False)
    expect(retry).to_have_count(0)
    expect(table.stat("stock")).to_have_text("23")


def test_server_that_fails_at_first_can_be_tried_again(table: Table) -> None:
    table.page.route("**/api/v1/**", lambda route: route.abort())
    table.page.goto(f"{table.server}/play/classic/7")
    retry = table.page.get_by_text("Try again")
    expect(retry).to_be_visible()
    table.page.unroute("**/api/v1/**")
    retry.click()
    table.wait_for_deal()
    assert table.cards() == [*PYRAMID_7]


def test_page_out_of_sight_stops_the_clock(table: Table) -> None:
    table.open()
    table.press("d")
    hide = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"
    table.page.evaluate(hide)
    with table.page.expect_response("**/pauses/") as paused:
        table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert paused.value.json()["running"] is False


def test_page_seen_again_shows_what_has_been_done_elsewhere(
    live_server, desk: BrowserContext
) -> None:
    first, second = (Table(desk.new_page(), live_server.url) for _ in range(2))
    first.open()
    second.open()
    first.press("d")
    second.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(second.stat("stock")).to_have_text("23")


def test_language_is_changed_where_the_game_stands(table: Table) -> None:
    table.open()
    table.press("d")
    table.page.locator("header .in-header").get_by_label("Language").select_option("ru")
    expect(table.page.locator("html")).to_have_attribute("lang", "ru")
    table.wait_for_deal()
    expect(table.stat("stock")).to_have_text("23")
    expect(table.page).to_have_url(f"{table.server}/play/classic/7")


def test_move_made_in_another_tab_is_taken_over(live_server, desk: BrowserContext) -> None:
    first, second = (Table(desk.new_page(), live_server.url) for _ in range(2))
    first.open()
    second.open()
    first.press("d")
    second.page.keyboard.press("d")
    expect(second.status).to_have_class("refused")
    expect(second.stat("stock")).to_have_text("23")


def _game_of(tab: Page) -> str:
    expect(tab.locator(".row .card").first).to_be_visible()
    expect(tab.locator("body.busy")).to_have_count(0)
    return tab.evaluate("history.state.game")


def _tab_to_table(table: Table) -> None:
    for _ in range(12):
        table.page.keyboard.press("Tab")
        if table.focused("data-place"):
            return
    pytest.fail("the table cannot be reached by Tab")


def test_no_card_moves_on_a_phone_when_a_note_comes(table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    table.open("/play/blind/2")
    before = table.page.locator(".row").first.bounding_box()
    table.play(STUCK_BLIND_2)
    expect(table.page.locator(".banner.stuck")).to_be_visible()
    assert table.page.locator(".row").first.bounding_box() == before


def test_a_server_that_comes_back_is_found_without_a_click(table: Table) -> None:
    table.open()
    table.page.route("**/moves/", lambda route: route.abort())
    table.page.keyboard.press("d")
    expect(table.page.locator(".banner.alarm")).to_be_visible()
    table.page.unroute("**/moves/")
    expect(table.stat("stock")).to_have_text("23", timeout=20_000)
