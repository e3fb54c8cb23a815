"""A guest who likes it: plays, registers, plays on, and finds everything still there."""

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Record
from tests.accounts.playing import by_tier, lose, win
from tests.caller import Caller

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "Marina", "password": "seven wide pyramids"}


def record_of(player: Caller) -> dict[str, Any]:
    [record] = player.get("me/records/").json()["records"]
    return record


def test_a_guest_wins_registers_wins_and_loses(player: Caller) -> None:
    assert [win(by_tier(player))["result"]["streak_after"] for _ in range(2)] == [1, 2]
    answer = player.post("accounts/", ACCOUNT)
    assert answer.status_code == 201
    assert answer.json()["player"] == {"name": "Marina", "is_guest": False}
    registered = Caller(answer.json()["token"])
    assert win(by_tier(registered))["result"]["streak_after"] == 3
    lost = lose(by_tier(registered))["result"]
    assert (lost["streak_before"], lost["streak_after"]) == (3, 0)

    elsewhere = Caller(Caller().post("tokens/", ACCOUNT).json()["token"])
    record = record_of(elsewhere)
    assert (record["rules"], record["tier"]) == ("classic", "easy")
    assert (record["played"], record["won"], record["win_rate"]) == (4, 3, 0.75)
    assert (record["current_streak"], record["best_streak"]) == (0, 3)
    assert len(elsewhere.get("games/").json()["results"]) == 4

    Record.objects.all().delete()
    call_command("rebuild_records", verbosity=0)
    assert record_of(elsewhere) == record
