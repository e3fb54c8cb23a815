"""What a server does by itself every moment: sees that sockets miss nothing, and what is due.

Duties are run one after the other in one thread, each at its own interval.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Thread

from django.db import connections
from django.utils import timezone

logger = logging.getLogger(__name__)

LONGEST_WAIT_S = 1.0
SHORTEST_WAIT_S = 0.05  # also where something stays overdue


@dataclass(slots=True)
class Duty:
    """`run` is called every `every_s`; and before that at the moment which it answers, if it
    answers one: when something of its kind is due."""

    run: Callable[[], datetime | None]
    every_s: float
    due: float = field(default=0.0)  # of the monotonic clock

    @property
    def name(self) -> str:
        return getattr(self.run, "__name__", type(self.run).__name__)


class Keeper:
    def __init__(self, duties: list[Duty]) -> None:
        self.duties = duties

    def start(self, stop: Event) -> Thread:
        """Starts the thread that does them until `stop` is set."""
        thread = Thread(target=self._keep_on, args=(stop,), name="keeper", daemon=True)
        thread.start()
        return thread

    def tick(self, now: float) -> float:
        """Does what is due. `now`: of the monotonic clock. Answers when to come again.

        A duty that fails is logged, and keeps no other from being done.
        """
        for duty in self.duties:
            if duty.due <= now:
                duty.due = now + min(duty.every_s, self._done(duty))
        connections.close_all()
        return min((duty.due for duty in self.duties), default=now + LONGEST_WAIT_S)

    def _done(self, duty: Duty) -> float:
        """Seconds until it says that it is due again."""
        try:
            moment = duty.run()
        except Exception:
            logger.exception("%s failed; it is tried again", duty.name)
            return duty.every_s
        if moment is None:
            return duty.every_s
        return max(SHORTEST_WAIT_S, (moment - timezone.now()).total_seconds())

    def _keep_on(self, stop: Event) -> None:
        while not stop.is_set():
            due = self.tick(time.monotonic())
            stop.wait(max(0.0, min(LONGEST_WAIT_S, due - time.monotonic())))
