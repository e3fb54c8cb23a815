"""`manage.py verify_logs` holds each game's row against its log."""

import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from game.models import Game, Kind, LogEntry
from tests.caller import Caller, Table
from tests.game.lines import LOCKING, WON
from tests.game.ranked import ranked_game
from tests.game.records import nothing_changed
from tests.rules import naive

pytestmark = pytest.mark.django_db

DAMAGES = [
    ("status", "lost"),
    ("version", 99),
    ("changed", 0),
    ("line", "d d"),
    ("seen", 0),
    ("removed", 27),
    ("moves", 1),
    ("undos", 5),
    ("hints", 5),
    ("checks", 5),
    ("label", "winnable"),
    ("elapsed_ms", 1),
    ("running_since", None),
]


@pytest.fixture
def table(player: Caller) -> Table:
    """A game with each sort of entry that leaves it running."""
    number, line = LOCKING
    table = player.deal("classic", number)
    table.play(f"d {line}")
    table.change("rewinds", to="lock")
    table.change("pauses", paused=True)
    table.play("d")
    table.undo()
    table.change("restarts")
    table.play("KC d d")
    table.change("hints")
    table.change("checks")
    return table


def verified(*arguments: str) -> str:
    """What the command prints; it ends well."""
    out = StringIO()
    call_command("verify_logs", *arguments, stdout=out)
    return out.getvalue()


def faults(*arguments: str) -> str:
    """What the command prints; it ends with an error."""
    out = StringIO()
    with pytest.raises((CommandError, SystemExit)):
        call_command("verify_logs", *arguments, stdout=out)
    return out.getvalue()


def damage(table: Table, **columns: object) -> None:
    Game.objects.filter(pk=table.id).update(**columns)


def test_no_games_are_fine() -> None:
    verified()


def test_games_of_all_sorts_are_fine(player: Caller, table: Table) -> None:
    chance = random.Random("verify")
    for rules in naive.TABLE:
        game = player.deal(rules, chance.randrange(1, 20_001))
        state = game.state()
        for _ in range(25):
            if state["status"] == "playing" and chance.random() < 0.8:
                state = game.change("moves", **chance.choice(state["legal"])).json()
            elif state["can_undo"]:
                state = game.undo().json()
    number, line = WON["strict"]
    player.deal("strict", number).play(line)
    for _ in range(2):  # the first is left behind
        player.post("games/", {"rules": "classic", "tier": "random"})
    for kind in (Kind.DAILY, Kind.RACE):
        ranked = ranked_game(player, kind)
        ranked.play("d d")
        ranked.undo()
        ranked.change("resignations")
    with nothing_changed():
        verified()


def test_verifying_changes_nothing(table: Table) -> None:
    damage(table, moves=1)
    with nothing_changed():
        faults()


@pytest.mark.parametrize(("column", "value"), DAMAGES)
def test_a_column_that_the_log_does_not_bear_out_is_found_and_mended(
    table: Table, column: str, value: object
) -> None:
    before = Game.objects.values().get(pk=table.id)
    assert before[column] != value
    damage(table, **{column: value})
    report = faults()
    assert table.id in report
    assert column in report
    verified("--rebuild")
    verified()
    assert Game.objects.values().get(pk=table.id) == before


@pytest.mark.parametrize("text", ["", "nonsense", "KD " * 50, "x" * 200, "d r - 9"])
def test_a_damaged_position_is_found_and_mended(table: Table, text: str) -> None:
    before = Game.objects.values().get(pk=table.id)
    damage(table, position=text)
    assert table.id in faults()
    verified("--rebuild")
    assert Game.objects.values().get(pk=table.id) == before
    assert table.move("d").status_code == 200


def test_a_position_of_another_deal_is_found(player: Caller, table: Table) -> None:
    other = player.deal("classic", 11)
    damage(table, position=Game.objects.get(pk=other.id).position)
    report = faults()
    assert table.id in report
    assert other.id not in report


@pytest.mark.parametrize("seq", [1, 2, 5, 10])
def test_a_missing_entry_is_found(table: Table, seq: int) -> None:
    LogEntry.objects.get(game=table.id, seq=seq).delete()
    assert table.id in faults()


def test_a_log_that_is_gone_is_found(table: Table) -> None:
    LogEntry.objects.filter(game=table.id).delete()
    assert table.id in faults()


@pytest.mark.parametrize("detail", ["r", "9H", "6H7D", "XX", "", "d d"])
def test_an_entry_that_the_rules_forbid_is_found(table: Table, detail: str) -> None:
    LogEntry.objects.filter(game=table.id, seq=2).update(detail=detail)
    assert table.id in faults()


@pytest.mark.parametrize(
    ("type_", "detail"), [("rewind", ""), ("rewind", "lock x"), ("rewind", "lock 99")]
)
def test_an_entry_that_cannot_be_read_is_found(table: Table, type_: str, detail: str) -> None:
    LogEntry.objects.filter(game=table.id, seq=2).update(type=type_, detail=detail)
    assert table.id in faults()


def test_an_entry_after_the_end_is_found(player: Caller) -> None:
    table = player.deal("classic", 7)
    table.change("resignations")
    at = LogEntry.objects.get(game=table.id).at
    LogEntry.objects.create(game_id=table.id, seq=2, at=at, type="move", detail="d")
    assert table.id in faults()


def test_a_log_that_cannot_be_replayed_is_not_mended(table: Table) -> None:
    """The log is the truth, and it is not known: that is for people to look at."""
    LogEntry.objects.get(game=table.id, seq=1).delete()
    with nothing_changed():
        assert table.id in faults("--rebuild")


def test_a_fault_does_not_keep_other_games_from_being_looked_at(
    player: Caller, table: Table
) -> None:
    other = player.deal("open", 3)
    other.play("d")
    damage(table, moves=1)
    damage(other, moves=7)
    report = faults()
    assert table.id in report
    assert other.id in report


def test_one_game_can_be_asked_for(player: Caller, table: Table) -> None:
    other = player.deal("open", 3)
    damage(other, moves=7)
    verified(table.id)
    assert other.id in faults(other.id)


def test_an_unknown_game_is_an_error_not_a_clean_report(table: Table) -> None:
    with pytest.raises(CommandError, match="no such game"):
        call_command("verify_logs", "00000000-0000-4000-8000-000000000000", stdout=StringIO())


def test_what_is_no_id_is_refused_before_anything_is_read() -> None:
    with pytest.raises(CommandError, match="invalid UUID"):
        call_command("verify_logs", "seven", stdout=StringIO())


def test_a_rule_set_that_is_gone_does_not_end_the_run(player: Caller, table: Table) -> None:
    other = player.deal("open", 3)
    damage(table, rules_key="gone")
    damage(other, moves=5)
    told = faults()
    assert f"{table.id}: the log cannot be replayed" in told
    assert f"{other.id}: moves is 5" in told
