"""The daily deal: made on first need, committed to before, and secret until its day is closed."""

from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from game.models import Deal
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from leaderboards.keeping import publish
from leaderboards.models import DailyDeal
from leaderboards.services import days
from solver.search import Verdict, decide
from tests.caller import Caller, assert_problem
from tests.game.test_at_once import at_once
from tests.leaderboards.dailies import TODAY

pytestmark = pytest.mark.django_db

DAILY = [rules.key for rules in RULE_SETS.values() if rules.daily]
CLASSIC = RULE_SETS["classic"]


@pytest.mark.parametrize("rules", DAILY)
def test_today_is_told_with_both_commitments_and_no_seed(
    nobody: Caller, clock: time_machine.Traveller, rules: str
) -> None:
    body = nobody.get(f"daily/{rules}/").json()
    assert body == {
        "date": "2026-12-01",
        "rules": rules,
        "resets_at": "2026-12-02T00:00:00.000Z",
        "closes_at": "2026-12-03T00:00:00.000Z",
        "server_now": "2026-12-01T12:00:00.000Z",
        "commitment": body["commitment"],
        "next_commitment": body["next_commitment"],
        "seed": None,
        "attempt": None,
        "game": None,
        "result": None,
    }
    assert nobody.get(f"daily/{rules}/2026-12-01/").json() == body


def test_tomorrow_keeps_what_was_committed_to_whatever_the_secret(
    nobody: Caller, clock: time_machine.Traveller, settings: Any
) -> None:
    today = nobody.get("daily/classic/").json()
    settings.DAILY_SECRET = "another"
    clock.shift(timedelta(days=1))
    tomorrow = nobody.get("daily/classic/").json()
    assert tomorrow["commitment"] == today["next_commitment"]
    assert tomorrow["next_commitment"] not in (tomorrow["commitment"], today["commitment"])


def test_the_seed_is_told_when_the_day_closes_and_is_what_was_committed_to(
    nobody: Caller, clock: time_machine.Traveller
) -> None:
    commitment = nobody.get("daily/classic/").json()["commitment"]
    day = "daily/classic/2026-12-01/"
    clock.move_to(TODAY.closes_at - timedelta(milliseconds=1))
    before = nobody.get(day).json()
    assert (before["seed"], before["next_commitment"]) == (None, None)
    clock.move_to(TODAY.closes_at)
    seed = nobody.get(day).json()["seed"]
    assert sha256(seed.encode()).hexdigest() == commitment


def test_the_seeds_of_days_and_rule_sets_are_all_different(
    nobody: Caller, clock: time_machine.Traveller
) -> None:
    for rules in DAILY:
        nobody.get(f"daily/{rules}/")
    seeds = {daily.seed for daily in DailyDeal.objects.all()}
    assert len(seeds) == 2 * len(DAILY)


def test_a_server_commits_to_all_of_today_and_tomorrow_by_itself(
    nobody: Caller, clock: time_machine.Traveller
) -> None:
    publish()
    made = {(daily.rules_key, daily.date): daily.commitment for daily in DailyDeal.objects.all()}
    assert made.keys() == {(key, date(2026, 12, day)) for key in DAILY for day in (1, 2)}
    publish()
    clock.shift(timedelta(days=1))
    assert nobody.get("daily/open/").json()["commitment"] == made["open", date(2026, 12, 2)]


@pytest.mark.parametrize(
    "path",
    [
        "classic/2026-12-02",  # tomorrow
        "classic/2999-01-01",
        "classic/2026-10-31",  # before the first
        "classic/2026-02-30",
        "classic/20261201",
        "classic/2026-12-1",
        "classic/0000-01-01",
        "strict",  # has none
        "open-2/2026-12-01",
    ],
)
def test_a_day_that_has_none_is_not_there(
    nobody: Caller, clock: time_machine.Traveller, path: str
) -> None:
    assert_problem(nobody.get(f"daily/{path}/"), 404, "not_found")
    assert not DailyDeal.objects.exists()


def test_unknown_rules_are_a_bad_request(nobody: Caller) -> None:
    assert_problem(nobody.get("daily/chess/"), 400, "unknown_rules")


def test_it_is_the_first_winnable_deck_of_its_seed(clock: time_machine.Traveller) -> None:
    daily = days.daily(rules=CLASSIC, day=TODAY, today=TODAY)
    deal = days.dealt(daily)
    assert deal.seed == daily.seed
    assert deal.attempt is not None
    verdicts = [
        decide(Position.deal(Deal(seed=daily.seed, attempt=attempt).deck, CLASSIC)).verdict
        for attempt in range(deal.attempt + 1)
    ]
    assert verdicts.pop() is Verdict.WINNABLE
    assert Verdict.WINNABLE not in verdicts
    assert days.dealt(DailyDeal.objects.get(pk=daily.pk)) == deal


@pytest.mark.django_db(transaction=True)
def test_many_who_come_first_get_the_same() -> None:
    def first() -> tuple[str, int]:
        daily = days.daily(rules=CLASSIC, day=TODAY, today=TODAY)
        return daily.commitment, days.dealt(daily).pk

    assert len(set(at_once(*[first] * 8))) == 1
    assert (DailyDeal.objects.count(), Deal.objects.count()) == (1, 1)


def test_a_day_has_one_daily_of_a_rule_set_and_none_of_others() -> None:
    make = partial(DailyDeal.objects.create, seed="0" * 64, commitment="0" * 64)
    make(rules_key="classic", date=date(2026, 12, 1))
    for rules in ("classic", "strict"):
        with pytest.raises(IntegrityError), transaction.atomic():
            make(rules_key=rules, date=date(2026, 12, 1))


def verify(day: str) -> str:
    out = StringIO()
    call_command("verify_daily", day, stdout=out)
    return out.getvalue()


def test_a_day_is_verified(clock: time_machine.Traveller) -> None:
    daily = days.daily(rules=CLASSIC, day=TODAY, today=TODAY)
    told = verify("2026-12-01")
    assert told == "2026-12-01 classic: as promised\n"
    assert daily.seed not in told


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ({"seed": "1" * 64}, "not the one committed to"),
        ({"seed": None, "attempt": 1}, "not the seed's first winnable one"),
    ],
)
def test_a_day_that_is_not_as_promised_is_found(fault: dict[str, Any], named: str) -> None:
    daily = days.daily(rules=CLASSIC, day=TODAY, today=TODAY)
    deal = days.dealt(daily)
    if fault["seed"]:
        DailyDeal.objects.filter(pk=daily.pk).update(seed=fault["seed"])
    else:
        Deal.objects.filter(pk=deal.pk).update(attempt=(deal.attempt or 0) + 1)
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("verify_daily", "2026-12-01", stdout=out)
    assert named in out.getvalue()


def test_a_day_nobody_asked_for_cannot_be_verified() -> None:
    with pytest.raises(CommandError, match="nobody has asked"):
        verify("2026-12-01")
