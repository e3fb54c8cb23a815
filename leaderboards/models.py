"""Daily deals."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models import Deal
from game.rules.rulesets import RULE_SETS, RuleSet
from leaderboards.days import Day


class DailyDeal(models.Model):
    """The deal of a rule set and UTC day. It has a seed and a commitment as soon as the latter is
    told, and a deal once somebody wants to play."""

    rules_key = models.CharField(
        max_length=20, choices=[(rules.key, rules.key) for rules in RULE_SETS.values()]
    )
    date = models.DateField()
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    deal = models.OneToOneField(Deal, null=True, on_delete=models.PROTECT, related_name="daily")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="daily_once_a_day", fields=["date", "rules_key"]),
            models.CheckConstraint(
                name="daily_rules_known",
                condition=Q(rules_key__in=[r.key for r in RULE_SETS.values() if r.daily]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules_key} of {self.date}"

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.rules_key]

    @property
    def day(self) -> Day:
        return Day(self.date)
