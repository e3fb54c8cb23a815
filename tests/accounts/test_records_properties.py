"""Whatever games a player plays: the record is what they add up to, and the logs say the same."""

from collections import defaultdict
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import Record, User
from accounts.services import records
from game.models import Game, Tier
from game.rules.moves import Action, Move
from game.rules.notation import parse_line
from game.rules.rulesets import RULE_SETS
from game.services import idle, play
from tests.accounts.playing import rows, winning_line

pytestmark = pytest.mark.django_db

DRAW = Move(Action.DRAW)
ENDS = ["win", "win", "win after an undo", "resign", "resign unmoved", "leave", "idle"]
ENDS += ["practise"]

games = st.lists(st.tuples(st.sampled_from(["overlap", "open"]), st.sampled_from(ENDS)), max_size=8)


class Player:
    """One who plays through the services, and keeps a list of the results that count."""

    def __init__(self) -> None:
        self.user = User.objects.create(username=f"p{uuid4().hex[:12]}", is_guest=True)
        self.results: dict[str, list[bool]] = defaultdict(list)
        self.wins: dict[str, list[tuple[int, int]]] = defaultdict(list)  # time, moves
        self.running: set[str] = set()  # where a game with a move was left

    def play(self, rules: str, end: str) -> None:
        if end == "practise":
            view, _ = play.start_numbered(player=self.user, rules=RULE_SETS[rules], number=7)
            self.move(view.game, DRAW)
            self.resign(view.game)
            return
        if rules in self.running:
            self.results[rules].append(False)
            self.running.discard(rules)
        view, _ = play.start_in_tier(player=self.user, rules=RULE_SETS[rules], tier=Tier.EASY)
        if end != "resign unmoved":
            self.move(view.game, DRAW)
        match end:
            case "win" | "win after an undo":
                self.win(view.game, rules, again=end != "win")
            case "leave":
                self.running.add(rules)
            case "idle":
                self.leave_alone(view.game)
                self.results[rules].append(False)
            case _:
                self.resign(view.game)
                self.results[rules] += [False] * (end == "resign")

    def move(self, game: Game, move: Move) -> None:
        play.move(game_id=game.pk, player=self.user, move=move)

    def win(self, game: Game, rules: str, *, again: bool) -> None:
        assert game.deal.number is not None
        play.undo(game_id=game.pk, player=self.user)
        line = parse_line(winning_line(rules, game.deal.number))
        if again:  # all but the end, and from the start once more
            for move in line[:-1]:
                self.move(game, move)
            play.restart(game_id=game.pk, player=self.user)
        for move in line:
            self.move(game, move)
        game.refresh_from_db()
        assert game.status == "won"
        self.results[rules].append(True)
        self.wins[rules].append((game.elapsed_ms, game.moves))

    def resign(self, game: Game) -> None:
        play.resign(game_id=game.pk, player=self.user)

    def leave_alone(self, game: Game) -> None:
        Game.objects.exclude(pk=game.pk).filter(status="playing").update(
            last_entry_at=timezone.now() + timedelta(days=9)  # the others are looked after
        )
        with time_machine.travel(timezone.now() + timedelta(days=8)):
            assert sum(idle.close_idle()) == 1

    def expected(self) -> list[dict[str, object]]:
        return [self.row(rules) for rules in sorted(self.results) if self.results[rules]]

    def row(self, rules: str) -> dict[str, object]:
        won = "".join("w" if result else " " for result in self.results[rules])
        wins = self.wins[rules]
        fewest = min((moves for _, moves in wins), default=None)
        return {
            "player_id": self.user.pk,
            "rules_key": rules,
            "tier": "easy",
            "played": len(won),
            "won": won.count("w"),
            "current_streak": len(won) - len(won.rstrip("w")),
            "best_streak": max(map(len, won.split()), default=0),
            "fastest_win_ms": min((time for time, _ in wins), default=None),
            "fewest_moves": fewest,
        }


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games)
@example([("overlap", "win"), ("overlap", "leave"), ("open", "idle"), ("overlap", "win")])
@example([("open", "resign unmoved"), ("open", "practise")])
def test_a_record_is_what_the_games_add_up_to(db: None, played: list[tuple[str, str]]) -> None:
    player = Player()
    for rules, end in played:
        player.play(rules, end)
    kept = rows(player.user)
    assert [
        {name: row[name] for name in row if name != "best_against_par"} for row in kept
    ] == player.expected()
    assert records.rebuild(player.user) == []
    Record.objects.all().delete()
    records.rebuild(player.user)
    assert rows(player.user) == kept
