"""What a server does by itself for the dailies: closes days, and keeps Redis up with the boards."""

from django.conf import settings

from game.live.duties import DUTIES
from game.live.keeper import Duty
from leaderboards.ranks import ranks
from leaderboards.services.games import close_days

CATCH_UP_EVERY_S = 2.0


def catch_up() -> None:
    """Sorted sets learn what they have not been told."""
    ranks().catch_up()


def keep() -> None:
    DUTIES.append(Duty(close_days, every_s=30.0))
    if settings.REDIS_URL:
        DUTIES.append(Duty(catch_up, every_s=CATCH_UP_EVERY_S))
