"""Ranks as sorted sets of Redis have them: copies of what the database says, filled on first use.

A set's scores are keys with their sign turned, so that better ones come first and equal ones in the
order of their ids. It is named after the run of the Redis server that it was made in: one that has
been restarted knows none of its sets any more, whatever it has kept of them.

Where Redis has no answer, the database has. A process that Redis did not listen to once asks it no
more until `catch_up` has told it everything that was committed meanwhile.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from secrets import randbits
from threading import Lock, Thread
from typing import Any, TypeVar
from uuid import uuid4

from django.conf import settings
from django.db import connection, connections
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
KEPT = timedelta(days=3)  # a set; then it is filled again by whoever asks
OVERLAP = timedelta(seconds=30)  # longer than any transaction that changes a standing
OFTEN = timedelta(seconds=1)  # who is not behind need not catch up more often than all together
AWAY_S = 1.0  # until a Redis that did not answer is tried again
ALONE_S = 90  # for so long others leave the filling of a set to who has begun it

# The last member of each set, which nobody is. With the score `inf` the set is complete; until then
# it is written to and not read, and the score is a number of whoever fills it: another set may have
# taken its place, of which only who has filled that one knows whether it is complete.
_END = ""

_IF_COMPLETE = "if redis.call('ZSCORE', KEYS[1], '') ~= 'inf' then return false end\n"
_ABOVE = "return redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])"
_SIZE = "return redis.call('ZCARD', KEYS[1]) - 1"
_AT = """
local first, most = tonumber(ARGV[1]), tonumber(ARGV[2])
return redis.call('ZRANGE', KEYS[1], first, first + most - 1, 'WITHSCORES')
"""
# How many come before a place, which need not be in the set: of equal scores, by halving.
_FIND = """
local score, member, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
local low = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score)
local high = low + redis.call('ZCOUNT', KEYS[1], score, score)
while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZRANGE', KEYS[1], middle, middle)[1] {} member then
        low = middle + 1
    else
        high = middle
    end
end
"""
_AFTER = (
    _FIND.format("<=") + "return redis.call('ZRANGE', KEYS[1], low, low + most - 1, 'WITHSCORES')"
)
_BEFORE = (
    _FIND.format("<")
    + """
if low == 0 then return {} end
return redis.call('ZRANGE', KEYS[1], math.max(0, low - most), low - 1, 'WITHSCORES')
"""
)
# The number of a key, a member and a score by turns; a score that is empty takes the member out.
# Where there is no set, none begins: it would lack the others.
_WRITE = """
local there = {}
for number, key in ipairs(KEYS) do there[number] = redis.call('EXISTS', key) == 1 end
for i = 1, #ARGV, 3 do
    local number = tonumber(ARGV[i])
    if there[number] and ARGV[i + 2] == '' then
        redis.call('ZREM', KEYS[number], ARGV[i + 1])
    elseif there[number] then
        redis.call('ZADD', KEYS[number], ARGV[i + 2], ARGV[i + 1])
    end
end
return true
"""
_COMPLETE = """
if tonumber(redis.call('ZSCORE', KEYS[1], '') or '') == tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], 'inf', '')
end
"""


class RedisRanks:
    """`database`: who answers where Redis does not."""

    def __init__(self, url: str, database: DatabaseRanks) -> None:
        self.database = database
        self._run = ""  # of the server that this process speaks with, once it does
        self._away = False  # it is not spoken with
        self._behind = True  # it is not asked: it may lack what an earlier process has committed
        self._failures = 0
        self._next_try = 0.0  # of the monotonic clock
        self._filling: set[int] = set()
        self._lock = Lock()
        self._redis = Redis.from_url(
            url,
            decode_responses=True,
            redis_connect_func=self._meet,
            **settings.REDIS_PATIENCE,
        )
        register = self._redis.register_script
        self._above, self._size, self._at, self._after, self._before = (
            register(_IF_COMPLETE + script) for script in (_ABOVE, _SIZE, _AT, _AFTER, _BEFORE)
        )
        self._write, self._complete = register(_WRITE), register(_COMPLETE)

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

    def follow(self, standings: Collection[Standing]) -> None:
        """Takes over what has just been committed. What does not come through, or comes too late to
        be true, is made up for by `catch_up`."""
        if not self._away:
            self._tried(lambda: self._tell(standings))

    def catch_up(self) -> None:
        """Takes over what has become of all standings since this was done last, by whichever
        process: what was committed while Redis did not listen."""
        with self._lock:
            failures = self._failures
        try:
            self._redis.ping()
            self._away = False  # from here on it is told what is committed
            self._take_over()
        except RedisError as error:
            self._fail(error)
            return
        with self._lock:
            self._behind = self._behind and failures != self._failures

    def doubt(self, board: Board, players: Collection[int]) -> None:
        """What has just changed may not have come through yet, and is told again. What differs for
        no such reason is a fault, and the board's sets are dropped."""
        standings = list(Standing.objects.filter(board=board, player_id__in=players))
        since = timezone.now() - OVERLAP
        if len(standings) < len(players) or any(each.changed_at < since for each in standings):
            self.drop(board)
            return
        for standing in standings:
            standing.board = board
        self.follow(standings)

    def drop(self, board: Board) -> None:
        self._tried(lambda: self._redis.unlink(*map(self._name, _ladders(board))))

    def fill(self, board: Board) -> None:
        """Makes the board's sets anew, under other names first. Raises `RedisError`."""
        begun = timezone.now() - OVERLAP
        names = {ladder: self._name(ladder) for ladder in _ladders(board)}
        new = {ladder: f"{name}.new.{uuid4().hex}" for ladder, name in names.items()}
        filler = randbits(52)
        for ladder in names:
            self._redis.zadd(new[ladder], {_END: filler})
        standings = Standing.objects.filter(board=board)
        rows = standings.filter(key__gte=0).values_list("player_id", "key", "assisted")
        for batch in _batched(rows.iterator(BATCH), BATCH):
            for ladder in names:
                self._add(new[ladder], ladder, batch)
        self._redis.set(self._mark, begun.isoformat(), nx=True, ex=KEPT)
        for ladder, name in names.items():
            self._redis.expire(new[ladder], KEPT)
            self._redis.rename(new[ladder], name)
        # From here on the sets are told what is committed; what was so while they were made:
        self._tell_all(begun, board_id=board.pk)
        for name in names.values():
            self._complete(keys=[name], args=[filler])

    def _add(self, name: str, ladder: Ladder, rows: Iterable[tuple[int, int | None, Any]]) -> None:
        members = {
            _member(player_id): -key
            for player_id, key, assisted in rows
            if key is not None and not (ladder.unassisted and assisted)
        }
        if members:
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.zadd(name, members)
            pipeline.expire(name, ALONE_S)  # also if the server was restarted meanwhile
            pipeline.execute()

    def _take_over(self) -> None:
        now, last = timezone.now(), _moment(self._redis.get(self._mark))
        if last is None:
            # Sets without a mark, if there are any, have been told of who knows what.
            for name in self._redis.scan_iter(f"{self._prefix}.*", count=1000):
                self._redis.unlink(name)
        elif self._behind or now - last > OFTEN:
            self._tell_all(last - OVERLAP)
        else:
            return
        self._redis.set(self._mark, now.isoformat(), ex=KEPT)

    def _tell_all(self, since: datetime, **those: int) -> None:
        changed = Standing.objects.filter(changed_at__gte=since, **those).select_related("board")
        for batch in _batched(changed.iterator(BATCH), BATCH):
            self._tell(batch)

    def _tell(self, standings: Iterable[Standing]) -> None:
        numbers: dict[str, int] = {}
        args: list[int | str] = []
        for standing in standings:
            for ladder in _ladders(standing.board):
                name = self._name(ladder)
                belongs = standing.key is not None and not (ladder.unassisted and standing.assisted)
                args += [
                    numbers.setdefault(name, len(numbers) + 1),
                    _member(standing.player_id),
                    -(standing.key or 0) if belongs else "",
                ]
        self._write(keys=list(numbers), args=args)

    def _asked(self, ladder: Ladder, script: Any, *args: Any) -> Any:
        """What the script answers. None where Redis is away or behind, or the set not there, which
        is then being seen to; and inside a transaction, of which a set knows nothing."""
        if self._in_transaction():
            return None
        if self._behind:
            self._catch_up_aside()
            return None
        found = self._tried(lambda: script(keys=[self._name(ladder)], args=args))
        if found is None and not self._behind:
            self._fill_aside(ladder.board)
        return found

    def _in_transaction(self) -> bool:
        return connection.in_atomic_block

    def _tried(self, work: Callable[[], T]) -> T | None:
        """None where Redis is away, or is not the server any more that the sets were named
        after."""
        try:
            if not self._run:
                self._redis.ping()
            run = self._run
            done = work()
            return done if run == self._run else None
        except RedisError as error:
            self._fail(error)
            return None

    def _fail(self, error: RedisError) -> None:
        with self._lock:
            self._failures += 1
            self._away = self._behind = True
            self._next_try = time.monotonic() + AWAY_S
        warn("Redis does not rank; the database does: %r", error)

    def _catch_up_aside(self) -> None:
        """So that nobody waits for a Redis that hangs, and one thread at a time does."""
        with self._lock:
            if time.monotonic() < self._next_try:
                return
            self._next_try = float("inf")
        Thread(target=self._catch_up_once, name="catch-up", daemon=True).start()

    def _catch_up_once(self) -> None:
        try:
            self.catch_up()
        except Exception:
            logger.exception("Redis could not be told of what has changed")
        finally:
            self._next_try = time.monotonic() + AWAY_S
            connections.close_all()

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
            self._fail(error)
        except Exception:
            logger.exception("%s could not be copied to Redis", board)
        finally:
            self._filling.discard(board.pk)
            connections.close_all()

    def _name(self, ladder: Ladder) -> str:
        return f"{self._prefix}.{ladder.board.pk}{'.unassisted' if ladder.unassisted else ''}"

    @property
    def _mark(self) -> str:
        """Where it stands until when everything that was committed has been told."""
        return f"{self._prefix}.caught-up"

    @property
    def _prefix(self) -> str:
        return f"pyramid.board.{self._run}"

    def _meet(self, server: Connection) -> None:
        """With each connection: which run of the server this is."""
        server.on_connect()
        server.send_command("INFO", "server")
        lines = str(server.read_response()).splitlines()
        self._run = next(line[7:] for line in lines if line.startswith("run_id:"))


def _ladders(board: Board) -> list[Ladder]:
    """Each has a set of its own."""
    return [Ladder(board), Ladder(board, unassisted=True)][: 2 if board.span == Span.DAY else 1]


def _member(player_id: int) -> str:
    """In the order of the ids."""
    return f"{player_id:019d}"


def _places(found: list[Any]) -> list[Place]:
    pairs: Iterator[Any] = zip(found[::2], found[1::2], strict=True)
    return [Place(-int(float(score)), int(member)) for member, score in pairs if member != _END]


def _moment(text: Any) -> datetime | None:
    """None for what is none."""
    with suppress(TypeError, ValueError):
        return datetime.fromisoformat(text)
    return None


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
