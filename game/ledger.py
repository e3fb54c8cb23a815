"""A game as its log tells it: a pure fold over the entries.

`Ledger.after(entry)` is the only place that says what an entry does. The service applies each new
entry with it and keeps the result on the game's row; replaying a log with it must come to the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from game.answers import CheckAnswer, Label
from game.rules.deals import Deck
from game.rules.errors import GameOver
from game.rules.notation import parse_move
from game.rules.playthrough import Playthrough
from game.rules.rulesets import RuleSet


class Status(StrEnum):
    PLAYING = "playing"
    STUCK = "stuck"
    WON = "won"
    LOST = "lost"

    @property
    def is_over(self) -> bool:
        return self in (Status.WON, Status.LOST)


class EntryType(StrEnum):
    MOVE = "move"  # detail: the move in notation
    UNDO = "undo"
    REWIND = "rewind"  # detail: what to, and how many moves of the line that keeps
    RESTART = "restart"
    HINT = "hint"  # detail: a `HintAnswer`
    CHECK = "check"  # detail: a `CheckAnswer`
    PAUSE = "pause"  # detail: "on" or "off"
    RESIGN = "resign"
    CLOSE = "close"  # ended by the server; detail: a `Close`


class Close(StrEnum):
    LEFT_BEHIND = "left_behind"  # its player started another counted game of the tier
    IDLE = "idle"  # no entry for a week
    BROUGHT_ALONG = "brought_along"  # a guest's, of a deal that the account plays already
    RACE_OVER = "race_over"  # the time was up, or another player has cleared first
    DAY_CLOSED = "day_closed"  # a daily's


class Rewind(StrEnum):
    LOCK = "lock"  # to just before the move that locked a card
    WINNABLE = "winnable"  # to the last position that can still be won; counts as a check too


@dataclass(frozen=True, slots=True)
class Entry:
    seq: int  # 1, 2, 3 … within a game
    at: datetime
    type: EntryType
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time played: what has been added up, and since when it runs."""

    elapsed_ms: int = 0
    running_since: datetime | None = None

    def at(self, now: datetime) -> int:
        """Milliseconds played until `now`."""
        if self.running_since is None:
            return self.elapsed_ms
        return self.elapsed_ms + max(0, (now - self.running_since) // timedelta(milliseconds=1))

    def stopped(self, now: datetime) -> "Clock":
        return Clock(self.at(now))

    def started(self, now: datetime) -> "Clock":
        return self if self.running_since is not None else replace(self, running_since=now)


@dataclass(frozen=True, slots=True)
class Ledger:
    play: Playthrough
    ranked: bool = False  # the clock of a ranked game runs from its deal and never stops
    status: Status = Status.PLAYING
    clock: Clock = Clock()
    last_at: datetime | None = None  # its last entry's time; its start's, before any
    hints: int = 0
    checks: int = 0
    label: Label | None = None  # what its player has been told of the deal
    version: int = 0  # the last entry's number
    changed: int = 0  # the last entry's that changed the position or the status

    @classmethod
    def start(
        cls,
        *,
        deck: Deck,
        rules: RuleSet,
        ranked: bool,
        at: datetime,
        label: Label | None = None,
    ) -> "Ledger":
        """`label`: what the player knows of the deal from before."""
        clock = Clock().started(at) if ranked else Clock()
        return cls(
            play=Playthrough.start(deck, rules), ranked=ranked, clock=clock, last_at=at, label=label
        )

    def replay(self, entries: Iterable[Entry]) -> "Ledger":
        """Raises what `after` raises, for a log that the rules do not allow."""
        ledger = self
        for entry in entries:
            ledger = ledger.after(entry)
        return ledger

    def after(self, entry: Entry) -> "Ledger":
        """Raises a `RuleError` when the rules refuse it, `GameOver` once the game has ended."""
        if entry.seq != self.version + 1:
            raise ValueError(f"entry {entry.seq} does not follow {self.version}")
        if self.status.is_over:
            raise GameOver(status=self.status)
        return replace(self._changed_by(entry), version=entry.seq, last_at=entry.at)

    def is_stale(self, version: int) -> bool:
        """Whether a change made against this version meets another position or status now."""
        return not self.changed <= version <= self.version

    def _changed_by(self, entry: Entry) -> "Ledger":
        match entry.type:
            case EntryType.MOVE:
                return self._played(self.play.play(parse_move(entry.detail)), entry)
            case EntryType.UNDO:
                return self._played(self.play.undo(), entry)
            case EntryType.REWIND:
                to, kept = entry.detail.split(" ")
                back = self._played(self.play.back_to(int(kept)), entry)
                return back._checked(Label.WINNABLE) if to == Rewind.WINNABLE else back
            case EntryType.RESTART:
                return self._played(self.play.restart(), entry)
            case EntryType.HINT:
                return replace(self, hints=self.hints + 1)
            case EntryType.CHECK:
                return self._checked(CheckAnswer.parse(entry.detail).deal)
            case EntryType.PAUSE:
                return replace(self, clock=self._paused(entry.detail == "on", entry.at))
            case EntryType.CLOSE if entry.detail == Close.IDLE and self.last_at is not None:
                return self._lost(entry, played_until=self.last_at)
            case EntryType.RESIGN | EntryType.CLOSE:
                return self._lost(entry, played_until=entry.at)

    def _played(self, play: Playthrough, entry: Entry) -> "Ledger":
        status = Status(play.position.outcome)
        clock = self.clock.started(entry.at)
        if status.is_over:
            clock = clock.stopped(entry.at)
        label = Label.WINNABLE if status is Status.WON else self.label
        return replace(self, play=play, status=status, clock=clock, label=label, changed=entry.seq)

    def _checked(self, deal: Label) -> "Ledger":
        """`deal`: what the check told of it; what was told before is not untold."""
        label = self.label if deal is Label.UNKNOWN else deal
        return replace(self, checks=self.checks + 1, label=label)

    def _lost(self, entry: Entry, *, played_until: datetime) -> "Ledger":
        clock = self.clock.stopped(played_until)
        return replace(self, status=Status.LOST, clock=clock, changed=entry.seq)

    def _paused(self, paused: bool, now: datetime) -> Clock:
        if self.ranked:
            return self.clock
        if paused:
            return self.clock.stopped(now)
        return self.clock.started(now) if self.play.moves else self.clock
