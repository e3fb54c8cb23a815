from collections.abc import Iterator

import pytest
import time_machine
from django.conf import settings
from redis import Redis

from leaderboards import ranks
from tests.accounts.callers import account
from tests.caller import Caller
from tests.leaderboards.dailies import NOON


@pytest.fixture(autouse=True)
def copies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Redis has copies of what is committed: of nothing, in most tests. Those of others are not
    met: their boards had the same ids."""
    if not settings.REDIS_URL:
        yield
        return
    marker = request.node.get_closest_marker("django_db")
    if marker is None or not marker.kwargs.get("transaction"):
        monkeypatch.setattr(ranks, "_of_redis", lambda _url: ranks.DATABASE)
        yield
        return
    redis = Redis.from_url(settings.REDIS_URL)
    for name in redis.scan_iter("pyramid.board.*"):
        redis.delete(name)
    yield
    redis.close()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """It is noon, and stays so until a test moves it."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def ada(db: None, clock: time_machine.Traveller) -> Caller:
    """A player with an account."""
    return account("ada")


@pytest.fixture
def bob(db: None, clock: time_machine.Traveller) -> Caller:
    return account("bob")
