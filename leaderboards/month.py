"""A month as its calendar shows it: weeks of days, and how one player's games of them went."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from game.models import RUNNING, Game
from leaderboards.days import Day, Span

WEEKDAYS = [date(2024, 1, day) for day in range(1, 8)]  # from a Monday to a Sunday


class State(StrEnum):
    ABSENT = "absent"  # no daily: it is to come, or before the first
    UNPLAYED = "unplayed"
    RUNNING = "running"
    CLEARED = "cleared"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Square:
    day: Day
    state: State
    removed: int = 0  # cards, once it has ended
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class Month:
    """`weeks`: from Monday to Sunday, None for days of other months. `before`, `after`: a day of
    the month before and of the next one, where these have dailies that have begun."""

    first: Day
    weeks: Sequence[Sequence[Square | None]]
    before: Day | None
    after: Day | None


def month_of(day: Day, games: Mapping[Day, Game], *, begins: Day, today: Day) -> Month:
    """`games`: the player's. `begins`: the first day of all that has a daily."""
    first, last = Span.MONTH.first(day), Span.MONTH.last(day)
    before = Day(first.date - timedelta(days=1))
    squares = [
        None if not first <= each <= last else _square(each, games.get(each), begins, today)
        for each in _from_monday_to_sunday(first, last)
    ]
    return Month(
        first=first,
        weeks=[squares[start : start + 7] for start in range(0, len(squares), 7)],
        before=before if before >= begins else None,
        after=last.next if last.next <= today else None,
    )


def month_named(text: str, *, begins: Day, today: Day) -> Day | None:
    """A day of the month that is written so, such as `2026-12`; None for what is none, and for one
    in which there is no daily."""
    try:
        first = Day(date.fromisoformat(f"{text}-01"))
    except ValueError:
        return None
    return first if Span.MONTH.first(begins) <= first <= today else None


def _from_monday_to_sunday(first: Day, last: Day) -> Iterator[Day]:
    day, end = Span.WEEK.first(first), Span.WEEK.last(last)
    while day <= end:
        yield day
        day = day.next


def _square(day: Day, game: Game | None, begins: Day, today: Day) -> Square:
    if not begins <= day <= today:
        return Square(day, State.ABSENT)
    if game is None:
        return Square(day, State.UNPLAYED)
    if game.status in RUNNING:
        return Square(day, State.RUNNING, ranked=game.counted)
    removed = best_of(game)["removed"]
    state = State.CLEARED if removed == 28 else State.ENDED
    return Square(day, state, removed, game.counted)


def best_of(game: Game) -> Mapping[str, int]:
    """What counts of an ended game: the moment with the most cards removed; the end, where nothing
    was played."""
    end = {name: getattr(game, name) for name in ("removed", "elapsed_ms", "moves", "hints")}
    return game.aftermath.get("best") or end
