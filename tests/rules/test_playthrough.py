"""A game as its player goes through it: moves, undos, what was seen, the way back from a lock."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.deals import numbered_deck
from game.rules.errors import NothingToRewind, NothingToUndo, RuleError
from game.rules.knowledge import face_up
from game.rules.moves import DRAW, REDEAL, remove
from game.rules.notation import parse_line
from game.rules.playthrough import Playthrough
from game.rules.position import Position
from game.rules.rulesets import rule_set
from tests.rules import naive
from tests.rules.mirror import move_of, plain
from tests.rules.strategies import numbers, played, plays, rule_keys

OPEN_FACED = [key for key, rules in naive.RULE_SETS.items() if not rules["face down"]]


def start(number: int, key: str) -> Playthrough:
    return Playthrough.start(numbered_deck(number), rule_set(key))


def after(number: int, key: str, line: str) -> Playthrough:
    playthrough = start(number, key)
    for move in parse_line(line):
        playthrough = playthrough.play(move)
    return playthrough


def moves_of(number: int, key: str, play: bytes) -> list:
    return [move_of(a) for a, _ in played(naive.deal(naive.numbered_deck(number), key), play)]


def test_a_playthrough_starts_at_its_deal():
    playthrough = start(1, "open")
    assert playthrough.position == Position.deal(numbered_deck(1), rule_set("open"))
    assert (playthrough.line, playthrough.moves, playthrough.undos) == ((), 0, 0)
    assert playthrough.seen == face_up(playthrough.position)


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_a_replay_comes_to_where_the_moves_came_one_by_one(number, key, play):
    playthrough, position = start(number, key), start(number, key).position
    line = moves_of(number, key, play)
    for count, move in enumerate(line, 1):
        playthrough, position = playthrough.play(move), position.apply(move)
        assert playthrough.position == position
        assert (playthrough.moves, playthrough.undos) == (count, 0)
    assert playthrough.line == tuple(line)


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_undo_goes_back_the_whole_way_over_draws_and_redeals(number, key, play):
    playthrough, positions = start(number, key), []
    for move in moves_of(number, key, play):
        positions.append(playthrough.position)
        playthrough = playthrough.play(move)
    moves = len(positions)
    while positions and playthrough.position.outcome.value != "won":
        playthrough = playthrough.undo()
        assert playthrough.position == positions.pop()
        assert playthrough.line == tuple(playthrough.line[: len(positions)])
        assert playthrough.moves == moves
        assert playthrough.undos == moves - len(positions)


@settings(max_examples=30)
@given(numbers, rule_keys, plays, plays)
def test_moves_and_undos_in_any_order_lead_where_their_line_leads(number, key, play, undos):
    playthrough = start(number, key)
    trail, seen, counts = [playthrough.position], playthrough.seen, [0, 0]
    for byte, undo in zip(play, undos, strict=False):
        actions = naive.legal_actions(plain(playthrough.position))
        if playthrough.position.outcome.value == "won":
            break
        if len(trail) > 1 and (undo % 3 == 0 or not actions):
            playthrough = playthrough.undo()
            trail.pop()
            counts[1] += 1
        else:
            move = move_of(actions[byte % len(actions)])
            playthrough = playthrough.play(move)
            trail.append(trail[-1].apply(move))
            seen |= face_up(playthrough.position)
            counts[0] += 1
        assert playthrough.position == trail[-1]
        assert playthrough.seen == seen
        assert [playthrough.moves, playthrough.undos] == counts
    replayed = start(number, key)
    for move in playthrough.line:
        replayed = replayed.play(move)
    assert replayed.position == playthrough.position


def test_an_undone_pair_comes_back_whole():
    before = after(1, "overlap", "KD d")
    assert before.play(remove("JD", "2H")).undo().position == before.position


def test_an_undone_redeal_takes_the_pass_counter_back():
    before = after(1, "classic", " ".join("d" * 24))
    redealt = before.play(REDEAL)
    assert redealt.position.pass_number == 2
    assert redealt.undo().position == before.position
    assert redealt.undo().position.pass_number == 1


def test_there_is_nothing_to_undo_at_the_deal():
    with pytest.raises(NothingToUndo) as refused:
        start(1, "classic").undo()
    assert refused.value.code == "nothing_to_undo"
    with pytest.raises(NothingToUndo):
        after(1, "classic", "KD").undo().undo()


def test_a_restart_returns_to_the_deal_as_one_undo():
    playthrough = after(1, "classic", "KD d d").restart()
    assert playthrough.position == start(1, "classic").position
    assert (playthrough.line, playthrough.moves, playthrough.undos) == ((), 3, 1)


def test_a_restart_forgets_nothing_that_was_seen():
    before = after(1, "classic", "KD d d")
    assert before.restart().seen == before.seen >= {"KS", "7S"}


def test_going_back_several_moves_counts_as_one_undo():
    playthrough = after(1, "classic", "KD d d").back_to(1)
    assert playthrough.position == after(1, "classic", "KD").position
    assert (playthrough.line, playthrough.moves, playthrough.undos) == ((remove("KD"),), 3, 1)


def test_a_refused_move_changes_nothing():
    playthrough = after(1, "classic", "KD d")
    with pytest.raises(RuleError):
        playthrough.play(remove("7H", "4C"))
    assert playthrough == after(1, "classic", "KD d")


def test_a_refused_move_tells_nothing_of_an_unseen_card():
    for wrong in ("7S", "TC", "KH"):
        with pytest.raises(RuleError) as refused:
            after(1, "classic", "KD d").play(remove(wrong))
        assert (refused.value.code, refused.value.params) == ("not_playable", {"card": wrong})


def test_a_card_seen_before_an_undo_is_still_known():
    undone = after(1, "classic", "d d").undo()
    with pytest.raises(RuleError) as refused:
        undone.play(remove("7S"))
    assert refused.value.params == {"card": "7S", "place": "stock"}


# Locks


def shown(playthrough: Playthrough) -> dict:
    return {lock.card: since_start for lock, since_start in playthrough.locks()}


def test_a_lock_of_the_deal_itself_is_since_the_start():
    assert shown(start(29, "classic")) == {"3C": True}
    assert shown(after(29, "classic", "KD d")) == {"3C": True}


def test_a_lock_of_the_deal_itself_leaves_nothing_to_rewind():
    with pytest.raises(NothingToRewind) as refused:
        after(29, "classic", "KD d").moves_before_lock()
    assert refused.value.code == "nothing_to_rewind"


def test_without_a_lock_there_is_nothing_to_rewind():
    for playthrough in (start(1, "classic"), after(1, "classic", "KD d")):
        assert playthrough.locks() == ()
        with pytest.raises(NothingToRewind):
            playthrough.moves_before_lock()


def test_the_rewind_goes_to_just_before_the_move_that_locked_a_card():
    locked = after(78, "overlap", "d 6D7C d d")
    assert shown(locked) == {"7S": False}
    assert locked.moves_before_lock() == 1
    rewound = locked.back_to(1)
    assert rewound.position == after(78, "overlap", "d").position
    assert rewound.locks() == ()
    assert rewound.undos == 1


def whole(number: int, key: str, play: bytes) -> tuple[Playthrough, list[dict]]:
    """A game to its end, with the naive's position at the deal and after each move."""
    playthrough = start(number, key)
    trail = [plain(playthrough.position)]
    for move in moves_of(number, key, play):
        playthrough = playthrough.play(move)
        trail.append(plain(playthrough.position))
    return playthrough, trail


@settings(max_examples=30)
@given(numbers, st.sampled_from(OPEN_FACED), plays)
def test_the_first_move_that_locked_a_card_is_found_in_any_game(number, key, play):
    playthrough, trail = whole(number, key, play)
    found = [set(naive.locked_cards(position, playthrough.seen)) for position in trail]
    assert shown(playthrough) == {card: card in found[0] for card in found[-1]}
    made = [count for count, cards in enumerate(found) if cards - found[0]]
    if made:
        assert playthrough.moves_before_lock() == made[0] - 1
    else:
        with pytest.raises(NothingToRewind):
            playthrough.moves_before_lock()


@settings(max_examples=30)
@given(numbers, rule_keys, plays)
def test_after_the_rewind_no_lock_shows_that_the_deal_did_not_make(number, key, play):
    playthrough, trail = whole(number, key, play)
    locks = shown(playthrough)
    assert set(locks) == set(naive.locked_cards(trail[-1], playthrough.seen))
    if not all(locks.values()):
        rewound = playthrough.back_to(playthrough.moves_before_lock())
        assert all(shown(rewound).values())
        again = rewound.play(playthrough.line[len(rewound.line)])
        assert not all(shown(again).values())


def test_drawing_locks_nothing():
    playthrough = start(1, "classic")
    for _ in range(24):
        playthrough = playthrough.play(DRAW)
    assert playthrough.locks() == ()
