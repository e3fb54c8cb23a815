from collections.abc import Iterator

import pytest
import time_machine
from django.conf import settings
from redis import Redis

from tests.accounts.callers import account
from tests.caller import Caller
from tests.leaderboards.dailies import NOON


@pytest.fixture(autouse=True)
def copies(request: pytest.FixtureRequest) -> None:
    """A test that commits meets no copies of another's boards, which may have had the same ids."""
    marker = request.node.get_closest_marker("django_db")
    if settings.REDIS_URL and marker is not None and marker.kwargs.get("transaction"):
        with Redis.from_url(settings.REDIS_URL) as redis:
            for name in redis.scan_iter("pyramid.board.*"):
                redis.delete(name)


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
