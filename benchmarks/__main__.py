"""`python -m benchmarks [--quick] [NAME…]`: runs the benchmarks and prints one table."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping

from benchmarks import moves, solver
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
            yield moves.measure(url, moves.QUICK if quick else moves.Plan())
    except NoPostgreSQL as missing:
        yield Skipped(moves.NAME, str(missing))


def _solver(quick: bool) -> Iterable[Row]:
    return solver.measure(solver.QUICK if quick else solver.Plan())


BENCHMARKS: Mapping[str, Callable[[bool], Iterable[Row | Skipped]]] = {
    "solver": _solver,
    "moves": _moves,
}


if __name__ == "__main__":
    main()
