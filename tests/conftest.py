"""Fixtures for all tests, and how many examples Hypothesis draws."""

import os

import pytest
from hypothesis import HealthCheck, settings
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from pyramid_site import throttling
from tests.caller import Caller

pytest_plugins = ["tests.skipping"]

settings.register_profile(
    "default",
    deadline=None,  # the machine may be slow
    max_examples=60,
    derandomize=os.environ.get("CI") == "true",  # CI tries the same examples every time
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


@pytest.fixture
def player(db: None) -> Caller:
    """A guest with a token."""
    return Caller.guest()


@pytest.fixture
def stranger(db: None) -> Caller:
    """Another guest."""
    return Caller.guest()


@pytest.fixture
def nobody(db: None) -> Caller:
    """A caller without a token."""
    return Caller()


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test counts towards a rate limit is its own, and begins at nothing."""
    limiter = FixedWindowRateLimiter(MemoryStorage())
    monkeypatch.setattr(throttling, "_limiter", lambda _storage: limiter)
