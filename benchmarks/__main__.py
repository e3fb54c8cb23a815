"""`python -m benchmarks [--quick]`: runs every benchmark and prints one table."""

from argparse import ArgumentParser

from benchmarks import moves
from benchmarks.database import NoPostgreSQL, scratch_database
from benchmarks.report import Row, Skipped, progress_done, table


def main() -> None:
    parser = ArgumentParser(prog="benchmarks", description="Ratios against floors and peers.")
    parser.add_argument("--quick", action="store_true", help="a few rough seconds each")
    quick = parser.parse_args().quick
    results = [_moves(moves.QUICK if quick else moves.Plan())]
    progress_done()
    print(table(results))


def _moves(plan: moves.Plan) -> Row | Skipped:
    try:
        with scratch_database() as url:
            return moves.measure(url, plan)
    except NoPostgreSQL as missing:
        return Skipped(moves.NAME, str(missing))


if __name__ == "__main__":
    main()
