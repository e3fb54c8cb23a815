"""Boards' copies in Redis, as tests want them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from leaderboards import ranks
from leaderboards.models import Board
from leaderboards.ranks.redis import RedisRanks


class AtOnce(RedisRanks):
    """For a test that is all one transaction: what else a thread does, is done before the answer,
    so that it sees what the test has written."""

    def _in_transaction(self) -> bool:
        return False

    def _fill_aside(self, board: Board) -> None:
        self.fill(board)

    def _catch_up_aside(self) -> None:
        self.catch_up()


@contextmanager
def used(copies: RedisRanks) -> Iterator[None]:
    """Boards are asked of these meanwhile. What its Redis has of boards is gone before and after:
    a later test's may have the same ids."""
    forget(copies)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "_of_redis", lambda _url: copies)
        yield
    forget(copies)


def forget(copies: RedisRanks) -> None:
    for name in copies._redis.scan_iter("pyramid.board.*"):
        copies._redis.delete(name)
