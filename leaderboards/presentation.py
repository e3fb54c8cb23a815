"""What is told of a day. The seed only once its day is closed."""

from datetime import datetime
from typing import Any

from game.view import instant
from leaderboards.models import DailyDeal


def day(daily: DailyDeal, *, next_commitment: str | None, now: datetime) -> dict[str, Any]:
    """`next_commitment`: of today's alone."""
    closed = now >= daily.day.closes_at
    return {
        "date": daily.date.isoformat(),
        "rules": daily.rules_key,
        "resets_at": instant(daily.day.resets_at),
        "closes_at": instant(daily.day.closes_at),
        "commitment": daily.commitment,
        "next_commitment": next_commitment,
        "seed": daily.seed if closed else None,
    }
