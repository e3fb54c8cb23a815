"""Changes for which no row is held, where each process has at hand what it has last written."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.errors import GameNotFound
from game.models import Game, LogEntry
from game.rules.moves import Action, Move
from game.services import change, play, recent
from game.services.handover import bring_along
from game.services.log import Draft, Made, enter_unheld
from game.view import View
from tests.caller import Caller, Table, assert_problem
from tests.game.lines import WON
from tests.game.ranked import player_of
from tests.game.test_at_once import assert_logs_are_right
from tests.game.test_properties import Play, games, plays

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


class Process:
    """A server process, of which there is only what it remembers."""

    def __init__(self) -> None:
        self.games: OrderedDict[Any, Any] = OrderedDict()

    @contextmanager
    def asked(self) -> Iterator[None]:
        with patch.object(recent, "_games", self.games):
            yield


class Between(Play):
    """A game whose changes are each made by the process that the step's number chooses."""

    def __init__(self, caller: Caller, game_id: str) -> None:
        super().__init__(caller, game_id)
        self.processes = [Process(), Process(), Process()]

    def change(self, step: str, choice: int) -> View:
        with self.processes[choice % len(self.processes)].asked():
            return super().change(step, choice)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(games, plays)
def test_any_process_makes_a_change_on_what_the_log_adds_up_to(
    transactional_db: None, game: tuple[str, int], steps: list[tuple[str, int]]
) -> None:
    rules, number = game
    player = Caller.guest()
    between = Between(player, player.deal(rules, number).id)
    for step, choice in steps:
        between.take(step, choice)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(games, st.lists(st.integers(0, 2), min_size=4, max_size=20))
def test_a_change_against_an_old_version_is_refused_by_any_process(
    transactional_db: None, game: tuple[str, int], turns: list[int]
) -> None:
    rules, number = game
    table = Caller.guest().deal(rules, number)
    processes = [Process(), Process(), Process()]
    for version, turn in enumerate(turns):
        with processes[turn].asked():
            assert table.move("d", version=version).json()["version"] == version + 1
        for process in processes:
            with process.asked():
                answer = table.move("d", version=version)
                body = assert_problem(answer, 409, "stale_version")
                assert body["state"]["version"] == version + 1
    assert table.state()["moves"] == len(turns)


@pytest.fixture
def table() -> Table:
    return Caller.guest().deal("classic", 7)


def test_a_repeated_move_is_made_once_by_whichever_process(table: Table) -> None:
    here, there = Process(), Process()
    with here.asked():
        first = table.move("d", client_move_id="one").json()
        table.move("d", client_move_id="two")
    for process in (there, here, there):
        with process.asked():
            assert table.move("d", client_move_id="one").json() == first
    assert table.state()["moves"] == 2


def test_what_a_process_remembers_is_not_a_strangers(table: Table) -> None:
    stranger = Caller.guest()
    table.move("d")
    assert_problem(Table(stranger, table.id).move("d"), 404, "not_found")
    assert table.state()["moves"] == 1


def test_who_has_handed_a_game_over_plays_it_nowhere(table: Table) -> None:
    """At whichever process, a request that was on its way when the guest logged in."""
    here, there = Process(), Process()
    guest, account = player_of(table.caller), player_of(Caller.guest())
    who = {"game_id": UUID(table.id), "move": Move(Action.DRAW)}
    with here.asked():
        play.move(player=guest, **who)
    with transaction.atomic():
        bring_along(guest=guest, account=account)
    for process in (here, there):
        with process.asked(), pytest.raises(GameNotFound):
            play.move(player=guest, **who)
    for process in (here, there):
        with process.asked():
            assert not play.move(player=account, **who).game.counted
    assert Game.objects.get().moves == 3


def test_a_game_that_changes_hands_between_reading_and_writing_is_not_played(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, account = player_of(table.caller), player_of(Caller.guest())

    def handed_over(draft: Draft) -> Made | None:
        Game.objects.update(player=account)
        return enter_unheld(draft)

    monkeypatch.setattr(change, "enter_unheld", handed_over)
    with pytest.raises(GameNotFound):
        play.move(player=guest, game_id=UUID(table.id), move=Move(Action.DRAW))
    assert Game.objects.get().version == 0


def test_a_database_that_was_set_back_is_right(table: Table) -> None:
    """Another process makes another second move, after this one's was lost with its database."""
    here, there = Process(), Process()
    with here.asked():
        table.move("d")
        before = Game.objects.get()
        table.move("d")
    LogEntry.objects.filter(seq=2).delete()
    before.save()
    with there.asked():
        table.undo()
    with here.asked():
        assert table.move("d").json()["version"] == 3
    assert (table.state()["moves"], table.state()["undos"]) == (2, 1)
    assert_logs_are_right()


def test_a_game_that_is_gone_is_not_played_from_memory(table: Table) -> None:
    table.move("d")
    Game.objects.all().delete()
    assert_problem(table.move("d"), 404, "not_found")
    assert not Game.objects.exists()


def test_the_last_move_of_a_remembered_game_ends_it() -> None:
    number, line = WON["classic"]
    body = Caller.guest().deal("classic", number).play(line).json()
    assert body["status"] == "won"
    assert body["result"]["won"] is True
    assert_logs_are_right()


def test_only_so_many_games_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST", 2)
    monkeypatch.setattr(recent, "_games", OrderedDict())
    player = Caller.guest()
    tables = [player.deal("classic", number) for number in (1, 2, 3)]
    for table in (tables[0], tables[1], tables[0], tables[2]):
        table.move("d")
    assert [str(game_id) for game_id in recent._games] == [tables[0].id, tables[2].id]
    assert tables[1].move("d").json()["version"] == 2
