"""What stands against coming in.

RuleError (game.rules.errors)
└── EntranceError
    ├── AlreadyRegistered   whoever has an account needs no second one
    ├── LoginFailed         no such name or address, or another password: which is not told
    ├── MfaRequired         the password is right; a code is wanted too
    ├── MfaCodeWrong        the code is not right, or was used before
    └── TooManyAttempts     `retry_after_s`: when another one is looked at

NameTaken, of a field, is a Django `ValidationError`.
"""

from django.core.exceptions import ValidationError

from game.rules.errors import RuleError
from pyramid_site.problem import FIELD_PROBLEMS


class EntranceError(RuleError):
    pass


class AlreadyRegistered(EntranceError):
    code = "already_registered"


class LoginFailed(EntranceError):
    code = "login_failed"


class MfaRequired(EntranceError):
    code = "mfa_required"


class MfaCodeWrong(EntranceError):
    code = "mfa_code_wrong"


class TooManyAttempts(EntranceError):
    code = "throttled"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(retry_after_s=retry_after_s)


class NameTaken(ValidationError):
    """Somebody was faster."""

    def __init__(self) -> None:
        super().__init__(
            {"username": ValidationError(str(FIELD_PROBLEMS["name_taken"]), "name_taken")}
        )
