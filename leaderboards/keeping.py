"""What a server does by itself for the dailies: closes days, and keeps Redis up with the boards."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from game.live.duties import DUTIES
from game.live.keeper import Duty
from leaderboards.days import Day, Span
from leaderboards.models import Board
from leaderboards.ranks import ranks
from leaderboards.services.games import close_days

CATCH_UP_EVERY_S = 2.0


def catch_up() -> None:
    """Sorted sets of the boards that may still change learn what they have not been told."""
    today = Day.at(timezone.now())
    days = [today, Day(today.date - timedelta(days=1)), Day(today.date - timedelta(days=2))]
    dates = {(span, span.first(day).date) for span in Span for day in days}
    boards = Board.objects.filter(date__in={date for _, date in dates})
    ranks().catch_up([board for board in boards if (board.span, board.date) in dates])


def keep() -> None:
    DUTIES.append(Duty(close_days, every_s=30.0))
    if settings.REDIS_URL:
        DUTIES.append(Duty(catch_up, every_s=CATCH_UP_EVERY_S))
