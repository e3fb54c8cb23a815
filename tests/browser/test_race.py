"""A race, raced in two browsers against a server of its own, with its sockets."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.racer import RACE, Racer
from tests.browser.test_table import STUCK_BLIND_2, WON_1879

pytestmark = [pytest.mark.browser]


@pytest.fixture
def racing(anna: Racer, boris: Racer) -> tuple[Racer, Racer]:
    """The two, in a race that has started, on deal 1879."""
    boris.join(anna.make_race("?rules=classic&number=1879"))
    start(anna, boris)
    return anna, boris


def start(*racers: Racer) -> None:
    for racer in racers:
        racer.be_ready()
    for racer in racers:
        racer.wait_for_start()


# Before the start


def test_one_button_makes_a_race_and_shows_its_link(anna: Racer) -> None:
    anna.make_race("")
    link = anna.page.locator("#race-link").inner_text()
    assert f"http://{link}" == anna.page.url
    assert anna.race()["kind"] == "rated"


def test_deal_of_an_ended_game_can_be_raced_on(anna: Racer) -> None:
    anna.open("/play/classic/7")
    anna.action("more").click()
    anna.dialog.get_by_text("Give up").click()
    anna.dialog.locator("[data-answer=yes]").click()
    anna.action("race-deal").click()
    expect(anna.page.locator("[name=number]")).to_have_value("7")


def test_deal_of_the_table_is_offered_to_a_race_and_not_chosen(anna: Racer) -> None:
    anna.open("/play/open/8")
    link = anna.page.locator(".site-tools [data-race]")
    expect(link).to_have_attribute("href", "/race/?rules=open&deal=8")
    link.click()
    expect(anna.page.get_by_label("Rule set")).to_have_value("open")
    expect(anna.page.get_by_role("radio", name="Easy")).to_be_checked()
    anna.page.get_by_role("radio", name="By number").check()
    expect(anna.page.locator("[name=number]")).to_have_value("8")


def test_header_follows_the_game_on_the_table(anna: Racer) -> None:
    anna.open("/play/classic/7")
    log_in = anna.page.locator(".sheet-menu a", has_text="Log in")
    expect(log_in).to_have_attribute("href", "/accounts/login/?next=%2Fplay%2Fclassic%2F7")
    anna.page.keyboard.press("n")
    expect(anna.heading).to_contain_text("Easy")
    anna.wait_until_idle()
    expect(log_in).to_have_attribute("href", "/accounts/login/?next=%2F")
    number = anna.page.evaluate("location.pathname").rsplit("/", 1)[1]
    link = anna.page.locator(".site-tools [data-race]")
    expect(link).to_have_attribute("href", f"/race/?rules=classic&deal={number}")


def test_guest_who_registers_in_a_lobby_is_back_in_the_seat_and_told_to_the_others(
    anna: Racer, boris: Racer
) -> None:
    address = anna.make_race()
    boris.join(address)
    anna.page.locator(".account-menu summary").click()
    anna.page.locator(".sheet-menu").get_by_role("link", name="Register").click()
    anna.page.get_by_label("Name", exact=True).fill("Annette")
    anna.page.get_by_label("Password", exact=True).fill("correct horse battery")
    anna.page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(anna.page).to_have_url(address)
    expect(anna.seats.filter(has_text="Annette")).to_be_visible()
    expect(boris.seats.filter(has_text="Annette")).to_be_visible()
    assert [seat["player"] for seat in anna.race()["seats"]] == ["Annette", boris.name]


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (1280, 800)])
def test_way_back_to_the_race_covers_nothing(
    racing: tuple[Racer, Racer], size: tuple[int, int]
) -> None:
    anna, _ = racing
    address, page = anna.page.url, anna.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    anna.open("/play/classic/8")
    row = page.locator(".way-back")
    expect(row).to_contain_text("Your race is running.")
    box = row.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, size[0])
    for part in (".site-header", ".pyramid", ".piles", "#stats", "#bar"):
        other = page.locator(part).bounding_box()
        assert other is not None, part
        above = other["y"] + other["height"] <= box["y"]
        assert above or other["y"] >= box["y"] + box["height"], part
    bar = page.locator("#bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row.get_by_role("link").click()
    expect(page).to_have_url(address)
    expect(page.locator(".way-back")).to_have_count(0)


def test_race_is_made_as_it_was_wished_for(anna: Racer) -> None:
    anna.page.goto(f"{anna.server}/race/")
    anna.page.get_by_label("Rule set").select_option("open")
    anna.page.get_by_role("radio", name="By number").check()
    anna.page.get_by_role("textbox", name="Deal number").fill("2 024")
    anna.page.get_by_role("button", name="One more").click()
    anna.page.get_by_label("Time limit").select_option("5 minutes")
    anna.page.get_by_role("button", name="Create the race").click()
    anna.page.wait_for_url(RACE)
    race = anna.race()
    wished = {"rules": "open", "number": 2024, "seats_max": 3, "time_limit_ms": 300_000}
    assert race | wished == race


def test_number_that_is_none_is_told_in_the_form(anna: Racer) -> None:
    anna.page.goto(f"{anna.server}/race/?number=seven")
    anna.page.get_by_role("button", name="Create the race").click()
    expect(anna.page.get_by_role("alert")).to_have_text("Type the number of a deal.")


def test_whoever_has_the_link_joins_without_a_form(anna: Racer, boris: Racer) -> None:
    boris.come(anna.make_race())
    boris.action("join").click()
    for racer in (anna, boris):
        expect(racer.seats.locator("bdi")).to_have_text([anna.name, boris.name])
    expect(anna.seats.nth(0)).to_contain_text("Host")


def test_guest_who_is_new_stands_in_the_header(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    expect(boris.page.locator(".account-menu summary .who")).to_have_text("Guest")
    expect(boris.page.locator(".account-menu nav > .who")).to_have_text(boris.name)


def test_code_that_is_told_leads_to_the_race(anna: Racer, boris: Racer) -> None:
    anna.make_race()
    boris.page.goto(f"{boris.server}/race/")
    boris.page.get_by_label("You have a code?").fill(f" {anna.code.lower()} ")
    boris.page.keyboard.press("Enter")
    expect(boris.action("join")).to_be_visible()


def test_code_that_is_empty_is_asked_for(anna: Racer) -> None:
    anna.page.goto(f"{anna.server}/race/#code")
    anna.page.get_by_role("button", name="Go to the race").click()
    why = anna.page.get_by_label("You have a code?").evaluate("field => field.validationMessage")
    assert why == "Type the code of a race."


def test_code_that_no_race_has_gets_a_page_that_says_so(anna: Racer) -> None:
    answer = anna.page.goto(f"{anna.server}/race/NOSUCHXX")
    assert answer is not None
    assert answer.status == 404
    expect(anna.page.locator("h1")).to_have_text("There is no race with this code")
    anna.page.get_by_role("link", name="Type the code again").click()
    expect(anna.page.get_by_label("You have a code?")).to_be_focused()


def test_seat_that_is_left_is_free_again(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    expect(anna.seats).to_have_count(2)
    boris.action("leave").click()
    expect(anna.seats).to_have_count(1)
    expect(boris.action("join")).to_be_visible()


def test_full_race_is_told_to_who_comes_late(anna: Racer, boris: Racer, watcher: Racer) -> None:
    address = anna.make_race()
    boris.join(address)
    watcher.come(address)
    expect(watcher.page.locator(".lobby footer")).to_contain_text("All seats are taken")
    expect(watcher.action("join")).to_have_count(0)


def test_link_is_copied(server: str, chromium: Browser) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    host = Racer(context, server)
    address = host.make_race()
    host.action("copy").click()
    expect(host.status).to_have_text("The link is copied.")
    assert host.page.evaluate("navigator.clipboard.readText()") == address
    context.close()


def test_host_starts_without_waiting_for_all(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    anna.action("start").click()
    for racer in (anna, boris):
        expect(racer.countdown).to_be_visible()


def test_start_is_called_off_when_somebody_leaves(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    anna.action("start").click()
    expect(boris.countdown).to_be_visible()
    boris.call("DELETE", f"races/{anna.code}/seats/me/")
    expect(anna.seats).to_have_count(1)
    expect(anna.status).to_have_text("The start is called off.")


def test_countdown_has_a_way_back_and_one_out(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    for racer in (anna, boris):
        racer.be_ready()
    anna.action("unready").click()
    for racer in (anna, boris):
        expect(racer.countdown).to_have_count(0)
        expect(racer.action("ready")).to_be_visible()
    anna.be_ready()
    boris.action("leave").click()
    expect(anna.seats).to_have_count(1)


def test_leaving_alone_is_asked_about_first(anna: Racer) -> None:
    anna.make_race("")
    anna.action("leave").click()
    anna.dialog.get_by_text("Stay").click()
    expect(anna.seats).to_have_count(1)
    anna.action("leave").click()
    anna.dialog.locator("[data-answer=yes]").click()
    expect(anna.verdict).to_have_text("This race was never started")
    expect(anna.page.locator(".seed")).to_have_count(0)


def test_no_card_is_on_the_page_before_the_start(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    anna.action("start").click()
    expect(boris.countdown).to_be_visible()
    expect(boris.page.locator(".row .card.down")).to_have_count(28)
    expect(boris.page.locator("[data-card]")).to_have_count(0)


# Racing


def test_all_start_on_the_same_cards(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    assert len(anna.cards()) == 28
    assert anna.cards() == boris.cards()


def test_move_is_seen_by_the_other_as_a_number(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    boris.play("8H5H 2DJD")
    expect(anna.rivals.locator("[data-count=removed]")).to_have_text("4/28")
    assert len(anna.cards()) == 28


def test_others_are_hidden_from_who_wants_it_so(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race())
    anna.call("PATCH", "me/", {"settings": {"hide_opponent": True}})
    anna.page.reload()
    start(boris, anna)
    boris.press("d")
    expect(anna.rivals.locator("bdi")).to_have_text(boris.name)
    expect(anna.rivals).not_to_contain_text("28")


def test_watcher_sees_the_seats_and_no_card(racing: tuple[Racer, Racer], watcher: Racer) -> None:
    anna, _ = racing
    watcher.come(anna.page.url)
    anna.play("8H5H")
    seat = watcher.page.locator(".rival[data-seat='1']")
    expect(seat.locator("[data-count=removed]")).to_have_text("2/28")
    expect(watcher.page.locator(".card")).to_have_count(0)


def test_stuck_is_not_the_end(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race("?rules=blind&number=2"))
    start(anna, boris)
    anna.play(STUCK_BLIND_2)
    expect(anna.notice).to_contain_text("the race goes on")
    anna.notice.get_by_role("button", name="Undo").click()
    expect(anna.stat("stock")).to_have_text("1")


def test_board_stays_when_the_connection_is_lost(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    boris.lose_connection()
    expect(boris.notice).to_contain_text("The connection is lost")
    assert len(boris.cards()) == 28
    anna.play("8H5H")
    boris.find_connection()
    expect(boris.notice).not_to_contain_text("The connection is lost")
    expect(boris.rivals.locator("[data-count=removed]")).to_have_text("2/28")


def test_moves_go_on_without_a_socket(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    boris.lose_connection()
    boris.play("8H5H")
    expect(anna.rivals.locator("[data-count=removed]")).to_have_text("2/28")


def test_of_taps_without_a_connection_one_is_sent_when_it_is_back(
    racing: tuple[Racer, Racer],
) -> None:
    anna, _ = racing
    anna.page.context.set_offline(True)
    anna.lose_connection()
    anna.action("draw").click()
    expect(anna.status).to_have_text("Sending…")
    for _ in range(4):
        anna.action("draw").click()
    expect(anna.notice).to_contain_text("The connection is lost")
    expect(anna.notice).not_to_contain_text("cannot be reached")
    anna.page.context.set_offline(False)
    anna.find_connection()
    expect(anna.stat("stock")).to_have_text("23")
    anna.wait_until_idle()
    expect(anna.notice).not_to_contain_text("The connection is lost")
    expect(anna.stat("stock")).to_have_text("23")


def test_reload_goes_on_where_the_race_is(racing: tuple[Racer, Racer]) -> None:
    anna, _ = racing
    anna.play("8H5H")
    anna.page.reload()
    anna.wait_for_start()
    assert len(anna.cards()) == 26


def test_own_board_follows_what_is_done_in_another_tab(racing: tuple[Racer, Racer]) -> None:
    anna, _ = racing
    anna.clear("8H5H")
    expect(anna.card("8H")).to_have_count(0)


def test_giving_up_is_asked_about_first(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    anna.action("give-up").click()
    anna.dialog.get_by_text("Play on").click()
    anna.press("d")
    anna.give_up()
    expect(anna.page.locator(".own-end h2")).to_have_text("You have given up.")
    expect(boris.rivals).to_contain_text("Gave up")


def test_who_is_done_waits_for_the_other_and_may_watch(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    anna.give_up()
    waiting = anna.page.locator("section.own-end")
    expect(waiting).to_contain_text(f"{boris.name} plays on.")
    expect(waiting).to_contain_text("left")
    expect(waiting.get_by_role("link", name="New race")).to_be_visible()
    boris.play("8H5H")
    expect(waiting.locator("[data-count=removed]")).to_have_text("2/28")
    assert anna.page.evaluate("document.getElementById('table').inert")
    anna.action("watch").click()
    expect(anna.page.locator(".watch .rival")).to_have_count(2)


def test_clear_is_celebrated_while_others_play_on(
    anna: Racer, boris: Racer, watcher: Racer
) -> None:
    anna.page.goto(f"{anna.server}/race/?rules=classic&number=1879")
    anna.page.get_by_role("button", name="One more").click()
    anna.page.get_by_role("button", name="Create the race").click()
    anna.page.wait_for_url(RACE)
    for other in (boris, watcher):
        other.join(anna.page.url)
    start(anna, boris, watcher)
    anna.clear(WON_1879)
    waiting = anna.page.locator("section.own-end.won")
    expect(waiting.locator("h2")).to_contain_text("You have cleared the deal in 0:")
    expect(waiting).to_contain_text("The others play on.")


# After it


def test_first_who_clears_wins_on_every_page(racing: tuple[Racer, Racer], watcher: Racer) -> None:
    anna, boris = racing
    watcher.come(anna.page.url)
    anna.clear(WON_1879)
    expect(anna.verdict).to_have_text("You win!")
    for other in (boris, watcher):
        expect(other.verdict).to_have_text(f"{anna.name} wins")
        expect(other.page.locator(".places bdi")).to_have_text([anna.name, boris.name])


def test_places_say_what_has_decided(racing: tuple[Racer, Racer]) -> None:
    anna, _ = racing
    anna.clear("8H5H")
    for racer in racing:
        racer.give_up()
    expect(anna.verdict).to_have_text("You win!")
    first, second = anna.page.locator(".places li").all()
    expect(first).to_contain_text("at most 2/28, at 0:")
    expect(second).not_to_contain_text("at most")
    expect(anna.page.locator(".outcome .note")).to_contain_text("First come those who clear")


def test_help_tells_how_the_race_ends(racing: tuple[Racer, Racer]) -> None:
    anna, _ = racing
    anna.action("how").click()
    expect(anna.dialog).to_contain_text("there are no hints")
    expect(anna.dialog).to_contain_text("First come those who clear")


def test_logs_stand_side_by_side(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    anna.play("8H5H")
    boris.press("d")
    for racer in racing:
        racer.give_up()
    logs = anna.page.locator(".logs table")
    expect(logs.locator("thead bdi")).to_have_text([anna.name, boris.name])
    expect(logs.locator("td:nth-child(2) .card-chip")).to_have_text(["8♥︎", "5♥︎"])
    expect(logs.locator("td:nth-child(3) .pile-move")).to_have_text("Draw")


def test_seed_of_a_rated_race_is_told_with_how_to_deal_it_again(anna: Racer, boris: Racer) -> None:
    boris.join(anna.make_race(""))
    start(anna, boris)
    for racer in (anna, boris):
        racer.give_up()
    anna.page.locator(".seed summary").click()
    race = anna.race()
    command = f".venv/bin/python -m solver deal --seed {race['seed']} --try {race['attempt']}"
    expect(anna.page.locator(".seed code")).to_have_text(command)


def test_rematch_brings_both_to_the_same_next_race(racing: tuple[Racer, Racer]) -> None:
    anna, boris = racing
    for racer in racing:
        racer.give_up()
    anna.action("rematch").click()
    expect(boris.page.locator(".steps")).to_contain_text(f"{anna.name} wants a rematch.")
    boris.action("rematch").click()
    for racer in racing:
        expect(racer.seats.locator("bdi")).to_have_text([anna.name, boris.name])
    assert anna.page.url == boris.page.url


# On every screen


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (740, 360), (1280, 800)])
def test_race_fits_without_scrolling(racing: tuple[Racer, Racer], size: tuple[int, int]) -> None:
    anna, _ = racing
    anna.page.set_viewport_size({"width": size[0], "height": size[1]})
    for inside in ("#rivals", "#bar", ".row:last-child", ".stock"):
        box = anna.page.locator(inside).bounding_box()
        assert box is not None
        assert box["x"] >= -1
        assert box["y"] >= -1
        assert box["x"] + box["width"] <= size[0] + 1
        assert box["y"] + box["height"] <= size[1] + 1
    width = "document.scrollingElement.scrollWidth"
    assert anna.page.evaluate(width) <= size[0]


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant", "ru", "ja"])
def test_no_stage_is_too_wide_for_a_small_phone(
    server: str, chromium: Browser, boris: Racer, language: str
) -> None:
    context = chromium.new_context(
        viewport={"width": 320, "height": 568}, extra_http_headers={"Accept-Language": language}
    )
    anna = Racer(context, server)
    anna.page.goto(f"{server}/race/?rules=classic&number=7")
    assert_fits(anna)
    anna.page.locator("button[type=submit].big").click()
    anna.page.wait_for_url(RACE)
    boris.join(anna.page.url)
    expect(anna.seats).to_have_count(2)
    assert_fits(anna)
    start(anna, boris)
    assert_fits(anna)
    for racer in (anna, boris):
        racer.give_up()
    expect(anna.verdict).to_be_visible()
    assert_fits(anna)
    context.close()


def assert_fits(racer: Racer) -> None:
    """Nothing is cut off on the right, on the page nor in what scrolls on it."""
    wide = """() => [document.scrollingElement, document.querySelector("#room"),
        ...document.querySelectorAll("button, .action")]
        .filter((box) => box && box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.outerHTML.slice(0, 120))"""
    assert racer.page.evaluate(wide) == []
