"""Deals 1–20000, solved ahead under every rule set: winnable or not, how hard, and the par.

The data file is made by `solver.making` (`python -m solver catalogue`): gzip over one line of
JSON, which says what it holds, and the columns after it, each 20,000 long: for each rule set the
games won of 1,000 (two bytes, little-endian; `NOT_WINNABLE` where no win exists), the tier (a
byte) and, for those rule sets that have one, the par (a byte, 0 where none).
"""

import gzip
import json
import sys
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from game.rules.deals import CATALOGUE
from game.rules.rulesets import RULE_SETS, RuleSet
from solver.difficulty import GAMES
from solver.search import Verdict

FILE: Final = Path(__file__).parent / "data" / "catalogue.gz"
FORMAT: Final = 1
WITH_PAR: Final = ("classic", "open")
NOT_WINNABLE: Final = 0xFFFF


class Tier(StrEnum):
    EASY = "easy"  # the easiest third of the winnable deals
    STANDARD = "standard"  # the rest of them


_TIERS: Final = (None, Tier.EASY, Tier.STANDARD)


class BadCatalogue(Exception):
    """The data file is not there, is damaged, or was made for other rules."""


@dataclass(frozen=True, slots=True)
class Entry:
    verdict: Verdict
    tier: Tier | None  # None: not winnable
    difficulty: float | None  # share 0–1 of games won by one who never peeks; None: not winnable
    par: int | None  # fewest moves that win; None: not winnable, or no pars for these rules


@dataclass(frozen=True, slots=True)
class Columns:
    """Of one rule set, by deal number less one."""

    won: "array[int]"
    tier: "array[int]"
    par: "array[int] | None"


def entry(number: int, rules: RuleSet) -> Entry | None:
    """What is known of a deal; None for a number past the catalogue."""
    if number not in CATALOGUE:
        return None
    columns = load()[rules.key]
    index = number - CATALOGUE.start
    won = columns.won[index]
    if won == NOT_WINNABLE:
        return Entry(Verdict.UNWINNABLE, None, None, None)
    par = columns.par[index] if columns.par else None
    return Entry(Verdict.WINNABLE, _TIERS[columns.tier[index]], won / GAMES, par)


@cache
def numbers(rules: RuleSet, tier: Tier) -> Sequence[int]:
    """The deals of a tier, ascending."""
    code = _TIERS.index(tier)
    return tuple(
        number
        for number, found in zip(CATALOGUE, load()[rules.key].tier, strict=True)
        if found == code
    )


@cache
def load() -> dict[str, Columns]:
    """The columns by rule set. Raises `BadCatalogue`."""
    return read(FILE)


def read(path: Path) -> dict[str, Columns]:
    try:
        header, _, body = gzip.decompress(path.read_bytes()).partition(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise BadCatalogue(f"{path.name} cannot be read: {error}") from error
    if header != _header():
        raise BadCatalogue(f"{path.name} was made for other rules: make it anew")
    columns = {}
    for key in RULE_SETS:
        won, body = _column("H", body)
        tier, body = _column("B", body)
        par, body = _column("B", body) if key in WITH_PAR else (None, body)
        columns[key] = Columns(won, tier, par)
    return columns


def write(path: Path, columns: dict[str, Columns]) -> None:
    parts = [_header(), b"\n"]
    for key in RULE_SETS:
        of_rules = columns[key]
        parts += [_bytes(of_rules.won), _bytes(of_rules.tier)]
        parts += [_bytes(of_rules.par)] if of_rules.par is not None else []
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(gzip.compress(b"".join(parts), compresslevel=9, mtime=0))
    new.replace(path)


def _header() -> bytes:
    about = {
        "format": FORMAT,
        "deals": len(CATALOGUE),
        "rules": [*RULE_SETS],
        "par": [*WITH_PAR],
        "games": GAMES,
    }
    return json.dumps(about).encode()


def _column(code: str, body: bytes) -> tuple["array[int]", bytes]:
    column = array(code)
    end = len(CATALOGUE) * column.itemsize
    if len(body) < end:
        raise BadCatalogue("the catalogue is cut short")
    column.frombytes(body[:end])
    return _little_endian(column), body[end:]


def _bytes(column: "array[int]") -> bytes:
    return _little_endian(column[:]).tobytes()


def _little_endian(column: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        column.byteswap()
    return column
