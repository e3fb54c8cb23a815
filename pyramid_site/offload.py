"""What sockets ask of the database, in a few threads of its own.

The event loop waits for none of it, and Django's own executor, one thread for the whole process,
is left alone.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import ParamSpec, TypeVar

from django.conf import settings

from pyramid_site.connections import giving_back, keeping

P = ParamSpec("P")
T = TypeVar("T")


async def offload(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the work answers or raises. It cannot be stopped: whoever waits no longer only does not
    hear of its end."""
    return await _run(_threads(), partial(keeping, work, *args, **kwargs))


async def offload_long(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """For work that may wait for the solver, so that no other waits behind it."""
    return await _run(_slow_threads(), partial(giving_back, work, *args, **kwargs))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.SOCKET_THREADS, thread_name_prefix="socket")


@cache
def _slow_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.SOLVER_THREADS, thread_name_prefix="socket-slow")


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work)
