"""Boards held against the results that they follow from, beside those who write.

Some players at a time: their standings are locked, so that who wants to change one waits for a
moment. Merely to look does the same, and rolls it back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone

from leaderboards.days import Day, Span
from leaderboards.models import Board, DailyDeal, DailyResult, Standing
from leaderboards.ranks import DATABASE, ranks
from leaderboards.ranks.database import Moved
from leaderboards.services.results import NOWHERE, board, summed

PLAYERS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Checked:
    """So many players of a board, and what differed, in words."""

    players: int
    found: Sequence[str]


def boards_of(day: date | None) -> list[Board]:
    """All that there are or should be; with a day, those that it lies on."""
    dailies = DailyDeal.objects.filter(results__isnull=False).distinct()
    keys = {
        (span.first(daily.day).date, daily.rules_key, span) for daily in dailies for span in Span
    }
    keys |= {(each.date, each.rules_key, Span(each.span)) for each in Board.objects.all()}
    return [
        board(rules_key=rules_key, span=span, day=Day(first))
        for first, rules_key, span in sorted(keys)
        if day is None or first == span.first(Day(day)).date
    ]


def rebuild(board: Board, *, write: bool) -> Iterator[Checked]:
    """What differs is put right if `write`, and then the board's copies are made anew."""
    after = 0
    while players := _players(board, after):
        yield Checked(len(players), _standings(board, players, write=write))
        after = players[-1]
    yield Checked(0, _buckets(board, write=write))
    if write:
        ranks().drop(board)


def _players(board: Board, after: int) -> list[int]:
    """The next ones that stand on the board, or should."""
    days = (board.date, Span(board.span).last(Day(board.date)).date)
    standings = Standing.objects.filter(board=board)
    results = DailyResult.objects.filter(
        daily__rules_key=board.rules_key, daily__date__range=days, withdrawn=False
    )
    found: set[int] = set()
    for rows in (standings, results):
        ids = rows.filter(player_id__gt=after).order_by("player_id").values_list("player_id")
        found.update(player_id for (player_id,) in ids.distinct()[:PLAYERS_AT_ONCE])
    return sorted(found)[:PLAYERS_AT_ONCE]


@transaction.atomic
def _standings(board: Board, players: Sequence[int], *, write: bool) -> list[str]:
    now = timezone.now()
    standings = Standing.objects.filter(board=board, player_id__in=players)
    there = set(standings.values_list("player_id", flat=True))
    Standing.objects.bulk_create(
        [
            Standing(board=board, player_id=id_, changed_at=now)
            for id_ in players
            if id_ not in there
        ],
        ignore_conflicts=True,
    )
    held = standings.select_for_update(of=("self",)).select_related("player").order_by("player_id")
    moved, found = [], []
    rows = list(held)
    said = summed(board, players)
    for standing in rows:
        standing.board = board
        before, after = (standing.key, standing.assisted), said.get(standing.player_id, NOWHERE)
        if before != after:
            name = standing.player.get_username()
            found.append(f"{board}: {name} stands at {before[0]}, the results say {after[0]}")
            moved.append(Moved(standing, before[0], after[0]))
            standing.key, standing.assisted = after
            standing.changed_at = now
    changed = [each.standing for each in moved]
    Standing.objects.bulk_update(changed, ["key", "assisted", "changed_at"], batch_size=200)
    DATABASE.enter(moved)
    transaction.set_rollback(not write)
    return found


@transaction.atomic
def _buckets(board: Board, *, write: bool) -> list[str]:
    Board.objects.select_for_update(no_key=True).get(pk=board.pk)
    found = DATABASE.recount(board)
    transaction.set_rollback(not write)
    return [
        f"{board}: bucket {each.number} of level {each.level} counts {each.said},"
        f" there are {each.found}"
        for each in found
    ]
