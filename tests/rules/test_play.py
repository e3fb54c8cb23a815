"""The engine against the naive, move by move, over whole games and over all of small endgames."""

from itertools import combinations

from hypothesis import given, settings

from game.rules.deals import numbered_deck
from game.rules.errors import RuleError
from game.rules.knowledge import face_up
from game.rules.moves import DRAW, REDEAL, remove
from game.rules.notation import format_position, parse_position
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive
from tests.rules.mirror import legal, move_of, plain
from tests.rules.strategies import endgames, numbers, part_plays, played, plays, rule_keys

ALL_MOVES = [
    DRAW,
    REDEAL,
    *(remove(card) for card in naive.CARDS),
    *(remove(a, b) for a, b in combinations(naive.CARDS, 2)),
]


def dealt(number: int, key: str) -> Position:
    return Position.deal(numbered_deck(number), rule_set(key))


def game(number: int, key: str, play: bytes):
    """The engine's position and the naive's after each move of a play, from the deal on."""
    position, start = dealt(number, key), naive.deal(naive.numbered_deck(number), key)
    yield position, start
    for action, expected in played(start, play):
        position = position.apply(move_of(action))
        yield position, expected


def last_of(number: int, key: str, play: bytes) -> Position:
    return list(game(number, key, play))[-1][0]


@given(numbers, rule_keys, plays)
def test_engine_and_naive_agree_move_by_move(number, key, play):
    for position, expected in game(number, key, play):
        assert plain(position) == expected
        assert legal(position) == set(naive.legal_actions(expected))
        assert position.outcome.value == naive.outcome(expected)
        assert position.removed == 28 - len(expected["pyramid"])
        assert face_up(position) == naive.face_up(expected)


@given(endgames())
def test_engine_and_naive_agree_on_every_way_an_endgame_can_go(start):
    position = parse_position(naive.position_text(start), rule_set(start["key"]))
    open_ends, met = [(position, start)], set()
    while open_ends and len(met) < 200:
        position, expected = open_ends.pop()
        actions = naive.legal_actions(expected)
        assert plain(position) == {name: expected[name] for name in plain(position)}
        assert legal(position) == set(actions)
        assert position.outcome.value == naive.outcome(expected)
        assert face_up(position) == naive.face_up(expected)
        for action in actions:
            after = naive.apply(expected, action)
            if naive.position_text(after) not in met:
                met.add(naive.position_text(after))
                open_ends.append((position.apply(move_of(action)), after))


@settings(max_examples=30)
@given(numbers, rule_keys, part_plays)
def test_each_of_all_moves_applies_exactly_when_it_is_legal(number, key, play):
    assert_legal_means_applicable(last_of(number, key, play))


@settings(max_examples=30)
@given(endgames())
def test_in_an_endgame_each_of_all_moves_applies_exactly_when_it_is_legal(start):
    text = naive.position_text(start)
    assert_legal_means_applicable(parse_position(text, rule_set(start["key"])))


def assert_legal_means_applicable(position: Position) -> None:
    text = format_position(position)
    legal_moves = {frozenset(move.cards) or move.action for move in position.legal_moves()}
    applied = set()
    for move in ALL_MOVES:
        try:
            position.apply(move)
        except RuleError:
            continue
        finally:
            assert format_position(position) == text
        applied.add(frozenset(move.cards) or move.action)
    assert applied == legal_moves


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_the_cards_of_a_pair_may_be_named_in_either_order(number, key, play):
    for position, _ in game(number, key, play):
        for move in position.legal_moves():
            swapped = remove(*reversed(move.cards)) if move.cards else move
            assert position.apply(swapped) == position.apply(move)


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_52_cards_are_somewhere_exactly_once_at_all_times(number, key, play):
    position, removed = dealt(number, key), []
    for action, _ in played(naive.deal(naive.numbered_deck(number), key), play):
        removed += action[1:]
        position = position.apply(move_of(action))
        in_pyramid = [card for card in position.pyramid if card is not None]
        everywhere = [*in_pyramid, *position.stock, *position.waste, *removed]
        assert sorted(everywhere) == sorted(naive.CARDS)


@settings(max_examples=30)
@given(numbers, rule_keys)
def test_there_are_never_more_passes_than_the_record_allows(number, key):
    position, passes = dealt(number, key), 1
    while position.outcome.value == "playing" and (
        position.stock or REDEAL in legal_piles(position)
    ):
        passes += not position.stock
        position = position.apply(DRAW if position.stock else REDEAL)
        assert position.pass_number == passes
    assert passes == rule_set(key).passes


def legal_piles(position: Position) -> list:
    return [move for move in position.legal_moves() if not move.cards]


@settings(max_examples=20)
@given(numbers)
def test_a_redeal_keeps_the_order_of_the_pass_before(number):
    position = dealt(number, "classic")
    stock = position.stock
    for _ in stock:
        position = position.apply(DRAW)
    assert position.waste == stock
    position = position.apply(REDEAL)
    assert (position.stock, position.waste, position.pass_number) == (stock, (), 2)
