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
    """For threads that seldom have nothing to do. One that the database has cut off, or with which
    something else was wrong, is not used again."""
    for connection in connections.all(initialized_only=True):
        if _is_cut_off(connection):
            connection.close()
    try:
        return work(*args, **kwargs)
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:
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
    """Nobody has asked anything: what there is to read then is the end, or why it has come."""
    if connection.vendor != "postgresql" or connection.connection is None:
        return False
    if connection.connection.closed:
        return True
    idle = poll()
    idle.register(connection.connection.fileno(), POLLIN)
    return bool(idle.poll(0))
