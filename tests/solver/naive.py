"""The solver a second time: breadth first over the rules' own moves, without a single cut."""

from collections.abc import Iterator

from game.rules.position import Outcome, Position

MOST = 20_000  # positions


class TooLarge(Exception):
    """More than `MOST` positions can be reached."""


def fewest_moves(start: Position) -> int | None:
    """How many moves win at the least; None if no way wins. Raises `TooLarge`."""
    for length, positions in enumerate(generations(start)):
        if any(position.outcome is Outcome.WON for position in positions):
            return length
    return None


def generations(start: Position) -> Iterator[list[Position]]:
    """The positions that are first reached in 0 moves, in 1, in 2 …"""
    met = {identity(start)}
    positions = [start]
    while positions:
        yield positions
        after = {identity(p): p for q in positions for p in map(q.apply, q.legal_moves())}
        positions = [position for name, position in after.items() if name not in met]
        met.update(after)
        if len(met) > MOST:
            raise TooLarge


def identity(position: Position) -> tuple[object, ...]:
    return position.pyramid, position.stock, position.waste, position.pass_number
