"""Who plays: players, guests among them, their sessions, settings and records."""

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q

from accounts import names
from accounts.tally import RaceTally, Tally
from game.models import Tier
from game.rules.rulesets import RULE_SETS


class NameKeyField(models.CharField):
    """What no two names may share, made from the username whenever the row is saved."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = names.key(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """A player. A guest is one too, without a password, and becomes an account by registering.

    Who has deleted the account but played in races or dailies stays as a row without a name.
    """

    username = models.CharField("name", max_length=names.NAME_LENGTH, unique=True)
    is_guest = models.BooleanField(default=False)
    name_key = NameKeyField(max_length=names.KEY_LENGTH, unique=True, editable=False)

    class Meta:
        verbose_name = "player"

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(_written(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        return super().check_password(_written(raw_password))


class Session(AbstractBaseSession):
    """A session, whose key is also the player's token. Its player stands in a column, so that
    both are read by one query."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions")

    @classmethod
    def get_session_store_class(cls) -> type:
        from accounts.sessions import SessionStore

        return SessionStore


class Motion(models.TextChoices):
    SYSTEM = "system"  # as the browser says
    FULL = "full"
    REDUCED = "reduced"


class Settings(models.Model):
    """How a player likes the table, and what others may see. No row: the defaults."""

    player = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="settings"
    )
    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    four_colours = models.BooleanField(default=False)
    point_values = models.BooleanField(default=True)  # beside A J Q K
    left_handed = models.BooleanField(default=False)  # the bar of buttons on the left
    motion = models.CharField(max_length=10, choices=Motion.choices, default=Motion.SYSTEM)
    hide_opponent = models.BooleanField(default=False)  # their progress, while racing
    company = models.BooleanField(default=True)  # sees who else plays a deal, and is seen
    private = models.BooleanField(default=False)  # ended games, records and plots

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="settings_known",
                condition=Q(motion__in=[*Motion], language__in=["", *dict(settings.LANGUAGES)]),
            )
        ]

    def __str__(self) -> str:
        return f"settings of {self.player_id}"


class Record(models.Model):
    """What a player's counted games under a rule set and of a tier add up to (`accounts.tally`).

    Written in the transaction that ends a game, and by nothing else but `rebuild_records`.
    """

    KEPT: ClassVar = (
        *("played", "won", "current_streak", "best_streak"),
        *("fastest_win_ms", "fewest_moves", "best_against_par"),
    )

    player = models.ForeignKey(User, on_delete=models.CASCADE, related_name="records")
    rules_key = models.CharField(max_length=20, choices=[(key, key) for key in RULE_SETS])
    tier = models.CharField(max_length=10, choices=Tier.choices)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    current_streak = models.PositiveIntegerField(default=0)  # wins in a row up to now
    best_streak = models.PositiveIntegerField(default=0)
    # Of the games won; null: there is none.
    fastest_win_ms = models.PositiveBigIntegerField(null=True)
    fewest_moves = models.PositiveIntegerField(null=True)
    best_against_par = models.PositiveIntegerField(null=True)  # moves above par, where it is known

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="record_one_per_tier", fields=["player", "rules_key", "tier"]
            ),
            models.CheckConstraint(
                name="record_adds_up",
                condition=Q(
                    won__lte=F("played"),
                    best_streak__lte=F("won"),
                    current_streak__lte=F("best_streak"),
                ),
            ),
            models.CheckConstraint(
                name="record_bests_are_of_wins",
                condition=Q(won=0, fastest_win_ms=None, fewest_moves=None, best_against_par=None)
                | Q(won__gt=0, fastest_win_ms__isnull=False, fewest_moves__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules_key} {self.tier}: {self.won} of {self.played}"

    @property
    def tally(self) -> Tally:
        return Tally(**{name: getattr(self, name) for name in self.KEPT})

    def keep(self, tally: Tally) -> None:
        """Takes over what games now add up to; saves nothing."""
        for name in self.KEPT:
            setattr(self, name, getattr(tally, name))


class RaceRecord(models.Model):
    """What a player's rated races add up to (`accounts.tally`). No row: none has been raced.

    Written in the transaction that ends a race, and by nothing else but `rebuild_records`.
    """

    KEPT: ClassVar = ("played", "won", "drawn")

    player = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="race_record"
    )
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)  # at place 1, and not alone there

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="race_record_adds_up", condition=Q(played__gte=F("won") + F("drawn"))
            )
        ]

    def __str__(self) -> str:
        return f"races: {self.won} won and {self.drawn} drawn of {self.played}"

    @property
    def tally(self) -> RaceTally:
        return RaceTally(**{name: getattr(self, name) for name in self.KEPT})

    def keep(self, tally: RaceTally) -> None:
        """Takes over what races now add up to; saves nothing."""
        for name in self.KEPT:
            setattr(self, name, getattr(tally, name))


def _written(password: str | None) -> str | None:
    """The same however a device writes its letters: as one, or with their marks beside them."""
    return None if password is None else names.normal(password)
