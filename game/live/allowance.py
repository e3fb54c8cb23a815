"""How many frames one socket may send."""

import time

from django.conf import settings


class Allowance:
    """`SOCKET_FRAMES` is how many at once, and how many a second after that."""

    def __init__(self) -> None:
        self.left = float(settings.SOCKET_FRAMES[0]) if settings.SOCKET_FRAMES else 0.0
        self.at = time.monotonic()

    def take(self, now: float) -> bool:
        """Whether one more is allowed. `now`: of the monotonic clock, in seconds."""
        if settings.SOCKET_FRAMES is None:
            return True
        at_once, a_second = settings.SOCKET_FRAMES
        self.left = min(float(at_once), self.left + (now - self.at) * a_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
