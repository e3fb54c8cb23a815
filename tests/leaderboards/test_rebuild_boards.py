"""`manage.py rebuild_boards` holds standings and buckets against the results they follow from."""

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.models import F, QuerySet

from leaderboards.days import Span
from leaderboards.models import Board, Bucket, Standing
from leaderboards.ranks import DATABASE, Ladder
from leaderboards.services import rebuilding
from tests.game.records import nothing_changed
from tests.game.test_at_once import at_once
from tests.leaderboards.copies import AtOnce, used
from tests.leaderboards.field import DAYS, RULES, TODAY, Field, score

pytestmark = pytest.mark.django_db

BOARDS = 3 + 1 + 2  # of three days, the week they lie in and two months


@pytest.fixture
def known() -> Field:
    """Results as they come in, one by one."""
    chance, known = random.Random(11), Field()
    for player in known.come(6):
        for day in chance.sample(DAYS, 2):
            known.enter(player, day, score(chance))
    return known


def told(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("rebuild_boards", *arguments, stdout=out)
    return out.getvalue().splitlines()


def kept() -> list[Any]:
    standings = Standing.objects.order_by("board", "player")
    buckets = Bucket.objects.filter(count__gt=0).order_by("board", "level", "number")
    return [
        *standings.values_list("board", "player", "key", "assisted"),
        *buckets.values_list("board", "level", "number", "count"),
    ]


def test_boards_that_are_right_stay_as_they_are(known: Field) -> None:
    before = kept()
    assert told() == told("--check") == [f"{BOARDS} boards checked, 0 differences"]
    assert kept() == before


def one(span: Span) -> QuerySet[Standing]:
    """A single standing of a board of today's."""
    standings = Standing.objects.filter(board__span=span, board__date=span.first(TODAY).date)
    return Standing.objects.filter(pk=standings.earliest("pk").pk)


DAMAGES: dict[str, Callable[[], Any]] = {
    "a standing at another key": lambda: one(Span.WEEK).update(key=F("key") + 1),
    "a standing that is lacking": lambda: one(Span.DAY).delete(),
    "one that is withdrawn": lambda: one(Span.MONTH).update(key=None),
    "one not said to be assisted or not": lambda: one(Span.DAY).update(assisted=None),
    "a wrong count": lambda: Bucket.objects.filter(pk=Bucket.objects.earliest("pk").pk).update(
        count=77
    ),
    "a count that is lacking": lambda: Bucket.objects.earliest("pk").delete(),
    "a board that is lacking": lambda: Board.objects.get(span=Span.WEEK).delete(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_differs_is_said_and_put_right(known: Field, damage: str) -> None:
    def without_ids(rows: list[Any]) -> list[Any]:
        """A board that is made anew has another."""
        return sorted((row[1:] for row in rows), key=repr)

    right = kept()
    DAMAGES[damage]()
    damaged = kept()
    with pytest.raises(CommandError, match=r"checked, [1-9]\d* differences$"):
        told("--check")
    assert kept() == damaged
    *found, summary = told()
    assert summary == f"{BOARDS} boards checked, {len(found)} differences (rebuilt)"
    assert len(found) >= 1
    assert without_ids(kept()) == without_ids(right)
    assert told("--check") == [f"{BOARDS} boards checked, 0 differences"]


def test_a_difference_names_board_player_and_both_keys(known: Field) -> None:
    standing = one(Span.DAY).get()
    Standing.objects.filter(pk=standing.pk).update(key=5)
    first = told()[0]
    name = standing.player.username
    assert first == (
        f"{RULES} day from {TODAY.date}: {name} stands at 5, the results say {standing.key}"
    )


def test_with_a_date_only_its_boards_are_looked_at(known: Field) -> None:
    Standing.objects.filter(board__span=Span.DAY).update(key=5)
    assert told("2026-12-01")[-1].startswith("3 boards checked, ")
    wrong = Standing.objects.filter(key=5).values_list("board__date", flat=True)
    assert {day.isoformat() for day in wrong} == {"2026-11-30", "2026-12-02"}
    assert told("2026-11-02") == ["1 boards checked, 0 differences"]  # the month


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError, match="date"):
        told("tomorrow")


def test_a_check_writes_nothing(known: Field) -> None:
    Standing.objects.update(key=F("key") + 1)
    with nothing_changed(Board, Standing, Bucket), pytest.raises(CommandError):
        told("--check")


def test_more_players_than_are_held_at_once(known: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "PLAYERS_AT_ONCE", 2)
    right = kept()
    Standing.objects.update(key=5)
    told()
    assert kept() == right


@pytest.mark.redis
def test_copies_are_made_anew(known: Field, settings: Any) -> None:
    copies, ladder = AtOnce(settings.REDIS_URL, DATABASE), Ladder(known.board())
    with used(copies):
        copies.catch_up()
        copies.fill(ladder.board)
        copies._redis.zadd(copies._name(ladder), {"7" * 19: -5})
        assert copies.size(ladder) == len(known.order().players) + 1
        told()
        assert copies.size(ladder) == len(known.order().players)
        assert copies._asked(ladder, copies._size) == len(known.order().players)


@pytest.mark.django_db(transaction=True)
def test_it_is_safe_beside_those_who_write(known: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "PLAYERS_AT_ONCE", 3)
    chance = random.Random(2)
    runs = [(player, score(chance)) for player in known.come(12)]
    Bucket.objects.update(count=F("count") + 3)

    def write(half: int) -> None:
        for player, each in runs[half::2]:
            known.enter(player, TODAY, each)

    at_once(lambda: write(0), lambda: write(1), told, told)
    connections.close_all()
    assert told("--check") == [f"{BOARDS} boards checked, 0 differences"]
    assert DATABASE.size(Ladder(known.board())) == len(known.order().players)
