"""A record as games make it: a pure fold over counted games that have ended, oldest first; and one
over rated races, in any order.

`Tally.after(finished)` and `RaceTally.after(placed)` are the only places that say what a game and a
race do to a record. The end applies it once; `manage.py rebuild_records` folds all anew and must
come to the same.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """A counted game with at least one move, once it has ended."""

    won: bool
    elapsed_ms: int
    moves: int
    par: int | None  # the fewest moves that win its deal; None where nobody knows


@dataclass(frozen=True, slots=True)
class Tally:
    played: int = 0
    won: int = 0
    current_streak: int = 0
    best_streak: int = 0
    fastest_win_ms: int | None = None
    fewest_moves: int | None = None
    best_against_par: int | None = None  # moves above par

    @property
    def win_rate(self) -> float | None:
        """0 to 1; None before the first game."""
        return self.won / self.played if self.played else None

    def after(self, game: Finished) -> "Tally":
        streak = self.current_streak + 1 if game.won else 0
        return Tally(
            played=self.played + 1,
            won=self.won + game.won,
            current_streak=streak,
            best_streak=max(self.best_streak, streak),
            fastest_win_ms=self._least(self.fastest_win_ms, game, game.elapsed_ms),
            fewest_moves=self._least(self.fewest_moves, game, game.moves),
            best_against_par=self._least(
                self.best_against_par, game, None if game.par is None else game.moves - game.par
            ),
        )

    @staticmethod
    def _least(best: int | None, game: Finished, value: int | None) -> int | None:
        if not game.won or value is None:
            return best
        return value if best is None else min(best, value)


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat of a rated race, once that is over."""

    place: int  # 1 is the first
    shared: bool = False  # with another seat


@dataclass(frozen=True, slots=True)
class RaceTally:
    played: int = 0
    won: int = 0
    drawn: int = 0

    @property
    def lost(self) -> int:
        return self.played - self.won - self.drawn

    def after(self, seat: Placed) -> "RaceTally":
        first = seat.place == 1
        return RaceTally(
            played=self.played + 1,
            won=self.won + (first and not seat.shared),
            drawn=self.drawn + (first and seat.shared),
        )


def difference(kept: Tally | RaceTally, right: Tally | RaceTally, source: str) -> str:
    """Where two of a kind differ, in words. `source`: who says what is right."""
    now, then = asdict(kept), asdict(right)
    return ", ".join(
        f"{name} is {now[name]}, {source} {then[name]}" for name in now if now[name] != then[name]
    )
