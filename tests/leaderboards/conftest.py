from collections.abc import Iterator

import pytest
import time_machine

from tests.accounts.callers import account
from tests.caller import Caller
from tests.leaderboards.dailies import NOON


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
