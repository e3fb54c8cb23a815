"""A game that has ended, looked at again: where it could be won, and where it was lost."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from game.answers import Label
from game.errors import StillRunning
from game.ledger import Entry, EntryType
from game.models import Game
from game.rules.moves import Move
from game.rules.notation import parse_move
from game.rules.position import Position
from game.selectors import Viewer, hold_open, label_of, log_of, solved_deal, visible_game
from game.services.assist import ask
from game.view import View
from solver import questions
from solver.questions import Judgement, Tree

STEPS = 10_000  # the newest; earlier moves of a longer log are left out


@dataclass(frozen=True, slots=True)
class Step:
    seq: int
    winnable_before: bool | None  # None: the solver did not find out


@dataclass(frozen=True, slots=True)
class Analysis:
    label: Label
    par: int | None
    steps: tuple[Step, ...]  # one for each move of the log, also for those taken back
    losing_seq: int | None  # the entry whose move lost what could still be won
    line: tuple[Move, ...] | None  # wins from before that move, or else from the deal


def analyse(*, game_id: UUID, viewer: Viewer) -> Analysis:
    """Raises `GameNotFound`, `StillRunning` and `SolverBusy`."""
    game = visible_game(game_id, viewer)
    view = View(game, game.ledger(), timezone.now())
    if not view.ledger.status.is_over:
        raise StillRunning()
    hold_open(game)
    walk = _Walk()
    for entry in log_of(game):
        walk.take(entry)
    par = _known_par(game)
    judgement = ask(
        questions.judgement,
        Position.deal(game.deal.deck, game.rules),
        Tree(tuple(walk.parents), tuple(walk.moves)),
        walk.way[-1],
        par=par is None,
    )
    return Analysis(
        label=label_of(view) or _label(judgement),
        par=judgement.par if par is None else par,
        steps=tuple(walk.steps(judgement)),
        losing_seq=None if judgement.lost is None else walk.made_by[judgement.lost],
        line=judgement.line,
    )


class _Walk:
    """The positions that a log went through, as a tree, and where it stands in it."""

    def __init__(self) -> None:
        self.parents = [0]
        self.moves: list[Move] = []
        self.way = [0]  # the nodes from the deal to where the log stands
        self.befores: list[tuple[int, int]] = []  # the number of each move's entry, node before it
        self.made_by: dict[int, int] = {}  # by node: the last entry whose move led there
        self._nodes: dict[tuple[int, Move], int] = {}

    def take(self, entry: Entry) -> None:
        match entry.type:
            case EntryType.MOVE:
                self._move(entry.seq, parse_move(entry.detail))
            case EntryType.UNDO:
                del self.way[-1]
            case EntryType.REWIND:
                _, kept = entry.detail.split(" ")
                del self.way[int(kept) + 1 :]
            case EntryType.RESTART:
                del self.way[1:]

    def steps(self, judgement: Judgement) -> Iterable[Step]:
        for seq, before in self.befores[-STEPS:]:
            yield Step(seq, judgement.winnable[before])

    def _move(self, seq: int, move: Move) -> None:
        before = self.way[-1]
        node = self._nodes.get((before, move))
        if node is None:
            node = self._nodes[before, move] = len(self.parents)
            self.parents.append(before)
            self.moves.append(move)
        self.way.append(node)
        self.befores.append((seq, before))
        self.made_by[node] = seq


def _known_par(game: Game) -> int | None:
    solved = solved_deal(number=game.deal.number, rules=game.rules)
    return None if solved is None else solved.par


def _label(judgement: Judgement) -> Label:
    labels = {True: Label.WINNABLE, False: Label.UNWINNABLE, None: Label.UNKNOWN}
    return labels[judgement.winnable[0]]
