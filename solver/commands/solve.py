"""`python -m solver solve` and `position`: verdicts on deals, and on games that have gone on."""

import argparse
import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Final

from game.rules.notation import format_move
from game.rules.position import Position
from game.rules.rulesets import DEFAULT, RULE_SETS, RuleSet, rule_set
from solver import par, search
from solver.commands.arguments import whole_number
from solver.commands.header import KERNEL, say
from solver.commands.questions import read_deck, read_position
from solver.commands.streams import answer_lines, end_when_interrupted

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

MOST_NODES: Final = 2**63 - 1

SOLVE: Final = """
Reads decks, one a line: 52 cards with spaces between them, the pyramid's 28 first, row by row
from the apex, then the stock in draw order. Answers each at once with one JSON object:

  {"verdict": "winnable", "line": ["6H7D", "d", "KS"], "moves": 3, "nodes": 41, "ms": 0.6}

verdict is winnable, with a line that wins; unwinnable, which is proven; or unknown, when the
nodes ran out. With --par the line is a shortest one, and null if the nodes ran out before that
was proven. A move is KS or 6H7D (remove), d (draw) or r (redeal). A bad line is answered with
{"error": ...}, and the exit status is 1 at the end. Blank lines are passed over.
"""
SOLVE_EXAMPLES: Final = """
examples:
  python -m solver deal 1 2 3 | python -m solver solve
  python -m solver deal 7 | python -m solver solve --rules open --par
  python -m solver solve --nodes 1000000 < decks.txt > answers.jsonl
"""
POSITION: Final = """
Reads JSON objects, one a line: a deck as `solve` takes it, and the moves already made.

  {"deck": "8S QD QC ... 2S QH KH", "line": ["d", "KS"]}

Answers each at once, as `solve` does, with what can be reached from there. Moves that the rules
refuse are answered with {"error": ...}, which names the first, counted from 1, and says why.
"""
POSITION_EXAMPLES: Final = """
example:
  echo '{"deck": "'"$(python -m solver deal 7)"'", "line": ["6D7D", "d"]}' |
      python -m solver position --rules classic
"""

Reader = Callable[[str, RuleSet], Position]


def add(commands: "Commands") -> None:
    solve = commands.add_parser(
        "solve",
        help="decide deals from standard input",
        description=SOLVE,
        epilog=SOLVE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_options(solve)
    solve.set_defaults(run=lambda arguments: answer_all(arguments, "Decks", read_deal))
    position = commands.add_parser(
        "position",
        help="decide games that have gone on, from standard input",
        description=POSITION,
        epilog=POSITION_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_options(position)
    position.set_defaults(run=lambda arguments: answer_all(arguments, "Positions", read_position))


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--rules",
        choices=RULE_SETS,
        default=DEFAULT.key,
        metavar="KEY",
        help=f"{', '.join(RULE_SETS)}; %(default)s if not given",
    )
    command.add_argument("--par", action="store_true", help="find a line with the fewest moves")
    command.add_argument(
        "--nodes",
        type=whole_number("it", 1, MOST_NODES),
        metavar="N",
        help=f"how many positions to look at before it is unknown; {search.DEFAULT_NODES} if not "
        f"given, {par.DEFAULT_NODES} with --par",
    )
    command.add_argument(
        "-v", "--verbose", action="store_true", help="say on standard error how the solver runs"
    )


def answer_all(arguments: argparse.Namespace, wanted: str, read: Reader) -> int:
    """Answers standard input on standard output. The exit status."""
    to_people = sys.stderr is not None and sys.stderr.isatty()
    if arguments.verbose or to_people:
        say(KERNEL)
    if to_people and sys.stdin is not None and sys.stdin.isatty():
        say(f"{wanted}, one a line; Ctrl-D ends.")
    rules = rule_set(arguments.rules)
    end_when_interrupted()
    return answer_lines(
        BytesIO() if sys.stdin is None else sys.stdin.buffer,
        sys.stdout,
        lambda text: answer(read(text, rules), arguments),
    )


def answer(position: Position, arguments: argparse.Namespace) -> Mapping[str, object]:
    started = perf_counter()
    found: search.Decision | par.Shortest
    if arguments.par:
        found = par.fewest_moves(position, arguments.nodes or par.DEFAULT_NODES)
    else:
        found = search.decide(position, arguments.nodes or search.DEFAULT_NODES)
    line = found.line
    elapsed = perf_counter() - started
    return {
        "verdict": found.verdict,
        "line": None if line is None else [format_move(move) for move in line],
        "moves": None if line is None else len(line),
        "nodes": found.nodes,
        "ms": round(1000 * elapsed, 3),
    }


def read_deal(text: str, rules: RuleSet) -> Position:
    return Position.deal(read_deck(text), rules)
