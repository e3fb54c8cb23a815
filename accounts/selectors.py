"""Reads: players by name, their settings and records."""

from django.db.models import QuerySet

from accounts import names
from accounts.models import Record, Settings, User


def player_named(name: str) -> User | None:
    """The player of this name, in whatever case it is written; None for those who have gone."""
    return User.objects.filter(name_key=names.key(name), is_active=True).first()


def settings_of(player: User) -> Settings:
    """The player's settings, or the defaults: a row that is not in the database yet."""
    return Settings.objects.filter(player=player).first() or Settings(player=player)


def records_of(player: User) -> QuerySet[Record]:
    return Record.objects.filter(player=player).order_by("rules_key", "tier")
