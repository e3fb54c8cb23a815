"""How players come in: as guests, by registering, by logging in; and how they go out.

Behind every door is allauth: `register` and `log_in` run its forms and flows, as its own pages and
headless API do. Those end in `keep_account` and `let_in`, each one transaction.
"""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal import flows
from allauth.account.internal.flows.login import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    record_authentication,
)
from allauth.account.models import Login
from allauth.account.stages import LoginStageController
from allauth.core import ratelimit
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import SESSION_KEY, login
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.errors import (
    AlreadyRegistered,
    LoginFailed,
    MfaCodeWrong,
    MfaRequired,
    NameTaken,
    TooManyAttempts,
)
from accounts.models import Session, User
from accounts.signup import SignupForm
from accounts.tokens import TokenStrategy
from game.services import company, races
from game.services.handover import Moved, bring_along

_NAME_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
_MINUTE, _FIVE_MINUTES = 60, 300  # the windows of ACCOUNT_RATE_LIMITS, in seconds
_RECORDS = (AUTHENTICATION_METHODS_SESSION_KEY, f"{AUTHENTICATION_METHODS_SESSION_KEY}_user")


@transaction.atomic
def start_guest(*, request: HttpRequest) -> tuple[User, str]:
    """A new guest, logged in on the request's session, and its token."""
    guest = User(username=f"guest-{_random_name()}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    login(request, guest)
    return guest, token_of(request)


def register(*, request: HttpRequest, username: str, password: str, email: str = "") -> User:
    """A new account, which a guest becomes, logged in on the request's session.

    Raises Django's `ValidationError` with what is wrong, by field; `AlreadyRegistered`;
    `TooManyAttempts`.
    """
    if request.user.is_authenticated:
        raise AlreadyRegistered()
    _count(request, "signup")
    form = SignupForm({"username": username, "password1": password, "email": email})
    if not form.is_valid():
        raise ValidationError(form.errors.as_data())
    player, _ = form.try_save(request)
    flows.signup.complete_signup(request, user=player)
    return player


def log_in(*, request: HttpRequest, name: str, password: str, code: str | None = None) -> User:
    """The account of this name or address, logged in on the request's session; the games of a guest
    have gone over to it, and `moved_by` says how many.

    Raises `LoginFailed`, `MfaRequired`, `MfaCodeWrong` or `TooManyAttempts`, and nothing changes.
    """
    _count(request, "login")
    name = name.strip()
    credentials = {"email" if "@" in name else "username": name}
    player = _authenticated(request, credentials | {"password": password})
    step = Login(user=player, email=credentials.get("email"))
    second = _second_step(player, code) if _has_second_step(player) else None
    record_authentication(request, player, method="password", **credentials)
    if second is not None:
        second.save()
        LoginStageController(request, step).set_handled(AuthenticateStage.key)
    flows.login.perform_login(request, step)
    if request.user != player:
        raise LoginFailed()  # a step that we do not know of stands before it
    return player


def _count(request: HttpRequest, action: str) -> None:
    if not ratelimit.consume(request, action=action):
        raise TooManyAttempts(_MINUTE)


def _authenticated(request: HttpRequest, credentials: dict[str, str]) -> User:
    try:
        player = get_adapter(request).authenticate(request, **credentials)
    except ValidationError as error:
        raise TooManyAttempts(_FIVE_MINUTES) from error
    if player is None:
        raise LoginFailed()
    assert isinstance(player, User)
    return player


def _has_second_step(player: User) -> bool:
    return bool(is_mfa_enabled(player, [Authenticator.Type.TOTP]))


def _second_step(player: User, code: str | None) -> Any:
    """allauth's form with a code that is right, and is now used up."""
    if not code:
        raise MfaRequired()
    form = AuthenticateForm({"code": code}, user=player)
    if form.is_valid():
        return form
    if form.has_error("code", "too_many_login_attempts"):
        raise TooManyAttempts(_FIVE_MINUTES)
    raise MfaCodeWrong()


def log_out(*, request: HttpRequest) -> None:
    """Ends the request's session: its token is nobody's from now on."""
    get_adapter(request).logout(request)


def token_of(request: HttpRequest) -> str:
    return str(TokenStrategy().create_session_token(request))


def moved_by(request: HttpRequest) -> Moved | None:
    """What has gone over when a guest logged in by this request."""
    return getattr(request, "moved", None)


def keep_account(*, player: User, save: Callable[[User], User]) -> User:
    """Saves an account that is new, or that a guest becomes: the same row, so that nothing need be
    copied. The guest's sessions end, and races are told the new name. Raises `NameTaken`;
    `AlreadyRegistered` where the guest has become an account meanwhile, or has gone over to one."""
    try:
        with transaction.atomic():
            if player.pk is None:
                return save(player)
            guest = User.objects.select_for_update().filter(pk=player.pk, is_guest=True).first()
            if guest is None:
                raise AlreadyRegistered()
            guest.is_guest = False
            company.part(player=guest)
            account = save(guest)
            Session.objects.filter(user=account).delete()
            transaction.on_commit(partial(races.tell_name, player=account), robust=True)
            return account
    except IntegrityError as error:
        raise NameTaken() from error


@transaction.atomic
def let_in(
    *,
    request: HttpRequest,
    player: User,
    guest: User | None,
    log_in: Callable[[HttpRequest, User], None],
) -> Moved | None:
    """Logs the player in on a new session, in place of whosever the request's was; a guest's games
    go over to the player. All of it, or nothing. Raises `LoginFailed` where the account has been
    deleted meanwhile."""
    held = _hold(player, guest)
    if player.pk not in held:
        raise LoginFailed()
    come = None if guest is None or guest.pk == player.pk else held.get(guest.pk)
    moved = _move(guest=come, account=player) if come is not None and come.is_guest else None
    _renew_session(request)
    log_in(request, player)
    request.session.save()
    return moved


def _hold(player: User, guest: User | None) -> dict[int, User]:
    """Those of the two who are still there, by their ids. Held as `game.services.holding` does:
    a game of theirs that ends can write its record meanwhile, and is waited for."""
    wanted = [player.pk] if guest is None else [player.pk, guest.pk]
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=wanted, is_active=True)
    return {row.pk: row for row in rows.order_by("pk")}


def _move(*, guest: User, account: User) -> Moved:
    """The guest's games to the account, and the guest is gone. Both are held."""
    moved = bring_along(guest=guest, account=account)
    User.objects.select_for_update().get(pk=guest.pk).delete()  # from here nothing new names it
    return moved


def _renew_session(request: HttpRequest) -> None:
    """Ends the session where it is somebody's, and keeps of it only how the player has just come
    to be known."""
    if SESSION_KEY in request.session:
        records = {key: request.session[key] for key in _RECORDS if key in request.session}
        request.session.flush()
        request.session.update(records)


def _random_name() -> str:
    return "".join(secrets.choice(_NAME_LETTERS) for _ in range(10))
