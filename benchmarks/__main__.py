"""`python -m benchmarks [--quick] [NAME…]`: runs the benchmarks and prints one table."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping

from benchmarks import boards, moves, races, solver
from benchmarks.database import NoPostgreSQL, scratch_database
from benchmarks.report import Row, Skipped, progress_done, table


def main() -> None:
    parser = ArgumentParser(prog="benchmarks", description="Ratios against floors and peers.")
    parser.add_argument("--quick", action="store_true", help="a few rough seconds each")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - BENCHMARKS.keys():
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    results: list[Row | Skipped] = []
    for name in arguments.names or BENCHMARKS:
        results += BENCHMARKS[name](arguments.quick)
    progress_done()
    print(table(results))


def _moves(quick: bool) -> Iterable[Row | Skipped]:
    try:
        with scratch_database() as url:
            yield from moves.measure(url, moves.QUICK if quick else moves.Plan())
    except NoPostgreSQL as missing:
        yield Skipped("moves", str(missing))


def _races(quick: bool) -> Iterable[Row | Skipped]:
    redis_url = os.environ.get("REDIS_URL", "")
    try:
        for layer in dict.fromkeys(("", redis_url)):
            with scratch_database() as url:
                yield from races.measure(url, layer, races.QUICK if quick else races.Plan())
    except NoPostgreSQL as missing:
        yield Skipped("races", str(missing))
    if not redis_url:
        yield Skipped("races on Redis", "set REDIS_URL=redis://HOST/NUMBER")


def _boards(quick: bool) -> Iterable[Row | Skipped]:
    redis_url = os.environ.get("REDIS_URL", "")
    if not redis_url:
        yield Skipped("boards", "set REDIS_URL=redis://HOST/NUMBER")
        return
    try:
        with scratch_database() as url:
            yield from boards.measure(url, redis_url, boards.QUICK if quick else boards.Plan())
    except NoPostgreSQL as missing:
        yield Skipped("boards", str(missing))


def _solver(quick: bool) -> Iterable[Row]:
    return solver.measure(solver.QUICK if quick else solver.Plan())


BENCHMARKS: Mapping[str, Callable[[bool], Iterable[Row | Skipped]]] = {
    "solver": _solver,
    "moves": _moves,
    "races": _races,
    "boards": _boards,
}


if __name__ == "__main__":
    main()
