from game.rules.layout import CONE, COVERERS, slot_at
from tests.rules import naive
from tests.rules.mirror import SLOTS


def test_slots_are_numbered_row_by_row_from_the_apex():
    assert [slot_at(*slot) for slot in SLOTS] == list(range(28))


def test_a_slot_is_covered_by_the_two_below_it():
    for slot in SLOTS:
        expected = {slot_at(*coverer) for coverer in naive.coverers(slot)}
        assert set(COVERERS[slot_at(*slot)]) == expected
        assert len(COVERERS[slot_at(*slot)]) == len(expected)


def test_nothing_covers_the_last_row():
    assert all(COVERERS[slot_at(7, column)] == () for column in range(1, 8))


def test_the_cone_is_all_that_must_go_first():
    for slot in SLOTS:
        assert CONE[slot_at(*slot)] == {slot_at(*under) for under in naive.cone(slot)}


def test_the_cone_of_the_apex_is_the_rest_of_the_pyramid():
    assert CONE[0] == frozenset(range(1, 28))
