"""Settings: how a player likes the table, and what others may see."""

from typing import TypedDict, Unpack

from django.db import transaction

from accounts.models import Settings, User
from game.services import company
from game.services.holding import hold


class Choices(TypedDict, total=False):
    """Columns of `Settings`; what is left out stays as it is."""

    language: str
    four_colours: bool
    point_values: bool
    left_handed: bool
    motion: str
    hide_opponent: bool
    company: bool
    private: bool


CHANGEABLE = tuple(Choices.__annotations__)


@transaction.atomic
def change(*, player: User, **fields: Unpack[Choices]) -> Settings:
    """The settings with these changed, and no others: two changes at once are both made.

    The caller has checked the values. Raises `PlayerGone`.
    """
    if unknown := fields.keys() - {*CHANGEABLE}:
        raise TypeError(f"no settings: {sorted(unknown)}")
    hold(player)
    settings, _ = Settings.objects.update_or_create(player=player, defaults=dict(fields))
    if not settings.company:
        company.part(player=player)
    return settings
