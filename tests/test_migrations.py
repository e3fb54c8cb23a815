"""Migrations over tables in which something stands."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)

STARTED = datetime(2026, 11, 1, 12, tzinfo=UTC)
MOVED = datetime(2026, 11, 2, 13, 30, tzinfo=UTC)


def migrate(*targets: tuple[str, str]) -> Any:
    """The models as they were there."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


@pytest.fixture
def back_again() -> Iterator[None]:
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_games_and_guests_of_before_get_what_is_new(back_again: None) -> None:
    before = migrate(("game", "0002_labels_and_tiers"), ("accounts", "0001_initial"))
    guests = [
        before.get_model("accounts", "User").objects.create(username=f"guest-{name}", is_guest=True)
        for name in ("abcdefghjk", "ABCDEFGHJ2")
    ]
    deal = before.get_model("game", "Deal").objects.create(number=7)
    games = [
        before.get_model("game", "Game").objects.create(
            player=guest,
            deal=deal,
            rules_key="classic",
            position="",
            seen=0,
            version=2 * moved,
            started_at=STARTED,
        )
        for guest, moved in zip(guests, (True, False), strict=True)
    ]
    for seq, at in ((1, STARTED), (2, MOVED)):
        before.get_model("game", "LogEntry").objects.create(
            game=games[0], seq=seq, at=at, type="move", detail="d"
        )
    after = migrate(("game", "0003_ends"), ("accounts", "0002_names_settings_records"))
    ends = after.get_model("game", "Game").objects.order_by("version")
    assert list(ends.values_list("last_entry_at", "aftermath")) == [(STARTED, {}), (MOVED, {})]
    keys = after.get_model("accounts", "User").objects.order_by("pk")
    assert list(keys.values_list("name_key", flat=True)) == [
        "guest-abcdefghjk",
        "guest-abcdefghj2",
    ]


def test_what_is_counted_of_a_board_is_counted_anew(back_again: None) -> None:
    before = migrate(("leaderboards", "0002_results"), ("accounts", "0002_names_settings_records"))
    keys = {"day": [7 << 46 | 5, 7 << 46 | 6, 9 << 46], "week": [1 << 39, None], "month": [3 << 39]}
    for span, their in keys.items():
        board = before.get_model("leaderboards", "Board").objects.create(
            rules_key="classic", span=span, date=STARTED.date()
        )
        for name, key in zip(("anna", "boris", "clara"), their, strict=False):
            player, _ = before.get_model("accounts", "User").objects.get_or_create(username=name)
            before.get_model("leaderboards", "Standing").objects.create(
                board=board, player=player, key=key, changed_at=STARTED
            )
        before.get_model("leaderboards", "Bucket").objects.create(board=board, number=1, count=9)
    counted = migrate(("leaderboards", "0003_bucket_levels")).get_model("leaderboards", "Bucket")
    assert sorted(counted.objects.values_list("board__span", "level", "number", "count")) == [
        ("day", 0, 7, 2),
        ("day", 0, 9, 1),
        ("day", 1, 7 << 13, 2),
        ("day", 1, 9 << 13, 1),
        ("day", 2, 7 << 20, 2),
        ("day", 2, 9 << 20, 1),
        ("month", 0, 3, 1),
        ("month", 1, 3 << 17, 1),
        ("month", 2, 3 << 26, 1),
        ("week", 0, 1, 1),
        ("week", 1, 1 << 17, 1),
        ("week", 2, 1 << 26, 1),
    ]
    back = migrate(("leaderboards", "0002_results")).get_model("leaderboards", "Bucket")
    assert sorted(back.objects.values_list("board__span", "number", "count")) == [
        ("day", 7 << 16, 2),
        ("day", 9 << 16, 1),
        ("month", 3 << 17, 1),
        ("week", 1 << 17, 1),
    ]
