"""The cache that processes share, without which each goes on by itself."""

import logging
from typing import Any

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Attempts to log in are counted here, and codes that have been used are kept. With Redis gone
    each process does so for itself, as it counts calls, and players can still come in."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("without-redis", {**params, "max_entries": settings.CACHE_ENTRIES})

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("delete", *args, **kwargs)

    def _ask(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(super(), verb)(*args, **kwargs)
        except RedisError:
            logger.warning("Redis keeps nothing; each process does for itself", exc_info=True)
            return getattr(self._own, verb)(*args, **kwargs)
