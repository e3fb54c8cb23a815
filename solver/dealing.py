"""Which of a secret seed's decks is dealt: the first that is winnable and of the tier.

A deck has no number, yet it has the tier that it would have in the catalogue: easy is what a player
who never peeks wins no less often than the hardest of the easy deals there (`difficulty`; equals go
by the cards removed, and what is equal in these too is easy). In `random` the deck may be any that
does not lie there with a card locked, for such a game would be lost before it began.

Anybody who learns the seed can find the same try. Therefore a deck is given the same nodes to be
decided in, compiled or not, and one that takes more is passed over: it is not proven winnable.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import count
from typing import Final

from game.rules.deals import CATALOGUE, Deck, numbered_deck, seeded_deck
from game.rules.playthrough import Playthrough
from game.rules.position import Position
from game.rules.rulesets import RuleSet
from solver.catalogue import Tier, load, numbers
from solver.difficulty import difficulty
from solver.search import COMPILED, Verdict, decide

DECK_NODES: Final = 200_000  # a tenth of a second; one deck in a thousand takes more, or none
NODES: Final = 2_000_000 if COMPILED else 40_000  # for all tries of one question: about a second
TRY_NODES: Final = 8_000  # as long as the playouts of one deck take


class Wanted(StrEnum):
    EASY = "easy"
    STANDARD = "standard"
    WINNABLE = "winnable"  # of whichever tier
    RANDOM = "random"  # it may not be winnable


@dataclass(frozen=True, slots=True)
class Sought:
    attempt: int  # the try that is dealt; or, if none was found, the one to go on with
    found: bool


def look_through(seed: str, rules: RuleSet, tier: Tier | None, start: int) -> Sought:
    """The first try from `start` on whose deck is winnable and of the tier, or of any where none is
    given; as far as one question may look."""
    left = NODES
    for attempt in count(start):
        if left <= 0:
            break
        deck = seeded_deck(seed, attempt)
        decision = decide(Position.deal(deck, rules), DECK_NODES)
        if decision.verdict is Verdict.WINNABLE and tier in (None, tier_of(deck, rules)):
            return Sought(attempt, found=True)
        left -= decision.nodes + TRY_NODES
    return Sought(attempt, found=False)


Look = Callable[[str, RuleSet, Tier | None, int], Sought]


def dealt_attempt(seed: str, rules: RuleSet, wanted: Wanted, look: Look = look_through) -> int:
    """The try that is dealt. `look`: who answers `look_through`, again and again until it is found;
    others' questions may come in between."""
    if wanted is Wanted.RANDOM:
        decks = ((attempt, seeded_deck(seed, attempt)) for attempt in count())
        return next(attempt for attempt, deck in decks if not lies_locked(deck, rules))
    tier = None if wanted is Wanted.WINNABLE else Tier(wanted)
    sought = Sought(0, found=False)
    while not sought.found:
        sought = look(seed, rules, tier, sought.attempt)
    return sought.attempt


def lies_locked(deck: Deck, rules: RuleSet) -> bool:
    """Whether a card is locked before anything has been moved."""
    return bool(Playthrough.start(deck, rules).locks())


def tier_of(deck: Deck, rules: RuleSet) -> Tier:
    """The tier of a winnable deck."""
    easy = difficulty(deck, rules).ease >= _hardest_easy(rules)
    return Tier.EASY if easy else Tier.STANDARD


@cache
def _hardest_easy(rules: RuleSet) -> tuple[int, int]:
    """How easy the hardest of the catalogue's easy deals is. The catalogue keeps the games won, so
    that only those that share the fewest are played again."""
    won = load()[rules.key].won
    easy = numbers(rules, Tier.EASY)
    least = min(won[number - CATALOGUE.start] for number in easy)
    hardest = (number for number in easy if won[number - CATALOGUE.start] == least)
    return min(difficulty(numbered_deck(number), rules).ease for number in hardest)
