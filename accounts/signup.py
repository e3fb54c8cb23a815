"""The form that makes an account, for the page and the API."""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from accounts.models import User


class SignupForm(AllauthSignupForm):
    """How long a name is is counted once it is normal, by the adapter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.validators = [
            validator
            for validator in name.validators
            if not isinstance(validator, MaxLengthValidator | MinLengthValidator)
        ]

    @transaction.atomic
    def try_save(self, request: HttpRequest) -> tuple[User, HttpResponse | None]:
        """The account with its address, or none."""
        player, answer = super().try_save(request)
        assert isinstance(player, User)
        return player, answer
