"""How many of the catalogue's deals can be won, by rule set, with 95 % intervals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from solver.catalogue import NOT_WINNABLE, Columns

Z: Final = 1.959964  # of a normal distribution: 95 % lie within so many standard deviations


@dataclass(frozen=True, slots=True)
class Share:
    """A share of deals, and Wilson's interval for it (Wilson 1927)."""

    won: int
    of: int

    @property
    def value(self) -> float:
        return self.won / self.of

    @property
    def interval(self) -> tuple[float, float]:
        spread = Z**2 / self.of
        middle = (self.value + spread / 2) / (1 + spread)
        half = (
            Z / (1 + spread) * sqrt(self.value * (1 - self.value) / self.of + spread / self.of / 4)
        )
        return middle - half, middle + half


def shares(columns: Mapping[str, Columns]) -> dict[str, Share]:
    return {
        key: Share(sum(won != NOT_WINNABLE for won in of_rules.won), len(of_rules.won))
        for key, of_rules in columns.items()
    }


def table(columns: Mapping[str, Columns]) -> Iterator[str]:
    """As a Markdown table, line by line. Pars and wins by chance are means over winnable deals."""
    yield "| rules | winnable | share | 95 % interval | won by chance | par, mean (least–most) |"
    yield "|---|---:|---:|---:|---:|---:|"
    for key, share in shares(columns).items():
        low, high = share.interval
        won = [games for games in columns[key].won if games != NOT_WINNABLE]
        yield (
            f"| `{key}` | {share.won:,} of {share.of:,} | {share.value:.2%} "
            f"| {low:.2%} – {high:.2%} | {sum(won) / len(won) / 1000:.1%} "
            f"| {_pars(columns[key])} |"
        )


def _pars(columns: Columns) -> str:
    pars = [par for par in columns.par or () if par]
    return f"{sum(pars) / len(pars):.1f} ({min(pars)}–{max(pars)})" if pars else "–"
