"""A daily deal's day, and the seed it comes of. Standard library only: no clock, no settings.

The seed is HMAC-SHA256(secret, `pyramid-daily:1:<date>:<rules>`) in lower-case hex. Its commitment
is SHA-256 of those 64 characters: who has been told it can check the seed later by
`printf %s SEED | sha256sum`.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

_DAY = timedelta(days=1)


class Span(StrEnum):
    """What a board adds up."""

    DAY = "day"
    WEEK = "week"  # from Monday
    MONTH = "month"

    def first(self, day: "Day") -> "Day":
        """The first day of the span that the day lies in."""
        match self:
            case Span.WEEK:
                return Day(day.date - timedelta(days=day.date.weekday()))
            case Span.MONTH:
                return Day(day.date.replace(day=1))
        return day

    def last(self, day: "Day") -> "Day":
        match self:
            case Span.WEEK:
                return Day(self.first(day).date + timedelta(days=6))
            case Span.MONTH:
                in_the_next = self.first(day).date + timedelta(days=31)
                return Day(in_the_next.replace(day=1) - _DAY)
        return day


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A UTC day."""

    date: date

    @classmethod
    def at(cls, moment: datetime) -> "Day":
        """The day that a moment falls on, in whatever zone it is given."""
        return cls(moment.astimezone(UTC).date())

    @property
    def starts_at(self) -> datetime:
        return datetime.combine(self.date, time(), UTC)

    @property
    def resets_at(self) -> datetime:
        """The next day's start: from then on this day's ranked game cannot be started."""
        return self.starts_at + _DAY

    @property
    def closes_at(self) -> datetime:
        """Until then results come in, and nobody is told the seed."""
        return self.resets_at + _DAY

    @property
    def next(self) -> "Day":
        return Day(self.date + _DAY)


def seed_of(secret: str, day: Day, rules_key: str) -> str:
    """64 lower-case hex digits."""
    message = f"pyramid-daily:1:{day.date.isoformat()}:{rules_key}"
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()


def commitment_of(seed: str) -> str:
    """64 lower-case hex digits, which tell nothing of the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()
