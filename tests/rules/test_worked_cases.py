"""Cases worked by hand, with their positions as text."""

import pytest

from game.rules.errors import NotPlayable, NotThirteen, PairCoversItself
from game.rules.knowledge import face_up, seen_with
from game.rules.layout import slot_at
from game.rules.moves import DRAW, REDEAL, remove
from game.rules.notation import format_position, parse_line
from tests.rules.mirror import legal, table

# The last row is KS 6H 3C 7D TS QH 9C and AD lies on top of the stock.
LAST_ROW = "2H/4C5S/2D4D8H/5C9HJD7C/TC2C8CJS4H/6CQD3H9DKH5D/KS6H3C7DTSQH9C AD2SJC - 1"

# Three cards and three below them on the last pass: 5H and 8C lie open, on 9S.
LAST_PASS = "9S/5H8C - 4C5D8D 3"

# The last row is 5C 9S 5D after a gap; above 5C alone lies JC, above 9S and 5D lies QC.
HIDDEN = "2H/4C5S/2D4D8C/5H9HJD7C/TC2C8SJS4H/JC3DQC9DKH6D/--5C9S5DTSQH9C 2SJH 8H 1"

# AH lies under QS alone.
ACE_UNDER_QUEEN = "4C/5S8S/2D4D8H/5C9HJD7C/TC2C8CJS4H/AH3DKD9DKH6D/--QS3C7DTSQH9C 2SJC - 1"


def test_in_the_last_row_the_legal_moves_are_the_king_two_pairs_and_the_draw():
    position = table(LAST_ROW, "classic")
    pairs = {("remove", "6H", "7D"), ("remove", "3C", "TS")}
    assert legal(position) == {("remove", "KS"), ("draw",), *pairs}


def test_a_king_goes_alone():
    position = table(LAST_ROW, "classic").apply(remove("KS"))
    assert position.pyramid[slot_at(7, 1)] is None
    assert position.removed == 1


def test_six_goes_with_nothing_but_the_seven():
    partners = {a[1:] for a in legal(table(LAST_ROW, "classic")) if "6H" in a}
    assert partners == {("6H", "7D")}


def test_queen_and_nine_are_refused_with_their_sum():
    with pytest.raises(NotThirteen) as refused:
        table(LAST_ROW, "classic").apply(remove("QH", "9C"))
    assert refused.value.params == {"cards": ["QH", "9C"], "values": [12, 9], "sum": 21}


def test_three_and_ten_go_together():
    position = table(LAST_ROW, "classic").apply(remove("3C", "TS"))
    assert position.pyramid[slot_at(7, 3)] is position.pyramid[slot_at(7, 5)] is None
    assert position.removed == 2


def test_the_ace_on_the_stock_waits_for_a_draw_where_the_stock_is_face_down():
    position = table(LAST_ROW, "classic")
    with pytest.raises(NotPlayable):
        position.apply(remove("QH", "AD"))
    drawn = position.apply(DRAW)
    assert drawn.waste == ("AD",)
    assert drawn.apply(remove("QH", "AD")).waste == ()


def test_the_ace_on_the_stock_is_playable_where_the_stock_is_face_up():
    position = table(LAST_ROW, "open").apply(remove("QH", "AD"))
    assert position.stock == ("2S", "JC")
    assert position.waste == ()


def test_the_tops_of_stock_and_waste_go_together_where_the_stock_is_face_up():
    text = "KS/5H8C QD2S 3CAC 1"
    assert ("remove", "AC", "QD") in legal(table(text, "open"))
    assert table(text, "open").apply(remove("AC", "QD")).waste == ("3C",)
    assert ("remove", "AC", "QD") not in legal(table(text, "classic"))


def test_a_king_on_a_pile_goes_alone():
    assert ("remove", "KD") in legal(table("KS/5H8C 2S KD 1", "classic"))
    assert ("remove", "KD") in legal(table("KS/5H8C KD - 1", "open"))
    assert ("remove", "KD") not in legal(table("KS/5H8C KD - 1", "classic"))


def test_two_waste_cards_never_go_together():
    assert legal(table("KS/5H8H - 6C7D 3", "strict")) == {("remove", "5H", "8H")}


def test_the_obvious_pair_first_ends_stuck():
    position = table(LAST_PASS, "classic").apply(remove("5H", "8C"))
    assert position.legal_moves() == ()
    assert position.outcome.value == "stuck"


def test_the_pairs_with_the_waste_win():
    position = table(LAST_PASS, "classic")
    for move in parse_line("5H8D 8C5D 9S4C"):
        assert position.outcome.value == "playing"
        position = position.apply(move)
    assert position.outcome.value == "won"
    assert position.removed == 28


def test_a_redeal_that_helps_nobody_is_still_no_stuck_game():
    position = table("9S/5H2C - 3D 2", "classic")
    assert position.outcome.value == "playing"
    assert legal(position) == {("redeal",)}
    position = position.apply(REDEAL)
    assert (position.stock, position.waste, position.pass_number) == (("3D",), (), 3)
    assert position.apply(DRAW).outcome.value == "stuck"


def test_a_cleared_pyramid_wins_whatever_is_left_in_stock_and_waste():
    for key in ("classic", "blind", "open", "overlap"):
        position = table("9S - 2C4C 1" if key == "blind" else "9S 3D 2C4C 1", key)
        position = position.apply(remove("9S", "4C"))
        assert position.outcome.value == "won"
        assert position.legal_moves() == ()


def test_a_cleared_pyramid_does_not_end_a_strict_game():
    position = table("9S TD 2C3C4C 1", "strict").apply(remove("9S", "4C"))
    assert position.removed == 28
    assert position.outcome.value == "playing"
    assert legal(position) == {("remove", "3C", "TD"), ("draw",)}


def test_a_strict_game_is_won_when_all_cards_are_gone():
    position = table("9S TD 3C4C 1", "strict")
    for move in parse_line("9S4C 3CTD"):
        position = position.apply(move)
    assert position.outcome.value == "won"


def test_a_strict_game_with_cards_left_and_nothing_to_do_is_stuck():
    position = table("KS - 6C7D 3", "strict").apply(remove("KS"))
    assert position.outcome.value == "stuck"


def test_the_hidden_card_above_turns_up_once_nothing_covers_it():
    before = table(HIDDEN, "blind")
    assert "JC" not in face_up(before)
    after = before.apply(remove("8H", "5C"))
    assert "JC" in face_up(after)
    assert face_up(after) - face_up(before) == {"JC"}


def test_the_hidden_card_above_stays_hidden_under_the_nine():
    before = table(HIDDEN, "blind")
    after = before.apply(remove("8H", "5D"))
    assert "QC" not in face_up(after)
    assert face_up(after) - face_up(before) == set()


def test_what_has_been_seen_stays_seen():
    before = table(HIDDEN, "blind")
    after = before.apply(remove("8H", "5C"))
    seen = seen_with(face_up(before), after)
    assert seen == face_up(before) | {"JC"}
    assert seen_with(seen, before) == seen


def test_the_stock_shows_its_top_only_where_it_is_playable():
    assert "AD" in face_up(table(LAST_ROW, "open"))
    assert "AD" not in face_up(table(LAST_ROW, "classic"))
    assert not {"2S", "JC"} & face_up(table(LAST_ROW, "open"))


def test_the_waste_shows_its_top_alone():
    assert face_up(table("9S - 2C4C 1", "classic")) == {"9S", "4C"}


def test_covered_cards_are_face_up_but_in_blind():
    assert face_up(table("9S/5H8C - - 1", "classic")) == {"9S", "5H", "8C"}
    assert face_up(table("9S/5H8C - - 1", "blind")) == {"5H", "8C"}


def test_an_ace_under_its_own_queen_cannot_go_with_it():
    with pytest.raises(PairCoversItself) as refused:
        table(ACE_UNDER_QUEEN, "open").apply(remove("AH", "QS"))
    assert refused.value.params == {"cards": ["AH", "QS"]}


def test_an_ace_under_its_own_queen_goes_with_it_where_pairs_overlap():
    position = table(ACE_UNDER_QUEEN, "overlap")
    assert ("remove", "AH", "QS") in legal(position)
    after = position.apply(remove("QS", "AH"))
    assert after.pyramid[slot_at(6, 1)] is after.pyramid[slot_at(7, 2)] is None
    assert after.removed == position.removed + 2


def test_an_ace_under_its_own_queen_pairs_with_no_other_queen():
    involved = {a for a in legal(table(ACE_UNDER_QUEEN, "overlap")) if "AH" in a}
    assert involved == {("remove", "AH", "QS")}


def test_an_overlap_pair_needs_its_upper_card_exposed():
    assert not any("AH" in a for a in legal(table("AH/QS--/2C---- - - 1", "overlap")))


def test_an_overlap_pair_needs_all_other_coverers_gone():
    assert not any("AH" in a for a in legal(table("AH/QSKD - - 1", "overlap")))


def test_won_positions_are_written_without_a_pyramid():
    text = format_position(table("9S - 4C 1", "classic").apply(remove("9S", "4C")))
    assert text == "/".join("--" * row for row in range(1, 8)) + " - - 1"
