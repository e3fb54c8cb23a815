"""Whether a thread keeps its connection to the database from one piece of work to the next.

Django gives it back at the end of each request, which is right for threads without number. Those of
this project are few, and going to the pool and back is a good part of what a move costs.
"""

from collections.abc import Callable
from select import POLLIN, poll
from typing import ParamSpec, TypeVar

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
T = TypeVar("T")


def keeping(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """For threads that seldom have nothing to do. A connection that was cut off, or with which
    something else was wrong, is not used again; and a file is opened anew each time: another one
    may lie there by then."""
    for connection in connections.all(initialized_only=True):
        if _is_cut_off(connection):
            connection.close()
    try:
        return work(*args, **kwargs)
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred or connection.vendor != "postgresql":
                connection.close()


def giving_back(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """For threads of which there are many, for what seldom happens."""
    try:
        return work(*args, **kwargs)
    finally:
        connections.close_all()


def leave_to_threads() -> None:
    """Has Django give back nothing by itself."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)


def _is_cut_off(connection: BaseDatabaseWrapper) -> bool:
    """Nobody has asked anything: what there is to read then is hardly anything but the end. That it
    is silent for good, the system finds out (`keepalives` in the settings)."""
    if connection.vendor != "postgresql" or connection.connection is None:
        return False
    if connection.connection.closed:
        return True
    idle = poll()
    idle.register(connection.connection.fileno(), POLLIN)
    return bool(idle.poll(0))
