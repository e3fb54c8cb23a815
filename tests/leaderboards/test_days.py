"""A day by UTC, and seeds: known answers were made with `openssl dgst -hmac` and `sha256sum`."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.days import Day, commitment_of, seed_of

FIRST = Day(date(2026, 12, 1))
BOUNDS = datetime(2026, 1, 1), datetime(2030, 1, 1)  # noqa: DTZ001  Hypothesis wants them so
KNOWN = [
    (
        FIRST,
        "classic",
        "7a02d991ce7fe5d96e58ac3595e8930e33709b5d9fdfb6bb1ca86159056736cb",
        "201b4839bf2a73bbb3165dc2a26af6773681ef64668de82e750c6f3460881c68",
    ),
    (
        FIRST.next,
        "open",
        "65aabb529b8c6dd97a8f74c44a6a09f8023c2f6bd1af0503f740d19bda2a4d3a",
        "32d7fd22bc512cd99f368b27c48738d75fd898fa066a415022a0cb1906a55d60",
    ),
]


@pytest.mark.parametrize(("day", "rules", "seed", "commitment"), KNOWN)
def test_a_seed_and_its_commitment(day: Day, rules: str, seed: str, commitment: str) -> None:
    assert seed_of("a secret", day, rules) == seed
    assert commitment_of(seed) == commitment


def test_a_day_ends_when_the_next_begins_and_closes_a_day_later() -> None:
    assert FIRST.starts_at == datetime(2026, 12, 1, tzinfo=UTC)
    assert FIRST.resets_at == FIRST.next.starts_at == datetime(2026, 12, 2, tzinfo=UTC)
    assert FIRST.closes_at == datetime(2026, 12, 3, tzinfo=UTC)


@given(st.datetimes(*BOUNDS), st.integers(-14 * 60, 14 * 60))
def test_a_moment_is_of_its_utc_day_in_whatever_zone(moment: datetime, minutes: int) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    day = Day.at(there)
    assert day.starts_at <= there < day.resets_at
