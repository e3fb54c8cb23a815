"""What a benchmark answers, and how it is shown."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from statistics import median


@dataclass(frozen=True, slots=True)
class Beside:
    """Something the figure is held against, in the same unit.

    `ratios`: how many times as good ours is, one for each round.
    """

    name: str
    figure: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    def __str__(self) -> str:
        spread = f"{min(self.ratios):.2f}–{max(self.ratios):.2f}"
        return f"{self.name}: {_shown(self.figure)}, ratio {self.ratio:.2f} ({spread})"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `target`: the least ratio to the first of `beside`; None: there is
    none."""

    name: str
    unit: str
    figure: float
    beside: tuple[Beside, ...]
    target: float | None
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        met = self.beside[0].ratio >= self.target
        return f"≥ {self.target:.2f} {'met' if met else 'MISSED'}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A benchmark that could not run here. `reason`: what is missing and how to get it."""

    name: str
    reason: str


HEADINGS = ("benchmark", "ours", "beside, and ratio (median of rounds, and their range)", "target")


def table(results: Iterable[Row | Skipped]) -> str:
    lines: list[Sequence[str]] = [HEADINGS]
    notes: list[str] = []
    for result in results:
        if isinstance(result, Skipped):
            lines.append((result.name, "skipped", result.reason, ""))
            continue
        first = (result.name, f"{_shown(result.figure)} {result.unit}")
        lines += [
            (*left, str(beside), verdict)
            for left, beside, verdict in zip_longest(
                [first], result.beside, [result.verdict], fillvalue=""
            )
            for left in [left or ("", "")]
        ]
        notes += [f"{result.name}: {note}" for note in result.notes]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = tuple("-" * width for width in widths)
    rows = [lines[0], rule, *lines[1:]]
    printed = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*printed, "", *notes])


def _shown(figure: float) -> str:
    """To three digits that count."""
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def progress(text: str) -> None:
    """Says where a benchmark is: on one line that is written over, or line by line to a file."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
    else:
        sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def progress_done() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
