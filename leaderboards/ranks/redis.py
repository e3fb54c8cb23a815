"""Ranks as sorted sets of Redis have them: copies of what the database says, filled on first use.

A set's scores are keys with their sign turned, so that better ones come first and equal ones in the
order of their ids. It is named after the run of the Redis server that it was made in: one that has
been restarted knows none of its sets any more, whatever it has kept of them. What is written while
Redis is away, it is told later (`catch_up`). Where Redis has no answer, the database has.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock, Thread
from typing import Any, TypeVar

from django.conf import settings
from django.db import connections
from django.utils import timezone
from redis import Connection, Redis
from redis.exceptions import RedisError

from leaderboards.days import Span
from leaderboards.models import Board, Standing
from leaderboards.ranks.database import DatabaseRanks
from leaderboards.ranks.ladder import Ladder, Place
from pyramid_site.hub import warn

logger = logging.getLogger(__name__)

T = TypeVar("T")

BATCH = 10_000  # members that are sent at once
KEPT_S = 3 * 24 * 3600  # an unused set
OVERLAP = timedelta(seconds=30)  # longer than any transaction that changes a standing
AWAY_S = 1.0  # until Redis is asked again
ALONE_S = 90  # for so long others leave the filling of a set to who has begun it

_END = ""  # the last member of each set, which nobody is: a set with nobody is there, too

_ABOVE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
"""
_SIZE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('ZCARD', KEYS[1]) - 1
"""
_AT = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local first, most = tonumber(ARGV[1]), tonumber(ARGV[2])
return redis.call('ZRANGE', KEYS[1], first, first + most - 1, 'WITHSCORES')
"""
# How many come before a place, which need not be in the set: of equal scores, by halving.
_FIND = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local score, member, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
local low = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score)
local high = low + redis.call('ZCOUNT', KEYS[1], score, score)
while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZRANGE', KEYS[1], middle, middle)[1] < member then
        low = middle + 1
    else
        high = middle
    end
end
"""
_AFTER = (
    _FIND
    + """
if redis.call('ZRANGE', KEYS[1], low, low)[1] == member then low = low + 1 end
return redis.call('ZRANGE', KEYS[1], low, low + most - 1, 'WITHSCORES')
"""
)
_BEFORE = (
    _FIND
    + """
if low == 0 then return {} end
return redis.call('ZRANGE', KEYS[1], math.max(0, low - most), low - 1, 'WITHSCORES')
"""
)
# Members and scores by turns; a score that is empty takes the member out. Where there is no set,
# none begins: it would lack the others.
_WRITE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
for i = 1, #ARGV, 2 do
    if ARGV[i + 1] == '' then
        redis.call('ZREM', KEYS[1], ARGV[i])
    else
        redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i])
    end
end
return true
"""


class RedisRanks:
    """`database`: who answers where Redis does not."""

    def __init__(self, url: str, database: DatabaseRanks) -> None:
        self.database = database
        self._run = ""  # of the server that this process speaks with, once it does
        self._away_until = 0.0  # of the monotonic clock: for so long Redis is not asked again
        self._filling: set[int] = set()
        self._lock = Lock()
        self._redis = Redis.from_url(
            url,
            decode_responses=True,
            redis_connect_func=self._meet,
            **settings.REDIS_PATIENCE,
        )
        register = self._redis.register_script
        self._above, self._size, self._at = register(_ABOVE), register(_SIZE), register(_AT)
        self._after, self._before = register(_AFTER), register(_BEFORE)
        self._write = register(_WRITE)

    def above(self, ladder: Ladder, key: int) -> int:
        found = self._asked(ladder, self._above, -key)
        return self.database.above(ladder, key) if found is None else int(found)

    def size(self, ladder: Ladder) -> int:
        found = self._asked(ladder, self._size)
        return self.database.size(ladder) if found is None else int(found)

    def after(self, ladder: Ladder, place: Place | None, most: int) -> list[Place]:
        if place is None:
            return self.at(ladder, 0, most)
        found = self._asked(ladder, self._after, -place.key, _member(place.player_id), most)
        return self.database.after(ladder, place, most) if found is None else _places(found)

    def before(self, ladder: Ladder, place: Place, most: int) -> list[Place]:
        found = self._asked(ladder, self._before, -place.key, _member(place.player_id), most)
        return self.database.before(ladder, place, most) if found is None else _places(found)

    def at(self, ladder: Ladder, position: int, most: int) -> list[Place]:
        found = self._asked(ladder, self._at, position, most)
        return self.database.at(ladder, position, most) if found is None else _places(found)

    def follow(self, standings: Iterable[Standing]) -> None:
        """Takes over what has just been committed. What does not come through is made up for by
        `catch_up`."""
        for standing in standings:
            for ladder in _ladders(standing.board):
                self._told(ladder, [standing])

    def catch_up(self, boards: Collection[Board]) -> None:
        """Takes over what has become of these boards' standings since this was done last, by
        whichever process: what was committed while Redis did not listen. Raises `RedisError`."""
        if not self._run:
            self._redis.ping()
        name, now = f"{self._prefix}.caught-up", timezone.now()
        last = self._redis.get(name)
        since = None if last is None else datetime.fromisoformat(str(last)) - OVERLAP
        for board in boards:
            changed = Standing.objects.filter(board=board).select_related("board")
            if since is not None:
                changed = changed.filter(changed_at__gte=since)
            for ladder in _ladders(board):
                if self._redis.exists(self._name(ladder)):
                    self._tell(self._name(ladder), changed.iterator(BATCH))
        self._redis.set(name, now.isoformat(), ex=KEPT_S)

    def fill(self, board: Board) -> None:
        """Makes the board's sets anew, under other names first; and takes over what has changed
        since. Raises `RedisError`."""
        begun = timezone.now() - OVERLAP
        standings = Standing.objects.filter(board=board)
        for ladder in _ladders(board):
            name = self._name(ladder)
            new = f"{name}.new.{time.monotonic_ns()}"
            self._redis.zadd(new, {_END: float("inf")})
            self._redis.expire(new, KEPT_S)
            belonging = standings.filter(key__gte=0)
            if ladder.unassisted:
                belonging = belonging.filter(assisted=False)
            rows = belonging.values_list("player_id", "key").iterator(BATCH)
            members = ((_member(player), -key) for player, key in rows if key is not None)
            for batch in _batched(members, BATCH):
                self._redis.zadd(new, dict(batch))
            self._redis.rename(new, name)
            since = standings.filter(changed_at__gte=begun).select_related("board")
            self._tell(name, since.iterator(BATCH))

    def doubt(self, board: Board) -> None:
        """What is said of the board did not agree with the database: it is filled anew."""
        with suppress(RedisError):
            self._redis.delete(*map(self._name, _ladders(board)))

    def _asked(self, ladder: Ladder, script: Any, *args: Any) -> Any:
        """What the script answers; None where Redis is away or the set not there. Then it is being
        filled."""
        found = self._tried(lambda: script(keys=[self._name(ladder)], args=args))
        if found is None and time.monotonic() >= self._away_until:
            self._fill_aside(ladder.board)
        return found

    def _told(self, ladder: Ladder, standings: Iterable[Standing]) -> None:
        self._tried(lambda: self._tell(self._name(ladder), standings))

    def _tell(self, name: str, standings: Iterable[Standing]) -> None:
        unassisted = name.endswith(_SUFFIX)
        for batch in _batched(standings, BATCH):
            args: list[str] = []
            for standing in batch:
                key = None if unassisted and standing.assisted else standing.key
                args += [_member(standing.player_id), "" if key is None else str(-key)]
            self._write(keys=[name], args=args)

    def _tried(self, work: Callable[[], T]) -> T | None:
        """None where Redis is away, which is then left alone for a moment, or is not the server any
        more that the sets were named after."""
        if time.monotonic() < self._away_until:
            return None
        try:
            if not self._run:
                self._redis.ping()
            run = self._run
            done = work()
            return done if run == self._run else None
        except RedisError as error:
            warn("Redis does not rank; the database does: %r", error)
            self._away_until = time.monotonic() + AWAY_S
            return None

    def _fill_aside(self, board: Board) -> None:
        with self._lock:
            if board.pk in self._filling:
                return
            self._filling.add(board.pk)
        Thread(target=self._fill_alone, args=(board,), name=f"fill-{board.pk}", daemon=True).start()

    def _fill_alone(self, board: Board) -> None:
        """Unless another process does."""
        claim = f"{self._name(Ladder(board))}.filling"
        try:
            if self._redis.set(claim, "1", nx=True, ex=ALONE_S):
                try:
                    self.fill(board)
                finally:
                    self._redis.delete(claim)
        except RedisError as error:
            warn("Redis does not rank; the database does: %r", error)
        except Exception:
            logger.exception("%s could not be copied to Redis", board)
        finally:
            self._filling.discard(board.pk)
            connections.close_all()

    def _name(self, ladder: Ladder) -> str:
        name = f"{self._prefix}.{ladder.board.pk}"
        return name + _SUFFIX if ladder.unassisted else name

    @property
    def _prefix(self) -> str:
        return f"pyramid.board.{self._run}"

    def _meet(self, connection: Connection) -> None:
        """With each connection: which run of the server this is."""
        connection.on_connect()
        connection.send_command("INFO", "server")
        lines = str(connection.read_response()).splitlines()
        self._run = next(line[7:] for line in lines if line.startswith("run_id:"))


_SUFFIX = ".unassisted"


def _ladders(board: Board) -> list[Ladder]:
    """Each has a set of its own."""
    return [Ladder(board), Ladder(board, unassisted=True)][: 2 if board.span == Span.DAY else 1]


def _member(player_id: int) -> str:
    """In the order of the ids."""
    return f"{player_id:019d}"


def _places(found: list[Any]) -> list[Place]:
    pairs: Iterator[Any] = zip(found[::2], found[1::2], strict=True)
    return [Place(-int(float(score)), int(member)) for member, score in pairs if member != _END]


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
