"""Dailies as tests play them."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import time_machine

from game.models import Game
from game.rules.notation import format_line
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from leaderboards.days import Day
from leaderboards.services import days
from solver.search import decide
from tests.caller import Caller, Table

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TODAY = Day.at(NOON)
DAY = "daily/classic/2026-12-01/"
BOARD = f"{DAY}board/"


def start(caller: Caller, rules: str = "classic") -> Table:
    """The caller's game of today's daily."""
    answer = caller.post(f"daily/{rules}/games/")
    assert answer.status_code in (200, 201), answer.content
    return Table(caller, answer.json()["id"])


def winning_line(table: Table) -> str:
    """From the deal; a daily has one. Of each game it is as long as the solver likes."""
    game = Game.objects.select_related("deal").get(pk=table.id)
    assert game.deal.seed is not None
    assert game.deal.attempt is not None
    return _line(game.deal.seed, game.deal.attempt, game.rules_key)


@cache
def _line(seed: str, attempt: int, rules_key: str) -> str:
    from game.models import Deal

    deck = Deal(seed=seed, attempt=attempt).deck
    line = decide(Position.deal(deck, RULE_SETS[rules_key])).line
    assert line is not None
    return format_line(line)


def win(table: Table, clock: time_machine.Traveller, *, seconds: int = 300) -> dict[str, Any]:
    """Plays to the end, which comes so many seconds after now."""
    moves = winning_line(table).split()
    table.play(" ".join(moves[:-1]))
    clock.shift(timedelta(seconds=seconds))
    state: dict[str, Any] = table.play(moves[-1]).json()
    assert state["status"] == "won"
    return state


def give_up(table: Table) -> dict[str, Any]:
    state: dict[str, Any] = table.change("resignations").json()
    return state


def board(caller: Caller, address: str = BOARD, **query: Any) -> Any:
    answer = caller.get(address, **query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def today(rules: str = "classic") -> Any:
    """The daily itself, as the database has it."""
    return days.daily(rules=RULE_SETS[rules], day=TODAY, today=TODAY)
