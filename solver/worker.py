"""Heavy questions, answered one after the other by one process beside the server.

The process is started by the first question, gives way to everything else that runs, may grow by
`MEMORY` bytes and no more, and ends with the server, also when that is killed. A question is a
function of a module with plain arguments; whoever asks waits for the answer, and there are never
more than `WAITING` who wait for their turn.
"""

import logging
import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

WAITING: Final = 8  # questions behind the one that is being answered
TURN_S: Final = 15.0  # how long a question waits for its turn
SOON_S: Final = 1.0  # how long one that is not urgent waits for it
ANSWER_S: Final = 30.0  # how long it may then take; budgets of nodes end it long before
MEMORY: Final = 1 << 30  # bytes of address space, above what the process has at its start
NICENESS: Final = 10

_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would copy the server's threads

logger = logging.getLogger(__name__)


class Busy(Exception):
    """No answer now: too many wait, it took too long, or the process died over it. Ask again."""


class Failed(Exception):
    """The question itself raised; says what."""


@dataclass(frozen=True, slots=True)
class _Child:
    process: BaseProcess
    connection: Connection


class Worker:
    def __init__(
        self,
        *,
        waiting: int = WAITING,
        turn_s: float = TURN_S,
        answer_s: float = ANSWER_S,
        memory: int = MEMORY,
    ) -> None:
        self.turn_s = turn_s
        self.answer_s = answer_s
        self.memory = memory
        self._places = threading.BoundedSemaphore(1 + waiting)
        self._turn = threading.Lock()
        self._soon = threading.Lock()  # held by the one who waits in `ask_soon`
        self._child: _Child | None = None  # whoever has the turn has the child

    def ask(self, question: Callable[P, T], /, *arguments: P.args, **more: P.kwargs) -> T:
        """The answer, from any thread. Raises `Busy` or `Failed`.

        The caller holds no lock and no transaction: it may wait for seconds.
        """
        if not self._places.acquire(blocking=False):
            raise Busy("too many questions wait")
        try:
            if not self._turn.acquire(timeout=self.turn_s):
                raise Busy("the questions before it take too long")
            return self._ask(question, arguments, more)  # type: ignore[return-value]  # by a pipe
        finally:
            self._places.release()

    def ask_soon(self, question: Callable[P, T], /, *arguments: P.args, **more: P.kwargs) -> T:
        """As `ask`, for what can do without: `Busy` rather than to wait long for a turn, and rather
        than to wait beside another such question, so that they never hold up many threads."""
        if not self._soon.acquire(blocking=False):
            raise Busy("another such question waits")
        try:
            if not self._turn.acquire(timeout=SOON_S):
                raise Busy("other questions are being answered")
        finally:
            self._soon.release()
        return self._ask(question, arguments, more)  # type: ignore[return-value]  # by a pipe

    @property
    def pid(self) -> int | None:
        """Of the process that runs, if one does."""
        return None if self._child is None else self._child.process.pid

    def stop(self) -> None:
        """Ends the process; the next question starts another."""
        with self._turn:
            self._end()

    def _ask(self, *question: object) -> object:
        """Asks, and gives the turn back."""
        try:
            answered, answer = self._answer(*question)
        finally:
            self._turn.release()
        if not answered:
            raise Failed(answer)
        return answer

    def _answer(self, *question: object) -> tuple[bool, object]:
        try:
            child = self._running()
            child.connection.send(question)
            if child.connection.poll(self.answer_s):
                answered, answer = child.connection.recv()
                return bool(answered), answer
            reason = "the answer takes too long"
        except (EOFError, OSError):
            reason = "the process died over it"
        self._end()
        logger.warning("The solver's worker was ended: %s", reason)
        raise Busy(reason)

    def _running(self) -> _Child:
        if self._child is not None and not self._child.process.is_alive():
            self._end()
        if self._child is None:
            self._child = _started(self.memory)
        return self._child

    def _end(self) -> None:
        if self._child is None:
            return
        child, self._child = self._child, None
        child.connection.close()
        child.process.kill()
        child.process.join()
        child.process.close()


def _started(memory: int) -> _Child:
    ours, its = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_serve, args=(its, memory), name="solver", daemon=True)
    process.start()
    its.close()  # so that the child alone holds its end: when it dies, ours says so
    return _Child(process, ours)


def _serve(connection: Connection, memory: int) -> None:
    """What the process does, until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to understand
    os.nice(NICENESS)
    _cap(memory)
    with suppress(EOFError, OSError):  # the server's end is closed
        while True:
            question, arguments, more = connection.recv()
            connection.send(_tried(question, arguments, more))


def _tried(
    question: Callable[..., object], arguments: tuple[object, ...], more: dict[str, object]
) -> tuple[bool, object]:
    try:
        return True, question(*arguments, **more)
    except MemoryError:
        os._exit(1)  # and all that was taken goes back; the next question gets a new process
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"


def _cap(memory: int) -> None:
    """Lets the process take `memory` bytes more than it has, where the system can say and hold."""
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


worker: Final = Worker()  # the server's one
