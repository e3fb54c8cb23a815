"""What stands in the database, to see whether a call changed it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Model

from accounts.models import User
from game.models import Deal, Game, LogEntry, Race, RaceEvent, Seat

ALL: tuple[type[Model], ...] = (Game, LogEntry, Deal, User, Race, Seat, RaceEvent)


def records(models: tuple[type[Model], ...] = ALL) -> dict[str, list[dict[str, Any]]]:
    return {
        model.__name__: list(model._default_manager.order_by("pk").values()) for model in models
    }


@contextmanager
def nothing_changed(*models: type[Model]) -> Iterator[None]:
    """In the rows of these models, of all if none is named."""
    before = records(models or ALL)
    yield
    assert records(models or ALL) == before
