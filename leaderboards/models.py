"""Daily deals, what players made of them, and the boards that they stand on.

A result is written once and is the truth of a run; standings and buckets follow from results, and
`manage.py rebuild_boards` holds them to these.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from game.models import Deal, Game
from game.rules.rulesets import RULE_SETS, RuleSet
from leaderboards.days import Day, Span
from leaderboards.ranking import Score


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


class DailyResult(models.Model):
    """What one run at a daily came to: an account's ranked game of it, once that has ended.

    The numbers are those of the first moment with the most cards removed (`leaderboards.runs`).
    """

    SCORE: ClassVar = ("won", "removed", "assisted", "elapsed_ms", "moves")

    daily = models.ForeignKey(DailyDeal, on_delete=models.PROTECT, related_name="results")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="daily_results"
    )
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="daily_result")
    won = models.BooleanField()
    removed = models.PositiveSmallIntegerField()
    assisted = models.BooleanField()  # a hint came before that moment
    elapsed_ms = models.PositiveBigIntegerField()
    moves = models.PositiveIntegerField()
    undos = models.PositiveIntegerField()
    # Faster than a hand can play: for somebody to look at. It stands on the board meanwhile.
    suspect = models.BooleanField(default=False)
    withdrawn = models.BooleanField(default=False)  # from all boards

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="result_one_per_day", fields=["daily", "player"]),
            models.CheckConstraint(
                name="result_adds_up", condition=Q(removed__range=(0, 28), moves__gte=0)
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="result_to_review", fields=["id"], condition=Q(suspect=True, withdrawn=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.removed} of 28 in {self.elapsed_ms} ms"

    @property
    def score(self) -> Score:
        return Score(**{name: getattr(self, name) for name in self.SCORE})


class Board(models.Model):
    """Who has done how well under a rule set in a day, a week or a month."""

    rules_key = models.CharField(
        max_length=20, choices=[(rules.key, rules.key) for rules in RULE_SETS.values()]
    )
    span = models.CharField(max_length=5, choices=[(span, span) for span in Span])
    date = models.DateField()  # the first day

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="board_once", fields=["date", "rules_key", "span"]),
            models.CheckConstraint(name="board_span_known", condition=Q(span__in=[*Span])),
        ]

    def __str__(self) -> str:
        return f"{self.rules_key} {self.span} from {self.date}"


class Standing(models.Model):
    """A player on a board. The `key` (`leaderboards.ranking`) orders them: the higher the better,
    and of equal ones the lower player's id first, which is no rank."""

    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="standings", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="standings"
    )
    key = models.BigIntegerField(null=True)  # null: withdrawn
    assisted = models.BooleanField(null=True)  # of a day; null where days are added up
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="standing_one_per_player", fields=["board", "player"]),
        ]
        indexes: ClassVar = [
            models.Index("board", F("key").desc(), "player", name="standing_order"),
            models.Index(
                "board",
                F("key").desc(),
                "player",
                name="standing_order_unassisted",
                condition=Q(assisted=False),
            ),
            models.Index(name="standing_changed", fields=["board", "changed_at"]),
            models.Index(name="standing_changed_anywhere", fields=["changed_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.key} on board {self.board_id}"


class Bucket(models.Model):
    """How many standings of a board have a key in a range: it makes a rank quick to count.

    Ranges of level 0 are wide, each of the next level is a small part of one before it
    (`leaderboards.ranking`), so that a rank adds up a few at each level.
    """

    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="buckets", db_index=False
    )
    level = models.PositiveSmallIntegerField()
    number = models.BigIntegerField()  # the key without its lowest bits
    count = models.IntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="bucket_once", fields=["board", "level", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.count} in bucket {self.number}, level {self.level}, board {self.board_id}"
