"""A deal being played: moves made and taken back, and what its player has seen meanwhile.

Like a position it is a value; every method that changes something answers a new one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate

from game.rules.cards import Card
from game.rules.deals import Deck
from game.rules.errors import NothingToRewind, NothingToUndo
from game.rules.knowledge import face_up, seen_with
from game.rules.locks import Lock, locked_cards
from game.rules.moves import Move
from game.rules.position import Position
from game.rules.rulesets import RuleSet


@dataclass(frozen=True, slots=True)
class Playthrough:
    deck: Deck
    position: Position
    line: tuple[Move, ...]  # the moves that led here from the deal, without those taken back
    seen: frozenset[Card]
    moves: int = 0  # ever made; an undo does not lower it
    undos: int = 0
    # The positions from the deal to here, where they are still at hand: a replay takes moves back
    # without making all the others again.
    trail: tuple[Position, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def start(cls, deck: Deck, rules: RuleSet) -> "Playthrough":
        position = Position.deal(deck, rules)
        seen = face_up(position)
        return cls(deck=deck, position=position, line=(), seen=seen, trail=(position,))

    @property
    def rules(self) -> RuleSet:
        return self.position.rules

    def play(self, move: Move) -> "Playthrough":
        """Raises a `RuleError` that tells nothing of cards not seen."""
        position = self.position.apply(move, self.seen)
        return replace(
            self,
            position=position,
            line=(*self.line, move),
            seen=seen_with(self.seen, position),
            moves=self.moves + 1,
            trail=(*self.trail, position) if self.trail else (),
        )

    def undo(self) -> "Playthrough":
        """Takes back the last move. Raises `NothingToUndo`."""
        return self.back_to(len(self.line) - 1)

    def restart(self) -> "Playthrough":
        """Takes back every move, as one undo. Raises `NothingToUndo`."""
        return self.back_to(0)

    def back_to(self, length: int) -> "Playthrough":
        """Keeps the first `length` moves of the line, as one undo. Raises `NothingToUndo`."""
        if not 0 <= length < len(self.line):
            raise NothingToUndo()
        line, trail = self.line[:length], self.trail[: length + 1]
        position = trail[length] if trail else self._after(line)
        return replace(self, position=position, line=line, undos=self.undos + 1, trail=trail)

    def moves_before_lock(self) -> int:
        """How many moves of the line came before the one that first locked a card.

        Raises `NothingToRewind` when nothing is locked but what the deal itself locks.
        """
        new = {lock.card for lock, since_start in self.locks() if not since_start}
        for length, position in enumerate(self._positions()):
            if any(lock.card in new for lock in locked_cards(position, self.seen)):
                return length - 1
        raise NothingToRewind()

    def locks(self) -> tuple[tuple[Lock, bool], ...]:
        """The locked cards, each with whether the deal itself locks it."""
        locks = locked_cards(self.position, self.seen)
        if not locks:
            return ()
        start = Position.deal(self.deck, self.rules)
        since_start = {lock.card for lock in locked_cards(start, self.seen)}
        return tuple((lock, lock.card in since_start) for lock in locks)

    def _positions(self) -> Iterable[Position]:
        """From the deal to the present position, along the line."""
        start = Position.deal(self.deck, self.rules)
        return accumulate(self.line, Position.apply, initial=start)

    def _after(self, line: Iterable[Move]) -> Position:
        position = Position.deal(self.deck, self.rules)
        for move in line:
            position = position.apply(move)
        return position
