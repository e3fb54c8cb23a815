"""A player leaves for good."""

import secrets
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction

from accounts.models import RaceRecord, Record, Session, Settings, User
from game.rules.errors import RuleError
from game.services.handover import forget
from game.services.holding import hold


class PasswordWrong(RuleError):
    code = "password_wrong"


def prove(*, player: User, password: str | None) -> None:
    """That it is the player who asks. Raises `PasswordWrong`, where the account has one."""
    if player.has_usable_password() and not player.check_password(password or ""):
        raise PasswordWrong()


@transaction.atomic
def delete_account(*, player: User) -> None:
    """Ends the player's sessions and removes all that is theirs; the name is free from then on.

    Ranked games stay, for they stand in what others have achieved: of a player who has any, the
    row stays as one that nobody can log in to and that tells nothing of who it was. Raises
    `PlayerGone` when the account has been deleted meanwhile.
    """
    hold(player)
    leaves_ranked_games = forget(player=player)
    row = User.objects.select_for_update().get(pk=player.pk)  # from here nothing new names it
    if leaves_ranked_games:
        _remove_belongings(row)
        _make_nameless(row)
    else:
        row.delete()


def _remove_belongings(player: User) -> None:
    """All that belongs to the player but the games: what `row.delete()` takes along."""
    for belonging in (Session, UserSession, EmailAddress, Authenticator):
        belonging.objects.filter(user=player).delete()
    for belonging in (Settings, Record, RaceRecord):
        belonging.objects.filter(player=player).delete()
    player.groups.clear()
    player.user_permissions.clear()


def _make_nameless(player: User) -> None:
    player.username = f"gone-{secrets.token_hex(6)}"
    player.first_name = player.last_name = player.email = ""
    player.is_active = player.is_staff = player.is_superuser = player.is_guest = False
    player.last_login = None
    player.date_joined = _year_of(player.date_joined)
    player.set_unusable_password()
    player.save()


def _year_of(moment: datetime) -> datetime:
    return moment.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
