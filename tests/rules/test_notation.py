import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.deals import numbered_deck
from game.rules.errors import BadCard
from game.rules.moves import DRAW, REDEAL, remove
from game.rules.notation import (
    format_line,
    format_move,
    format_position,
    parse_line,
    parse_move,
    parse_position,
)
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive
from tests.rules.mirror import action_of, move_of, plain
from tests.rules.strategies import endgames, numbers, played, plays, rule_keys

DEAL_1 = (
    "8S/QDQC/9SADTS/3H2C9CAH/7CKC6C3D4D/9H3CJD5H8D9D/7H4C2HKD8C8H3S "
    "KS7STC2DAS5DACTD4SJS7D6D5CJC6H4HJHQSTH6S5S2SQHKH - 1"
)

cards = st.sampled_from(naive.CARDS)
moves = st.one_of(
    st.just(DRAW),
    st.just(REDEAL),
    cards.map(remove),
    st.lists(cards, min_size=2, max_size=2, unique=True).map(lambda pair: remove(*pair)),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("d", DRAW), ("r", REDEAL), ("KS", remove("KS")), ("6H7D", remove("6H", "7D"))],
)
def test_a_move_is_written_as_d_r_or_its_cards(text, expected):
    assert parse_move(text) == expected
    assert format_move(expected) == text


@given(moves)
def test_a_move_reads_back_as_it_was_written(move):
    assert parse_move(format_move(move)) == move


@given(st.lists(moves, max_size=12))
def test_a_line_reads_back_as_it_was_written(line):
    text = format_line(line)
    assert text == " ".join(format_move(move) for move in line)
    assert parse_line(text) == tuple(line)


def test_deal_one_is_written_row_by_row_then_stock_waste_and_pass():
    position = Position.deal(numbered_deck(1), rule_set("classic"))
    assert format_position(position) == DEAL_1
    assert parse_position(DEAL_1, rule_set("classic")) == position


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_every_position_of_a_game_reads_back_as_it_was_written(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    for action, expected in played(plain(position), play):
        position = position.apply(move_of(action))
        text = format_position(position)
        assert text == naive.position_text(expected)
        assert parse_position(text, rule_set(key)) == position


@given(endgames())
def test_a_position_of_fewer_cards_reads_back_as_it_was_written(start):
    text = naive.position_text(start)
    position = parse_position(text, rule_set(start["key"]))
    assert format_position(position) == text
    assert plain(position) == {name: start[name] for name in plain(position)}


@settings(max_examples=20)
@given(numbers, rule_keys, plays)
def test_a_whole_game_replays_from_its_line(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    game = list(played(plain(position), play))
    text = format_line(move_of(action) for action, _ in game)
    assert [action_of(move) for move in parse_line(text)] == [action for action, _ in game]
    for move in parse_line(text):
        position = position.apply(move)
    assert plain(position) == game[-1][1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        DEAL_1.removesuffix(" 1"),
        DEAL_1 + " 1",
        DEAL_1.replace("8S/QDQC/", "8S/QD/"),
        DEAL_1.replace("/7H4C2HKD8C8H3S", ""),
        DEAL_1.replace(" 1", " 0"),
        DEAL_1.replace(" 1", " 4"),
        DEAL_1.replace(" 1", " one"),
        DEAL_1.replace("KH -", "K -"),
    ],
)
def test_a_text_that_is_no_position_is_a_value_error(text):
    with pytest.raises((ValueError, BadCard)):
        parse_position(text, rule_set("classic"))


@pytest.mark.parametrize("text", [DEAL_1.replace("8S", "8X"), DEAL_1.replace("QHKH", "QH8S")])
def test_a_position_with_an_unknown_or_double_card_is_a_bad_card(text):
    with pytest.raises(BadCard):
        parse_position(text, rule_set("classic"))
