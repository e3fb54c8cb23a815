"""An authenticator app: RFC 6238, as every one of them computes it."""

import base64
import hashlib
import hmac
import struct
import time

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP

from accounts.models import User

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code_at(moment: float | None = None, secret: str = SECRET) -> str:
    """The six digits of that moment."""
    counter = int((time.time() if moment is None else moment) // 30)
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def switch_on(name: str) -> list[str]:
    """Two-factor authentication for that account; its recovery codes."""
    player = User.objects.get(username=name)
    TOTP.activate(player, SECRET)
    codes: list[str] = RecoveryCodes.activate(player).generate_codes()
    return codes
