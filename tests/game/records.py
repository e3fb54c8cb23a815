"""What stands in the database, to see whether a call changed it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accounts.models import User
from game.models import Deal, Game, LogEntry


def records() -> dict[str, list[dict[str, Any]]]:
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (Game, LogEntry, Deal, User)
    }


@contextmanager
def nothing_changed() -> Iterator[None]:
    before = records()
    yield
    assert records() == before
