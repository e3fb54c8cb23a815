"""What a server does by itself every hour, so that nothing needs a job of its own.

Each chore is a command that may run at any time, also in several processes at once.
"""

import logging
from threading import Event, Thread

from django.core.management import call_command
from django.db import connections

logger = logging.getLogger(__name__)

CHORES = ("close_idle", "forget_races", "clearsessions")
EVERY_S = 3600.0


def keep_house(stop: Event) -> Thread:
    """Starts the thread that does it, at once and every hour until `stop` is set."""
    thread = Thread(target=_keep_on, args=(stop,), name="housekeeping", daemon=True)
    thread.start()
    return thread


def do_chores() -> None:
    """Each of them once; one that fails is logged and keeps no other from being done."""
    for chore in CHORES:
        try:
            call_command(chore, verbosity=0)
        except Exception:
            logger.exception("%s failed; it is tried again in an hour", chore)
    connections.close_all()


def _keep_on(stop: Event) -> None:
    while True:
        do_chores()
        if stop.wait(EVERY_S):
            return
