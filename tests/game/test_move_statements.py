"""How many SQL statements a move costs."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.caller import Caller, Table
from tests.game.racers import Racers
from tests.statements import verbs


def statements_of(table: Table) -> list[str]:
    """The verbs of what the game's second draw sends, by one request. The first one found out
    whether the game is in a race."""
    table.play("d")
    with CaptureQueriesContext(connection) as captured:
        assert table.move("d", version=1, client_move_id="second").status_code == 200
    return verbs(captured)


def test_a_move_takes_four_statements(player: Caller) -> None:
    table = player.deal("classic", 7)
    assert statements_of(table) == ["SELECT", "SELECT", "UPDATE", "INSERT"]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_on_postgresql_a_move_takes_two() -> None:
    """Whose session, and both writes in one: what the game came to by the last move is at hand."""
    table = Caller.guest().deal("classic", 7)
    assert statements_of(table) == ["SELECT", "WITH"]


def test_a_move_in_a_race_takes_nine(player: Caller, stranger: Caller) -> None:
    table, _ = Racers(player, stranger).start()
    assert statements_of(table) == [
        "SELECT",  # whose session
        *("SELECT", "SELECT"),  # the race, held, and its seats
        *("SELECT", "UPDATE", "INSERT"),  # the game
        *("UPDATE", "UPDATE", "INSERT"),  # the race, the seat, the event
    ]
