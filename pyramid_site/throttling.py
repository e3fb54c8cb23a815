"""How often one player may call: `limits` counts, in memory or in Redis.

DRF's own throttles read, decide and write back, so that parallel calls slip through, and keep a
list of times for each caller; a counter does in one atomic step.
"""

import logging
import time
from contextlib import suppress
from functools import cache
from ipaddress import IPv6Network, ip_address
from typing import Any

from django.conf import settings
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

logger = logging.getLogger(__name__)

MEMORY = "memory://"


class RateLimit(BaseThrottle):
    """Holds a call to the limits of `settings.RATE_LIMITS` that its view's `rate_limits` names
    for its method."""

    wait_s: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        method = "GET" if request.method == "HEAD" else request.method
        return self.allow(request, getattr(view, "rate_limits", {}).get(method, ""))

    def allow(self, request: Request, scope: str) -> bool:
        for limit in _limits(settings.RATE_LIMITS.get(scope, "")):
            self.wait_s = self._wait(limit, scope, self._caller(request))
            if self.wait_s is not None:
                return False
        return True

    def wait(self) -> float | None:
        """Seconds until the next call is accepted."""
        return self.wait_s

    def _wait(self, limit: RateLimitItem, scope: str, caller: str) -> float | None:
        """Counts the call; seconds until the next is accepted, None when this one is."""
        try:
            return _hit(_limiter(settings.REDIS_URL or MEMORY), limit, scope, caller)
        except StorageError:
            logger.warning("Redis does not count; each process counts for itself", exc_info=True)
            return _hit(_limiter(MEMORY), limit, scope, caller)

    def _caller(self, request: Request) -> str:
        if request.user is not None and request.user.is_authenticated:
            return f"player-{request.user.pk}"
        return f"network-{network_of(self.get_ident(request) or '')}"


def plain(address: str) -> str:
    """As it is, but IPv4 where it is only written as IPv6."""
    with suppress(ValueError):
        ip = ip_address(address)
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    return address


def network_of(address: str) -> str:
    """What one caller has: an IPv4 address, but 64 bits of IPv6 and whatever lies below them."""
    with suppress(ValueError):
        ip = ip_address(plain(address))
        if ip.version == 6:
            return str(IPv6Network((int(ip), 64), strict=False))
        return str(ip)
    return address


def hold_to_limit(request: Request, scope: str) -> None:
    """For a call that only its body shows to be a costly one. Raises `Throttled`."""
    limit = RateLimit()
    if not limit.allow(request, scope):
        raise Throttled(limit.wait())


@cache
def _limits(notation: str) -> tuple[RateLimitItem, ...]:
    return tuple(parse_many(notation)) if notation else ()


@cache
def _limiter(storage: str) -> FixedWindowRateLimiter:
    patience = {} if storage == MEMORY else settings.REDIS_PATIENCE
    return FixedWindowRateLimiter(storage_from_string(storage, wrap_exceptions=True, **patience))


def _hit(
    limiter: FixedWindowRateLimiter, limit: RateLimitItem, scope: str, caller: str
) -> float | None:
    if limiter.hit(limit, scope, caller):
        return None
    return max(1.0, limiter.get_window_stats(limit, scope, caller).reset_time - time.time())
