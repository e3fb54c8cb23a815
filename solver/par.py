"""The fewest moves that win: removes, draws and redeals count one each.

The search itself is `kernel.par`.
"""

from dataclasses import dataclass
from typing import Final

from game.rules.moves import Move
from game.rules.position import Position
from solver.encoding import encode, line_of
from solver.kernel.par import Shortest as Search
from solver.pool import Pool
from solver.search import Verdict, decide

DEFAULT_NODES: Final = 20_000_000  # enough for all pars of the catalogue


@dataclass(frozen=True, slots=True)
class Shortest:
    verdict: Verdict
    nodes: int
    line: tuple[Move, ...] | None  # the shortest that wins; None if there is none or it is unproven


_searches: Final = Pool(Search)
_OUT_OF_NODES: Final = -2


def fewest_moves(position: Position, nodes: int = DEFAULT_NODES) -> Shortest:
    """A shortest line that wins from a position. `nodes`: the budget.

    Where it runs out before the shortest is proven, the verdict is what `decide` finds with it.
    """
    with _searches.one() as search:
        result = search.run(*encode(position), nodes)
        if result >= 0:
            line = line_of(position, search.line, thrifty=True)
            assert len(line) == result
            return Shortest(Verdict.WINNABLE, search.nodes, line)
        visited = search.nodes
    if result == _OUT_OF_NODES:
        decision = decide(position, nodes)
        return Shortest(decision.verdict, visited + decision.nodes, None)
    return Shortest(Verdict.UNWINNABLE, visited, None)
