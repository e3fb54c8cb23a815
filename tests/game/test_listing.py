"""One's own games, of the sorts that are asked for."""

import pytest

from tests.accounts.playing import by_tier, lose, win
from tests.caller import Caller, Table, assert_problem
from tests.game.ranked import ranked_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(player: Caller) -> dict[str, Table]:
    games = {
        "won": by_tier(player, "easy"),
        "lost": by_tier(player, "standard"),
        "open": by_tier(player, "easy", "open"),
        "numbered": player.deal("open", 7),
        "daily": ranked_game(player),
    }
    win(games["won"])
    lose(games["lost"])
    return games


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, {"won", "lost", "open", "numbered", "daily"}),
        ({"status": "won"}, {"won"}),
        ({"status": "lost"}, {"lost"}),
        ({"status": "ended"}, {"won", "lost"}),
        ({"status": "running"}, {"open", "numbered", "daily"}),
        ({"status": "stuck"}, set()),
        ({"rules": "open"}, {"open", "numbered"}),
        ({"rules": "strict"}, set()),
        ({"tier": "easy"}, {"won", "open"}),
        ({"tier": "none"}, {"numbered", "daily"}),
        ({"kind": "daily"}, {"daily"}),
        ({"counted": "true"}, {"won", "lost", "open"}),
        ({"counted": "false"}, {"numbered", "daily"}),
        ({"tier": "easy", "rules": "classic", "status": "won"}, {"won"}),
        ({"tier": "easy", "rules": "classic", "status": "running"}, set()),
    ],
)
def test_games_of_a_sort(
    player: Caller, games: dict[str, Table], query: dict[str, str], names: set[str]
) -> None:
    found = {game["id"] for game in player.get("games/", **query).json()["results"]}
    assert found == {games[name].id for name in names}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"status": "over"}, "invalid"),
        ({"rules": "no-such"}, "unknown_rules"),
        ({"tier": "hard"}, "invalid"),
        ({"kind": "chess"}, "invalid"),
        ({"counted": "perhaps"}, "invalid"),
        ({"rules": "open\x00"}, "invalid"),
    ],
)
def test_a_sort_that_there_is_not(player: Caller, query: dict[str, str], code: str) -> None:
    assert_problem(player.get("games/", **query), 400, code)


def test_nobody_elses_games_are_listed(games: dict[str, Table], stranger: Caller) -> None:
    assert stranger.get("games/").json()["results"] == []


def test_a_page_keeps_the_sort(player: Caller) -> None:
    for _ in range(3):
        lose(by_tier(player))
    first = player.get("games/", status="lost", page_size=2).json()
    second = player.get(first["next"]).json()
    assert [len(page["results"]) for page in (first, second)] == [2, 1]
