"""Daily deals are made on first need, by whichever process is asked first."""

from datetime import date
from threading import Lock

from django.conf import settings
from django.db import transaction

from game.models import Deal
from game.rules.rulesets import RuleSet
from game.services.dealing import deal_of_seed
from leaderboards.days import Day, commitment_of, seed_of
from leaderboards.errors import NoDaily
from leaderboards.models import DailyDeal
from solver.dealing import Wanted

FIRST_DAY = Day(date(2026, 11, 1))


def daily(*, rules: RuleSet, day: Day, today: Day) -> DailyDeal:
    """That of a day that has begun. Raises `NoDaily`."""
    if not rules.daily or not FIRST_DAY <= day <= today:
        raise NoDaily()
    return _published(rules, day)


def next_commitment(*, rules: RuleSet, today: Day) -> str:
    """That of tomorrow's deal, which stands from now on."""
    return _published(rules, today.next).commitment


def dealt(daily: DailyDeal) -> Deal:
    """Its deal: the first winnable deck of its seed. Raises `SolverBusy`.

    The caller has no transaction open. Of all who come for a new day's at once, the first asks the
    solver.
    """
    if daily.deal is None:
        with _ONE_ASKS:
            daily.refresh_from_db(fields=["deal"])
            if daily.deal is None:
                daily.deal = _deal(daily)
    return daily.deal


_ONE_ASKS = Lock()


def _deal(daily: DailyDeal) -> Deal:
    found = deal_of_seed(daily.seed, rules=daily.rules, wanted=Wanted.WINNABLE)
    with transaction.atomic():
        deal, _ = Deal.objects.get_or_create(seed=found.seed, attempt=found.attempt)
        DailyDeal.objects.filter(pk=daily.pk, deal=None).update(deal=deal)
    return deal


def _published(rules: RuleSet, day: Day) -> DailyDeal:
    """The seed is kept with its commitment: another secret later changes neither."""
    seed = seed_of(settings.DAILY_SECRET, day, rules.key)
    found, _ = DailyDeal.objects.select_related("deal").get_or_create(
        rules_key=rules.key,
        date=day.date,
        defaults={"seed": seed, "commitment": commitment_of(seed)},
    )
    return found
