"""What a run at a daily comes to, as its log tells it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from game.ledger import Entry, Ledger
from game.rules.position import Outcome
from leaderboards.ranking import Score

FASTEST_MS = 350  # a move, on the average: no hand plays a whole game faster


@dataclass(frozen=True, slots=True)
class Run:
    """At its first moment with the most cards removed. `undos`, `hints`: until then."""

    score: Score
    undos: int
    hints: int

    @property
    def is_suspect(self) -> bool:
        """Whether it got there faster than is plausible."""
        return self.score.elapsed_ms < FASTEST_MS * self.score.moves


def best_moment(start: Ledger, entries: Iterable[Entry], started_at: datetime) -> Run:
    """`start`: the game before its first entry."""
    best, ledger = _run(start, started_at, started_at), start
    for entry in entries:
        ledger = ledger.after(entry)
        if ledger.play.position.removed > best.score.removed:
            best = _run(ledger, entry.at, started_at)
    return best


def _run(ledger: Ledger, at: datetime, started_at: datetime) -> Run:
    position = ledger.play.position
    score = Score(
        won=position.outcome is Outcome.WON,
        removed=position.removed,
        assisted=ledger.hints > 0,
        elapsed_ms=max(0, (at - started_at) // timedelta(milliseconds=1)),
        moves=ledger.play.moves,
    )
    return Run(score, ledger.play.undos, ledger.hints)
