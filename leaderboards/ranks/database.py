"""Ranks as the database has them: the truth, and quick enough to be asked each time.

A rank is how many are better: those in better buckets, which are few to add up, and those in the
own bucket, which an index finds.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import connection

from leaderboards.models import Board, Standing
from leaderboards.ranks.ladder import Ladder, Place

_BUCKETS_AT_ONCE = 200  # SQLite takes a thousand values

# The bit: 0 takes all buckets, otherwise only those of results without help.
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
# First in which part of the buckets the position is, then in which bucket of the part: to sort and
# add up all buckets one by one takes twice as long.
_BUCKET_AT = """
WITH parts AS (
    SELECT number >> 8 AS part, SUM(count) AS count FROM leaderboards_bucket
    WHERE board_id = %(board)s AND (number & %(bit)s) = %(bit)s GROUP BY 1
), found AS (
    SELECT part, above FROM (
        SELECT part, SUM(count) OVER (ORDER BY part DESC) - count AS above FROM parts
    ) AS summed WHERE above <= %(position)s ORDER BY part LIMIT 1
)
SELECT number, above FROM (
    SELECT number, found.above + SUM(count) OVER (ORDER BY number DESC) - count AS above
    FROM found JOIN leaderboards_bucket ON number >= part << 8 AND number < (part + 1) << 8
    WHERE board_id = %(board)s AND (number & %(bit)s) = %(bit)s
) AS buckets WHERE above <= %(position)s ORDER BY number LIMIT 1
"""
_PLACES = "SELECT key, player_id FROM leaderboards_standing WHERE board_id = %(board)s AND key >= 0"
_UNASSISTED = " AND NOT assisted"
_BEST_FIRST = " ORDER BY key DESC, player_id LIMIT %(most)s"
_WORST_FIRST = " ORDER BY key, player_id DESC LIMIT %(most)s"
# The first condition follows from the second; the index finds its way by it.
_AFTER = " AND key <= %(key)s AND (key < %(key)s OR player_id > %(player)s)"
_BEFORE = " AND key >= %(key)s AND (key > %(key)s OR player_id < %(player)s)"
_BELOW = " AND key < %(next)s"
_ADD = """
INSERT INTO leaderboards_bucket (board_id, number, count) VALUES {}
ON CONFLICT (board_id, number) DO UPDATE SET count = leaderboards_bucket.count + excluded.count
"""
_MISCOUNTED = """
SELECT number, SUM(said), SUM(found) FROM (
    SELECT number, count AS said, 0 AS found FROM leaderboards_bucket WHERE board_id = %(board)s
    UNION ALL
    SELECT key >> %(coarse)s, 0, 1 FROM leaderboards_standing
    WHERE board_id = %(board)s AND key >= 0
) AS counts GROUP BY number HAVING SUM(said) <> SUM(found) ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class Moved:
    """A standing whose key has changed; `before`: None for a new one, `after`: None for one that is
    withdrawn."""

    standing: Standing
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Miscounted:
    """A bucket: how many it says there are, and how many there are."""

    number: int
    said: int
    found: int


class DatabaseRanks:
    def above(self, ladder: Ladder, key: int) -> int:
        bucket = key >> ladder.coarse
        more = {"bucket": bucket, "key": key, "next": (bucket + 1) << ladder.coarse}
        return int(_rows(_ABOVE, ladder, **more)[0][0])

    def size(self, ladder: Ladder) -> int:
        return int(_rows(_SIZE, ladder)[0][0])

    def after(self, ladder: Ladder, place: Place | None, most: int) -> list[Place]:
        if place is None:
            return _places(ladder, _BEST_FIRST, most=most)
        return _places(ladder, _AFTER + _BEST_FIRST, **_named(place), most=most)

    def before(self, ladder: Ladder, place: Place, most: int) -> list[Place]:
        return _places(ladder, _BEFORE + _WORST_FIRST, **_named(place), most=most)[::-1]

    def at(self, ladder: Ladder, position: int, most: int) -> list[Place]:
        if position == 0:
            return self.after(ladder, None, most)
        found = _rows(_BUCKET_AT, ladder, position=position)
        if not found:
            return []
        number, above = found[0]
        more = {"next": (number + 1) << ladder.coarse, "within": position - int(above)}
        return _places(ladder, _BELOW + _BEST_FIRST + " OFFSET %(within)s", **more, most=most)

    # It is the database itself: there is nothing to follow.

    def follow(self, standings: Collection[Standing]) -> None:
        pass

    def catch_up(self) -> None:
        pass

    def doubt(self, board: Board, players: Collection[int]) -> None:
        pass

    def drop(self, board: Board) -> None:
        pass

    def enter(self, moved: Collection[Moved]) -> None:
        """Keeps the buckets in step, inside the transaction that changes the standings. Called once
        in a transaction, when it holds all its standings, so that nobody waits in a circle."""
        steps: dict[tuple[int, int], int] = {}
        for each in moved:
            coarse = Ladder(each.standing.board).coarse
            for key, step in ((each.before, -1), (each.after, 1)):
                if key is not None:
                    bucket = each.standing.board_id, key >> coarse
                    steps[bucket] = steps.get(bucket, 0) + step
        _add(steps)

    def recount(self, board: Board) -> list[Miscounted]:
        """Brings the board's buckets into step, and answers which were not.

        One statement sees standings and buckets at the same moment, and by how much they are off
        stays the same however many others write meanwhile. The caller holds the board: two who did
        this at once would do it twice.
        """
        rows = _rows(_MISCOUNTED, Ladder(board), coarse=Ladder(board).coarse)
        found = [Miscounted(number, int(said), int(found)) for number, said, found in rows]
        _add({(board.pk, each.number): each.found - each.said for each in found})
        return found


DATABASE = DatabaseRanks()


def _add(steps: Mapping[tuple[int, int], int]) -> None:
    """In one order, whoever does it."""
    rows = [(*bucket, step) for bucket, step in sorted(steps.items()) if step]
    with connection.cursor() as cursor:
        for first in range(0, len(rows), _BUCKETS_AT_ONCE):
            some = rows[first : first + _BUCKETS_AT_ONCE]
            places = ", ".join(["(%s, %s, %s)"] * len(some))
            cursor.execute(_ADD.format(places), [value for row in some for value in row])


def _rows(statement: str, ladder: Ladder, **more: int) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"board": ladder.board.pk, "bit": ladder.bit, **more})
        rows: list[tuple[int, ...]] = cursor.fetchall()
        return rows


def _places(ladder: Ladder, condition: str, **more: int) -> list[Place]:
    which = _PLACES + (_UNASSISTED if ladder.unassisted else "")
    return [Place(key, player_id) for key, player_id in _rows(which + condition, ladder, **more)]


def _named(place: Place) -> dict[str, int]:
    return {"key": place.key, "player": place.player_id}
