"""Lines in, an answer in JSON for each out, for as long as lines come.

An answer is out before the next line is waited for, and nothing is kept, so that a person at a
terminal and a file of a million lines are served alike. A bad line is answered, too, and what is
wrong with it is told in words.
"""

import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import BinaryIO, Final, TextIO

LONGEST: Final = 1 << 16  # bytes of a line; a deck takes 155
INTERRUPTED: Final = 128 + signal.SIGINT

Members = Mapping[str, object]


class BadLine(Exception):
    """A line that is not what was asked for: a stable code, a text, members for the answer."""

    def __init__(self, code: str, text: str, /, **members: object) -> None:
        super().__init__(text)
        self.members = {"code": code, **members}


def answer_lines(source: BinaryIO, target: TextIO, answer: Callable[[str], Members]) -> int:
    """Answers each line that is not blank, in order. The exit status: 1 if one of them was bad.

    `answer` raises `BadLine`.
    """
    status = 0
    for number, line in enumerate(_lines(source), 1):
        try:
            text = _text(line)
            if not text:
                continue
            reply = answer(text)
        except BadLine as bad:
            status = 1
            reply = {"error": {"line": number, **bad.members, "message": f"line {number}: {bad}"}}
        target.write(json.dumps(reply) + "\n")
        target.flush()
    return status


def end_when_interrupted() -> None:
    """From now on Ctrl-C ends the process at once, with status 130.

    Python's own handler would wait for a search in machine code to end.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # it is to be ignored, as in the background of a script
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    Thread(target=_wait_for_interrupt, daemon=True).start()


def _wait_for_interrupt() -> None:
    signal.sigwait({signal.SIGINT})
    os._exit(INTERRUPTED)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long its beginning."""
    while line := source.readline(LONGEST + 1):
        rest = line
        while len(rest) > LONGEST and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST + 1)
        yield line


def _text(line: bytes) -> str:
    line = line.removesuffix(b"\n")
    if len(line) > LONGEST:
        raise BadLine("bad_line", f"longer than {LONGEST} bytes")
    try:
        return line.decode().strip("\ufeff \t\r\n")
    except UnicodeDecodeError:
        raise BadLine("bad_line", "not UTF-8 text") from None
