"""`python -m solver catalogue`: makes the catalogue's data file, or verifies it."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from game.rules.deals import CATALOGUE
from solver.catalogue import FILE, BadCatalogue, read, write
from solver.commands.arguments import whole_number
from solver.commands.header import say
from solver.making import Undecided, columns_of, differences, kept, make
from solver.winnability import table

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DESCRIPTION: Final = """\
Solves deals 1–20000 under every rule set and writes what it finds into the data file:
about half an hour on two cores. Ctrl-C breaks it off; the next call goes on from there.
Where the file is there already, it is verified: every deal is solved again and compared.
"""
EXAMPLES: Final = """
examples:
  python -m solver catalogue --table         what the file says, at once
  python -m solver catalogue --sample 200    verify 200 deals spread over the catalogue
  python -m solver catalogue --make          make the file anew
"""


def add(commands: "Commands") -> None:
    command = commands.add_parser(
        "catalogue",
        help="make or verify the catalogue of solved deals",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument("--make", action="store_true", help="make the file, also if it is there")
    what.add_argument(
        "--sample",
        type=whole_number("a sample", 1, len(CATALOGUE)),
        metavar="N",
        help="verify N deals instead of all",
    )
    what.add_argument("--table", action="store_true", help="print the table and nothing else")
    command.add_argument(
        "--jobs",
        type=whole_number("jobs", 1, 1024),
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes; one for each core if not given",
    )
    command.add_argument(
        "--file",
        type=Path,
        default=FILE,
        metavar="PATH",
        help="the data file, if not the project's",
    )
    command.set_defaults(run=catalogue)


def catalogue(arguments: argparse.Namespace) -> int:
    path: Path = arguments.file
    try:
        if arguments.make or not (path.exists() or arguments.table or arguments.sample):
            make_file(path, arguments.jobs)
        elif not arguments.table and not is_right(path, arguments.sample, arguments.jobs):
            return 1
        print(*table(read(path)), sep="\n")
    except (BadCatalogue, Undecided) as fault:
        say(str(fault))
        return 1
    return 0


def make_file(path: Path, jobs: int) -> None:
    partial = path.with_suffix(".partial")
    partial.parent.mkdir(parents=True, exist_ok=True)
    with tqdm(total=len(CATALOGUE), unit="deal", smoothing=0.05) as bar:
        for count in make(partial, jobs):
            if not bar.n:
                bar.initial = count
            bar.update(count - bar.n)
    write(path, columns_of(kept(partial)))
    partial.unlink()
    say(f"Written: {path} ({path.stat().st_size // 1024} KiB)")


def is_right(path: Path, sample: int | None, jobs: int) -> bool:
    """Says where the file is wrong."""
    numbers = [*CATALOGUE]
    if sample:
        numbers = [numbers[index * len(numbers) // sample] for index in range(sample)]
    wrong = 0
    with tqdm(total=len(numbers), unit="deal", smoothing=0.05) as bar:
        for difference in differences(path, numbers, jobs):
            if difference:
                wrong += 1
                bar.write(f"otherwise in the file: {difference}", file=sys.stderr)
            bar.update()
    say(f"{len(numbers)} deals verified, {wrong} of them wrong.")
    return not wrong
