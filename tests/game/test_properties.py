"""Whatever is done to a game: its row is what its log adds up to, and each answer is its state."""

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from game import presentation
from game.models import Game, Kind
from game.rules.cards import DECK
from game.rules.errors import RuleError
from game.rules.moves import Action, Move
from game.rules.rulesets import RULE_SETS
from game.services import play
from game.view import View
from tests.caller import Caller
from tests.game.ranked import player_of, ranked_game

pytestmark = pytest.mark.django_db

STEPS = ["legal"] * 8 + ["draw", "redeal", "remove", "undo", "undo", "rewind", "restart"]
STEPS += ["pause", "go on", "legal again"]

games = st.tuples(st.sampled_from(list(RULE_SETS)), st.integers(1, 2**32 - 1))
plays = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 51)), min_size=5, max_size=40)


class Play:
    """One game that is changed through the service and looked at after each change."""

    def __init__(self, caller: Caller, game_id: str) -> None:
        self.who = {"player": player_of(caller), "game_id": game_id}
        self.game_id = game_id
        self.view = self.fresh()
        self.count = 0

    def fresh(self) -> View:
        game = Game.objects.select_related("deal").get(pk=self.game_id)
        return View(game, game.ledger(), game.started_at)

    def take(self, step: str, choice: int) -> None:
        """The change of a step; a refused one leaves all as it is."""
        before = Game.objects.values().get(pk=self.game_id)
        try:
            view = self.change(step, choice)
        except RuleError:
            assert Game.objects.values().get(pk=self.game_id) == before
            return
        assert view.ledger.version == before["version"] + 1
        self.check(view)

    def change(self, step: str, choice: int) -> View:
        match step:
            case "undo":
                return play.undo(**self.who)
            case "rewind":
                return play.rewind(to=play.Rewind.LOCK, **self.who)
            case "restart":
                return play.restart(**self.who)
            case "pause" | "go on":
                return play.pause(paused=step == "pause", **self.who)
            case "resign":
                return play.resign(**self.who)
            case _:
                return self.move(self.chosen(step, choice))

    def move(self, move: Move) -> View:
        self.count += 1
        return play.move(move=move, client_move_id=f"move-{self.count}", **self.who)

    def chosen(self, step: str, choice: int) -> Move:
        legal = self.fresh().ledger.play.position.legal_moves()
        if step.startswith("legal") and legal:
            return legal[choice % len(legal)]
        if step == "remove":
            return Move(Action.REMOVE, (DECK[choice], DECK[(choice * 7 + 1) % 52]))
        return Move(Action.REDEAL if step == "redeal" else Action.DRAW)

    def check(self, view: View) -> None:
        """The row, the log replayed and the answer all say the same."""
        fresh = self.fresh()
        entries = [entry.entry for entry in fresh.game.entries.order_by("seq")]
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert fresh.ledger == fresh.game.start_ledger().replay(entries)
        assert fresh.ledger == view.ledger
        assert self.state(View(fresh.game, fresh.ledger, view.at)) == self.state(view)
        position = fresh.ledger.play.position
        assert len(set(position.stock + position.waste)) == len(position.stock + position.waste)
        assert position.pass_number <= position.rules.passes

    def state(self, view: View) -> dict[str, Any]:
        return presentation.state(view)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(games, plays)
@example(("classic", 10), [("legal", 0)] * 30 + [("rewind", 0), ("undo", 0), ("legal", 0)])
@example(("blind", 1), [("draw", 0)] * 25 + [("legal", 0), ("resign", 0), ("undo", 0)])
@example(("open-1", 7), [("pause", 0), ("draw", 0), ("go on", 0), ("undo", 0), ("restart", 0)])
def test_the_row_is_what_the_log_adds_up_to_after_each_change(
    db: None, game: tuple[str, int], steps: list[tuple[str, int]]
) -> None:
    rules, number = game
    player = Caller.guest()
    play = Play(player, player.deal(rules, number).id)
    for step, choice in steps:
        play.take(step, choice)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(list(Kind)[1:]), st.sampled_from(list(RULE_SETS)), plays)
def test_a_ranked_row_is_what_its_log_adds_up_to(
    db: None, kind: Kind, rules: str, steps: list[tuple[str, int]]
) -> None:
    caller = Caller.guest()
    play = Play(caller, ranked_game(caller, kind, rules).id)
    for step, choice in steps:
        play.take(step, choice)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(games, plays)
def test_every_repeated_id_is_answered_as_it_was_first(
    db: None, game: tuple[str, int], steps: list[tuple[str, int]]
) -> None:
    rules, number = game
    table = Caller.guest().deal(rules, number)
    play = Play(table.caller, table.id)
    first = {}
    for at, (step, choice) in enumerate(steps):
        if step.startswith("legal"):
            move = play.chosen(step, choice)
            body = {"action": move.action, "cards": list(move.cards), "client_move_id": str(at)}
            answer = table.change("moves", **body)
            if answer.status_code == 200:
                first[at] = (body, answer.json())
        else:
            play.take(step, choice)
    for body, answer in first.values():
        assert table.change("moves", **body).json() == answer
