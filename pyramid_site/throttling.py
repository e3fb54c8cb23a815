"""How often one player may call: `limits` counts, in memory or in Redis.

DRF's own throttles read, decide and write back, so that parallel calls slip through, and keep a
list of times for each caller; a counter does in one atomic step.
"""

import time
from functools import cache
from typing import Any

from django.conf import settings
from limits import RateLimitItem, parse_many
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle


class RateLimit(BaseThrottle):
    """Holds a call to the limits of `settings.RATE_LIMITS` that its view's `rate_limits` names
    for its method."""

    wait_s: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        scope = getattr(view, "rate_limits", {}).get(request.method, "")
        for limit in _limits(settings.RATE_LIMITS.get(scope, "")):
            caller = self._caller(request)
            if not _limiter().hit(limit, scope, caller):
                reset = _limiter().get_window_stats(limit, scope, caller).reset_time
                self.wait_s = max(1.0, reset - time.time())
                return False
        return True

    def wait(self) -> float | None:
        """Seconds until the next call is accepted."""
        return self.wait_s

    def _caller(self, request: Request) -> str:
        if request.user is not None and request.user.is_authenticated:
            return f"player-{request.user.pk}"
        return f"address-{self.get_ident(request)}"


@cache
def _limits(notation: str) -> tuple[RateLimitItem, ...]:
    return tuple(parse_many(notation)) if notation else ()


@cache
def _limiter() -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(storage_from_string(settings.REDIS_URL or "memory://"))
