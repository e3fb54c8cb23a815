"""The solver's command line: `python -m solver --help`.

Exit status: 0, 1 if a line of the input was bad, 2 for wrong arguments, 130 after Ctrl-C.
"""

import argparse
import os
import sys
from typing import Final

from solver.commands import catalogue, deal, solve
from solver.commands.header import say, version
from solver.commands.streams import INTERRUPTED

# Each adds sub-commands, which set `run`: it takes the arguments and answers the exit status.
COMMANDS: Final = (solve.add, deal.add, catalogue.add)

BROKEN_PIPE: Final = 128 + 13  # as of a program that SIGPIPE ends


def main() -> int:
    arguments = parser().parse_args()
    if sys.stdout is None:
        say("python -m solver: standard output is closed")
        return 1
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on
        leave_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # a full disk
        leave_stdout()
        say(f"python -m solver: {error.strerror}")
        return 1
    return status


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="python -m solver",
        description="Tells which deals of Pyramid Solitaire can be won, and how.",
        epilog="Example: python -m solver deal 1 2 3 | python -m solver solve --rules open",
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=version())
    commands = whole.add_subparsers(metavar="command", required=True)
    for add in COMMANDS:
        add(commands)
    return whole


def leave_stdout() -> None:
    """Keeps Python from writing there what is left, as it ends, and complaining again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
