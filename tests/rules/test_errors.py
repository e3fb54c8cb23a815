"""What a wrong action gets: which error, with which params, and which of two comes first."""

from itertools import combinations

import pytest
from hypothesis import given, settings

from game.rules import errors
from game.rules.cards import parse_card
from game.rules.deals import numbered_deck
from game.rules.knowledge import face_up, seen_with
from game.rules.moves import DRAW, REDEAL, Action, move, remove
from game.rules.notation import format_position, parse_line, parse_move, parse_position
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive
from tests.rules.mirror import move_of, plain, table
from tests.rules.strategies import endgames, numbers, part_plays, played, rule_keys

CODES = {
    errors.BadCard: "bad_card",
    errors.UnknownRules: "unknown_rules",
    errors.UnknownDeal: "unknown_deal",
    errors.GameOver: "game_over",
    errors.NotPlayable: "not_playable",
    errors.CardCovered: "card_covered",
    errors.PairCoversItself: "pair_covers_itself",
    errors.KingAlone: "king_alone",
    errors.NotThirteen: "not_thirteen",
    errors.StockEmpty: "stock_empty",
    errors.StockNotEmpty: "stock_not_empty",
    errors.WasteEmpty: "waste_empty",
    errors.NoRedealsLeft: "no_redeals_left",
    errors.NothingToUndo: "nothing_to_undo",
    errors.NothingToRewind: "nothing_to_rewind",
}

# Deal 1 after KD of the last row has gone and KS has been drawn: JD lies under 2H alone, 5H under
# 8C alone, KC under 3C and JD; nothing of the stock has been seen.
KD_GONE = (
    "8S/QDQC/9SADTS/3H2C9CAH/7CKC6C3D4D/9H3CJD5H8D9D/7H4C2H--8C8H3S"
    " 7STC2DAS5DACTD4SJS7D6D5CJC6H4HJHQSTH6S5S2SQHKH KS 1"
)
SEEN = frozenset(naive.least_seen(plain(table(KD_GONE, "classic"))))


def refusal(position: Position, wrong, seen=None) -> tuple[type, dict]:
    """The class and params of what a move gets, which must change nothing."""
    before = format_position(position)
    with pytest.raises(errors.RuleError) as refused:
        position.apply(wrong, seen)
    assert format_position(position) == before
    return type(refused.value), refused.value.params


def test_every_error_is_a_rule_error_with_its_code():
    for error, code in CODES.items():
        assert issubclass(error, errors.RuleError)
        assert error.code == code


# The cards of a removal, when they are named


@pytest.mark.parametrize(
    "cards",
    [
        ("XX",),
        ("1H",),
        ("10H",),
        ("6h",),
        ("H6",),
        ("",),
        ("6H", "7X"),
        ("??",),
        ("--",),
        ("6H", "6H"),
        ("KS", "KS"),
        (),
        ("6H", "7D", "KS"),
        (" 6H",),
    ],
)
def test_unknown_double_none_or_too_many_cards_are_bad_cards(cards):
    with pytest.raises(errors.BadCard):
        remove(*cards)
    with pytest.raises(errors.BadCard):
        move(Action.REMOVE, cards)


@pytest.mark.parametrize("text", ["", "X", "10", "1H", "6h", "6H ", "6H7D", "??", "d"])
def test_a_text_that_names_no_card_is_a_bad_card(text):
    with pytest.raises(errors.BadCard):
        parse_card(text)


def test_each_of_the_52_texts_names_its_card():
    assert [parse_card(text) for text in naive.CARDS] == naive.CARDS


@pytest.mark.parametrize("text", ["XX", "6H6H", "6H7D8C", "6H7", "", "D", "draw", "6h7d"])
def test_a_text_that_is_no_move_is_a_bad_card(text):
    with pytest.raises(errors.BadCard):
        parse_move(text)


def test_a_line_with_a_text_that_is_no_move_is_a_bad_card():
    with pytest.raises(errors.BadCard):
        parse_line("KD d XX")


# One fault alone


def test_a_removed_card_is_not_playable():
    wrong = refusal(table(KD_GONE, "classic"), remove("KD"))
    assert wrong == (errors.NotPlayable, {"card": "KD", "place": "removed"})


def test_a_card_below_the_top_of_the_waste_is_not_playable():
    wrong = refusal(table("9S - 4C5D 3", "classic"), remove("9S", "4C"))
    assert wrong == (errors.NotPlayable, {"card": "4C", "place": "waste"})


@pytest.mark.parametrize("key", ["classic", "blind"])
def test_the_top_of_a_face_down_stock_is_not_playable_though_it_was_seen(key):
    wrong = refusal(table("9S 4C5D - 1", key), remove("9S", "4C"))
    assert wrong == (errors.NotPlayable, {"card": "4C", "place": "stock"})


def test_a_card_below_the_top_of_a_face_up_stock_is_not_playable():
    wrong = refusal(table("9S 5D4C - 1", "open"), remove("9S", "4C"))
    assert wrong == (errors.NotPlayable, {"card": "4C", "place": "stock"})


def test_a_card_never_seen_is_not_playable_with_nothing_said_of_its_place():
    wrong = refusal(table(KD_GONE, "classic"), remove("TC", "3S"), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "TC"})


def test_a_covered_card_is_refused_with_its_coverers():
    wrong = refusal(table(KD_GONE, "classic"), remove("9H", "KS"))
    assert wrong == (errors.CardCovered, {"card": "9H", "coverers": ["7H", "4C"]})


def test_a_covered_card_names_only_the_coverer_that_is_left():
    wrong = refusal(table(KD_GONE, "classic"), remove("5H"))
    assert wrong == (errors.CardCovered, {"card": "5H", "coverers": ["8C"]})


def test_a_covered_king_alone_is_covered():
    wrong = refusal(table(KD_GONE, "classic"), remove("KC"))
    assert wrong == (errors.CardCovered, {"card": "KC", "coverers": ["3C", "JD"]})


@pytest.mark.parametrize("cards", [("JD", "2H"), ("2H", "JD")])
@pytest.mark.parametrize("key", ["classic", "open", "open-1", "strict"])
def test_a_pair_of_which_one_alone_covers_the_other_covers_itself(key, cards):
    wrong = refusal(table(KD_GONE, key), remove(*cards))
    assert wrong == (errors.PairCoversItself, {"cards": ["JD", "2H"]})


def test_a_pair_that_covers_itself_may_have_been_hidden_in_part_before_it_was_seen():
    wrong = refusal(table("AH/QS-- - - 1", "blind"), remove("AH", "QS"))
    assert wrong == (errors.PairCoversItself, {"cards": ["AH", "QS"]})


def test_a_pair_with_a_second_coverer_over_it_is_covered():
    wrong = refusal(table("AH/QSKD - - 1", "open"), remove("AH", "QS"))
    assert wrong == (errors.CardCovered, {"card": "AH", "coverers": ["QS", "KD"]})


def test_a_pair_of_which_one_covers_the_other_must_add_up_to_cover_itself():
    wrong = refusal(table("2H/QS-- - - 1", "open"), remove("2H", "QS"))
    assert wrong == (errors.CardCovered, {"card": "2H", "coverers": ["QS"]})


@pytest.mark.parametrize("key", ["overlap", "overlap-1"])
def test_where_pairs_overlap_a_wrong_pair_with_the_coverer_is_covered(key):
    wrong = refusal(table("2H/QS-- - - 1", key), remove("2H", "QS"))
    assert wrong == (errors.CardCovered, {"card": "2H", "coverers": ["QS"]})


def test_where_pairs_overlap_a_covered_card_with_another_partner_is_covered():
    wrong = refusal(table("AH/QS-- - QD 1", "overlap"), remove("AH", "QD"))
    assert wrong == (errors.CardCovered, {"card": "AH", "coverers": ["QS"]})


def test_where_pairs_overlap_a_pair_of_which_both_are_covered_is_covered():
    position = table("AH/QS--/2C---- - - 1", "overlap")
    for cards in (("AH", "QS"), ("QS", "AH")):
        error, params = refusal(position, remove(*cards))
        assert error is errors.CardCovered
        assert params in (
            {"card": "AH", "coverers": ["QS"]},
            {"card": "QS", "coverers": ["2C"]},
        )


def test_coverers_that_lie_face_down_are_unnamed():
    position = table("2H/4C5S/2D3DTC - - 1", "blind")
    wrong = refusal(position, remove("2H"))
    assert wrong == (errors.CardCovered, {"card": "2H", "coverers": ["??", "??"]})
    wrong = refusal(position, remove("4C"))
    assert wrong == (errors.CardCovered, {"card": "4C", "coverers": ["2D", "3D"]})
    wrong = refusal(table("2H/4C5S/2D---- - - 1", "blind"), remove("2H"))
    assert wrong == (errors.CardCovered, {"card": "2H", "coverers": ["??", "5S"]})


def test_coverers_that_lie_face_down_are_unnamed_even_when_they_were_seen():
    position = table("2H/4C5S/2D3DTC - - 1", "blind")
    wrong = refusal(position, remove("2H"), frozenset(naive.CARDS))
    assert wrong == (errors.CardCovered, {"card": "2H", "coverers": ["??", "??"]})


@pytest.mark.parametrize("cards", [("KS", "7H"), ("7H", "KS")])
def test_a_king_in_a_pair_goes_alone(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards))
    assert wrong == (errors.KingAlone, {"card": "KS"})


def test_two_kings_go_one_by_one():
    error, params = refusal(table("KH/KSKD - - 1", "classic"), remove("KS", "KD"))
    assert error is errors.KingAlone
    assert params["card"] in {"KS", "KD"}


def test_a_pair_that_does_not_add_up_is_refused_with_its_sum():
    wrong = refusal(table(KD_GONE, "classic"), remove("7H", "4C"))
    assert wrong == (errors.NotThirteen, {"cards": ["7H", "4C"], "values": [7, 4], "sum": 11})


def test_one_card_that_is_no_king_is_refused_with_its_value():
    wrong = refusal(table(KD_GONE, "classic"), remove("7H"))
    assert wrong == (errors.NotThirteen, {"cards": ["7H"], "values": [7], "sum": 7})


# Which of two faults comes first


def test_a_bad_card_comes_before_a_card_never_seen():
    with pytest.raises(errors.BadCard):
        table(KD_GONE, "classic").apply(remove("7S", "7S"), SEEN)


@pytest.mark.parametrize("wrong", ["2C", "3C", "TD", "KD", "2C3C", "2CTD", "d", "r"])
def test_the_end_of_the_game_comes_before_any_other_fault(wrong):
    won = table("KS TD3H 2C3C 1", "classic").apply(remove("KS"))
    for seen in (None, frozenset({"KS", "3C"})):
        assert refusal(won, parse_move(wrong), seen)[0] is errors.GameOver


@pytest.mark.parametrize("cards", [("7S", "KD"), ("KD", "7S")])
def test_a_card_never_seen_comes_before_a_removed_one(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "7S"})


@pytest.mark.parametrize("cards", [("7S", "9H"), ("9H", "7S")])
def test_a_card_never_seen_comes_before_a_covered_one(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "7S"})


@pytest.mark.parametrize("cards", [("7S", "KS"), ("KS", "7S")])
def test_a_card_never_seen_comes_before_a_king_in_a_pair(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "7S"})


@pytest.mark.parametrize("cards", [("7S", "7H"), ("7H", "7S"), ("7S",)])
def test_a_card_never_seen_comes_before_a_wrong_sum(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "7S"})


@pytest.mark.parametrize("cards", [("KD", "9H"), ("9H", "KD")])
def test_a_card_out_of_reach_comes_before_a_covered_one(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "KD", "place": "removed"})


@pytest.mark.parametrize("cards", [("KD", "7H"), ("7H", "KD")])
def test_a_card_out_of_reach_comes_before_a_king_in_a_pair(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.NotPlayable, {"card": "KD", "place": "removed"})


@pytest.mark.parametrize("cards", [("4C", "9S"), ("5H", "4C"), ("4C",)])
def test_a_card_out_of_reach_comes_before_a_wrong_sum(cards):
    wrong = refusal(table("9S/5H-- - 4C5D 3", "strict"), remove(*cards))
    assert wrong == (errors.NotPlayable, {"card": "4C", "place": "waste"})


@pytest.mark.parametrize("cards", [("9H", "KS"), ("KS", "9H")])
def test_a_covered_card_comes_before_a_king_in_a_pair(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.CardCovered, {"card": "9H", "coverers": ["7H", "4C"]})


@pytest.mark.parametrize("cards", [("KC", "7H"), ("7H", "KC")])
def test_a_covered_king_in_a_pair_is_covered(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.CardCovered, {"card": "KC", "coverers": ["3C", "JD"]})


@pytest.mark.parametrize("cards", [("JD", "4C"), ("4C", "JD"), ("JD",)])
def test_a_covered_card_comes_before_a_wrong_sum(cards):
    wrong = refusal(table(KD_GONE, "classic"), remove(*cards), SEEN)
    assert wrong == (errors.CardCovered, {"card": "JD", "coverers": ["2H"]})


@pytest.mark.parametrize("cards", [("KS", "AC"), ("AC", "KS")])
def test_a_king_in_a_pair_comes_before_a_wrong_sum(cards):
    wrong = refusal(table("9S/ACKS - - 1", "classic"), remove(*cards))
    assert wrong == (errors.KingAlone, {"card": "KS"})


# Draw and redeal


def test_an_empty_stock_has_nothing_to_draw():
    for waste in ("-", "2C"):
        assert refusal(table(f"9S/ACKS - {waste} 1", "classic"), DRAW)[0] is errors.StockEmpty


def test_a_redeal_of_a_stock_with_cards_is_refused():
    assert refusal(table("9S/ACKS 3C 2C 1", "classic"), REDEAL)[0] is errors.StockNotEmpty


def test_a_redeal_of_an_empty_waste_is_refused():
    assert refusal(table("9S/ACKS - - 1", "classic"), REDEAL)[0] is errors.WasteEmpty


@pytest.mark.parametrize("key", naive.TABLE)
def test_a_redeal_on_the_last_pass_is_refused(key):
    last = naive.RULE_SETS[key]["passes"]
    position = table(f"9S/ACKS - 2C {last}", key)
    assert refusal(position, REDEAL)[0] is errors.NoRedealsLeft
    if last > 1:
        assert table(f"9S/ACKS - 2C {last - 1}", key).apply(REDEAL).pass_number == last


def test_a_stock_with_cards_comes_before_an_empty_waste_and_the_last_pass():
    assert refusal(table("9S/ACKS 3C - 3", "classic"), REDEAL)[0] is errors.StockNotEmpty


def test_an_empty_waste_comes_before_the_last_pass():
    assert refusal(table("9S/ACKS - - 3", "classic"), REDEAL)[0] is errors.WasteEmpty


def test_a_stuck_game_still_gets_the_error_of_each_move():
    position = table("9S/AC-- - 2C3D 3", "classic")
    assert position.outcome.value == "stuck"
    assert refusal(position, DRAW)[0] is errors.StockEmpty
    assert refusal(position, REDEAL)[0] is errors.NoRedealsLeft
    assert refusal(position, remove("AC"))[0] is errors.NotThirteen


# All cards and pairs at once, against the naive's reading of the same text


@settings(max_examples=30)
@given(numbers, rule_keys, part_plays)
def test_every_wrong_removal_in_a_game_gets_the_answer_of_the_rules(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    seen = face_up(position)
    for action, _ in played(plain(position), play):
        position = position.apply(move_of(action), seen)
        seen = seen_with(seen, position)
    assert_answers_of_the_rules(position, seen)


@settings(max_examples=30)
@given(endgames())
def test_every_wrong_removal_in_an_endgame_gets_the_answer_of_the_rules(start):
    position = parse_position(naive.position_text(start), rule_set(start["key"]))
    assert_answers_of_the_rules(position, frozenset(naive.least_seen(start)))
    assert_answers_of_the_rules(position, frozenset(naive.CARDS))


@settings(max_examples=30)
@given(endgames(keys=["overlap", "overlap-1"]))
def test_every_wrong_removal_gets_the_answer_of_the_rules_where_pairs_overlap(start):
    position = parse_position(naive.position_text(start), rule_set(start["key"]))
    assert_answers_of_the_rules(position, frozenset(naive.least_seen(start)))


def assert_answers_of_the_rules(position: Position, seen: frozenset) -> None:
    if position.outcome.value == "won":
        return
    expected = plain(position)
    singles = [(card,) for card in naive.CARDS]
    for cards in [*singles, *combinations(naive.CARDS, 2)]:
        allowed = naive.refusals(expected, cards, seen)
        assert answer(position, cards, seen) in (allowed or [None])


def answer(position: Position, cards: tuple, seen: frozenset) -> tuple | None:
    """Code and params of what a removal gets, or None when it is made."""
    try:
        position.apply(remove(*cards), seen)
    except errors.RuleError as refused:
        return refused.code, refused.params
    return None


@settings(max_examples=30)
@given(numbers, rule_keys, part_plays)
def test_all_cards_never_seen_answer_alike_wherever_they_are(number, key, play):
    position = Position.deal(numbered_deck(number), rule_set(key))
    seen = face_up(position)
    for action, _ in played(plain(position), play):
        position = position.apply(move_of(action), seen)
        seen = seen_with(seen, position)
    if position.outcome.value == "won":
        return
    open_card = min(face_up(position))
    for card in sorted(set(naive.CARDS) - seen):
        for wrong in (remove(card), remove(card, open_card), remove(open_card, card)):
            assert refusal(position, wrong, seen) == (errors.NotPlayable, {"card": card})
