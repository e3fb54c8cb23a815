"""What a player's settings make of the table, and what the end of a game tells them."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Locator, Route, expect

from tests.browser.table import Table
from tests.game.lines import WON

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLUB, DIAMOND, HEART, SPADE = "AC", "6D", "6H", "JS"  # in deal 7; the heart is covered
BAR = ["undo", "restart", "hint", "draw", "check", "new", "more"]
SIZES = [(1280, 800), (1024, 768), (390, 844), (844, 390)]

SET = """async (settings) => {
  const csrf = document.cookie.match(/csrftoken=([^;]+)/)[1];
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrf };
  const body = JSON.stringify({ settings });
  return (await fetch("/api/v1/me/", { method: "PATCH", headers, body })).status;
}"""


def choose(table: Table, **settings: Any) -> None:
    """Sets them elsewhere and comes back to the table."""
    assert table.page.evaluate(SET, settings) == 200
    table.page.reload()
    table.wait_for_deal()


# The cards


def test_a_deck_has_two_colours(table: Table) -> None:
    table.open()
    assert colour(table, DIAMOND) != colour(table, SPADE) == colour(table, CLUB)


def test_a_deck_has_four_colours_for_those_who_like(table: Table) -> None:
    table.open()
    red = colour(table, DIAMOND)
    choose(table, four_colours=True)
    colours = {colour(table, card) for card in (CLUB, DIAMOND, SPADE)}
    assert len(colours) == 3
    assert red not in colours


@pytest.mark.parametrize("four", [False, True])
def test_every_suit_stands_out_from_the_card(table: Table, four: bool) -> None:
    table.open()
    choose(table, four_colours=four)
    for card in table.page.locator(".row .card").all():
        ink, papers = card.evaluate(
            """card => [getComputedStyle(card.querySelector(".face")).color,
                        getComputedStyle(card).backgroundImage.match(/rgb\\([^)]*\\)/g)]"""
        )
        for paper in papers:
            assert contrast(ink, paper) >= 3, (card.get_attribute("data-card"), ink, paper)


def test_values_stand_beside_ace_and_court(table: Table) -> None:
    table.open()
    shown = {card: table.card(card).locator(".value") for card in ("AC", "JS", "QD", "KC", "6D")}
    for card, value in {"AC": "1", "JS": "11", "QD": "12", "KC": "13"}.items():
        expect(shown[card]).to_have_text(value)
        expect(shown[card]).to_be_visible()
    expect(shown["6D"]).to_have_count(0)


def test_values_are_left_out_for_those_who_like(table: Table) -> None:
    table.open()
    choose(table, point_values=False)
    expect(table.card("JS").locator(".value")).to_be_hidden()


# The left hand


def test_the_bar_is_mirrored_for_the_left_hand(table: Table) -> None:
    table.open()
    assert bar(table) == BAR
    choose(table, left_handed=True)
    assert bar(table) == BAR[::-1]
    left = [box(table.action(name))["x"] for name in BAR]
    assert left == sorted(left, reverse=True)


def test_the_piles_lie_at_the_left_on_a_desk(table: Table) -> None:
    table.open()
    choose(table, left_handed=True)
    piles, pyramid = box(table.page.locator(".piles")), box(table.page.locator(".pyramid"))
    assert piles["x"] + piles["width"] <= pyramid["x"]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_for_the_left_hand_everything_fits_too(table: Table, size: tuple[int, int]) -> None:
    width, height = size
    table.page.set_viewport_size({"width": width, "height": height})
    table.open()
    choose(table, left_handed=True, four_colours=True)
    table.press("d")
    outside = table.page.locator(".card, .action, .stat, #status").evaluate_all(
        """all => all.filter(e => e.getClientRects().length).filter(e => {
            const {left, top, right, bottom} = e.getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
        }).map(e => e.textContent.trim())"""
    )
    assert outside == []
    assert table.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def test_the_piles_are_in_reach_of_the_arrow_keys_at_the_left(table: Table) -> None:
    table.open()
    choose(table, left_handed=True)
    table.card("6D").focus()
    table.page.keyboard.press("ArrowLeft")
    assert table.focused("data-place") == "stock"


# Motion

COUNT = """
  window.animated = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    window.animated += 1;
    return animate.apply(this, given);
  };
"""


@pytest.mark.parametrize(
    ("motion", "browsers", "moves"),
    [
        ("system", "no-preference", True),
        ("system", "reduce", False),
        ("full", "reduce", True),
        ("reduced", "no-preference", False),
    ],
)
def test_cards_move_as_the_player_likes(
    table: Table, motion: str, browsers: Any, moves: bool
) -> None:
    table.page.add_init_script(COUNT)
    table.page.emulate_media(reduced_motion=browsers)
    table.open()
    choose(table, motion=motion)
    table.press("d")
    assert (table.page.evaluate("animated") > 0) is moves
    duration = table.card("6D").evaluate("card => getComputedStyle(card).transitionDuration")
    assert (duration != "0s") is moves


# Elsewhere


def test_the_table_speaks_the_language_of_the_settings(table: Table) -> None:
    table.open()
    choose(table, language="ja")
    expect(table.page.locator("html")).to_have_attribute("lang", "ja")
    expect(table.action("undo")).not_to_contain_text("Undo")


def test_the_settings_are_a_step_from_the_table(table: Table) -> None:
    table.open()
    table.action("more").click()
    link = table.dialog.get_by_role("link", name="Settings")
    expect(link).to_have_attribute("href", "/settings")


# The end of a game

STOOD = {
    "played": 4,
    "won_games": 3,
    "win_rate": 0.75,
    "win_rate_before": 2 / 3,
    "streak_before": 2,
    "streak_after": 3,
    "best_streak": 3,
}


def win(table: Table, *, counted: bool = True, **record: Any) -> Locator:
    """The result of a game that is won, after which the player's record stands as said."""
    number, line = WON["classic"]
    _stands(table, counted=counted, **record)
    table.open(f"/play/classic/{number}")
    table.play(line)
    return _shown(table)


def lose(table: Table, *, counted: bool = True, **record: Any) -> Locator:
    _stands(table, counted=counted, **record)
    table.open()
    table.press("d")
    table.give_up()
    return _shown(table)


def test_a_win_tells_the_rate_with_its_change_and_the_streak(table: Table) -> None:
    result = win(table, **STOOD)
    expect(result).to_contain_text("3 wins in a row, your best.")
    record = result.get_by_role("region", name="Classic · Easy")
    expect(record).to_contain_text(re.compile(r"67%\s*→\s*75%"))
    expect(record).to_contain_text("3 of 4")


def test_a_streak_is_held_against_the_best(table: Table) -> None:
    result = win(table, **{**STOOD, "best_streak": 5})
    expect(result).to_contain_text("3 wins in a row; your best is 5.")


def test_the_first_game_has_no_rate_before_it(table: Table) -> None:
    first = {"played": 1, "won_games": 1, "win_rate": 1.0, "win_rate_before": None}
    streak = {"streak_before": 0, "streak_after": 1, "best_streak": 1}
    result = win(table, **first, **streak)
    expect(result).to_contain_text("100%")
    expect(result).not_to_contain_text("→")
    expect(result).to_contain_text("1 win in a row, your best.")


def test_a_loss_tells_which_streak_has_ended(table: Table) -> None:
    lost = {"played": 5, "win_rate": 0.6, "win_rate_before": 0.75}
    streak = {"streak_before": 3, "streak_after": 0}
    result = lose(table, **{**STOOD, **lost, **streak})
    expect(result).to_contain_text("your streak of 3 wins has ended")
    expect(result).to_contain_text(re.compile(r"75%\s*→\s*60%"))


def test_a_loss_without_a_streak_ends_none(table: Table) -> None:
    result = lose(table, **{**STOOD, "streak_before": 0, "streak_after": 0})
    expect(result).to_contain_text("It counts as lost.")
    expect(result).not_to_contain_text("streak")


def test_practice_says_that_it_counts_for_no_record(table: Table) -> None:
    result = win(table, counted=False, **dict.fromkeys(STOOD))
    expect(result).to_contain_text("This was practice: it counts for no record.")
    expect(result.locator(".record")).to_have_count(0)


def test_a_counted_game_without_a_move_says_that_it_counts_for_nothing(table: Table) -> None:
    _stands(table, counted=True, **dict.fromkeys(STOOD))
    table.open()
    table.give_up()
    expect(_shown(table)).to_contain_text("Without a move it counts for no record.")
    expect(_shown(table).locator(".record")).to_have_count(0)


def test_a_guest_who_wins_is_invited_to_register(table: Table) -> None:
    link = win(table, **STOOD).get_by_role("link", name="Register to keep your games")
    back = quote(f"/play/classic/4?game={table.state()['id']}", safe="")
    expect(link).to_have_attribute("href", f"/accounts/signup/?next={back}")


def test_a_guest_who_loses_is_invited_too(table: Table) -> None:
    expect(lose(table, **STOOD).locator(".invitation")).to_have_text("Register to keep your games")


def test_an_account_needs_no_invitation(table: Table, django_user_model: Any) -> None:
    table.open()
    django_user_model.objects.update(is_guest=False)
    expect(win(table, **STOOD).locator(".invitation")).to_have_count(0)


def test_the_result_fits_a_phone_held_sideways(live_server, chromium) -> None:
    context: BrowserContext = chromium.new_context(
        viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True, locale="en-US"
    )
    table = Table(context.new_page(), live_server.url)
    result = win(table, **STOOD)
    assert result.evaluate("result => result.scrollHeight <= result.clientHeight")
    context.close()


def bar(table: Table) -> list[str | None]:
    return table.page.locator(".action").evaluate_all("all => all.map(one => one.dataset.action)")


def box(locator: Locator) -> Any:
    found = locator.bounding_box()
    assert found is not None
    return found


def colour(table: Table, card: str) -> str:
    return table.card(card).locator(".face").evaluate("face => getComputedStyle(face).color")


def contrast(one: str, other: str) -> float:
    """WCAG's ratio of two colours such as `rgb(24, 32, 44)`."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(rgb: str) -> float:
    channels = [int(channel) / 255 for channel in re.findall(r"\d+", rgb)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shown(table: Table) -> Locator:
    result = table.page.locator(".result")
    expect(result).to_be_visible()
    return result


def _stands(table: Table, *, counted: bool, **record: Any) -> None:
    """Has every state say that the game counts, and a result how the record stands: that is of
    years of games."""

    def told(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if "pyramid" in body and counted:
            body |= {"counted": True, "tier": "easy"}
        if "result" in body:
            body["result"] |= record
        route.fulfill(response=answer, json=body)

    table.page.route("**/api/v1/games/**", told)
