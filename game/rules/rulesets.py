"""The rule sets: one flat record each. A new idea is a new field with a default, and no code
compares a rule set's key."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from game.rules.errors import UnknownRules


class Goal(StrEnum):
    PYRAMID = "pyramid"  # the 28 pyramid cards are gone
    ALL = "all"  # all 52 cards are gone


@dataclass(frozen=True, slots=True)
class RuleSet:
    key: str
    passes: int  # times through the stock, the first included
    stock_top_playable: bool = False  # the stock lies face up and its top card plays
    overlap_pairs: bool = False  # a card and its only coverer may go together
    covered_face_down: bool = False  # a pyramid card shows its face once it is exposed
    goal: Goal = Goal.PYRAMID
    daily: bool = False  # has a daily deal
    featured: bool = False  # the one a newcomer gets

    def __post_init__(self) -> None:
        if self.overlap_pairs and self.covered_face_down:
            raise ValueError("an overlap pair would tell what a face-down card is")


RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        rules.key: rules
        for rules in (
            RuleSet("classic", passes=3, daily=True, featured=True),
            RuleSet("blind", passes=1, covered_face_down=True, daily=True),
            RuleSet("open", passes=3, stock_top_playable=True, daily=True),
            RuleSet("open-2", passes=2, stock_top_playable=True),
            RuleSet("open-1", passes=1, stock_top_playable=True),
            RuleSet("overlap", passes=3, stock_top_playable=True, overlap_pairs=True, daily=True),
            RuleSet("overlap-1", passes=1, stock_top_playable=True, overlap_pairs=True),
            RuleSet("strict", passes=3, stock_top_playable=True, goal=Goal.ALL),
        )
    }
)
DEFAULT: Final = next(rules for rules in RULE_SETS.values() if rules.featured)


def rule_set(key: str) -> RuleSet:
    """Raises `UnknownRules`."""
    try:
        return RULE_SETS[key]
    except KeyError:
        raise UnknownRules(key) from None
