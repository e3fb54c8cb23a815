"""Ranks as the database has them: the truth, and quick enough to be asked each time.

A rank is how many are better. The keys are counted in ranges that get narrower from level to level
(`leaderboards.ranking`): those in the better ranges of the first level, those in the better ones of
the second within the own one of the first, and so on; an index finds those in the last own range.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from leaderboards.models import Board, Standing
from leaderboards.ranking import UNASSISTED
from leaderboards.ranks.ladder import Ladder, Place

_BUCKETS_AT_ONCE = 200  # SQLite takes a thousand values
_END = 1 << 53  # above all keys

_COUNTED = """
board_id = %s AND level = %s AND number >= %s AND number < %s AND (number & %s) = %s
"""
_SUM = f"SELECT COALESCE(SUM(count), 0) FROM leaderboards_bucket WHERE {_COUNTED}"  # noqa: S608
_BETTER_IN_RANGE = """
SELECT COUNT(*) FROM leaderboards_standing WHERE board_id = %s AND key > %s AND key < %s
"""
# The range in which the one is that has so many others before it.
_RANGE_AT = f"""
SELECT number, above FROM (
    SELECT number, SUM(count) OVER (ORDER BY number DESC) - count AS above
    FROM leaderboards_bucket WHERE {_COUNTED}
) AS ranges WHERE above <= %s ORDER BY number LIMIT 1
"""  # noqa: S608
_PLACES = "SELECT key, player_id FROM leaderboards_standing WHERE board_id = %(board)s AND key >= 0"
_UNASSISTED = " AND NOT assisted"
_BEST_FIRST = " ORDER BY key DESC, player_id LIMIT %(most)s"
_WORST_FIRST = " ORDER BY key, player_id DESC LIMIT %(most)s"
# The first condition follows from the second; the index finds its way by it.
_AFTER = " AND key <= %(key)s AND (key < %(key)s OR player_id > %(player)s)"
_BEFORE = " AND key >= %(key)s AND (key > %(key)s OR player_id < %(player)s)"
_BELOW = " AND key < %(end)s"
_FROM = " OFFSET %(position)s"
_ADD = """
INSERT INTO leaderboards_bucket (board_id, level, number, count) VALUES {}
ON CONFLICT (board_id, level, number)
DO UPDATE SET count = leaderboards_bucket.count + excluded.count
"""
_MISCOUNTED = """
SELECT number, SUM(said), SUM(found) FROM (
    SELECT number, count AS said, 0 AS found FROM leaderboards_bucket
    WHERE board_id = %(board)s AND level = %(level)s
    UNION ALL
    SELECT key >> %(bits)s, 0, 1 FROM leaderboards_standing
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

    level: int
    number: int
    said: int
    found: int


class DatabaseRanks:
    def above(self, ladder: Ladder, key: int) -> int:
        values: list[int] = []
        end = _END
        for level, bits in enumerate(ladder.ranges):
            next_range = ((key >> bits) + 1) << bits
            values += _buckets(ladder, level, next_range, end)
            end = next_range
        sums = [_SUM] * len(ladder.ranges) + [_BETTER_IN_RANGE]
        return _number(" + ".join(f"({each})" for each in sums), *values, ladder.board.pk, key, end)

    def size(self, ladder: Ladder) -> int:
        return _number(f"({_SUM})", *_buckets(ladder, 0, 0, _END))

    def after(self, ladder: Ladder, place: Place | None, most: int) -> list[Place]:
        if place is None:
            return _places(ladder, _BEST_FIRST, most=most)
        return _places(ladder, _AFTER + _BEST_FIRST, **_named(place), most=most)

    def before(self, ladder: Ladder, place: Place, most: int) -> list[Place]:
        return _places(ladder, _BEFORE + _WORST_FIRST, **_named(place), most=most)[::-1]

    def at(self, ladder: Ladder, position: int, most: int) -> list[Place]:
        if position == 0:
            return self.after(ladder, None, most)
        first, end = 0, _END
        for level, bits in enumerate(ladder.ranges):
            found = _rows(_RANGE_AT, (*_buckets(ladder, level, first, end), position))
            if not found:
                return []
            number, above = map(int, found[0])
            first, end = number << bits, (number + 1) << bits
            position -= above
        return _places(ladder, _BELOW + _BEST_FIRST + _FROM, end=end, position=position, most=most)

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
        steps: Counter[tuple[int, int, int]] = Counter()
        for each in moved:
            board = each.standing.board
            for level, bits in enumerate(Ladder(board).ranges):
                for key, step in ((each.before, -1), (each.after, 1)):
                    if key is not None:
                        steps[board.pk, level, key >> bits] += step
        _add(steps)

    def recount(self, board: Board) -> list[Miscounted]:
        """Brings the board's buckets into step, and answers which were not.

        One statement sees standings and a level's buckets at the same moment, and by how much they
        are off stays the same however many others write meanwhile. The caller holds the board: two
        who did this at once would do it twice.
        """
        found = [
            Miscounted(level, *map(int, row))
            for level, bits in enumerate(Ladder(board).ranges)
            for row in _rows(_MISCOUNTED, {"board": board.pk, "level": level, "bits": bits})
        ]
        _add({(board.pk, each.level, each.number): each.found - each.said for each in found})
        return found


DATABASE = DatabaseRanks()


def _buckets(ladder: Ladder, level: int, first: int, end: int) -> tuple[int, ...]:
    """For `_COUNTED`: those of the level with keys from `first` up to `end`."""
    bits = ladder.ranges[level]
    belongs = UNASSISTED >> bits if ladder.unassisted else 0
    return ladder.board.pk, level, first >> bits, end >> bits, belongs, belongs


def _add(steps: Mapping[tuple[int, int, int], int]) -> None:
    """In one order, whoever does it."""
    rows = [(*bucket, step) for bucket, step in sorted(steps.items()) if step]
    with connection.cursor() as cursor:
        for first in range(0, len(rows), _BUCKETS_AT_ONCE):
            some = rows[first : first + _BUCKETS_AT_ONCE]
            places = ", ".join(["(%s, %s, %s, %s)"] * len(some))
            cursor.execute(_ADD.format(places), [value for row in some for value in row])


def _rows(statement: str, values: Sequence[int] | Mapping[str, int]) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[int, ...]] = cursor.fetchall()
        return rows


def _number(expression: str, *values: int) -> int:
    return int(_rows(f"SELECT {expression}", values)[0][0])


def _places(ladder: Ladder, condition: str, **more: int) -> list[Place]:
    which = _PLACES + (_UNASSISTED if ladder.unassisted else "")
    rows = _rows(which + condition, {"board": ladder.board.pk, **more})
    return [Place(key, player_id) for key, player_id in rows]


def _named(place: Place) -> dict[str, int]:
    return {"key": place.key, "player": place.player_id}
