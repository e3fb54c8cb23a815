"""The table at a day's deal, as its address answers."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.mark.parametrize("day", ["classic/2026-12-01", "overlap/2026-11-01"])
def test_a_day_that_has_begun_has_a_table(day: str) -> None:
    answer = Client().get(f"/daily/{day}/play")
    assert answer.status_code == 200
    assert "game/play.html" in [template.name for template in answer.templates]


def test_a_table_leads_back_to_itself_from_the_entrance() -> None:
    page = Client().get("/daily/classic/2026-12-01/play").content.decode()
    assert "/accounts/login/?next=%2Fdaily%2Fclassic%2F2026-12-01%2Fplay" in page


@pytest.mark.parametrize(
    "day",
    [
        "classic/2026-12-02",  # to come
        "classic/2026-10-31",  # before the first
        "classic/2026-11-31",
        "classic/today",
        "strict/2026-12-01",  # a rule set without dailies
        "nope/2026-12-01",
    ],
)
def test_what_is_no_daily_has_none(day: str) -> None:
    answer = Client().get(f"/daily/{day}/play")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")
