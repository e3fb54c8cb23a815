"""What the plots show, held against games that were played by hand."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import charts
from accounts.charts import charts_of
from accounts.models import User
from game.models import Game, Kind, Tier
from tests.accounts.players import At, account

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return account("anna")


@pytest.fixture
def at(anna: User) -> At:
    return At(anna)


def shares(player: User, group: int = 0) -> list[tuple[int, float, float]]:
    rates = charts_of(player).groups[group].rates
    return [(rate.game, round(rate.overall, 3), round(rate.recent, 3)) for rate in rates]


def test_nobody_who_has_not_played_has_a_plot(anna: User) -> None:
    drawn = charts_of(anna)
    assert (drawn.groups, drawn.removed, drawn.wins) == ([], [], [])


def test_win_rate_after_each_game_is_of_all_up_to_then(anna: User, at: At) -> None:
    at.wins()
    at.loses()
    at.loses()
    at.wins()
    assert shares(anna) == [(1, 1, 1), (2, 0.5, 0.5), (3, 0.333, 0.333), (4, 0.5, 0.5)]


def test_recent_win_rate_forgets_what_is_older(
    anna: User, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "RECENT", 2)
    at.wins()
    at.loses()
    at.loses()
    at.wins()
    assert [recent for _, _, recent in shares(anna)] == [1, 0.5, 0, 0.5]


def test_each_rule_set_and_tier_has_its_own_line_most_played_first(anna: User, at: At) -> None:
    at.wins("open", Tier.STANDARD)
    at.wins("classic", Tier.EASY)
    at.loses("classic", Tier.EASY)
    names = [(group.rules_key, group.tier) for group in charts_of(anna).groups]
    assert names == [("classic", "easy"), ("open", "standard")]
    assert charts_of(anna).groups[0].name == "Classic · Easy"


def test_histogram_counts_games_by_the_cards_that_were_gone(anna: User, at: At) -> None:
    at.wins()
    at.loses()
    at.loses()
    removed = charts_of(anna).removed
    assert len(removed) == 29
    assert {cards: games for cards, games in enumerate(removed) if games} == {2: 2, 28: 1}
    assert charts_of(anna).removed_rows == [(2, 2), (28, 1)]


def test_win_is_measured_against_the_par_of_its_deal(anna: User, at: At) -> None:
    game = at.wins("classic", detour=3)  # par of deal 4 is 32, and its line has 32 moves
    [win] = charts_of(anna).wins
    assert (win.par, win.over, win.game.moves) == (32, 3, 35)
    assert win.game.elapsed_ms == game.elapsed_ms


def test_win_of_a_deal_without_par_and_a_loss_are_not_in_that_plot(anna: User, at: At) -> None:
    at.wins("blind")
    at.loses("classic")
    assert charts_of(anna).wins == []


def test_practice_running_and_untouched_games_are_in_no_plot(anna: User, at: At) -> None:
    at.wins(tier=None)
    at.table(at.starts("classic", 5, Tier.EASY)).play("d")
    untouched = at.starts("open", 5, Tier.EASY)
    at.table(untouched).change("resignations")
    assert charts_of(anna) == charts.Charts([], [], [])


def test_ranked_games_are_in_no_plot(anna: User, at: At) -> None:
    game = at.wins()
    Game.objects.filter(pk=game.pk).update(kind=Kind.DAILY, closes_at=timezone.now())
    assert charts_of(anna).groups == []


def test_games_of_others_are_in_no_plot(at: At) -> None:
    at.wins()
    assert charts_of(account("boris")).groups == []


def test_only_the_latest_games_are_drawn_but_all_are_counted(
    anna: User, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "LATEST", 2)
    at.wins()
    at.wins()
    at.loses()
    at.loses()
    assert [(game, overall) for game, overall, _ in shares(anna)] == [(3, 0.667), (4, 0.5)]
    assert sum(charts_of(anna).removed) == 2


def test_plots_are_read_by_one_query_and_by_two_where_there_are_more(
    anna: User, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.wins()
    at.wins("open", Tier.STANDARD)
    with CaptureQueriesContext(connection) as few:
        charts_of(anna).as_json()
    assert len(few) == 1
    monkeypatch.setattr(charts, "LATEST", 1)
    with CaptureQueriesContext(connection) as many:
        charts_of(anna).as_json()
    assert len(many) == 2


def test_script_gets_the_same_numbers_as_columns(anna: User, at: At) -> None:
    won = at.wins(detour=1)
    at.loses()
    drawn = charts_of(anna).as_json()
    [group] = drawn["groups"]
    assert (group["game"], group["overall"]) == ([1, 2], [1, 0.5])
    assert group["at"][0] == int(won.last_entry_at.timestamp())
    assert drawn["wins"]["over"] == [1]
    assert (drawn["removed"][2], drawn["removed"][28]) == (1, 1)
