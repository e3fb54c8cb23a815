"""Where allauth asks us: all its doors, and ours behind them, come through here."""

import logging
from dataclasses import asdict
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.signup import send_unknown_account_mail
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal.httpkit import clean_client_ip
from allauth.headless.adapter import DefaultHeadlessAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext, override
from rest_framework.throttling import BaseThrottle

from accounts import names
from accounts.aside import guest_of
from accounts.errors import LoginFailed
from accounts.language import language_of
from accounts.models import User
from accounts.services import entrance
from game.selectors import games_of
from game.services.handover import Moved
from pyramid_site.problem import FIELD_PROBLEMS, PROBLEMS
from pyramid_site.throttling import plain

logger = logging.getLogger(__name__)

RESET_CODE = "account/email/password_reset_code"


CODE_WRONG = PROBLEMS["mfa_code_wrong"].title


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {  # noqa: RUF012
        **DefaultAccountAdapter.error_messages,
        "cannot_remove_primary_email": gettext_lazy("The main address cannot be removed."),
        "duplicate_email": gettext_lazy("This address is one of yours already."),
        "incorrect_code": CODE_WRONG,
        "incorrect_password": PROBLEMS["password_wrong"].title,
    }

    # Signing up

    def new_user(self, request: HttpRequest) -> User:
        return guest_of(request) or User()

    def save_user(
        self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True
    ) -> User:
        """Raises `NameTaken` or `AlreadyRegistered`, when another request was faster."""
        return entrance.keep_account(
            player=user, save=lambda row: super(AccountAdapter, self).save_user(request, row, form)
        )

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = names.normal(username)
        fault = names.fault(name)
        if fault is None and not shallow and _is_taken(name, context.request):
            fault = "name_taken"
        if fault is not None:
            raise ValidationError(str(FIELD_PROBLEMS[fault]), fault)
        context.request.name_wanted = name  # allauth's API then shows us the password alone
        return name

    def clean_password(self, password: str, user: User | None = None) -> str:
        if user is None:
            user = User(username=getattr(context.request, "name_wanted", ""))
        try:
            kept: str = super().clean_password(password, user)
        except ValidationError as error:
            raise ValidationError([_as_we_say_it(each) for each in error.error_list]) from error
        return kept

    # Logging in and out

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """One count for all ways to write a name."""
        if "username" in credentials:
            credentials["username"] = names.key(credentials["username"])
        super().pre_authenticate(request, **credentials)

    def login(self, request: HttpRequest, user: User) -> None:
        request.moved = entrance.let_in(  # type: ignore[attr-defined]
            request=request,
            player=user,
            guest=guest_of(request),
            log_in=super().login,
        )

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """What is told is read on the next page, which is in the player's own language."""
        try:
            with override(language_of(user) or get_language()):
                response = super().post_login(request, user, **kwargs)
                self._tell_of_games(request, user, kwargs["signup"])
        except IntegrityError as error:  # whoever came in has been deleted since
            request.session.flush()
            raise LoginFailed() from error
        return response

    def _tell_of_games(self, request: HttpRequest, user: User, signup: bool) -> None:
        """Those of the guest whom the browser knew before."""
        moved = entrance.moved_by(request)
        if moved is not None and moved.games:
            self.add_message(request, messages.INFO, message=_told(moved))
        elif signup and games_of(user).exists():
            kept = gettext("Your games are yours on every device now.")
            self.add_message(request, messages.INFO, message=kept)

    def logout(self, request: HttpRequest) -> None:
        UserSession.objects.filter(session_key=request.session.session_key).delete()
        super().logout(request)

    # Where pages lead

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        is_owner = self.request.user == email_address.user
        return reverse("account_email" if is_owner else "profile")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings")

    # Telling

    def add_message(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        if not getattr(request, "by_api", False):
            super().add_message(request, *args, **kwargs)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail that cannot be sent fails nothing: it would tell for which addresses there are
        mails, and an account is made without. A code to reset the password goes to none but an
        address that has been proven to be its owner's."""
        if template_prefix == RESET_CODE and not _is_proven(email):
            return send_unknown_account_mail(self.request, email)
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            logger.exception("A mail could not be sent: %s", template_prefix)
        return None

    def format_email_subject(self, subject: str) -> str:
        return f"[{gettext('Pyramid')}] {subject}"

    def get_client_ip(self, request: HttpRequest) -> str:
        """The same address as for our own limits."""
        ident = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # reads META only
        return clean_client_ip(plain(ident or "")) or "0.0.0.0"  # noqa: S104  no address but a sign of none


class MFAAdapter(DefaultMFAAdapter):
    error_messages = {  # noqa: RUF012
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": CODE_WRONG,
        "unverified_email": gettext_lazy(
            "Confirm your e-mail addresses first: only then can it be turned on."
        ),
    }


class HeadlessAdapter(DefaultHeadlessAdapter):
    def populate_response_meta(self, request: HttpRequest, meta: dict[str, Any]) -> None:
        super().populate_response_meta(request, meta)
        moved = entrance.moved_by(request)
        if moved is not None:
            meta["moved"] = asdict(moved)


def _as_we_say_it(error: ValidationError) -> ValidationError:
    text = FIELD_PROBLEMS.get(str(error.code))
    return error if text is None else ValidationError(str(text), error.code)


def _is_taken(name: str, request: HttpRequest) -> bool:
    guest = guest_of(request)
    others = User.objects.exclude(pk=guest.pk) if guest else User.objects.all()
    return others.filter(name_key=names.key(name)).exists()


def _is_proven(email: str) -> bool:
    return EmailAddress.objects.filter(email=email.lower(), verified=True).exists()


def _told(moved: Moved) -> str:
    return ngettext(
        "%(count)s game that you played as a guest is among your games now, as practice.",
        "%(count)s games that you played as a guest are among your games now, as practice.",
        moved.games,
    ) % {"count": moved.games}
