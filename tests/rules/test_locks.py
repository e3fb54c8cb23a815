"""Locked cards: by hand for each reason, against the naive, and by search for what is promised."""

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from game.rules.deals import numbered_deck
from game.rules.knowledge import face_up, seen_with
from game.rules.locks import LockReason, locked_cards
from game.rules.notation import parse_position
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive
from tests.rules.mirror import move_of, plain, table
from tests.rules.strategies import endgames, numbers, played, plays, rule_keys

OPEN_FACED = [key for key, rules in naive.RULE_SETS.items() if not rules["face down"]]
UNDER, OVER, BOTH = "partners_under_it", "partners_over_it", "partners_under_and_over"


def locks(position: Position, seen=None) -> dict:
    """{card: (reason, partners)}, by default for who has seen as little as can be."""
    if seen is None:
        seen = frozenset(naive.least_seen(plain(position)))
    found = locked_cards(position, seen)
    assert len({lock.card for lock in found}) == len(found)
    return {lock.card: (lock.reason.value, shown(lock.partners)) for lock in found}


def naive_locks(position: dict, seen) -> dict:
    found = naive.locked_cards(position, seen)
    return {card: (reason, shown(partners)) for card, (reason, partners) in found.items()}


def shown(partners) -> list[str]:
    """The partners in order; how often ?? is said the rules leave open."""
    assert partners
    return sorted(set(partners))


def from_endgame(start: dict) -> Position:
    return parse_position(naive.position_text(start), rule_set(start["key"]))


def test_there_are_three_reasons():
    assert {reason.value for reason in LockReason} == {UNDER, OVER, BOTH}


# By hand


def test_a_card_with_its_partner_under_it_is_locked_and_so_is_the_partner():
    position = table("5D/8C9S/4C4D4H - - 1", "classic")
    assert locks(position)["5D"] == (UNDER, ["8C"])
    assert locks(position)["8C"] == (OVER, ["5D"])


def test_a_partner_far_down_the_cone_is_under_it():
    position = table("5D/2C2D/3C3D3H/4C8C4D4H - - 1", "classic")
    assert locks(position)["5D"] == (UNDER, ["8C"])


def test_a_card_with_partners_under_and_over_it_is_locked():
    position = table("8C/5D9S/8H4D4H - 5S 1", "classic")
    assert locks(position) == {"5D": (BOTH, ["8C", "8H"]), "9S": (UNDER, ["4D", "4H"])} | {
        "4D": (OVER, ["9S"]),
        "4H": (OVER, ["9S"]),
    }


def test_a_partner_beside_it_is_free():
    position = table("KS/5DKD/KHKC8C - - 1", "classic")
    assert locks(position) == {}


def test_one_free_partner_is_enough():
    position = table("5D/8C9S/4C8D4H - - 1", "classic")
    assert "5D" in locks(position)
    position = table("5D/8C9S/4CKD4H - 5S8D 3", "classic")
    assert not {"5D", "8C"} & set(locks(position))


@pytest.mark.parametrize("key", OPEN_FACED)
def test_a_partner_in_the_stock_is_free(key):
    assert locks(table("5D/KCKD/8CKHKS 2C8D3C - 1", key)) == {"8C": (OVER, ["5D"])}


@pytest.mark.parametrize("key", OPEN_FACED)
def test_a_partner_deep_in_the_waste_on_the_last_pass_is_free(key):
    last = naive.RULE_SETS[key]["passes"]
    assert locks(table(f"5D/KCKD/8C---- - 8D2C3C {last}", key))["8C"] == (OVER, ["5D"])
    assert "5D" not in locks(table(f"5D/KCKD/8C---- - 8D2C3C {last}", key))


@pytest.mark.parametrize("key", OPEN_FACED)
def test_a_partner_that_is_gone_is_no_partner_left(key):
    text = "5D/KCKD/8C---- - 2C3C 1"
    assert locks(table(text, key))["5D"] == (UNDER, ["8C"])


@pytest.mark.parametrize("key", naive.TABLE)
def test_a_king_is_never_locked(key):
    assert locks(table("KS/KCKD - - 1", key), frozenset(naive.CARDS)) == {}


@pytest.mark.parametrize("key", ["overlap", "overlap-1"])
def test_where_pairs_overlap_a_direct_coverer_is_no_obstacle(key):
    assert locks(table("5D/8CKD - - 1", key)) == {}
    assert locks(table("5D/KD8C/2C2D2H - - 1", key)) == {}


@pytest.mark.parametrize("key", ["classic", "open", "open-2", "open-1", "strict"])
def test_where_pairs_do_not_overlap_a_direct_coverer_is_an_obstacle(key):
    assert locks(table("5D/8CKD - - 1", key)) == {"5D": (UNDER, ["8C"]), "8C": (OVER, ["5D"])}


@pytest.mark.parametrize("key", ["overlap", "overlap-1"])
def test_where_pairs_overlap_a_partner_further_down_still_locks(key):
    position = table("5D/KCKD/8CKHKS - - 1", key)
    assert locks(position) == {"5D": (UNDER, ["8C"]), "8C": (OVER, ["5D"])}


@pytest.mark.parametrize(
    ("number", "key", "card", "reason"),
    [
        (29, "classic", "3C", UNDER),
        (50, "classic", "JH", OVER),
        (57, "classic", "AD", BOTH),
        (52, "overlap", "9C", OVER),
        (144, "overlap", "JC", BOTH),
    ],
)
def test_a_deal_can_lock_a_card_by_itself(number, key, card, reason):
    position = Position.deal(numbered_deck(number), rule_set(key))
    partners = sorted(c for c in naive.CARDS if naive.VALUES[c] + naive.VALUES[card] == 13)
    assert locks(position)[card] == (reason, partners)


def test_a_lock_that_only_a_direct_coverer_makes_is_none_where_pairs_overlap():
    assert locks(Position.deal(numbered_deck(57), rule_set("overlap"))) == {}


# In blind


def test_hidden_partners_over_a_card_are_unnamed():
    position = table("8C/5D9S - 4H 1", "blind")
    assert locks(position) == {"5D": (OVER, ["??"])}


def test_hidden_partners_may_be_in_a_stock_never_seen():
    assert locks(table("8C/5D9S 2C 4H 1", "blind")) == {}


def test_a_stock_that_was_seen_hides_no_partner():
    position = table("8C/5D9S 2C 4H 1", "blind")
    seen = frozenset(naive.least_seen(plain(position))) | {"2C"}
    assert locks(position, seen) == {"5D": (OVER, ["??"])}


def test_hidden_partners_may_lie_beside_a_card():
    assert locks(table("8C/2D2H/5DKH-- - - 1", "blind")) == {}
    assert locks(table("2D/8C2H/--KH5D - - 1", "blind")) == {}


def test_a_hidden_card_is_never_named_as_locked():
    position = table("5D/8CKD - - 1", "blind")
    assert locks(position) == {"8C": (OVER, ["??"])}
    assert locks(position, frozenset(naive.CARDS)) == {"8C": (OVER, ["??"])}


def test_a_blind_deal_locks_nothing_that_shows():
    for number in range(1, 200):
        assert locks(Position.deal(numbered_deck(number), rule_set("blind"))) == {}


@given(endgames(keys=["blind"]))
def test_a_locked_card_of_blind_lies_open_and_its_partners_do_not(start):
    position = from_endgame(start)
    for seen in (frozenset(naive.least_seen(start)), frozenset(naive.CARDS)):
        for card, (reason, partners) in locks(position, seen).items():
            assert card in face_up(position)
            assert reason == OVER
            assert set(partners) == {"??"}


# Against the naive


@settings(max_examples=40)
@given(numbers, rule_keys, plays)
def test_engine_and_naive_find_the_same_locks_in_every_position_of_a_game(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    seen = face_up(position)
    assert locks(position, seen) == naive_locks(plain(position), seen)
    for action, expected in played(plain(position), play):
        position = position.apply(move_of(action))
        seen = seen_with(seen, position)
        assert locks(position, seen) == naive_locks(expected, seen)


@settings(max_examples=200)
@given(endgames())
def test_engine_and_naive_find_the_same_locks_in_an_endgame(start):
    seen = frozenset(naive.least_seen(start))
    assert locks(from_endgame(start), seen) == naive_locks(start, seen)


@settings(max_examples=50)
@given(endgames(keys=["blind"]), st.integers(0, 2**52 - 1))
def test_what_was_seen_before_an_undo_shows_no_lock_that_does_not_follow(start, choice):
    more = {card for n, card in enumerate(naive.cards_left(start)) if choice >> n & 1}
    least = frozenset(naive.least_seen(start))
    found = locks(from_endgame(start), least | more)
    assert naive_locks(start, least).items() <= found.items()
    assert found.items() <= naive_locks(start, least | more).items()


# What is promised of a lock


@settings(max_examples=100)
@given(endgames(), st.integers(0, 2**32))
def test_locks_tell_nothing_of_where_the_unseen_cards_lie(start, shuffle):
    seen = naive.least_seen(start)
    hidden = [card for card in naive.cards_left(start) if card not in seen]
    others = dict(zip(hidden, Random(shuffle).sample(hidden, len(hidden)), strict=True))
    shuffled = start | {
        "pyramid": {slot: others.get(card, card) for slot, card in start["pyramid"].items()},
        "stock": [others.get(card, card) for card in start["stock"]],
    }
    assert locks(from_endgame(shuffled)) == locks(from_endgame(start))


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_a_card_once_locked_stays_locked_and_in_the_pyramid(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    seen, locked = face_up(position), set()
    for action, _ in played(plain(position), play):
        assert not locked & set(action[1:])
        position = position.apply(move_of(action))
        seen = seen_with(seen, position)
        now = set(locks(position, seen))
        assert locked <= now
        locked = now


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(endgames())
def test_no_way_of_an_endgame_lets_a_locked_card_leave(start):
    locked = set(locks(from_endgame(start)))
    assume(locked)
    met, open_ends = {naive.position_text(start)}, [start]
    while open_ends and len(met) < 1000:
        position = open_ends.pop()
        assert locked <= set(position["pyramid"].values())
        for action in naive.legal_actions(position):
            after = naive.apply(position, action)
            if naive.position_text(after) not in met:
                met.add(naive.position_text(after))
                open_ends.append(after)


@settings(max_examples=30)
@given(endgames(), st.integers(0, 2**32))
def test_a_game_that_can_be_won_has_no_locked_card(start, seed):
    position, line = start, Random(seed)
    trail = [position]
    while actions := naive.legal_actions(position):
        removals = [action for action in actions if action[0] == "remove"]
        position = naive.apply(position, line.choice(removals or actions))
        trail.append(position)
    assume(naive.outcome(position) == "won")
    for passed in trail:
        text = naive.position_text(passed)
        assert locks(parse_position(text, rule_set(start["key"]))) == {}


def test_a_partner_covered_again_is_remembered_where_it_lies():
    position = table("AC/QC-- 2C - 1", "blind")
    forgotten = frozenset(naive.least_seen(plain(position))) - {"AC"}
    assert locks(position, forgotten) == {}
    assert locks(position, forgotten | {"AC"}) == {"QC": (OVER, ["??"])}
