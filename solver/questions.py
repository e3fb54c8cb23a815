"""What the game asks the solver while people wait: each question bounded as a whole.

They run in the worker (`solver.worker`), so they take and answer plain values. All budgets are in
nodes, hence the same question gets the same answer on any machine with a compiled solver.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from game.rules.moves import Move
from game.rules.position import Position
from solver.par import fewest_moves
from solver.search import COMPILED, Verdict, decide

_SHARE: Final = 1 if COMPILED else 50  # how many times slower, so how many times less

POSITION_NODES: Final = 4_000_000 // _SHARE  # to decide one position: 256 MB, two seconds
LABEL_NODES: Final = 2_000_000 // _SHARE
LINE_NODES: Final = 8_000_000 // _SHARE  # to find where a line went wrong
GAME_NODES: Final = 8_000_000 // _SHARE  # to judge every position of a game
PAR_NODES: Final = 600_000 // _SHARE  # 60 MB; three seconds, the costliest
BRANCHES: Final = 1_000  # of a game, the newest first; older ones are not judged


@dataclass(frozen=True, slots=True)
class Standing:
    """How a line stands: whether it can still be won, and how far back it could."""

    verdict: Verdict  # of its last position
    deal: Verdict  # of its first
    kept: int | None  # moves up to the last position known to be winnable; None: none is known


@dataclass(frozen=True, slots=True)
class Tree:
    """The positions of a game that was played, taken back and played on.

    Node 0 is the deal; node i > 0 comes of node `parents[i]` < i by `moves[i - 1]`.
    """

    parents: tuple[int, ...]
    moves: tuple[Move, ...]

    def path(self, node: int) -> list[int]:
        """The nodes from the deal to this one."""
        path = [node]
        while path[-1]:
            path.append(self.parents[path[-1]])
        return path[::-1]

    def leaves(self) -> list[int]:
        inner = set(self.parents[1:])
        return [node for node in range(len(self.parents)) if node not in inner]


@dataclass(frozen=True, slots=True)
class Judgement:
    winnable: tuple[bool | None, ...]  # by node; None: not found out
    lost: int | None  # the node, on the way to the end, whose move lost what could be won
    line: tuple[Move, ...] | None  # one that wins from before that move, or else from the deal
    par: int | None  # of the deal


def label(deal: Position) -> Verdict:
    return decide(deal, LABEL_NODES).verdict


def standing(deal: Position, line: Sequence[Move]) -> Standing:
    """Winnability only falls along a line, so that its fall is found by halving."""
    positions = [deal]
    for move in line:
        positions.append(positions[-1].apply(move))
    judge = _Judge(LINE_NODES)
    verdict = judge.verdict(positions[-1])
    if verdict is Verdict.WINNABLE:
        return Standing(verdict, Verdict.WINNABLE, len(line))
    start = judge.verdict(deal)
    if start is not Verdict.WINNABLE or verdict is Verdict.UNKNOWN:
        return Standing(verdict, start, None)
    kept, lost = 0, len(line)
    while lost - kept > 1:
        middle = (kept + lost) // 2
        if judge.verdict(positions[middle]) is Verdict.WINNABLE:
            kept = middle
        else:
            lost = middle
    return Standing(verdict, start, kept)


def judgement(deal: Position, tree: Tree, end: int, *, par: bool) -> Judgement:
    """Which positions of a game could be won, and how it should have gone on.

    `end`: the node at which the game ended. `par`: whether to look for the deal's. A line from the
    deal is one of par, where that is found.
    """
    winnable = _Winnable(deal, tree, _Judge(GAME_NODES))
    way = tree.path(end)
    winnable.settle(way)
    for leaf in tree.leaves()[: -BRANCHES - 1 : -1]:
        winnable.settle(tree.path(leaf))
    lost = next((node for node in way[1:] if winnable.lost(node)), None)
    start = 0 if lost is None else tree.parents[lost]
    shortest = None
    if winnable.known[0] is not False and (par or start == 0):
        shortest = fewest_moves(deal, PAR_NODES)
    line = shortest.line if shortest is not None and start == 0 else None
    if line is None and winnable.known[start]:
        line = decide(winnable.position(start), POSITION_NODES).line
    return Judgement(
        winnable=tuple(winnable.known),
        lost=lost,
        line=line,
        par=len(shortest.line) if shortest is not None and shortest.line is not None else None,
    )


class _Judge:
    """Verdicts of positions, each found once, with so many nodes for all of them."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes
        self.found: dict[Position, Verdict] = {}

    def verdict(self, position: Position) -> Verdict:
        if position not in self.found:
            if self.left <= 0:
                return Verdict.UNKNOWN
            decision = decide(position, min(self.left, POSITION_NODES))
            self.left -= decision.nodes
            self.found[position] = decision.verdict
        return self.found[position]


class _Winnable:
    """Which nodes of a tree can be won; what is known of one settles all before or behind it."""

    def __init__(self, deal: Position, tree: Tree, judge: _Judge) -> None:
        self.tree = tree
        self.judge = judge
        self.positions: dict[int, Position] = {0: deal}
        self.known: list[bool | None] = [None] * len(tree.parents)

    def position(self, node: int) -> Position:
        missing = []
        while node not in self.positions:
            missing.append(node)
            node = self.tree.parents[node]
        for later in missing[::-1]:
            move = self.tree.moves[later - 1]
            self.positions[later] = self.positions[self.tree.parents[later]].apply(move)
        return self.positions[missing[0] if missing else node]

    def lost(self, node: int) -> bool:
        """Whether the move to this node lost what could still be won."""
        return self.known[node] is False and self.known[self.tree.parents[node]] is True

    def settle(self, path: list[int]) -> None:
        """Finds out the nodes of a path from the deal."""
        for before, node in pairwise(path):
            if self.known[before] is False:
                self.known[node] = False
        spans = [path]
        while spans:
            span = [node for node in spans.pop() if self.known[node] is None]
            if span:
                spans += self._halves(span)

    def _halves(self, span: list[int]) -> Iterator[list[int]]:
        """Decides one node of a span that goes down the tree; what is still open after it."""
        middle = len(span) // 2
        verdict = self.judge.verdict(self.position(span[middle]))
        before, behind = span[:middle], span[middle + 1 :]
        if verdict is Verdict.WINNABLE:
            self._know(span[: middle + 1], True)
            before = []
        elif verdict is Verdict.UNWINNABLE:
            self._know(span[middle:], False)
            behind = []
        yield before
        yield behind

    def _know(self, nodes: list[int], winnable: bool) -> None:
        for node in nodes:
            self.known[node] = winnable
