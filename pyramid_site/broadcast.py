"""Telling everybody in a group, from any thread: a request's, a socket's, a command's.

What is told is a hint. It may be lost, and says nothing that the database does not.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction

from pyramid_site.hub import News, running_hub, send, warn


def tell(group: str, message: Mapping[str, Any]) -> None:
    """Hands the message, which has a `type` and may have a version `v`, to all who listen to the
    group. Does not wait for them and raises nothing.

    A group's name is made of ASCII letters, digits, `-`, `_` and `.`, fewer than 100.
    """
    hub = running_hub()
    if hub is not None:
        if hub.is_heard(group):
            with suppress(RuntimeError):  # its loop has just ended
                hub.post(News.of(group, message))
    elif settings.REDIS_URL:
        _send_alone(News.of(group, message))


def tell_on_commit(group: str, message: Mapping[str, Any]) -> None:
    """As `tell`, once what is being written is there to be read; never if it is not."""
    transaction.on_commit(partial(tell, group, message), robust=True)


def _send_alone(news: News) -> None:
    """Where no loop runs in this process: in a command."""
    try:
        async_to_sync(send)(news, "")
    except Exception as error:
        warn("News do not reach other processes: %r", error)
