"""Reads: players by name, their settings and records."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts import names
from accounts.models import RaceRecord, Record, Settings, User
from game.models import Seat


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


def race_record_of(player: User) -> RaceRecord:
    """Of one who has raced in no rated race: a row that is not in the database."""
    return RaceRecord.objects.filter(player=player).first() or RaceRecord(player=player)


def seats_of(player: User) -> QuerySet[Seat]:
    """In all races, the oldest first."""
    return Seat.objects.filter(player=player).select_related("race__deal").order_by("pk")


def player_who_calls_themself(name_or_address: str) -> User | None:
    """Whom one means who logs in. An address means its owner; as long as nobody has proven to be
    that, the only player who gives it."""
    if "@" not in name_or_address:
        return player_named(name_or_address) if len(name_or_address) <= names.KEY_LENGTH else None
    given = EmailAddress.objects.filter(email=name_or_address.lower(), user__is_active=True)
    addresses = list(given.select_related("user").order_by("-verified")[:2])
    if len(addresses) == 2 and not addresses[0].verified:
        return None
    return addresses[0].user if addresses else None
