"""Fixtures for the doors."""

from uuid import uuid4

import pytest
from pytest_django import Settings as DjangoSettings

from tests.accounts.doors import DOORS, Door


@pytest.fixture(autouse=True)
def fresh_cache(settings: DjangoSettings) -> None:
    """Where allauth counts attempts and keeps used codes: nobody has used this one before."""
    default = {**settings.CACHES["default"], "KEY_PREFIX": uuid4().hex}
    settings.CACHES = {"default": default}


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def door(request: pytest.FixtureRequest, db: None) -> Door:
    """A visitor at each of the doors in turn."""
    visitor: Door = request.param()
    return visitor
