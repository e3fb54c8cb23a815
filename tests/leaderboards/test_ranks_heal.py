"""Copies of boards in Redis heal by themselves, whatever happens to it: no rank is ever wrong."""

import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import time_machine
from django.db import connections, transaction
from redis import Redis

from leaderboards import keeping
from leaderboards.days import Span
from leaderboards.models import Standing
from leaderboards.ranking import Score
from leaderboards.ranks import DATABASE, Ladder, ranks
from leaderboards.ranks.redis import RedisRanks
from leaderboards.selectors import From, board_page
from tests.game.test_at_once import at_once
from tests.leaderboards.field import DAYS, NOON, TODAY, Field, Order, score

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server (install it)"),
]

PATIENCE_S = 30.0
KEEPS_NOTHING = ("--save", "", "--appendonly", "no")  # of itself
BEST = Score(won=True, removed=28, assisted=False, elapsed_ms=1, moves=40)
NOBODY: Any = type("Nobody", (), {"pk": None})()
LADDERS = [(Span.DAY, False), (Span.DAY, True), (Span.WEEK, False), (Span.MONTH, False)]


class OwnRedis:
    """A Redis server of the test's own, which may end, hang and come back as it was once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.asked = Redis.from_url(self.url, decode_responses=True)

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), *KEEPS_NOTHING],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        wait_until(self._listens)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def hang(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def wait_until(so: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def copies(own_redis: OwnRedis, settings: Any) -> Iterator[RedisRanks]:
    """Those that boards are asked of. Nobody keeps them but what a test calls."""
    settings.REDIS_URL = own_redis.url
    found = RedisRanks(own_redis.url, DATABASE)
    with time_machine.travel(NOON), pytest.MonkeyPatch.context() as patch:
        patch.setattr("leaderboards.ranks._of_redis", lambda _url: found)
        yield found
    wait_until(lambda: not found._filling and found._next_try != float("inf"))


@pytest.fixture
def known(copies: RedisRanks) -> Field:
    chance, known = random.Random(3), Field()
    players = known.come(20)
    known.make((player, day, score(chance)) for day in DAYS for player in players[:15])
    known.build()
    copies.catch_up()
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    return known


def all_answer(copies: RedisRanks, known: Field) -> bool:
    """Whether it is Redis that ranks, on all boards of today."""
    boards = [Ladder(known.board(span), unassisted) for span, unassisted in LADDERS]
    answers = [copies._asked(ladder, copies._size) for ladder in boards]  # each begins to be filled
    return None not in answers


def caught_up(copies: RedisRanks, known: Field) -> bool:
    """As a server tries again and again: a busy machine's Redis may be too slow to answer once."""
    keeping.catch_up()
    return all_answer(copies, known)


def assert_right(known: Field) -> None:
    """On the boards of today, whoever answers, all stand as the model has them."""
    for span, unassisted in LADDERS:
        ladder = Ladder(known.board(span), unassisted)
        page = board_page(ladder, start=From(), most=1000, viewer=NOBODY)
        order: Order = known.order(span, unassisted=unassisted)
        assert [row.player.pk for row in page.rows] == list(order.players)
        assert {row.player.pk: row.rank for row in page.rows} == order.ranks
        assert page.size == len(order.players)
        for row in page.rows:
            assert ranks().above(ladder, row.place.key) + 1 == row.rank


def write(known: Field) -> None:
    """One comes to the top, and one who was there goes."""
    gone = next(player for player in known.order().players if known.scores[TODAY][player] != BEST)
    known.withdraw(known.dailies[TODAY].results.get(player_id=gone))
    [newcomer] = known.come(1)
    known.enter(newcomer, TODAY, BEST)


def test_what_is_written_is_in_the_sets_at_once(copies: RedisRanks, known: Field) -> None:
    for _ in range(3):
        write(known)
        assert_right(known)
        assert all_answer(copies, known)


def test_redis_killed_and_started_empty_in_the_middle(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    write(known)
    own_redis.kill()
    for _ in range(2):
        write(known)
        assert_right(known)
    own_redis.start()
    write(known)
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


@pytest.mark.parametrize("noticed", [False, True])
def test_redis_restarted_with_an_older_snapshot(
    copies: RedisRanks, known: Field, own_redis: OwnRedis, noticed: bool
) -> None:
    own_redis.asked.save()
    write(known)
    own_redis.kill()
    if noticed:
        write(known)
    own_redis.start()
    assert own_redis.asked.keys("pyramid.board.*")  # it has kept its sets, which are wrong
    assert_right(known)
    write(known)
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


def test_redis_hangs_and_goes_on_without_a_restart(
    copies: RedisRanks, known: Field, own_redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_redis.hang()
    write(known)  # waits for Redis, once
    with monkeypatch.context() as patch:
        patch.setattr(copies, "_tried", lambda _: pytest.fail("Redis is waited for again"))
        for _ in range(3):
            write(known)
            assert_right(known)
    run = copies._run
    own_redis.go_on()
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)
    assert copies._run == run


def test_a_process_that_noticed_nothing_is_told_by_the_keeper(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    """Another process writes while Redis does not listen to it."""
    other = RedisRanks("redis://127.0.0.1:1/0", DATABASE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leaderboards.ranks._of_redis", lambda _url: other)
        write(known)
    with time_machine.travel(NOON.replace(minute=1)):
        keeping.catch_up()
    wait_until(lambda: caught_up(copies, known))
    assert_right(known)


def test_the_keeper_is_not_put_out_by_a_redis_that_is_away(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    own_redis.kill()
    keeping.catch_up()
    assert_right(known)
    own_redis.start()
    keeping.catch_up()
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


def test_a_board_long_over_is_caught_up_too(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    with time_machine.travel(NOON.replace(month=12, day=20)):
        copies.catch_up()
        own_redis.hang()
        write(known)
        own_redis.go_on()
        wait_until(lambda: caught_up(copies, known))
        assert_right(known)


@pytest.mark.parametrize("unassisted", [False, True])
def test_an_evicted_set_is_filled_again(
    copies: RedisRanks, known: Field, own_redis: OwnRedis, unassisted: bool
) -> None:
    assert own_redis.asked.delete(copies._name(Ladder(known.board(), unassisted)))
    write(known)  # begins no set of its own
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


def test_without_their_mark_all_sets_are_filled_again(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    ladder = Ladder(known.board())
    own_redis.asked.zadd(copies._name(ladder), {"7" * 19: -5})
    own_redis.asked.delete(copies._mark)
    keeping.catch_up()
    assert not own_redis.asked.exists(copies._name(ladder))
    assert_right(known)
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


def test_a_set_that_names_one_who_is_withdrawn(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    ladder = Ladder(known.board())
    first = known.order().players[0]
    member, key = f"{first:019d}", known.scores[TODAY][first].key
    known.withdraw(known.dailies[TODAY].results.get(player_id=first))
    for long_ago in (False, True):
        own_redis.asked.zadd(copies._name(ladder), {member: -key})
        if long_ago:
            Standing.objects.update(changed_at=NOON.replace(month=11))
        assert copies.at(ladder, 0, 1)[0].player_id == first
        board_page(ladder, start=From(), most=3, viewer=NOBODY)
        wait_until(lambda: all_answer(copies, known))
        assert_right(known)


def test_two_processes_fill_at_once(copies: RedisRanks, known: Field, own_redis: OwnRedis) -> None:
    others = [RedisRanks(own_redis.url, DATABASE) for _ in range(2)]
    board = known.board()
    for other in others:
        other.catch_up()
    for _ in range(5):
        copies.drop(board)
        at_once(*[lambda other=other: other.fill(board) for other in others])
        assert all_answer(copies, known)
        assert_right(known)
    assert len(own_redis.asked.keys(f"{copies._name(Ladder(board))}*")) == 2


def test_a_set_is_not_complete_because_the_one_it_replaced_would_be(
    copies: RedisRanks, known: Field, own_redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process's set comes into the place of ours, and then it dies."""
    board, other = known.board(), RedisRanks(own_redis.url, DATABASE)
    other.catch_up()

    def die(*_: Any, **__: Any) -> None:
        raise ConnectionError

    def be_replaced(*_: Any, **__: Any) -> None:
        with pytest.raises(ConnectionError):
            other.fill(board)

    monkeypatch.setattr(other, "_tell_all", die)
    with monkeypatch.context() as patch:
        patch.setattr(copies, "_tell_all", be_replaced)
        copies.fill(board)
    assert copies._asked(Ladder(board), copies._size) is None
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


@pytest.mark.postgresql
def test_sets_are_filled_while_writes_go_on(
    copies: RedisRanks, known: Field, own_redis: OwnRedis
) -> None:
    done = Event()
    faults: list[Exception] = []
    board = known.board()

    def fill_again_and_again() -> None:
        try:
            while not done.is_set():
                copies.fill(board)
        except Exception as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    filling = [Thread(target=fill_again_and_again) for _ in range(2)]
    for thread in filling:
        thread.start()
    try:
        for _ in range(12):
            write(known)
            assert_right(known)
    finally:
        done.set()
        for thread in filling:
            thread.join()
    assert not faults
    wait_until(lambda: all_answer(copies, known))
    assert_right(known)


@pytest.mark.postgresql
def test_those_who_write_at_once_are_all_counted(copies: RedisRanks, known: Field) -> None:
    def come(turn: int) -> None:
        for player, each in runs[turn]:
            known.enter(player, TODAY, each)

    chance = random.Random(5)
    runs = [[(player, score(chance)) for player in known.come(5)] for _ in range(4)]
    at_once(*[lambda turn=turn: come(turn) for turn in range(4)])
    assert all_answer(copies, known)
    assert_right(known)
    for span in Span:
        assert DATABASE.recount(known.board(span)) == []


def test_a_transaction_is_told_what_it_has_written(copies: RedisRanks, known: Field) -> None:
    with transaction.atomic():
        write(known)
        assert_right(known)
    assert all_answer(copies, known)
    assert_right(known)
