"""How hard a deal is: how seldom a player who never peeks wins it.

1,000 games from one fixed seed that take a random removal whenever there is one, draw otherwise
and redeal when the stock is empty (`kernel.playouts`).
"""

from dataclasses import dataclass
from typing import Final

from game.rules.deals import Deck
from game.rules.layout import SLOTS
from game.rules.rulesets import RuleSet
from solver.encoding import RANK, flags
from solver.kernel.playouts import Playouts
from solver.pool import Pool

GAMES: Final = 1000
SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Difficulty:
    games: int
    won: int
    removed: int  # pyramid cards, in all games together

    @property
    def ease(self) -> tuple[int, int]:
        """Greater for the easier of two deals; after it the lower number goes first."""
        return self.won, self.removed


_playouts: Final = Pool(Playouts)


def difficulty(deck: Deck, rules: RuleSet, games: int = GAMES, seed: int = SEED) -> Difficulty:
    ranks = bytes([RANK[card] for card in deck])
    with _playouts.one() as playouts:
        won, removed = playouts.run(flags(rules), ranks[:SLOTS], ranks[SLOTS:], games, seed)
    return Difficulty(games, won, removed)
