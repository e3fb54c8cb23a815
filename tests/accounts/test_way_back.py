"""From every page but its own, a player finds the way back to a race and to a daily."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.models import Game
from game.presentation import url
from game.rules.rulesets import RULE_SETS
from game.services.play import resign
from leaderboards.services.games import start_today
from tests.accounts.markup import Page, assert_no_inline
from tests.accounts.players import At, account, browser, guest
from tests.caller import Caller
from tests.game.racers import Racers

pytestmark = pytest.mark.django_db

RUNNING, AHEAD = "Your race is running.", "Your race has not begun yet."


@pytest.fixture
def anna() -> User:
    return account("Anna")


@pytest.fixture
def client(anna: User) -> Client:
    return browser(anna)


@pytest.fixture
def race(anna: User) -> Racers:
    return Racers(At(anna).caller, Caller.guest(), number=7)


def way_back(client: Client, path: str) -> str | None:
    """What is told of a game that waits for the player elsewhere; None: nothing."""
    answer = client.get(path)
    assert_no_inline(Page(answer))
    _, found, rest = answer.content.decode().partition('<nav class="way-back"')
    row = rest.split("</nav>")[0]
    return row if found and " hidden>" not in row.split("\n")[0] else None


@pytest.mark.parametrize(
    "path", ["/", "/play/classic/7", "/race/", "/profile", "/history", "/settings"]
)
def test_way_back_to_a_race_is_told(client: Client, race: Racers, path: str) -> None:
    lobby = way_back(client, path) or ""
    assert AHEAD in lobby
    race.start()
    running = way_back(client, path) or ""
    assert RUNNING in running
    assert f'href="/race/{race.code}"' in running


def test_guest_at_the_entrance_is_told_it_too() -> None:
    client, _ = guest()
    Racers(Caller(client.session.session_key), Caller.guest())
    assert AHEAD in (way_back(client, "/accounts/signup/") or "")


def test_race_itself_tells_no_way_back(client: Client, race: Racers) -> None:
    assert way_back(client, f"/race/{race.code}") is None


def test_there_is_none_once_the_own_board_is_done_or_the_seat_is_left(
    client: Client, race: Racers
) -> None:
    other = Racers(race.callers[0], Caller.guest(), Caller.guest(), tier="easy")
    other.start()[0].change("resignations")
    assert other.body()["status"] == "running"
    race.leave(race.callers[0])
    assert way_back(client, "/") is None


def test_running_race_comes_before_a_lobby(client: Client, race: Racers) -> None:
    race.start()
    Racers(race.callers[0], Caller.guest())
    assert f'href="/race/{race.code}"' in (way_back(client, "/") or "")


def test_others_are_told_nothing(race: Racers) -> None:
    for visitor in (Client(), guest()[0], browser(account("Boris"))):
        assert way_back(visitor, "/") is None


def test_table_asks_the_database_once_for_it(
    client: Client, race: Racers, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(4):  # the session, its player, the settings, the race
        client.get("/")


DAILY = "Your daily deal is still running."


@pytest.fixture
def daily(anna: User) -> str:
    """Of today, begun by Anna; where it is played."""
    view, _ = start_today(player=anna, rules=RULE_SETS["classic"])
    return str(url(view.game))


@pytest.mark.parametrize(
    "path", ["/", "/play/classic/7", "/race/", "/profile", "/history", "/settings"]
)
def test_way_back_to_a_daily_that_runs_is_told(client: Client, daily: str, path: str) -> None:
    row = way_back(client, path) or ""
    assert DAILY in row
    assert f'href="{daily}"' in row


def test_guest_finds_the_way_back_to_a_daily(db: None) -> None:
    client, player = guest()
    start_today(player=player, rules=RULE_SETS["blind"])
    assert DAILY in (way_back(client, "/") or "")


def test_daily_itself_and_its_pages_tell_no_way_back(client: Client, daily: str) -> None:
    for path in (daily, daily.removesuffix("play"), "/daily/"):
        assert way_back(client, path) is None, path


def test_race_comes_before_a_daily(client: Client, race: Racers, daily: str) -> None:
    assert DAILY not in (way_back(client, "/") or "")
    assert way_back(client, f"/race/{race.code}") is None


def test_there_is_none_once_the_daily_has_ended_or_its_day_is_closed(
    client: Client, anna: User, daily: str
) -> None:
    games = Game.objects.filter(player=anna)
    begun = games.get().closes_at
    games.update(closes_at=timezone.now())
    assert way_back(client, "/") is None
    games.update(closes_at=begun)
    assert DAILY in (way_back(client, "/") or "")
    resign(game_id=games.get().pk, player=anna)
    assert way_back(client, "/") is None


def test_others_are_told_nothing_of_a_daily(daily: str) -> None:
    for visitor in (Client(), guest()[0], browser(account("Boris"))):
        for path in ("/", "/players/Anna", "/race/"):
            assert way_back(visitor, path) is None, path


def test_table_asks_the_database_once_for_a_race_and_once_for_a_daily(
    client: Client, daily: str, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(5):  # the session, its player, the settings, the race, the daily
        client.get("/")
