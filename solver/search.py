"""Can it still be won? A verdict with proof from any position, under any rule set.

The search itself is `kernel.search`; its memory grows with the nodes that it visits, at most
64 bytes each, and is kept for the next search.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from game.rules.moves import Move
from game.rules.position import Position
from solver.encoding import encode, line_of
from solver.kernel.search import COMPILED as COMPILED
from solver.kernel.search import Search
from solver.pool import Pool

DEFAULT_NODES: Final = 20_000_000  # none of the catalogue's deals needs a tenth of it


class Verdict(StrEnum):
    WINNABLE = "winnable"  # there is a line that wins
    UNWINNABLE = "unwinnable"  # proven: there is none
    UNKNOWN = "unknown"  # the node budget ran out; never shown as unwinnable


_searches: Final = Pool(Search)
_VERDICTS: Final = (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Decision:
    verdict: Verdict
    nodes: int  # positions whose moves the search listed; the same compiled and interpreted
    position: Position
    removals: tuple[tuple[int, int], ...]  # what a winning line removes, as the kernel names it

    @property
    def line(self) -> tuple[Move, ...] | None:
        """A line that wins from the position, if it is winnable."""
        if self.verdict is not Verdict.WINNABLE:
            return None
        return line_of(self.position, self.removals)


def decide(position: Position, nodes: int = DEFAULT_NODES) -> Decision:
    """Whether a position can be won by one who knows every card. `nodes`: the budget."""
    with _searches.one() as search:
        result = search.run(*encode(position), nodes)
        return Decision(
            verdict=_VERDICTS[result],
            nodes=search.nodes,
            position=position,
            removals=tuple(search.line) if result == 1 else (),
        )
