"""The pages of the daily deal, as the server draws them."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from accounts.models import User
from game.answers import Label
from game.models import Game, Kind
from game.rules.rulesets import RULE_SETS
from game.selectors import Streak, daily_streak
from game.services.log import start
from leaderboards.days import Day
from leaderboards.models import DailyDeal, DailyResult
from leaderboards.pages import PAGE
from leaderboards.ranking import Score
from leaderboards.services import days, games, results
from tests.accounts.players import account, browser, guest

pytestmark = pytest.mark.django_db

CLASSIC = RULE_SETS["classic"]
NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)
TODAY = Day.at(NOON)
YESTERDAY, CLOSED = Day(date(2026, 12, 1)), Day(date(2026, 11, 30))
THE_DAY = "/daily/classic/2026-12-02/"
ROW = re.compile(r'<tr role="row" data-player="([^"]+)".*?data-slot="rank">(\d+)<', re.DOTALL)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def shared_on(text: str) -> Any:
    """Of what the page's script makes the text to hand on."""
    told = re.search(r'<script id="page"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert told is not None
    return json.loads(told[1])["share"]


def played(player: User, day: Day = TODAY, **more: Any) -> Game:
    """An ended ranked game of the day, which is on its boards."""
    score = {"won": True, "removed": 28, "assisted": False, "elapsed_ms": 192_000, "moves": 52}
    return ended(player, day, Score(**(score | more)))


def ended(player: User, day: Day, score: Score, *, counted: bool = True) -> Game:
    daily = days.daily(rules=CLASSIC, day=day, today=TODAY)
    with transaction.atomic():
        game = running(player, day, counted=counted)
        game.status = "won" if score.won else "lost"
        game.removed, game.moves, game.elapsed_ms = score.removed, score.moves, score.elapsed_ms
        game.save()
        if counted:
            numbers = {name: getattr(score, name) for name in DailyResult.SCORE}
            results.enter(
                DailyResult.objects.create(
                    daily=daily, player=player, game=game, undos=3, **numbers
                )
            )
    return game


def running(player: User, day: Day = TODAY, *, counted: bool = True) -> Game:
    deal = days.dealt(days.daily(rules=CLASSIC, day=day, today=TODAY))
    return start(
        player=player,
        deal=deal,
        rules=CLASSIC,
        kind=Kind.DAILY,
        counted=counted,
        label_before=Label.WINNABLE,
        at=day.starts_at + timedelta(hours=9),
        closes_at=day.closes_at,
    )


def page(client: Client, address: str = THE_DAY) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return unescape(answer.content.decode())


def part(text: str, name: str) -> str:
    """One section of the page."""
    found = re.search(rf'<section[^>]*aria-labelledby="{name}".*?</section>', text, re.DOTALL)
    assert found is not None
    return found[0]


def rows(text: str) -> list[tuple[str, int]]:
    return [(name, int(rank)) for name, rank in ROW.findall(text)]


def words(text: str) -> str:
    """What is read of it."""
    return " ".join(re.sub(r"<[^>]+>", "", text).split())


# Addresses


@pytest.mark.parametrize("address", ["/daily/", "/daily/classic/", THE_DAY])
def test_today_has_three_addresses(address: str) -> None:
    text = page(browser(), address)
    assert '<time datetime="2026-12-02">' in text
    assert 'href="/daily/classic/2026-12-01/"' in text
    assert "/daily/classic/2026-12-03/" not in text


@pytest.mark.parametrize(
    "address",
    [
        "classic/2026-12-03/",  # tomorrow
        "classic/2026-10-31/",  # before the first
        "classic/2026-02-30/",
        "strict/",  # has none
        "chess/",
        "chess/2026-12-01/",
        "strict/2026-12-01/week/",
        "classic/2026-12-03/month/",
        "classic/2026-12-01/year/",
    ],
)
def test_what_has_no_daily_is_not_there(address: str) -> None:
    answer = browser().get(f"/daily/{address}")
    assert answer.status_code == 404
    assert "<h1>" in answer.content.decode()
    assert not DailyDeal.objects.exists()


def test_only_what_is_safe_is_answered() -> None:
    assert browser().post(THE_DAY).status_code == 405


def test_who_asks_too_often_waits(settings: Any, counters: None) -> None:
    settings.RATE_LIMITS = {"read": "1/minute"}
    client = browser()
    assert client.get("/daily/").status_code == 200
    refused = client.get("/daily/classic/2026-12-02/week/")
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60


def test_every_page_leads_to_the_daily() -> None:
    assert 'href="/daily/"' in page(browser(), "/")


# What there is to do


def test_nobody_and_guests_are_told_before_that_they_play_unranked() -> None:
    for client in (browser(), guest()[0]):
        action = part(page(client), "action-title")
        assert "As a guest you play unranked" in action
        assert 'href="/accounts/signup/?next=%2Fdaily%2Fclassic%2F2026-12-02%2F"' in action
        assert 'href="/accounts/login/?next=%2Fdaily%2Fclassic%2F2026-12-02%2F"' in action
        assert re.search(r'href="/daily/classic/2026-12-02/play">\s*Play unranked', action)
        assert "Play today's deal" not in action


def test_account_is_told_the_terms() -> None:
    action = part(page(browser(account())), "action-title")
    assert 'href="/daily/classic/2026-12-02/play">Play today\'s deal' in action
    for term in ("one game", "never stops", "hint", "cannot ask whether you can still win"):
        assert term in words(action)
    assert "unranked" not in action


def test_running_game_is_gone_on_with_also_the_day_after() -> None:
    anna = account()
    for day in (TODAY, YESTERDAY):
        running(anna, day)
        action = part(page(browser(anna), f"/daily/classic/{day.date}/"), "action-title")
        assert f'href="/daily/classic/{day.date}/play">Go on' in action


def test_result_takes_the_place_of_the_game() -> None:
    anna = account()
    played(anna)
    action = part(page(browser(anna)), "action-title")
    assert re.search(r"28/28 .*3:12 .*52 .*1/1", words(action))
    assert "/play" not in action


def test_game_of_a_guest_who_registers_stays_unranked() -> None:
    anna = account()
    ended(anna, TODAY, Score(False, 12, False, 61_000, 20), counted=False)
    text = page(browser(anna))
    assert "you began it as a guest" in part(text, "action-title")
    shared = shared_on(text)
    assert (shared["result"]["removed"], shared["result"]["rank"]) == (12, None)
    assert rows(text) == []


def test_of_an_unranked_game_too_the_best_moment_is_told() -> None:
    anna = account()
    game = ended(anna, TODAY, Score(False, 4, False, 90_000, 30), counted=False)
    best = {"removed": 12, "elapsed_ms": 61_000, "moves": 20, "undos": 0, "hints": 1}
    Game.objects.filter(pk=game.pk).update(aftermath={"best": best})
    text = page(browser(anna))
    assert re.search(r"12/28 .*1:01 .*20", words(part(text, "action-title")))
    assert shared_on(text)["result"] == {
        "removed": 12,
        "elapsed_ms": 61_000,
        "moves": 20,
        "assisted": True,
        "rank": None,
    }
    assert "12 of 28 cards" in words(part(text, "calendar-title"))


def test_guest_who_has_begun_is_told_what_can_still_be_ranked() -> None:
    client, player = guest()
    running(player, counted=False)
    text = words(part(page(client), "action-title"))
    assert "every daily that you begin afterwards is ranked: today's in the other rule sets" in text
    assert "Unranked: you began it as a guest." in text
    assert "afterwards is ranked" not in words(page(client, "/daily/blind/"))


def test_other_dailies_of_today_are_ranked_once_a_guest_has_registered() -> None:
    """As the page says."""
    _, player = guest()
    running(player, counted=False)
    player.is_guest = False
    player.save()
    view, _ = games.start_today(player=player, rules=RULE_SETS["blind"])
    assert view.game.counted


def test_running_game_counts_also_if_it_is_not_finished() -> None:
    anna = account()
    running(anna)
    action = words(part(page(browser(anna)), "action-title"))
    assert "You can play until Dec. 4, 2026, 00:00 UTC; your best moment counts" in action


@pytest.mark.parametrize("language", ["en", "ru", "ja", "zh-hans", "zh-hant"])
def test_hours_are_of_24_in_every_language(language: str) -> None:
    answer = browser().get("/daily/classic/2026-12-01/", headers={"accept-language": language})
    action = words(part(unescape(answer.content.decode()), "action-title"))
    assert re.search(r"2026.*\b00:00\b", action)
    assert f'<html lang="{answer["Content-Language"]}"' in answer.content.decode()
    assert answer["Content-Language"] == language


def test_each_daily_is_told_apart() -> None:
    text = page(browser(), "/daily/blind/")
    assert "Covered cards lie face down; one pass." in words(text[: text.index("<h1>")])
    apart = words(part(text, "rule-sets-title"))
    for told in (
        "Classic Draw from a face-down stock; three passes.",
        "Blind Covered cards lie face down; one pass.",
        "Open The stock lies face up",
        "Overlap Face-up stock; a card may go together with",
    ):
        assert told in apart
    assert "Strict" not in apart  # has none


def test_day_that_has_ended_takes_results_and_starts_no_game() -> None:
    action = part(page(browser(account()), "/daily/classic/2026-12-01/"), "action-title")
    assert "can no longer be started" in action
    assert "2026-12-03T00:00:00" in action
    assert "/daily/classic/2026-12-01/play" not in action


def test_closed_day_is_offered_as_practice() -> None:
    for client in (browser(), browser(account())):
        action = part(page(client, "/daily/classic/2026-11-30/"), "action-title")
        assert 'href="/daily/classic/2026-11-30/play">Play for practice' in action


# What is secret


@pytest.mark.parametrize(
    "query", ["", "?around=me", "?from=1", "?assisted=false", "?month=2026-12"]
)
def test_neither_seed_nor_card_is_on_a_page_before_the_day_closes(query: str) -> None:
    anna = account()
    for day in (TODAY, YESTERDAY):
        played(anna, day)
    seeds = {daily.date: daily.seed for daily in DailyDeal.objects.all()}
    for day in (TODAY, YESTERDAY):
        daily = DailyDeal.objects.get(date=day.date)
        assert daily.deal is not None
        for span in ("", "week/", "month/"):
            text = page(browser(anna), f"/daily/classic/{day.date}/{span}{query}")
            assert not any(seed in text for seed in seeds.values())
            assert not [card for card in daily.deal.deck if re.search(rf"\b{card}\b", text)]
            assert not any(str(game.pk) in text for game in Game.objects.all())


def test_promise_is_on_todays_page_and_its_proof_on_that_of_a_closed_day() -> None:
    text = part(page(browser()), "check-title")
    today = DailyDeal.objects.filter(date__gte=TODAY.date)
    assert today.count() == 2
    assert all(daily.commitment in text for daily in today)
    played(account(), CLOSED)
    closed = DailyDeal.objects.select_related("deal").get(date=CLOSED.date)
    assert closed.deal is not None
    proof = words(part(page(browser(), "/daily/classic/2026-11-30/"), "check-title"))
    assert f"printf %s {closed.seed} | sha256sum prints {closed.commitment}" in proof
    assert (
        rf" .venv/bin/python -m solver deal --seed {closed.seed} \ --tier winnable prints" in proof
    )
    assert f"the number of the try, counted from 0: {closed.deal.attempt}" in proof
    assert ".venv/bin/python manage.py verify_daily 2026-11-30" in proof
    assert "second account" in proof


def test_proof_is_folded_away() -> None:
    for address in (THE_DAY, "/daily/classic/2026-11-30/"):
        text = part(page(browser(), address), "check-title")
        assert re.search(r'id="check".*<details>\s*<summary><h2 id="check-title">', text, re.DOTALL)


def test_proof_of_another_rule_set_names_it() -> None:
    text = part(page(browser(), "/daily/blind/2026-11-30/"), "check-title")
    assert "--tier winnable --rules blind" in text


# The board


@pytest.fixture
def crowd() -> list[User]:
    """61 players, best first, every two of them equal."""
    players = [User.objects.create_user(f"player{number:02}") for number in range(61)]
    for number, player in enumerate(players):
        played(player, elapsed_ms=100_000 + number // 2 * 1000)
    return players


def test_pages_of_the_board_have_each_row_once_down_and_up(crowd: list[User]) -> None:
    client, address, seen, pages = browser(), THE_DAY, [], 0
    while address:
        text = page(client, address)
        seen += rows(text)
        pages += 1
        address = follow(text, "next")
    assert [name for name, _ in seen] == [player.username for player in crowd]
    assert [rank for _, rank in seen] == [number // 2 * 2 + 1 for number in range(61)]
    assert pages == 4
    back: list[tuple[str, int]] = []
    address = f"{THE_DAY}?from=61"
    while address:
        text = page(client, address)
        back = rows(text) + back
        address = follow(text, "prev")
    assert back == seen


def follow(text: str, rel: str) -> str:
    link = re.search(rf'rel="{rel}" href="(\?[^"#]*)#board"', text)
    return f"{THE_DAY}{link[1]}" if link else ""


def test_player_below_the_top_is_shown_with_those_around(crowd: list[User]) -> None:
    text = page(browser(crowd[40]))
    shown = [name for name, _ in rows(text)]
    assert shown == [f"player{number:02}" for number in (*range(10), *range(38, 43))]
    assert text.count('id="me"') == 1
    assert "your rank is 41" in words(part(text, "board-title"))
    assert (shared_on(text)["result"]["rank"], shared_on(text)["players"]) == (41, 61)


def test_who_comes_right_after_the_top_is_not_shown_twice(crowd: list[User]) -> None:
    shown = [name for name, _ in rows(page(browser(crowd[11])))]
    assert shown == [f"player{number:02}" for number in range(14)]


def test_board_leads_to_the_own_row(crowd: list[User]) -> None:
    text = page(browser(crowd[40]), f"{THE_DAY}?from=1")
    assert '?around=me#me"' in text.replace("from=1&", "")
    assert ("player40", 41) in rows(page(browser(crowd[40]), f"{THE_DAY}?around=me"))


@pytest.mark.parametrize(
    "query", ["cursor=nonsense", "cursor=!", "from=x", "from=-3", "around=you"]
)
def test_what_makes_no_sense_shows_the_board_from_the_top(crowd: list[User], query: str) -> None:
    text = page(browser(), f"{THE_DAY}?{query}")
    assert rows(text) == [(f"player{n:02}", n // 2 * 2 + 1) for n in range(PAGE)]


def test_board_past_its_end_is_empty_and_leads_back(crowd: list[User]) -> None:
    text = page(browser(), f"{THE_DAY}?from=99999999999999999999")
    assert rows(text) == []
    assert re.search(r'href="\?#board">\s*Top', text)


def test_results_are_marked_and_can_be_seen_without_hints() -> None:
    played(account("anna"), assisted=True)
    ben = played(account("ben"), won=False, removed=21)
    DailyResult.objects.filter(game=ben).update(suspect=True)
    text = page(browser(User.objects.get(username="anna")))
    assert rows(text) == [("anna", 1), ("ben", 2)]
    assert marks(text, "anna") == ["assisted"]
    assert marks(text, "ben") == ["suspect"]
    apart = page(browser(User.objects.get(username="anna")), f"{THE_DAY}?assisted=false")
    assert rows(apart) == [("ben", 1)]
    assert (shared_on(apart)["result"]["rank"], shared_on(apart)["players"]) == (1, 2)


def nobody(text: str) -> str | None:
    """What is said of a board without rows."""
    said = re.search(r'<p class="empty"[^>]*?( hidden)?>(.*?)</p>', text)
    return None if said is None or said[1] else said[2]


def test_empty_boards_say_what_is_true() -> None:
    client, others = browser(), f"{THE_DAY}?assisted=false"
    yesterday, closed = "/daily/classic/2026-12-01/", "/daily/classic/2026-11-30/"
    free = "Nobody is on the board yet: first place is free."
    assert [nobody(page(client, at)) for at in (THE_DAY, others)] == [free, free]
    assert nobody(page(client, f"{THE_DAY}week/")) == free
    assert nobody(page(client, yesterday)) == "Nobody is on the board yet."
    assert nobody(page(client, closed)) == "Nobody is on this day's board."
    last_week = "/daily/classic/2026-11-25/week/"
    assert nobody(page(client, last_week)) == "Nobody is on this board."
    anna = account()
    for day in (TODAY, YESTERDAY, CLOSED):
        played(anna, day, assisted=True)
    assert nobody(page(client)) is None
    assert nobody(page(client, others)) == "Nobody is on it without a hint yet."
    assert (
        nobody(page(client, f"{yesterday}?assisted=false")) == "Nobody is on it without a hint yet."
    )
    assert nobody(page(client, f"{closed}?assisted=false")) == "Nobody is on it without a hint."
    for address in (THE_DAY, f"{THE_DAY}week/"):
        assert nobody(page(client, f"{address}?from=9")) == "The board ends before this rank."


def test_board_tells_what_counts() -> None:
    board = words(part(page(browser()), "board-title"))
    assert "What counts More cards removed No hint Less time Fewer moves" in board
    assert "up to the moment with the most cards removed, not to the end of the game" in board


def marks(text: str, name: str) -> list[str]:
    row = re.search(rf'<tr role="row" data-player="{name}".*?</tr>', text, re.DOTALL)
    assert row is not None
    badges = re.findall(r'data-mark="(\w+)"([^>]*)>', row[0])
    return [mark for mark, more in badges if not more.endswith(" hidden")]


def test_week_and_month_add_days_up() -> None:
    anna, ben = account("anna"), account("ben")
    for day in (TODAY, YESTERDAY):
        played(anna, day, won=False, removed=20)
    played(ben, CLOSED)
    week = words(part(page(browser(anna), "/daily/classic/2026-12-02/week/"), "board-title"))
    assert re.search(r"1 anna you 40 0 6:24 2 ben 28 1 3:12", week)
    month = words(part(page(browser(anna), "/daily/classic/2026-12-02/month/"), "board-title"))
    assert "1 anna you 40 0 6:24" in month
    assert "ben" not in month


def test_spans_lead_to_those_before_and_after() -> None:
    week = page(browser(), "/daily/classic/2026-11-25/week/")
    assert 'rel="prev" href="/daily/classic/2026-11-22/week/"' in week
    assert 'rel="next" href="/daily/classic/2026-11-30/week/"' in week
    first = page(browser(), "/daily/classic/2026-11-25/month/")
    assert 'rel="prev"' not in first
    assert 'rel="next" href="/daily/classic/2026-12-01/month/"' in first


# The calendar, the streak, what is shared


def squares(text: str) -> dict[int, tuple[str, str]]:
    """Of each day that can be opened: its classes, and what is read of it."""
    found = re.findall(
        r'<a class="square ([\w ]+)" href="/daily/classic/2026-\d\d-(\d\d)/".*?</a>',
        text,
        re.DOTALL,
    )
    links = re.findall(r'<a class="square.*?</a>', text, re.DOTALL)
    return {
        int(day): (classes, words(link)) for (classes, day), link in zip(found, links, strict=True)
    }


def test_calendar_tells_how_each_day_went() -> None:
    anna = account()
    played(anna, CLOSED)
    played(anna, Day(date(2026, 11, 29)), won=False, removed=21)
    ended(anna, Day(date(2026, 11, 28)), Score(False, 4, False, 1, 1), counted=False)
    running(anna)
    november = squares(part(page(browser(anna), f"{THE_DAY}?month=2026-11"), "calendar-title"))
    assert november[30] == ("cleared", "30 cleared ▲")
    assert november[29] == ("ended", "29 21 of 28 cards 21")
    assert november[28] == ("ended unranked", "28 4 of 28 cards, unranked 4")
    assert november[27] == ("unplayed", "27 not played")
    assert len(november) == 30
    december = squares(part(page(browser(anna)), "calendar-title"))
    assert december[2] == ("running", "2 today, running …")
    assert len(december) == 2


def test_calendar_goes_as_far_as_there_are_dailies() -> None:
    december = part(page(browser()), "calendar-title")
    assert 'href="?month=2026-11#calendar"' in december
    assert "month=2027" not in december
    for wrong in ("2026-10", "2027-01", "x", "2026-13"):
        same = part(page(browser(), f"{THE_DAY}?month={wrong}"), "calendar-title")
        assert words(same).startswith("December 2026")


@pytest.mark.parametrize(
    ("back", "streak"),
    [
        ([], Streak(0, 0)),
        ([0], Streak(1, 1)),
        ([1], Streak(1, 1)),  # there is still time today
        ([2], Streak(0, 1)),
        ([0, 1, 3, 4, 5], Streak(2, 3)),
        ([1, 2, 4], Streak(2, 2)),
    ],
)
def test_streak_counts_days_in_a_row(back: list[int], streak: Streak) -> None:
    anna = account()
    for step in back:
        played(anna, Day(TODAY.date - timedelta(days=step)))
    assert daily_streak(anna, now=NOON) == streak


def test_streak_counts_neither_unranked_games_nor_those_without_a_move() -> None:
    anna = account()
    ended(anna, TODAY, Score(True, 28, False, 1, 30), counted=False)
    running(anna, YESTERDAY)
    assert daily_streak(anna, now=NOON) == Streak(0, 0)


def test_days_of_several_rule_sets_count_once() -> None:
    anna = account()
    played(anna)
    view, _ = games.start_today(player=anna, rules=RULE_SETS["blind"])
    Game.objects.filter(pk=view.game.pk).update(moves=1)
    assert daily_streak(anna, now=NOON) == Streak(1, 1)


def test_what_is_shared_is_the_result_and_no_card() -> None:
    anna = account()
    for number, name in enumerate(("ben", "cleo", "dora")):
        played(account(name), elapsed_ms=100_000 + number)
    played(anna)
    assert shared_on(page(browser(anna))) == {
        "rules": "Classic",
        "date": "2026-12-02",
        "address": "http://testserver/daily/classic/2026-12-02/",
        "players": 4,
        "closes_at": "2026-12-04T00:00:00.000Z",
        "result": {
            "rank": 4,
            "player": "anna",
            "won": True,
            "removed": 28,
            "elapsed_ms": 192_000,
            "assisted": False,
            "moves": 52,
            "undos": 3,
            "suspect": False,
            "game": None,
        },
    }
