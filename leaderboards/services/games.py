"""Games of dailies: the one ranked game, practice from the archive, and the end of a day."""

import logging
from datetime import datetime
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.db.models import Min
from django.utils import timezone

from game.answers import Label
from game.errors import DailyClosed, StillRunning
from game.ledger import Close, EntryType, Status
from game.models import RUNNING, Game, Kind
from game.rules.rulesets import RuleSet
from game.services.holding import hold
from game.services.log import append, start
from game.view import View
from leaderboards.days import Day
from leaderboards.errors import DailyAlreadyPlayed
from leaderboards.services import days

logger = logging.getLogger(__name__)

CLOSED_AT_ONCE = 50  # games; the others' turn comes a moment later


def start_today(*, player: AbstractBaseUser, rules: RuleSet) -> tuple[View, bool]:
    """The player's game of today's deal, and whether it is new: ranked for an account, and for a
    guest one that counts nothing.

    Raises `NoDaily`, `SolverBusy`, `DailyAlreadyPlayed` once it has ended, and `DailyClosed` where
    the day has ended meanwhile.
    """
    day = Day.at(timezone.now())
    deal = days.dealt(days.daily(rules=rules, day=day, today=day))
    with transaction.atomic():
        hold(player)  # one start at a time
        now = timezone.now()
        games = Game.objects.select_related("deal").filter(kind=Kind.DAILY, deal=deal)
        game = games.filter(player_id=player.pk).first()
        if game is not None:
            if Status(game.status).is_over:
                raise DailyAlreadyPlayed()
            return View(game, game.ledger(), now), False
        if now >= day.resets_at:
            raise DailyClosed()
        game = start(
            player=player,
            deal=deal,
            rules=rules,
            kind=Kind.DAILY,
            counted=not _is_guest(player),
            label_before=Label.WINNABLE,  # as all dailies are
            at=now,
            closes_at=day.closes_at,
        )
        return View(game, game.ledger(), now), True


def start_from_archive(*, player: AbstractBaseUser, rules: RuleSet, day: Day) -> tuple[View, bool]:
    """A game of a closed day's deal, as practice, or the running one; and whether it is new.

    Raises `NoDaily`, `SolverBusy`, and `StillRunning` for a day that is not closed.
    """
    now = timezone.now()
    daily = days.daily(rules=rules, day=day, today=Day.at(now))
    if now < day.closes_at:
        raise StillRunning()
    deal = days.dealt(daily)
    with transaction.atomic():
        hold(player)
        games = Game.objects.select_related("deal").filter(kind=Kind.CASUAL, status__in=RUNNING)
        game = games.filter(player_id=player.pk, deal=deal, rules_key=rules.key).first()
        created = game is None
        if game is None:
            game = start(player=player, deal=deal, rules=rules, label_before=Label.WINNABLE)
        return View(game, game.ledger(), timezone.now()), created


def close_days() -> datetime | None:
    """Ends the games of days that are closed, each with its best moment; answers when the next are
    due. May be called at any time, by several processes at once; a game that cannot be ended is
    logged, and keeps no other from it."""
    now = timezone.now()
    running = Game.objects.filter(kind=Kind.DAILY, status__in=RUNNING).order_by("closes_at")
    closed = 0
    for game_id in list(running.filter(closes_at__lte=now).values_list("pk", flat=True)):
        try:
            _close(game_id)
            closed += 1
        except Exception:
            logger.exception("The daily game %s could not be closed", game_id)
        if closed == CLOSED_AT_ONCE:
            return now
    # What could not be closed is tried again, but not at once.
    next_due: datetime | None = running.filter(closes_at__gt=now).aggregate(due=Min("closes_at"))[
        "due"
    ]
    return next_due


@transaction.atomic
def _close(game_id: UUID) -> None:
    skip_locked = connection.features.has_select_for_update_skip_locked  # another process is at it
    games = Game.objects.select_related("deal").select_for_update(
        of=("self",), skip_locked=skip_locked
    )
    game = games.filter(pk=game_id, status__in=RUNNING).first()
    if game is not None and game.closes_at is not None:
        append(game, game.ledger(), EntryType.CLOSE, Close.DAY_CLOSED, at=game.closes_at)


def _is_guest(player: AbstractBaseUser) -> bool:
    """As the database says: one who has registered a moment ago, is none."""
    players = get_user_model().objects.filter(pk=player.pk)
    return bool(players.values_list("is_guest", flat=True).get())
