from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.cards import DECK
from game.rules.deals import LAST_NUMBER, numbered_deck, seeded_deck
from game.rules.errors import UnknownDeal
from tests.rules import naive
from tests.rules.strategies import numbers

GIVEN = {
    int(number): tuple(deck)
    for number, *deck in map(
        str.split, (Path(__file__).parent.parent / "data/deals.txt").read_text().splitlines()
    )
}


def test_the_unshuffled_deck_runs_from_the_ace_of_clubs_to_the_king_of_spades():
    assert list(DECK) == naive.CARDS


def test_the_given_deals_are_one_two_three_and_twenty_thousand():
    assert list(GIVEN) == [1, 2, 3, 20000]


@pytest.mark.parametrize("number", GIVEN)
def test_a_given_number_deals_the_given_deck(number):
    assert numbered_deck(number) == GIVEN[number]


@pytest.mark.parametrize("number", GIVEN)
def test_the_naive_shuffle_deals_the_given_deck_too(number):
    assert tuple(naive.numbered_deck(number)) == GIVEN[number]


# Deals whose shuffle meets a word that would favour some card, which is passed over; about one in
# seven million does. In the last three it is the first word over the limit.
PASSED_OVER = (12334421, 22490875, 43426958, 108419996, 180944034, 183923600)


@pytest.mark.parametrize("number", PASSED_OVER)
def test_a_word_that_favours_a_card_is_passed_over(number):
    assert list(numbered_deck(number)) == naive.numbered_deck(number)


@settings(max_examples=200)
@given(numbers)
def test_any_number_deals_the_same_deck_as_the_naive_shuffle(number):
    assert list(numbered_deck(number)) == naive.numbered_deck(number)


def careless_deck(number):
    """The shuffle with no word passed over."""
    deck, source = list(naive.CARDS), naive.words(f"pyramid-deal:1:{number}")
    for i in range(51, 0, -1):
        j = next(source) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


# One word in some seven million is too large for its bound; these deals have one.
@pytest.mark.parametrize("number", [12334421, 22490875, 43426958])
def test_a_word_too_large_for_its_bound_is_passed_over(number):
    assert list(numbered_deck(number)) == naive.numbered_deck(number) != careless_deck(number)


@settings(max_examples=100)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 1000))
def test_any_seed_and_try_deal_the_same_deck_as_the_naive_shuffle(seed, attempt):
    assert list(seeded_deck(seed.hex(), attempt)) == naive.seeded_deck(seed.hex(), attempt)


@settings(max_examples=50)
@given(st.binary(min_size=32, max_size=32))
def test_each_try_of_a_seed_deals_another_deck(seed):
    assert len({seeded_deck(seed.hex(), attempt) for attempt in range(4)}) == 4


@settings(max_examples=50)
@given(numbers)
def test_a_deal_has_each_of_the_52_cards_once(number):
    assert sorted(numbered_deck(number)) == sorted(naive.CARDS)


def test_numbers_run_to_the_last_of_32_bits():
    assert LAST_NUMBER == 2**32 - 1
    assert list(numbered_deck(2**32 - 1)) == naive.numbered_deck(2**32 - 1)


@pytest.mark.parametrize("number", [0, -1, 2**32])
def test_a_number_out_of_range_is_an_unknown_deal(number):
    with pytest.raises(UnknownDeal) as refused:
        numbered_deck(number)
    assert refused.value.code == "unknown_deal"
