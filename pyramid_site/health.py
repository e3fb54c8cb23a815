"""Is the process alive, and can it reach what it needs?"""

import logging

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """503 as soon as something that the process needs does not answer."""
    checks = {"database": _database()}
    if settings.REDIS_URL:
        checks["redis"] = _redis()
    ready = all(checks.values())
    return JsonResponse(
        {
            "status": "ok" if ready else "unavailable",
            "checks": {name: "ok" if fine else "unavailable" for name, fine in checks.items()},
        },
        status=200 if ready else 503,
    )


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.warning("the database does not answer", exc_info=True)
        return False
    return True


def _redis() -> bool:
    try:
        cache._cache.get_client().ping()  # type: ignore[attr-defined]  # the cache does without
    except RedisError:
        logger.warning("Redis does not answer", exc_info=True)
        return False
    return True
