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
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
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

    def allow(self, request: Request | HttpRequest, scope: str) -> bool:
        self.wait_s = _wait(scope, self.counted_as(request))
        return self.wait_s is None

    def wait(self) -> float | None:
        """Seconds until the next call is accepted."""
        return self.wait_s

    def counted_as(self, request: Any) -> str:
        """The player, or the network of one who is nobody."""
        if request.user is not None and request.user.is_authenticated:
            return caller(request.user)
        return f"network-{network_of(self.get_ident(request) or '')}"


def caller(player: AbstractBaseUser) -> str:
    """To whom a player's calls are counted, by whichever door they come."""
    return f"player-{player.pk}"


def hold_to_limit(who: str, scope: str) -> None:
    """For a call that only its body shows to be a costly one, and for what is no request.

    `who`: see `caller`. Raises `Throttled`.
    """
    wait_s = _wait(scope, who)
    if wait_s is not None:
        raise Throttled(wait_s)


def _wait(scope: str, who: str) -> float | None:
    """Counts the call; seconds until the next is accepted, None when this one is."""
    for limit in _limits(settings.RATE_LIMITS.get(scope, "")):
        wait_s = _counted(limit, scope, who)
        if wait_s is not None:
            return wait_s
    return None


def _counted(limit: RateLimitItem, scope: str, who: str) -> float | None:
    try:
        return _hit(_limiter(settings.REDIS_URL or MEMORY), limit, scope, who)
    except StorageError:
        logger.warning("Redis does not count; each process counts for itself", exc_info=True)
        return _hit(_limiter(MEMORY), limit, scope, who)


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
