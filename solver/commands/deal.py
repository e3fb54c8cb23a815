"""`python -m solver deal`: the decks of deal numbers, or of a seed."""

import argparse
from typing import TYPE_CHECKING, Final

from game.rules.deals import LAST_NUMBER, numbered_deck, seeded_deck
from game.rules.rulesets import DEFAULT, RULE_SETS
from solver.commands.arguments import seed, whole_number
from solver.commands.header import say
from solver.dealing import Wanted, dealt_attempt

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

LAST_TRY: Final = 2**63 - 1

EXAMPLES: Final = """
examples:
  python -m solver deal 1 2 3
  python -m solver deal --seed 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
  python -m solver deal --tier easy --rules open --seed 00112233445566778899aabbccddeeff...
"""


def add(commands: "Commands") -> None:
    command = commands.add_parser(
        "deal",
        help="print the decks of deal numbers, or of a seed",
        description="Prints decks, one a line: the pyramid's 28 cards, then the stock.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "numbers",
        nargs="*",
        type=whole_number("a deal number", 1, LAST_NUMBER),
        metavar="N",
        help=f"a deal number, 1 to {LAST_NUMBER}",
    )
    command.add_argument("--seed", type=seed, metavar="HEX", help="256 bits, 64 hex digits")
    command.add_argument(
        "--try",
        dest="attempt",
        type=whole_number("a try", 0, LAST_TRY),
        metavar="K",
        help="which of the seed's decks; the first, 0, if not given",
    )
    command.add_argument(
        "--tier",
        choices=[wanted.value for wanted in Wanted],
        metavar="T",
        help=f"the seed's first deck of a tier, and on standard error its try: {', '.join(Wanted)}",
    )
    command.add_argument(
        "--rules",
        choices=RULE_SETS,
        metavar="KEY",
        help=f"of the tier: {', '.join(RULE_SETS)}; {DEFAULT.key} if not given",
    )
    command.set_defaults(run=lambda arguments: deal(command, arguments))


def deal(command: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    if bool(arguments.numbers) == bool(arguments.seed):
        command.error("it takes deal numbers, or --seed")
    if (arguments.attempt is not None or arguments.tier) and not arguments.seed:
        command.error("--try and --tier need --seed")
    if arguments.attempt is not None and arguments.tier:
        command.error("--tier finds the try: leave out --try")
    if arguments.rules and not arguments.tier:
        command.error("--rules needs --tier")
    if arguments.seed:
        print(*seeded_deck(arguments.seed, attempt_of(arguments)))
    for number in arguments.numbers:
        print(*numbered_deck(number))
    return 0


def attempt_of(arguments: argparse.Namespace) -> int:
    if not arguments.tier:
        return arguments.attempt or 0
    rules = RULE_SETS[arguments.rules or DEFAULT.key]
    attempt = dealt_attempt(arguments.seed, rules, Wanted(arguments.tier))
    say(f"try {attempt}")
    return attempt
