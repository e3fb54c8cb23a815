"""The fair hint: it knows what its player has seen, and says what it is sure of."""

from dataclasses import replace
from random import Random

import pytest

from game.rules.cards import Card
from game.rules.deals import LAST_NUMBER, numbered_deck
from game.rules.knowledge import face_up
from game.rules.moves import DRAW
from game.rules.playthrough import Playthrough
from game.rules.position import Outcome, Position
from game.rules.rulesets import RULE_SETS
from solver.estimate import Certainty, Reason, hint
from solver.search import Verdict, decide
from tests.rules.mirror import table
from tests.solver.games import chosen

FEW = {"samples": 6, "sample_nodes": 300}


def played(key: str, seed: int, moves: int) -> Playthrough:
    """A random game so many moves on, or the last position of it that is not its end."""
    random = Random(f"{key} {seed}")
    play = Playthrough.start(numbered_deck(random.randint(1, LAST_NUMBER)), RULE_SETS[key])
    for _ in range(moves):
        after = play.play(chosen(play.position.legal_moves(), random))
        if after.position.outcome is not Outcome.PLAYING:
            break
        play = after
    return play


def dealt_anew(position: Position, seen: frozenset[Card], random: Random) -> Position:
    """The same game to its player: the cards not seen lie elsewhere."""
    slots = [slot for slot, card in enumerate(position.pyramid) if card and card not in seen]
    places = [place for place, card in enumerate(position.stock) if card not in seen]
    hidden = [position.pyramid[slot] for slot in slots] + [position.stock[n] for n in places]
    random.shuffle(hidden)
    pyramid, stock = list(position.pyramid), list(position.stock)
    for slot in slots:
        pyramid[slot] = hidden.pop()
    for place in places:
        stock[place] = hidden.pop()
    return replace(position, pyramid=tuple(pyramid), stock=tuple(stock))


@pytest.mark.parametrize("key", RULE_SETS)
def test_games_that_look_the_same_get_the_same_hint(key: str) -> None:
    random = Random(key)
    differ = 0
    for seed in range(6):
        play = played(key, seed, 4 * seed)
        found = hint(play.position, play.seen, **FEW)
        for _ in range(2):
            other = dealt_anew(play.position, play.seen, random)
            differ += other != play.position
            assert hint(other, play.seen, **FEW) == found
    assert differ >= 4


@pytest.mark.parametrize("key", RULE_SETS)
def test_lost_is_said_only_of_games_that_no_order_wins(key: str) -> None:
    random = Random(key)
    said = 0
    for seed in range(40):
        play = played(key, seed, 30 + seed)
        found = hint(play.position, play.seen, **FEW)
        if found.reason is Reason.LOST:
            said += 1
            assert (found.certainty, found.move, found.win_chance) == (Certainty.PROVEN, None, 0.0)
            for _ in range(8):
                other = dealt_anew(play.position, play.seen, random)
                assert decide(other).verdict is Verdict.UNWINNABLE
    assert said >= (0 if RULE_SETS[key].covered_face_down else 3)


@pytest.mark.parametrize("key", [key for key, rules in RULE_SETS.items() if rules.passes > 1])
def test_once_every_card_has_been_seen_the_hint_is_exact(key: str) -> None:
    reasons = set()
    for seed in range(60):
        play = played(key, seed, 45)
        if play.position.pass_number == 1:
            continue
        found = hint(play.position, play.seen)
        verdict = decide(play.position).verdict
        assert found.certainty is Certainty.PROVEN
        reasons.add(found.reason)
        if verdict is Verdict.UNWINNABLE:
            assert found.reason is Reason.LOST
            assert found.move is None
        else:
            assert found.reason is Reason.WINS
            assert found.move is not None
            after = play.position.apply(found.move)
            assert decide(after).verdict is Verdict.WINNABLE
    assert reasons == {Reason.LOST, Reason.WINS}


# 8C leaves with 5H once AC has left with QC. Nothing pairs with JC: in the last pass it seals what
# lies under it. So of the six orders of the stock one is lost: 5H, JC, QC.
LAST_PASS = "8C/AC-- {} - 3"


@pytest.mark.parametrize(
    ("stock", "reason", "chance"),
    [("5HJCQC", Reason.LOST, 0.0), ("5HQCJC", Reason.WINS, 1.0), ("QCJC5H", Reason.WINS, 1.0)],
)
def test_with_one_card_unseen_its_place_is_known(stock: str, reason: Reason, chance: float) -> None:
    position = table(LAST_PASS.format(stock), "classic")
    for unseen in position.stock:
        found = hint(position, face_up(position).union(position.stock) - {unseen})
        assert (found.reason, found.certainty) == (reason, Certainty.PROVEN)
        assert found.win_chance == chance


@pytest.mark.parametrize("stock", ["5HJCQC", "QC5HJC"])
def test_a_chance_is_the_share_of_orders_that_win(stock: str) -> None:
    position = table(LAST_PASS.format(stock), "classic")
    found = hint(position, face_up(position), samples=300)
    assert (found.move, found.reason, found.certainty) == (
        DRAW,
        Reason.BEST_CHANCE,
        Certainty.ESTIMATED,
    )
    assert found.win_chance == pytest.approx(5 / 6, abs=0.08)


def test_a_game_in_which_nothing_can_move_is_stuck() -> None:
    position = table("8C - 7C 1", "blind")
    assert position.outcome is Outcome.STUCK
    found = hint(position, face_up(position))
    assert (found.move, found.reason, found.certainty) == (None, Reason.STUCK, Certainty.PROVEN)


def test_a_lock_is_a_proven_loss() -> None:
    position = table("8C/5C5D/5H5STC JCQC - 1", "classic")
    found = hint(position, face_up(position))
    assert (found.move, found.reason, found.certainty) == (None, Reason.LOST, Certainty.PROVEN)


@pytest.mark.parametrize("key", RULE_SETS)
def test_without_a_budget_it_suggests_plainly_and_never_says_lost(key: str) -> None:
    for seed in range(8):
        play = played(key, seed, 6 * seed)
        found = hint(play.position, play.seen, samples=2, sample_nodes=0, exact_nodes=0)
        if found.certainty is Certainty.HEURISTIC:
            assert found.reason is Reason.PLAIN
            assert found.move in play.position.legal_moves()
            assert found.win_chance is None
        elif found.reason is Reason.LOST:
            assert decide(play.position).verdict is Verdict.UNWINNABLE


@pytest.mark.parametrize("key", RULE_SETS)
def test_what_it_suggests_can_be_played(key: str) -> None:
    for seed in range(10):
        play = played(key, seed, 5 * seed)
        found = hint(play.position, play.seen, **FEW)
        assert found.move is None or found.move in play.position.legal_moves()
        if found.certainty is Certainty.ESTIMATED:
            assert found.win_chance is not None
            assert 0 < found.win_chance < 1
