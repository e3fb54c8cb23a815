"""Reads: games, logs, and how a deal went for those who played it."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Min, Q, QuerySet

from game.errors import GameNotFound
from game.ledger import Ledger, Status
from game.models import RUNNING, Game, Kind, LogEntry
from game.rules.rulesets import RuleSet

Viewer = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class DealCounts:
    """Games that have ended, of players who made a move."""

    played: int
    won: int
    fewest_moves: int | None  # of the games won
    fastest_ms: int | None


def visible_game(game_id: UUID, viewer: Viewer) -> Game:
    """A game of the viewer's own, or an ended casual one. Raises `GameNotFound`."""
    shown = Q(player_id=viewer.pk) | (Q(kind=Kind.CASUAL) & ~Q(status__in=RUNNING))
    game = Game.objects.select_related("deal").filter(shown, pk=game_id).first()
    if game is None:
        raise GameNotFound()
    return game


def games_of(player: Viewer) -> QuerySet[Game]:
    """Own games that are running or in which a move was made."""
    played = Q(moves__gt=0) | Q(status__in=RUNNING)
    return Game.objects.select_related("deal").filter(played, player_id=player.pk)


def log_page(game: Game, *, after: int, size: int) -> list[LogEntry]:
    """The first `size` entries that come after entry number `after`."""
    return list(game.entries.filter(seq__gt=after).order_by("seq")[:size])


def ledger_as_of(game: Game, seq: int) -> Ledger:
    """What the log added up to once its entry `seq` was made."""
    if seq == game.version:
        return game.ledger()
    entries: Iterable[LogEntry] = game.entries.filter(seq__lte=seq).order_by("seq").iterator()
    return game.start_ledger().replay(entry.entry for entry in entries)


def running_game(*, player: Viewer, rules: RuleSet, number: int) -> Game | None:
    return (
        Game.objects.select_related("deal")
        .filter(
            player_id=player.pk,
            deal__number=number,
            rules_key=rules.key,
            kind=Kind.CASUAL,
            status__in=RUNNING,
        )
        .first()
    )


def counts_of_deal(*, rules: RuleSet, number: int) -> DealCounts:
    won = Q(status=Status.WON)
    return DealCounts(
        **Game.objects.filter(
            deal__number=number, rules_key=rules.key, moves__gt=0, kind=Kind.CASUAL
        )
        .exclude(status__in=RUNNING)
        .aggregate(
            played=Count("id"),
            won=Count("id", filter=won),
            fewest_moves=Min("moves", filter=won),
            fastest_ms=Min("elapsed_ms", filter=won),
        )
    )
