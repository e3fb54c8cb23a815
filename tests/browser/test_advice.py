"""What the solver tells the player at the table, in a real browser against a real server."""

import re

import pytest
from playwright.sync_api import Route, expect

from game.rules.deals import CATALOGUE
from tests.browser.table import Table
from tests.game.lines import LOSING, WON

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOST_DEAL, LOST_LINE = LOSING  # its last move loses what could be won until then
WON_DEAL, WON_LINE = WON["classic"]
NEVER_WINNABLE = 66  # a card is locked as the cards are dealt
PAST_CATALOGUE = CATALOGUE.stop + 5


# Tiers


def test_newcomer_is_dealt_an_easy_classic_game(table: Table) -> None:
    table.open("/")
    expect(table.page).to_have_url(re.compile(r"/play/classic/\d+$"))
    expect(table.heading).to_contain_text("Classic · Easy")
    expect(table.page.locator("[data-label]")).to_have_text("Winnable")


@pytest.mark.parametrize(("tier", "name"), [("standard", "Standard"), ("random", "Random")])
def test_tier_is_chosen_beside_the_rule_set(table: Table, tier: str, name: str) -> None:
    table.open()
    _choose_tier(table, "open", name)
    expect(table.page).to_have_url(re.compile(r"/play/open/\d+$"))
    expect(table.heading).to_contain_text(f"Open · {name}")
    assert table.state()["tier"] == tier


def test_random_says_that_it_may_not_be_winnable(table: Table) -> None:
    table.open()
    table.page.locator("#heading .deal").click()
    table.dialog.get_by_role("radio", name="Random").check()
    expect(table.dialog).to_contain_text("it may not be winnable")


def test_new_deal_is_of_the_tier_that_was_chosen(table: Table) -> None:
    table.open()
    _choose_tier(table, "classic", "Standard")
    expect(table.heading).to_contain_text("Standard")
    address = table.page.url
    table.press("n")
    expect(table.page).not_to_have_url(address)
    expect(table.heading).to_contain_text("Classic · Standard")


def test_choice_is_remembered_at_the_next_visit(table: Table) -> None:
    table.open()
    _choose_tier(table, "overlap", "Standard")
    expect(table.heading).to_contain_text("Overlap · Standard")
    table.page.context.clear_cookies()
    table.open("/")
    expect(table.heading).to_contain_text("Overlap · Standard")


def test_choice_that_no_rule_set_has_any_more_is_forgotten(table: Table) -> None:
    kept = '{"rules": "gone", "tier": "gone"}'
    table.page.add_init_script(f"localStorage.setItem('pyramid.deals', '{kept}')")
    table.open("/")
    expect(table.heading).to_contain_text("Classic · Easy")


def test_enter_in_the_number_plays_that_deal(table: Table) -> None:
    table.open()
    table.page.locator("#heading .deal").click()
    table.dialog.get_by_label("Deal number").fill("12")
    table.page.keyboard.press("Enter")
    expect(table.page).to_have_url(f"{table.server}/play/classic/12")


# Labels


def test_deal_that_cannot_be_won_says_so(table: Table) -> None:
    table.open(f"/play/classic/{NEVER_WINNABLE}")
    expect(table.page.locator("[data-label]")).to_have_text("Cannot be won")


def test_label_that_is_not_told_is_not_shown(table: Table) -> None:
    table.open(f"/play/classic/{PAST_CATALOGUE}")
    expect(table.heading).to_contain_text(str(PAST_CATALOGUE))
    expect(table.page.locator("[data-label]")).to_have_count(0)
    expect(table.stat("par")).to_have_count(0)


def test_par_is_shown_where_it_is_known(table: Table) -> None:
    with table.page.expect_response("**/deals/**") as deal:
        table.open()
    expect(table.stat("par")).to_have_text(str(deal.value.json()["par"]))


# Hints


def test_hint_lights_what_it_suggests_and_says_why(table: Table) -> None:
    table.open()
    with table.page.expect_response("**/hints/") as answer:
        table.press("h")
    hint = answer.value.json()
    expect(table.status).to_have_text(re.compile("wins|chance|guess"))
    if hint["action"] == "remove":
        assert set(table.hinted()) == set(hint["cards"])
    else:
        expect(table.action("draw")).to_have_class(re.compile("hinted"))


def test_hint_to_draw_lights_the_stock(table: Table) -> None:
    _answer(table, "hints", action="draw", reason="best_chance", win_chance=0.617)
    table.open()
    table.action("hint").click()
    expect(table.status).to_have_text(
        "Draw a card. After it, the chance that the deal can still be won is about 62%."
    )
    expect(table.page.locator(".pile.stock.hinted")).to_have_count(1)
    expect(table.action("draw")).to_have_class(re.compile("hinted"))


def test_hint_that_wins_says_so(table: Table) -> None:
    _answer(table, "hints", cards=["6D", "7D"], reason="wins", certainty="proven", win_chance=1.0)
    table.open()
    table.press("h")
    expect(table.status).to_have_text(re.compile("6♦.* and 7♦.*This wins"))
    assert set(table.hinted()) == {"6D", "7D"}
    expect(table.card("6D")).to_have_accessible_description("Suggested by the hint.")


def test_hint_vanishes_at_the_next_move(table: Table) -> None:
    _answer(table, "hints", cards=["6D", "7D"], reason="wins", certainty="proven", win_chance=1.0)
    table.open()
    table.press("h")
    expect(table.page.locator(".hinted")).to_have_count(2)
    table.press("d")
    expect(table.page.locator(".hinted")).to_have_count(0)


def test_hint_that_finds_no_win_offers_the_way_back(table: Table) -> None:
    _answer(table, "hints", action=None, reason="lost", certainty="proven", win_chance=0.0)
    table.open(f"/play/classic/{LOST_DEAL}")
    table.play(LOST_LINE)
    table.press("h")
    expect(table.status).to_have_text("No win is left from here.")
    table.page.get_by_role("button", name="Go back there").click()
    expect(table.status).to_have_text("From here it can be won.")


def test_hint_that_takes_a_while_says_so(table: Table) -> None:
    table.open()
    held: list[Route] = []
    table.page.route("**/hints/", lambda route: held.append(route))
    table.page.keyboard.press("h")
    expect(table.action("hint")).to_have_attribute("aria-busy", "true")
    expect(table.status).to_have_text("Thinking it over…")
    held[0].continue_()
    expect(table.action("hint")).to_have_attribute("aria-busy", "false")
    expect(table.status).not_to_have_text("Thinking it over…")


def test_busy_solver_is_told_in_words(table: Table) -> None:
    table.open()
    said = "Many ask just now. Try again in a moment."
    problem = {"status": 429, "code": "solver_busy", "title": said, "detail": said, "params": {}}
    table.page.route(
        "**/hints/",
        lambda route: route.fulfill(
            status=429, json=problem, content_type="application/problem+json"
        ),
    )
    table.press("h")
    expect(table.status).to_have_text(said)
    expect(table.status).to_have_class("refused")
    table.press("d")
    expect(table.stat("stock")).to_have_text("23")


# Checks


def test_check_of_a_game_that_can_be_won(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.action("check").click()
    expect(table.status).to_have_text("Yes, this can still be won.")
    expect(table.page.locator(".banner")).to_have_count(0)


def test_check_of_a_lost_game_leads_back_to_where_it_could_be_won(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.play(f"{LOST_LINE} d d")
    table.action("check").click()
    expect(table.status).to_contain_text("No, from here this cannot be won any more.")
    expect(table.status).to_contain_text("The last position that could be won is 3 moves back.")
    banner = table.page.locator(".banner.lost")
    banner.get_by_role("button", name="Go back there").click()
    expect(banner).to_have_count(0)
    expect(table.status).to_have_text("From here it can be won.")
    expect(table.card("2C")).to_be_visible()


def test_verdict_is_put_away_by_the_next_move(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.play(LOST_LINE)
    table.action("check").click()
    expect(table.page.locator(".banner.lost")).to_be_visible()
    table.press("d")
    expect(table.page.locator(".banner.lost")).to_have_count(0)


def test_check_of_a_deal_that_was_never_winnable_offers_no_way_back(table: Table) -> None:
    table.open(f"/play/classic/{NEVER_WINNABLE}")
    table.action("check").click()
    expect(table.status).to_contain_text("could not be won from the start")
    expect(table.page.get_by_text("Go back there")).to_have_count(0)


def test_unknown_is_not_called_lost(table: Table) -> None:
    _answer(table, "checks", verdict="unknown", moves_back=None)
    table.open()
    table.action("check").click()
    expect(table.status).to_contain_text("It may still be won.")
    expect(table.page.locator(".banner")).to_have_count(0)


@pytest.mark.parametrize(("kind", "hints"), [("daily", 1), ("race", 0)])
def test_ranked_game_offers_no_check(table: Table, kind: str, hints: int) -> None:
    def ranked(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "kind": kind})

    table.page.route("**/api/v1/games/", ranked)
    table.open()
    expect(table.action("check")).to_have_count(0)
    expect(table.action("hint")).to_have_count(hints)


# After the game


def test_lost_game_shows_where_it_was_lost(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.play(f"{LOST_LINE} d")
    table.give_up()
    table.page.locator(".result").get_by_text("Where was it lost?").click()
    moves = len(LOST_LINE.split())
    expect(table.dialog).to_contain_text(re.compile(f"Move {moves} lost it: 2♣.* and J♥"))
    bars = table.dialog.locator(".graph rect")
    expect(bars).to_have_count(moves + 1)
    expect(table.dialog.locator(".graph .losing")).to_have_count(1)
    expect(bars.last).to_have_class(re.compile("lost"))
    expect(table.dialog.locator(".way li").first).to_be_visible()


def test_steps_are_looked_through_by_keyboard(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.play(f"{LOST_LINE} d")
    table.give_up()
    table.action("analysis").click()
    slider = table.dialog.get_by_role("slider", name="Move")
    slider.focus()
    table.page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Move 1 of .*it could be won"))
    expect(table.dialog.locator(".step")).to_contain_text("K♣")
    table.page.keyboard.press("End")
    expect(table.dialog.locator(".step")).to_contain_text("not be won any more")


def test_won_game_is_held_against_par(table: Table) -> None:
    table.open(f"/play/classic/{WON_DEAL}")
    table.play(WON_LINE)
    table.page.locator(".result").get_by_role("button", name="Analysis").click()
    moves = len(WON_LINE.split())
    expect(table.dialog.locator(".finding")).to_contain_text(f"Won in {moves} moves")
    expect(table.dialog.locator(".facts")).to_contain_text("Par")
    expect(table.dialog.locator(".graph .lost")).to_have_count(0)


def test_game_that_was_never_winnable_names_no_losing_move(table: Table) -> None:
    table.open(f"/play/classic/{NEVER_WINNABLE}")
    table.press("d")
    table.give_up()
    table.action("analysis").click()
    expect(table.dialog).to_contain_text("This deal could not be won from the start.")
    expect(table.dialog.locator(".losing, .way")).to_have_count(0)


def test_analysis_that_fails_can_be_asked_for_again(table: Table) -> None:
    table.open(f"/play/classic/{LOST_DEAL}")
    table.press("d")
    table.give_up()
    table.page.route(
        "**/analysis/", lambda route: route.fulfill(status=429, json={"detail": "Busy."})
    )
    table.action("analysis").click()
    expect(table.dialog.get_by_role("alert")).to_have_text("Busy.")
    table.page.unroute("**/analysis/")
    table.dialog.get_by_text("Try again").click()
    expect(table.dialog.locator(".finding")).to_be_visible()


def test_phone_has_new_deal_and_restart_under_more(phone_table: Table) -> None:
    phone_table.open()
    phone_table.action("draw").tap()
    expect(phone_table.stat("stock")).to_have_text("23")
    expect(phone_table.action("new")).to_be_hidden()
    phone_table.action("more").tap()
    phone_table.dialog.get_by_text("Restart").tap()
    phone_table.dialog.get_by_role("button", name="Restart").tap()
    expect(phone_table.stat("stock")).to_have_text("24")


def _choose_tier(table: Table, rules: str, tier: str) -> None:
    table.page.locator("#heading .deal").click()
    table.dialog.locator(f"input[value={rules}]").check()
    table.dialog.get_by_role("radio", name=tier).check()
    table.dialog.get_by_role("button", name="New deal").click()
    expect(table.dialog).to_have_count(0)


def _answer(table: Table, question: str, **members: object) -> None:
    """The server answers the question, but for these members, which the solver's mood decides."""
    whole = {"action": "remove", "cards": [], "certainty": "estimated", **members}

    def other(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), **whole})

    table.page.route(f"**/{question}/", other)
