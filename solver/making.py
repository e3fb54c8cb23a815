"""Making and verifying the catalogue's data file, on all cores.

What has been solved goes line by line into a file beside the data file, so that work that was
broken off goes on where it stopped. A deal's line holds for each rule set what `Solved` names.
"""

import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from game.rules.deals import CATALOGUE, numbered_deck
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from solver.catalogue import NOT_WINNABLE, WITH_PAR, Columns, Tier, read
from solver.difficulty import difficulty
from solver.par import fewest_moves
from solver.search import Verdict, decide

_TIER_CODES: Final = {Tier.EASY: 1, Tier.STANDARD: 2}


class Undecided(Exception):
    """A deal that the budget did not decide: the catalogue has no place for one."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A deal under one rule set. Of one that cannot be won, nothing else is asked."""

    winnable: bool
    won: int = 0  # of the games of one who never peeks
    removed: int = 0  # pyramid cards in those games: ties are broken by it
    par: int = 0  # 0: not asked


Deal = tuple[int, tuple[Solved, ...]]  # a number and, in the order of RULE_SETS, its answers


def solve_deal(number: int) -> Deal:
    return number, tuple(_solve(number, key) for key in RULE_SETS)


def _solve(number: int, key: str) -> Solved:
    rules, deck = RULE_SETS[key], numbered_deck(number)
    position = Position.deal(deck, rules)
    verdict = decide(position).verdict
    if verdict is Verdict.UNKNOWN:
        raise Undecided(f"deal {number} under {key}")
    if verdict is Verdict.UNWINNABLE:
        return Solved(winnable=False)
    games = difficulty(deck, rules)
    return Solved(True, games.won, games.removed, _par(position, number) if key in WITH_PAR else 0)


def _par(position: Position, number: int) -> int:
    line = fewest_moves(position).line
    if line is None:
        raise Undecided(f"the par of deal {number} under {position.rules.key}")
    return len(line)


def solve_all(numbers: Iterable[int], processes: int) -> Iterator[Deal]:
    """In any order, on so many cores."""
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(solve_deal, numbers, chunksize=4)


def make(partial: Path, processes: int) -> Iterator[int]:
    """Solves what `partial` does not hold yet, and yields how many deals it holds by then."""
    done = [number for number, _ in kept(partial)]
    yield len(done)
    left = sorted(set(CATALOGUE) - set(done))
    with partial.open("a", encoding="ascii") as file:
        for count, deal in enumerate(solve_all(left, processes), start=len(done) + 1):
            file.write(_line(deal))
            file.flush()
            yield count


def kept(partial: Path) -> list[Deal]:
    """What an earlier run has solved; a last line that was broken off is left out and cut off."""
    if not partial.exists():
        return []
    text = partial.read_text(encoding="ascii")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        partial.write_text(whole, encoding="ascii")
    return [_deal(line) for line in whole.splitlines()]


def columns_of(deals: Iterable[Deal]) -> dict[str, Columns]:
    """The whole catalogue from its deals, in any order."""
    ordered = [solved for _, solved in sorted(deals)]
    assert len(ordered) == len(CATALOGUE)
    return {
        key: _columns([solved[index] for solved in ordered], with_par=key in WITH_PAR)
        for index, key in enumerate(RULE_SETS)
    }


def _columns(deals: list[Solved], *, with_par: bool) -> Columns:
    return Columns(
        won=array("H", (deal.won if deal.winnable else NOT_WINNABLE for deal in deals)),
        tier=_tiers(deals),
        par=array("B", (deal.par for deal in deals)) if with_par else None,
    )


def _tiers(deals: list[Solved]) -> "array[int]":
    """The easiest third of the winnable deals is one tier, the rest of them the other."""
    winnable = [index for index, deal in enumerate(deals) if deal.winnable]
    winnable.sort(key=lambda index: (-deals[index].won, -deals[index].removed, index))
    tiers = array("B", bytes(len(deals)))
    for rank, index in enumerate(winnable):
        tiers[index] = _TIER_CODES[Tier.EASY if 3 * rank < len(winnable) else Tier.STANDARD]
    return tiers


def differences(path: Path, numbers: Iterable[int], processes: int) -> Iterator[str | None]:
    """Solves deals again, and says of each where the file has it otherwise, or None.

    Raises `BadCatalogue`.
    """
    columns = read(path)
    for number, solved in solve_all(numbers, processes):
        wrong = [
            key
            for key, deal in zip(RULE_SETS, solved, strict=True)
            if not _agrees(columns[key], number - CATALOGUE.start, deal)
        ]
        yield f"deal {number}: {', '.join(wrong)}" if wrong else None


def _agrees(columns: Columns, index: int, deal: Solved) -> bool:
    return (
        columns.won[index] == (deal.won if deal.winnable else NOT_WINNABLE)
        and (columns.tier[index] != 0) == deal.winnable
        and (columns.par is None or columns.par[index] == deal.par)
    )


def _line(deal: Deal) -> str:
    number, solved = deal
    answers = [[one.won, one.removed, one.par] if one.winnable else None for one in solved]
    return json.dumps([number, answers], separators=(",", ":")) + "\n"


def _deal(line: str) -> Deal:
    number, answers = json.loads(line)
    return number, tuple(Solved(True, *one) if one else Solved(False) for one in answers)
