"""Fixtures for the doors."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.accounts.doors import DOORS, Door


@pytest.fixture(autouse=True)
def fresh_cache() -> Iterator[None]:
    """allauth counts attempts and used codes there."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def door(request: pytest.FixtureRequest, db: None) -> Door:
    """A visitor at each of the doors in turn."""
    visitor: Door = request.param()
    return visitor
