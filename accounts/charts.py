"""What the plots of a player show: win rate, cards removed, time and moves against par.

All three are made from the latest counted games that have ended, one query of bounded size; a
second one counts the games before those, where there are any.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from accounts import wording
from accounts.models import User
from game.ledger import Status
from game.models import RUNNING, Game, Kind
from game.rules.layout import SLOTS
from game.rules.rulesets import RULE_SETS
from game.selectors import solved_deal

LATEST = 1000  # games
RECENT = 20  # games of the moving win rate
ROWS = 50  # of a table beside a plot


@dataclass(frozen=True, slots=True)
class Ended:
    """A counted game with at least one move that has ended."""

    rules_key: str
    tier: str
    number: int | None
    won: bool
    removed: int
    moves: int
    elapsed_ms: int
    at: datetime

    @property
    def par(self) -> int | None:
        solved = solved_deal(number=self.number, rules=RULE_SETS[self.rules_key])
        return None if solved is None else solved.par


@dataclass(frozen=True, slots=True)
class Rate:
    """The win rates once a game had ended, shares 0–1."""

    game: int  # the how many-eth of its rule set and tier
    at: datetime
    won: bool
    overall: float
    recent: float  # of the last RECENT games


@dataclass(frozen=True, slots=True)
class Group:
    """The games under a rule set and of a tier, oldest first."""

    rules_key: str
    tier: str
    rates: Sequence[Rate]

    @property
    def name(self) -> str:
        return wording.group_name(self.rules_key, self.tier)

    @property
    def latest(self) -> Sequence[Rate]:
        """For the table, newest first."""
        return self.rates[: -ROWS - 1 : -1]


@dataclass(frozen=True, slots=True)
class AgainstPar:
    """A win of a deal whose fewest moves are known."""

    game: Ended
    par: int

    @property
    def over(self) -> int:
        return self.game.moves - self.par


@dataclass(frozen=True, slots=True)
class Charts:
    groups: Sequence[Group]
    removed: Sequence[int]  # games by cards removed, 0 to SLOTS; empty: no game
    wins: Sequence[AgainstPar]  # newest first

    @property
    def latest_wins(self) -> Sequence[AgainstPar]:
        return self.wins[:ROWS]

    @property
    def removed_rows(self) -> Sequence[tuple[int, int]]:
        return [(cards, games) for cards, games in enumerate(self.removed) if games]

    def as_json(self) -> dict[str, Any]:
        """For the page's script: columns, times in seconds, durations in milliseconds."""
        return {
            "groups": [_columns(group) for group in self.groups],
            "removed": list(self.removed),
            "wins": {
                "over": [win.over for win in self.wins],
                "elapsed_ms": [win.game.elapsed_ms for win in self.wins],
            },
        }


def charts_of(player: User) -> Charts:
    games = _latest(player)
    before = _before(player, games) if len(games) == LATEST else {}
    return Charts(
        groups=_groups(games, before),
        removed=_histogram(games),
        wins=[
            AgainstPar(game, par)
            for game in reversed(games)
            if game.won and (par := game.par) is not None
        ],
    )


def _ended(player: User) -> QuerySet[Game]:
    games = Game.objects.filter(player=player, kind=Kind.CASUAL, counted=True, moves__gt=0)
    return games.exclude(status__in=RUNNING)


def _latest(player: User) -> list[Ended]:
    """Oldest first."""
    rows = (
        _ended(player)
        .order_by("-last_entry_at", "-id")
        .values_list(
            *("rules_key", "tier", "deal__number", "status"),
            *("removed", "moves", "elapsed_ms", "last_entry_at"),
        )[:LATEST]
    )
    games = [
        Ended(rules, tier, number, status == Status.WON, *rest)
        for rules, tier, number, status, *rest in rows
    ]
    return games[::-1]


def _before(player: User, games: Iterable[Ended]) -> dict[tuple[str, str], tuple[int, int]]:
    """Games played and won before these, by rule set and tier."""
    played = Counter((game.rules_key, game.tier) for game in games)
    won = Counter((game.rules_key, game.tier) for game in games if game.won)
    counts = (
        _ended(player)
        .values_list("rules_key", "tier")
        .annotate(played=Count("id"), won=Count("id", filter=Q(status=Status.WON)))
        .order_by()
    )
    return {
        (rules, tier): (all_played - played[rules, tier], all_won - won[rules, tier])
        for rules, tier, all_played, all_won in counts
    }


def _groups(
    games: Iterable[Ended], before: dict[tuple[str, str], tuple[int, int]]
) -> Sequence[Group]:
    """Those played most come first."""
    by_group: dict[tuple[str, str], list[Ended]] = {}
    for game in games:
        by_group.setdefault((game.rules_key, game.tier), []).append(game)
    groups = [
        Group(*key, _rates(of_group, *before.get(key, (0, 0))))
        for key, of_group in by_group.items()
    ]
    return sorted(groups, key=lambda group: -len(group.rates))


def _rates(games: Iterable[Ended], played: int, won: int) -> Sequence[Rate]:
    rates = []
    recent: deque[bool] = deque(maxlen=RECENT)
    for game in games:
        played, won = played + 1, won + game.won
        recent.append(game.won)
        rates.append(Rate(played, game.at, game.won, won / played, sum(recent) / len(recent)))
    return rates


def _histogram(games: Sequence[Ended]) -> Sequence[int]:
    counts = Counter(game.removed for game in games)
    return [counts[cards] for cards in range(SLOTS + 1)] if games else []


def _columns(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "game": [rate.game for rate in group.rates],
        "at": [int(rate.at.timestamp()) for rate in group.rates],
        "overall": [rate.overall for rate in group.rates],
        "recent": [rate.recent for rate in group.rates],
    }
