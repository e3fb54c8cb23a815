"""What a server does by itself for the dailies: commits to them the day before, closes days, and
keeps Redis up with the boards."""

from django.conf import settings
from django.utils import timezone

from game.live.duties import DUTIES
from game.live.keeper import Duty
from game.rules.rulesets import RULE_SETS
from leaderboards.days import Day
from leaderboards.ranks import ranks
from leaderboards.services import days
from leaderboards.services.games import close_days

CATCH_UP_EVERY_S = 2.0
PUBLISH_EVERY_S = 600.0


def publish() -> None:
    """Today's and tomorrow's seeds are committed to, also where nobody has asked yet."""
    today = Day.at(timezone.now())
    for rules in RULE_SETS.values():
        if rules.daily:
            days.daily(rules=rules, day=today, today=today)
            days.next_commitment(rules=rules, today=today)


def catch_up() -> None:
    """Sorted sets learn what they have not been told."""
    ranks().catch_up()


def keep() -> None:
    DUTIES.append(Duty(close_days, every_s=30.0))
    DUTIES.append(Duty(publish, every_s=PUBLISH_EVERY_S))
    if settings.REDIS_URL:
        DUTIES.append(Duty(catch_up, every_s=CATCH_UP_EVERY_S))
