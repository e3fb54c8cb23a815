"""`manage.py verify_daily DATE`: whether a day's deals are what was promised."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from leaderboards.days import Day, commitment_of
from leaderboards.models import DailyDeal
from leaderboards.services.days import dealt
from solver.dealing import Wanted, dealt_attempt
from solver.search import Verdict, decide


class Command(BaseCommand):
    help = (
        "Checks the daily deals of a UTC day: that the seed is the one committed to, that the deck "
        "is its first winnable one, and that it can be won. Tells no seed and no card."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("date", type=_date, help="such as 2026-12-01")

    def handle(self, *, date: date, **options: Any) -> None:
        found = {daily.rules_key: daily for daily in DailyDeal.objects.filter(date=date)}
        if not found:
            raise CommandError(f"{date}: nobody has asked for a daily of this day yet")
        wrong = 0
        for rules in RULE_SETS.values():
            if rules.key in found:
                faults = list(_faults(found[rules.key]))
                wrong += bool(faults)
                self.stdout.write(f"{date} {rules.key}: {', '.join(faults) or 'as promised'}")
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} dailies are not what was promised")


def _date(text: str) -> date:
    return Day(date.fromisoformat(text)).date


def _faults(daily: DailyDeal) -> list[str]:
    faults = []
    if commitment_of(daily.seed) != daily.commitment:
        faults.append("the seed is not the one committed to")
    deal = dealt(daily)
    attempt = dealt_attempt(daily.seed, daily.rules, Wanted.WINNABLE)
    if (deal.seed, deal.attempt) != (daily.seed, attempt):
        faults.append("the deck is not the seed's first winnable one")
    if decide(Position.deal(deal.deck, daily.rules)).verdict is not Verdict.WINNABLE:
        faults.append("the deck cannot be won")
    return faults
