"""The fair hint: what to do next, from what the player has seen and nothing else.

Where cards are unknown, it deals them at random into the places that they can lie in, decides each
sample, and ranks the moves by the share of samples still won after them. The random numbers come
from a hash of what is known, so games that look the same to their players get the same hint. Once
every card's place is known, the answer is exact.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from game.rules.cards import Card
from game.rules.locks import locked_cards
from game.rules.moves import Action, Move
from game.rules.notation import format_position
from game.rules.position import Outcome, Position
from solver.search import COMPILED, Verdict, decide

SAMPLES: Final = 24
SAMPLE_NODES: Final = 2_000  # for each sample and each move in it
EXACT_NODES: Final = 400_000 if COMPILED else 20_000


class Certainty(StrEnum):
    PROVEN = "proven"
    ESTIMATED = "estimated"  # from samples
    HEURISTIC = "heuristic"  # the budget ran out


class Reason(StrEnum):
    WINS = "wins"  # the game can still be won after this move
    BEST_CHANCE = "best_chance"
    LOST = "lost"  # no win is left
    STUCK = "stuck"  # nothing can be moved
    PLAIN = "plain"  # a move that is not known to lose


@dataclass(frozen=True, slots=True)
class Hint:
    move: Move | None  # None: there is none that helps
    reason: Reason
    certainty: Certainty
    win_chance: float | None  # 0–1 after the move; of an estimate never quite 0 or 1


def hint(
    position: Position,
    seen: frozenset[Card],
    *,
    samples: int = SAMPLES,
    sample_nodes: int = SAMPLE_NODES,
    exact_nodes: int = EXACT_NODES,
) -> Hint:
    """What to do next. `seen`: the cards that the player has seen at some moment of the game.

    Says that the game is lost only if that follows from what is known. The position must not be
    won yet.
    """
    if position.outcome is Outcome.STUCK:
        return Hint(None, Reason.STUCK, Certainty.PROVEN, 0.0)
    if locked_cards(position, seen):
        return Hint(None, Reason.LOST, Certainty.PROVEN, 0.0)
    known = _Known(position, seen)
    if len(known.hidden) <= 1:
        return _exact(position, exact_nodes)
    if known.is_lost():
        return Hint(None, Reason.LOST, Certainty.PROVEN, 0.0)
    return _estimate(known, samples, sample_nodes)


def _exact(position: Position, nodes: int) -> Hint:
    decision = decide(position, nodes)
    if decision.verdict is Verdict.UNWINNABLE:
        return Hint(None, Reason.LOST, Certainty.PROVEN, 0.0)
    if decision.line:
        return Hint(decision.line[0], Reason.WINS, Certainty.PROVEN, 1.0)
    moves = position.legal_moves()
    open_moves = [
        move
        for move in moves
        if decide(position.apply(move), nodes // len(moves)).verdict is not Verdict.UNWINNABLE
    ]
    return Hint((open_moves or moves)[0], Reason.PLAIN, Certainty.HEURISTIC, None)


class _Known:
    """A position as its player knows it: some places hold cards that are hidden."""

    def __init__(self, position: Position, seen: frozenset[Card]) -> None:
        self.position = position
        self.slots = [
            slot for slot, card in enumerate(position.pyramid) if card and card not in seen
        ]
        self.places = [place for place, card in enumerate(position.stock) if card not in seen]
        # In an order that tells nothing of where they lie.
        self.hidden: Sequence[Card] = sorted(
            [card for slot in self.slots if (card := position.pyramid[slot])]
            + [position.stock[place] for place in self.places]
        )

    def is_lost(self) -> bool:
        """Whether it is lost however the hidden cards lie in the stock: the relaxation, all that
        a search without nodes looks at, forgets the stock's order."""
        return not self.slots and decide(self.position, nodes=0).verdict is Verdict.UNWINNABLE

    def sample(self, chance: random.Random) -> Position:
        cards = chance.sample(self.hidden, len(self.hidden))
        pyramid, stock = list(self.position.pyramid), list(self.position.stock)
        for slot in self.slots:
            pyramid[slot] = cards.pop()
        for place in self.places:
            stock[place] = cards.pop()
        return replace(self.position, pyramid=tuple(pyramid), stock=tuple(stock))

    def seed(self) -> bytes:
        """A hash of what is known."""
        ordered = iter(self.hidden)
        pyramid, stock = list(self.position.pyramid), list(self.position.stock)
        for slot in self.slots:
            pyramid[slot] = next(ordered)
        for place in self.places:
            stock[place] = next(ordered)
        shown = replace(self.position, pyramid=tuple(pyramid), stock=tuple(stock))
        text = f"{shown.rules.key} {format_position(shown)} {self.slots} {self.places}"
        return hashlib.sha256(text.encode("ascii")).digest()


def _estimate(known: _Known, samples: int, nodes: int) -> Hint:
    """The move after which most samples are won; of equals the one that stands first."""
    chance = random.Random(known.seed())  # noqa: S311  the same for the same knowledge
    moves = known.position.legal_moves()
    won, decided = [0] * len(moves), [0] * len(moves)
    for _ in range(samples):
        sample = known.sample(chance)
        for index, verdict in enumerate(_verdicts(sample, moves, nodes)):
            won[index] += verdict is Verdict.WINNABLE
            decided[index] += verdict is not Verdict.UNKNOWN
    # Laplace's rule of succession: an estimate is never certain.
    chances = [(wins + 1) / (of + 2) for wins, of in zip(won, decided, strict=True)]
    best = max(range(len(moves)), key=chances.__getitem__)
    if not any(decided):
        return Hint(_plain(moves), Reason.PLAIN, Certainty.HEURISTIC, None)
    return Hint(moves[best], Reason.BEST_CHANCE, Certainty.ESTIMATED, round(chances[best], 3))


def _verdicts(sample: Position, moves: Sequence[Move], nodes: int) -> list[Verdict]:
    """For each move, whether this sample can be won after it."""
    before = decide(sample, nodes)
    if before.verdict is Verdict.UNWINNABLE:
        return [before.verdict] * len(moves)
    wins = before.line[0] if before.line else None
    return [
        Verdict.WINNABLE if move == wins else decide(sample.apply(move), nodes).verdict
        for move in moves
    ]


def _plain(moves: Sequence[Move]) -> Move:
    """A remove before a draw, and a single king before a pair: as they stand."""
    return next((move for move in moves if move.action is Action.REMOVE), moves[0])
