"""What is told of a player, to themselves and to others."""

from typing import Any

from accounts.models import Record, Settings, User
from accounts.selectors import email_of, records_of, settings_of
from accounts.services.settings import CHANGEABLE
from game.view import instant

# What ranked games of a player come to: there are no daily deals and no races yet.
NO_RANKED_GAMES = {
    "daily": {"current_streak": 0, "best_streak": 0},
    "races": {"played": 0, "won": 0, "drawn": 0},
}


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
    """By rule set and tier, of those that were played; and what comes from ranked games."""
    shown = [] if hidden else [record(row) for row in records_of(player)]
    return {"records": shown, **NO_RANKED_GAMES}


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
