"""Parts of an address."""

from datetime import date

from leaderboards.days import Span


class DateConverter:
    """A day: `2026-12-01`, and nothing else that means it."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Raises `ValueError` for what is no day: then there is no such address."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


class TotalsConverter:
    """What adds days up."""

    regex = f"{Span.WEEK}|{Span.MONTH}"

    def to_python(self, value: str) -> Span:
        return Span(value)

    def to_url(self, value: str) -> str:
        """Of a span, also as a template writes it."""
        return Span(value).value
