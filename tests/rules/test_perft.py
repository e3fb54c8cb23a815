"""Counts of action sequences: the table in tests/data/perft.tsv, the engine and the naive agree."""

import pytest

from game.rules.deals import numbered_deck
from game.rules.moves import DRAW
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive

LINES = naive.PERFT.read_text(encoding="ascii").splitlines()[1:]
COUNTS = {
    (key, int(number), int(draws)): list(map(int, counts))
    for key, number, draws, *counts in (line.split("\t") for line in LINES)
}


def sequence_counts(position: Position, depth: int) -> list[int]:
    counts, positions = [], [position]
    for _ in range(depth):
        positions = [p.apply(move) for p in positions for move in p.legal_moves()]
        counts.append(len(positions))
    return counts


def test_the_table_has_three_deals_under_every_rule_set():
    assert set(COUNTS) == {(k, n, d) for k in naive.TABLE for n in (1, 2, 3) for d in (0, 22)}


@pytest.mark.parametrize("key", naive.TABLE)
def test_the_engine_counts_as_many_sequences_as_the_table(key):
    for (rules, number, draws), counts in COUNTS.items():
        if rules == key:
            position = Position.deal(numbered_deck(number), rule_set(key))
            for _ in range(draws):
                position = position.apply(DRAW)
            assert sequence_counts(position, len(counts)) == counts, (number, draws)


@pytest.mark.parametrize("key", naive.TABLE)
def test_the_naive_counts_as_many_sequences_as_the_table(key):
    for (rules, number, draws), counts in COUNTS.items():
        if rules == key:
            position = naive.perft_start(key, number, draws)
            assert naive.sequence_counts(position, len(counts)) == counts, (number, draws)
