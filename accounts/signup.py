"""The form that makes an account, for the page and the API."""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django.core.validators import MaxLengthValidator, MinLengthValidator


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
