"""Players with results at dailies, without the games being played; and a plain model of a board."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from game.models import Deal, Game, Kind
from game.rules.rulesets import RULE_SETS
from leaderboards.days import Day, Span
from leaderboards.models import Board, DailyDeal, DailyResult
from leaderboards.ranking import Score
from leaderboards.services import results
from leaderboards.services.days import daily
from leaderboards.services.rebuilding import boards_of, rebuild

RULES = "classic"
DAYS = [Day(date(2026, 11, 30)), Day(date(2026, 12, 1)), Day(date(2026, 12, 2))]
TODAY = DAYS[-1]
NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)


def score(chance: random.Random) -> Score:
    """Of few, so that many are equal."""
    won = chance.random() < 0.4
    return Score(
        won=won,
        removed=28 if won else chance.choice((0, 13, 27)),
        assisted=chance.random() < 0.3,
        elapsed_ms=chance.choice((60_000, 60_001, 61_000, 90_000, 600_000)),
        moves=chance.choice((40, 41)),
    )


@dataclass
class Field:
    """The results of one rule set, as those who write the tests know them."""

    scores: dict[Day, dict[int, Score]] = field(default_factory=lambda: defaultdict(dict))
    dailies: dict[Day, DailyDeal] = field(default_factory=dict)
    players: list[User] = field(default_factory=list)

    def come(self, number: int) -> Sequence[User]:
        """So many new players."""
        first = User.objects.count()
        users = [User(username=f"player{first + each}") for each in range(number)]
        come = User.objects.bulk_create(users)
        self.players += come
        return come

    def make(self, scores: Iterable[tuple[User, Day, Score]]) -> list[DailyResult]:
        """Results that stand on no board yet."""
        found = list(scores)
        games = Game.objects.bulk_create([self._game(player, day) for player, day, _ in found])
        for player, day, each in found:
            self.scores[day][player.pk] = each
        return DailyResult.objects.bulk_create(
            [
                DailyResult(
                    daily=self._daily(day),
                    player=player,
                    game=game,
                    undos=0,
                    **{name: getattr(each, name) for name in DailyResult.SCORE},
                )
                for game, (player, day, each) in zip(games, found, strict=True)
            ]
        )

    def enter(self, player: User, day: Day, each: Score) -> DailyResult:
        """As the end of a game does it."""
        with transaction.atomic():
            [result] = self.make([(player, day, each)])
            results.enter(result)
        return result

    def withdraw(self, result: DailyResult) -> None:
        results.judge(result.pk, withdrawn=True)
        del self.scores[result.daily.day][result.player_id]

    def build(self) -> None:
        """All boards at once."""
        for board in boards_of(None):
            list(rebuild(board, write=True))

    def board(self, span: Span = Span.DAY, day: Day = TODAY) -> Board:
        return results.board(rules_key=RULES, span=span, day=day)

    def order(
        self, span: Span = Span.DAY, day: Day = TODAY, *, unassisted: bool = False
    ) -> "Order":
        """What a board has to say, by the results' own order and nothing of ours."""
        if span is Span.DAY:
            scores = self.scores[day]
            return Order.of(
                (each.order, player)
                for player, each in scores.items()
                if not (unassisted and each.assisted)
            )
        last = span.last(day)
        runs: dict[int, list[Score]] = defaultdict(list)
        for each_day, by_player in self.scores.items():
            if span.first(day) <= each_day <= last:
                for player, each in by_player.items():
                    runs[player].append(each)
        return Order.of(
            (
                (
                    sum(run.removed for run in several),
                    sum(run.won for run in several),
                    -sum(run.elapsed_ms for run in several),
                ),
                player,
            )
            for player, several in runs.items()
        )

    def _daily(self, day: Day) -> DailyDeal:
        if day not in self.dailies:
            self.dailies[day] = daily(rules=RULE_SETS[RULES], day=day, today=day)
            self.dailies[day].deal = Deal.objects.create(seed=self.dailies[day].seed, attempt=0)
            self.dailies[day].save()
        return self.dailies[day]

    def _game(self, player: User, day: Day) -> Game:
        return Game(
            player=player,
            deal=self._daily(day).deal,
            rules_key=RULES,
            kind=Kind.DAILY,
            counted=True,
            closes_at=day.closes_at,
            position="",
            status="lost",
            seen=0,
            last_entry_at=timezone.now(),
        )


@dataclass(frozen=True)
class Order:
    """Ids in the order of the board, and each one's rank."""

    players: Sequence[int]
    ranks: dict[int, int]

    @classmethod
    def of(cls, scored: Iterable[tuple[Any, int]]) -> "Order":
        rows = sorted(scored, key=lambda row: row[1])
        rows.sort(key=lambda row: row[0], reverse=True)  # leaves equal ones as they are
        ranks: dict[int, int] = {}
        for index, (order, player) in enumerate(rows):
            tied = index and order == rows[index - 1][0]
            ranks[player] = ranks[rows[index - 1][1]] if tied else index + 1
        return cls([player for _, player in rows], ranks)
