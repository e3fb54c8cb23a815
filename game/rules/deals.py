"""Deal number → deck, seed → deck: version 1, the same on every server for ever.

A Fisher–Yates shuffle of `cards.DECK` from the top down, over the big-endian 32-bit words of
SHA-256("<label>:<k>") for k = 0, 1, 2 …, eight words a block. A word that would favour some card
is passed over, so that all decks are equally likely. The first 28 cards of a deck fill the
pyramid in slot order, the other 24 are the stock in draw order.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import Final

from game.rules.cards import DECK, Card
from game.rules.errors import UnknownDeal

LAST_NUMBER: Final = 2**32 - 1
CATALOGUE: Final = range(1, 20_001)  # solved ahead of time under every rule set

_WORD_VALUES: Final = 2**32
_SEED: Final = re.compile(r"[0-9a-f]{64}")

Deck = tuple[Card, ...]


def numbered_deck(number: int) -> Deck:
    """The 52 cards of a deal number 1 to 2³²−1. Raises `UnknownDeal`."""
    if not 1 <= number <= LAST_NUMBER:
        raise UnknownDeal(number)
    return _shuffled(f"pyramid-deal:1:{number}")


def seeded_deck(seed: str, attempt: int) -> Deck:
    """The 52 cards of a secret 256-bit seed (64 lower-case hex digits) at its attempt 0, 1, 2 …

    Raises `ValueError` for anything that is not such a seed.
    """
    if not _SEED.fullmatch(seed) or attempt < 0:
        raise ValueError("a seed has 64 lower-case hex digits, an attempt is not negative")
    return _shuffled(f"pyramid-seed:1:{seed}:{attempt}")


@lru_cache(maxsize=4096)  # a game asks for its deck at every move
def _shuffled(label: str) -> Deck:
    words = _words(label)
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _uniform(words, last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def _words(label: str) -> Iterator[int]:
    for block in count():
        digest = sha256(f"{label}:{block}".encode("ascii")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def _uniform(words: Iterator[int], bound: int) -> int:
    limit = _WORD_VALUES // bound * bound
    return next(word for word in words if word < limit) % bound
