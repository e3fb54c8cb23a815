"""Who stands where on a board: asked of the database, or of Redis where there is one."""

from functools import cache

from django.conf import settings

from leaderboards.ranks.database import DATABASE
from leaderboards.ranks.ladder import Ladder, Place, Ranks
from leaderboards.ranks.redis import RedisRanks

__all__ = ["DATABASE", "Ladder", "Place", "Ranks", "ranks"]


def ranks() -> Ranks:
    """Those of this process."""
    return _of_redis(settings.REDIS_URL) if settings.REDIS_URL else DATABASE


@cache
def _of_redis(url: str) -> RedisRanks:
    return RedisRanks(url, DATABASE)
