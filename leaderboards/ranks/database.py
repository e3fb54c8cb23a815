"""Ranks as the database has them: the truth, and quick enough to be asked each time.

A rank is how many are better: those in better buckets, which are few to add up, and those in the
own bucket, which an index finds.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet

from leaderboards.models import Board, Bucket, Standing
from leaderboards.ranks.ladder import Ladder, Place

_ABOVE = """
SELECT (SELECT COALESCE(SUM(count), 0) FROM leaderboards_bucket
        WHERE board_id = %(board)s AND number > %(bucket)s AND (number & %(bit)s) = %(bit)s)
     + (SELECT COUNT(*) FROM leaderboards_standing
        WHERE board_id = %(board)s AND key > %(key)s AND key < %(next)s)
"""
_SIZE = """
SELECT COALESCE(SUM(count), 0) FROM leaderboards_bucket
WHERE board_id = %(board)s AND (number & %(bit)s) = %(bit)s
"""
_BUCKET_AT = """
SELECT number, above FROM (
    SELECT number, count, SUM(count) OVER (ORDER BY number DESC) - count AS above
    FROM leaderboards_bucket
    WHERE board_id = %(board)s AND (number & %(bit)s) = %(bit)s AND count > 0
) AS buckets WHERE above <= %(position)s ORDER BY number LIMIT 1
"""
_ADD = """
INSERT INTO leaderboards_bucket (board_id, number, count) VALUES (%s, %s, %s)
ON CONFLICT (board_id, number) DO UPDATE SET count = leaderboards_bucket.count + excluded.count
"""


@dataclass(frozen=True, slots=True)
class Moved:
    """A standing whose key has changed; `before`: None for a new one, `after`: None for one that is
    withdrawn."""

    standing: Standing
    before: int | None
    after: int | None


class DatabaseRanks:
    def above(self, ladder: Ladder, key: int) -> int:
        bucket = key >> ladder.coarse
        return self._number(
            _ABOVE, ladder, bucket=bucket, key=key, next=(bucket + 1) << ladder.coarse
        )

    def size(self, ladder: Ladder) -> int:
        return self._number(_SIZE, ladder)

    def after(self, ladder: Ladder, place: Place | None, most: int) -> list[Place]:
        standings = _standings(ladder)
        if place is not None:
            # The first condition follows from the second; the index finds its way by it.
            standings = standings.filter(key__lte=place.key).filter(
                Q(key__lt=place.key) | Q(key=place.key, player_id__gt=place.player_id)
            )
        return _places(standings.order_by("-key", "player_id")[:most])

    def before(self, ladder: Ladder, place: Place, most: int) -> list[Place]:
        standings = _standings(ladder).filter(key__gte=place.key)
        standings = standings.filter(
            Q(key__gt=place.key) | Q(key=place.key, player_id__lt=place.player_id)
        )
        return _places(standings.order_by("key", "-player_id")[:most])[::-1]

    def at(self, ladder: Ladder, position: int, most: int) -> list[Place]:
        with connection.cursor() as cursor:
            cursor.execute(_BUCKET_AT, {**_of(ladder), "position": position})
            found = cursor.fetchone()
        if found is None:
            return []
        number, above = found
        below = _standings(ladder).filter(key__lt=(number + 1) << ladder.coarse)
        within = position - int(above)
        return _places(below.order_by("-key", "player_id")[within : within + most])

    # It is the database itself: there is nothing to follow.

    def follow(self, standings: Iterable[Standing]) -> None:
        pass

    def catch_up(self, boards: Collection[Board]) -> None:
        pass

    def doubt(self, board: Board) -> None:
        pass

    def enter(self, moved: Collection[Moved]) -> None:
        """Keeps the buckets in step, inside the transaction that changes the standings. Whoever
        changes several does so in the same order, so that nobody waits in a circle."""
        steps: dict[tuple[int, int], int] = {}
        for each in moved:
            coarse = Ladder(each.standing.board).coarse
            for key, step in ((each.before, -1), (each.after, 1)):
                if key is not None:
                    bucket = each.standing.board_id, key >> coarse
                    steps[bucket] = steps.get(bucket, 0) + step
        with connection.cursor() as cursor:
            for (board_id, number), step in sorted(steps.items()):
                if step:
                    cursor.execute(_ADD, [board_id, number, step])

    def _number(self, statement: str, ladder: Ladder, **more: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute(statement, {**_of(ladder), **more})
            return int(cursor.fetchone()[0])


def rebuild_buckets(board_id: int, coarse: int) -> None:
    """Counts a board's anew. The caller holds the board's row."""
    Bucket.objects.filter(board_id=board_id).delete()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO leaderboards_bucket (board_id, number, count)"
            " SELECT board_id, key >> %s, COUNT(*) FROM leaderboards_standing"
            " WHERE board_id = %s AND key IS NOT NULL GROUP BY 1, 2",
            [coarse, board_id],
        )


def _of(ladder: Ladder) -> dict[str, int]:
    return {"board": ladder.board.pk, "bit": ladder.bit}


def _standings(ladder: Ladder) -> QuerySet[Standing]:
    standings = Standing.objects.filter(board_id=ladder.board.pk, key__gte=0)
    return standings.filter(assisted=False) if ladder.unassisted else standings


def _places(standings: QuerySet[Standing]) -> list[Place]:
    found = standings.values_list("key", "player_id")
    return [Place(key, player_id) for key, player_id in found if key is not None]
