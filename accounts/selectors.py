"""Reads: players by name, their settings and records."""

from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts import names
from accounts.models import Record, Settings, User


def player_named(name: str) -> User | None:
    """The player of this name, in whatever case it is written; None for those who have gone."""
    if len(names.normal(name)) > names.NAME_LENGTH or "\0" in name:
        return None
    return User.objects.filter(name_key=names.key(name), is_active=True).first()


def settings_of(player: User) -> Settings:
    """The player's settings, or the defaults: a row that is not in the database yet."""
    return Settings.objects.filter(player=player).first() or Settings(player=player)


def email_of(player: User) -> EmailAddress | None:
    """The address that mails go to."""
    return EmailAddress.objects.filter(user=player).order_by("-primary", "-verified", "pk").first()


def records_of(player: User) -> QuerySet[Record]:
    """Of the rule sets and tiers that the player has played."""
    return Record.objects.filter(player=player, played__gt=0).order_by("rules_key", "tier")


def ranked_records_of(player: User) -> dict[str, Any]:  # noqa: ARG001  nobody has any yet
    """What a player's ranked games come to: the daily streak, and races played, won and drawn.

    There are no daily deals and no races yet, so that nobody has any. They will come from the
    daily results of `leaderboards` and from the seats of races that are over.
    """
    return {
        "daily": {"current_streak": 0, "best_streak": 0},
        "races": {"played": 0, "won": 0, "drawn": 0},
    }
