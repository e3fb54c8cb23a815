"""What sockets ask of the database, in a few threads of its own.

The event loop waits for none of it, and Django's own executor, one thread for the whole process,
is left alone.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")


async def offload(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the work answers or raises. It cannot be stopped: whoever waits no longer only does not
    hear of its end."""
    return await asyncio.get_running_loop().run_in_executor(
        _threads(), lambda: _done(work, *args, **kwargs)
    )


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.SOCKET_THREADS, thread_name_prefix="socket")


def _done(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Gives the connection back: one that the database has cut off meanwhile is not used again."""
    try:
        return work(*args, **kwargs)
    finally:
        connections.close_all()
