"""Questions that a worker can be asked, to see how it bears them."""

import os
import resource
import signal
import time

from solver.questions import Standing
from solver.search import Verdict


def double(number: int) -> int:
    return 2 * number


def slow(seconds: float) -> int:
    """Answers the process that slept."""
    time.sleep(seconds)
    return os.getpid()


def refuse(text: str) -> None:
    raise ValueError(text)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill(size: int) -> int:
    return len(bytearray(size))


def unanswerable() -> object:
    return lambda: None  # no pipe takes it


def niceness() -> int:
    return os.nice(0)


def room() -> int:
    """Bytes of address space that the process may have."""
    return resource.getrlimit(resource.RLIMIT_AS)[0]


def unknown_standing(*_: object) -> Standing:
    """What `solver.questions.standing` answers when its budget runs out."""
    return Standing(Verdict.UNKNOWN, Verdict.UNKNOWN, None)
