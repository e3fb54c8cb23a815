"""What is told of a player, to themselves and to others."""

from typing import Any

from django.utils import timezone

from accounts.models import RaceRecord, Record, Settings, User
from accounts.selectors import email_of, race_record_of, records_of, settings_of
from accounts.services.settings import CHANGEABLE
from game.models import Seat
from game.selectors import Streak, daily_streak
from game.view import instant


def me(player: User) -> dict[str, Any]:
    """For the player's own eyes."""
    email = email_of(player)
    return {
        "name": player.username,
        "is_guest": player.is_guest,
        "email": None if email is None else email.email,
        "email_verified": email is not None and email.verified,
        "joined_at": instant(player.date_joined),
        "settings": settings(settings_of(player)),
    }


def player(player: User) -> dict[str, Any]:
    """For anybody's; of one who keeps to themselves without the records."""
    private = settings_of(player).private
    return {
        "name": player.username,
        "is_guest": player.is_guest,
        "joined_at": instant(player.date_joined),
        "private": private,
        **records(player, hidden=private),
    }


def settings(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in CHANGEABLE}


def records(player: User, *, hidden: bool = False) -> dict[str, Any]:
    """By rule set and tier, of those that were played; and what comes from ranked games. Hidden
    ones are told as of one who has played nothing."""
    return {
        "records": [] if hidden else [record(row) for row in records_of(player)],
        "daily": daily_record(Streak() if hidden else daily_streak(player, now=timezone.now())),
        "races": race_record(RaceRecord() if hidden else race_record_of(player)),
    }


def record(record: Record) -> dict[str, Any]:
    return {
        "rules": record.rules_key,
        "tier": record.tier,
        "played": record.played,
        "won": record.won,
        "win_rate": record.tally.win_rate,
        "current_streak": record.current_streak,
        "best_streak": record.best_streak,
        "fastest_win_ms": record.fastest_win_ms,
        "fewest_moves": record.fewest_moves,
        "best_against_par": record.best_against_par,
    }


def daily_record(streak: Streak) -> dict[str, Any]:
    """Days in a row with a ranked daily; a day is one of UTC."""
    return {"current_streak": streak.current, "best_streak": streak.best}


def race_record(record: RaceRecord) -> dict[str, Any]:
    """Of rated races; those that are neither won nor drawn are lost."""
    return {"played": record.played, "won": record.won, "drawn": record.drawn}


def seat(seat: Seat) -> dict[str, Any]:
    """A place in a race: for the player's own eyes, and whole at `races/{code}/`."""
    race = seat.race
    return {
        "race": race.code,
        "created_at": instant(race.created_at),
        "rules": race.rules_key,
        "tier": race.tier or None,
        "number": race.deal.number,
        "status": race.status,
        "counted": seat.counted and race.is_rated,
        "game": None if seat.game_id is None else str(seat.game_id),
        "place": seat.place,
    }
