"""Win rates and streaks: what a counted game does to its player's record, once."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import Record
from accounts.services import records
from game.models import Game, LogEntry
from tests.accounts.playing import by_tier, lose, rows, win, winning_line
from tests.caller import Caller, Table
from tests.game.lines import WON
from tests.game.ranked import player_of, ranked_game
from tests.game.records import nothing_changed
from tests.game.test_at_once import at_once, beside

pytestmark = pytest.mark.django_db

UNCOUNTED = {
    "played": None,
    "won_games": None,
    "win_rate_before": None,
    "win_rate": None,
    "streak_before": None,
    "streak_after": None,
    "best_streak": None,
}


def told(state: dict[str, Any]) -> dict[str, Any]:
    return {name: state["result"][name] for name in UNCOUNTED}


def record() -> Record:
    return Record.objects.get()


def rebuild(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild_records", *arguments, stdout=out)
    return out.getvalue()


def assert_rebuilt_the_same() -> None:
    before = rows()
    rebuild()
    assert rows() == before
    Record.objects.all().delete()
    rebuild()
    assert rows() == before


def test_a_first_win_makes_a_record(player: Caller) -> None:
    table = by_tier(player)
    moves = len(winning_line("classic", table.state()["number"]).split())
    state = win(table)
    assert state["status"] == "won"
    assert rows() == [
        {
            "player_id": player_of(player).pk,
            "rules_key": "classic",
            "tier": "easy",
            "played": 1,
            "won": 1,
            "current_streak": 1,
            "best_streak": 1,
            "fastest_win_ms": state["elapsed_ms"],
            "fewest_moves": moves,
            "best_against_par": moves - player.get(f"deals/{state['number']}/").json()["par"],
        }
    ]


def test_the_answer_that_ends_a_game_tells_rate_and_streak_before_and_after(
    player: Caller,
) -> None:
    assert told(win(by_tier(player))) == {
        "played": 1,
        "won_games": 1,
        "win_rate_before": None,
        "win_rate": 1.0,
        "streak_before": 0,
        "streak_after": 1,
        "best_streak": 1,
    }
    assert told(win(by_tier(player)))["streak_after"] == 2
    assert told(lose(by_tier(player))) == {
        "played": 3,
        "won_games": 2,
        "win_rate_before": 1.0,
        "win_rate": pytest.approx(2 / 3),
        "streak_before": 2,
        "streak_after": 0,
        "best_streak": 2,
    }


def test_a_later_look_and_a_repeated_request_tell_the_same(player: Caller) -> None:
    table = by_tier(player)
    *line, last = winning_line("classic", table.state()["number"]).split()
    table.play(" ".join(line))
    answer = table.move(last, client_move_id="last").json()
    win(by_tier(player))
    assert told(table.move(last, client_move_id="last").json()) == told(answer)
    assert told(table.state()) == told(answer)
    assert told(answer)["streak_after"] == 1


@pytest.mark.parametrize("tier", ["easy", "standard", "random"])
def test_each_tier_has_a_record_of_its_own(player: Caller, tier: str) -> None:
    lose(by_tier(player, "easy"))
    lose(by_tier(player, tier))
    played = {row["tier"]: row["played"] for row in rows()}
    assert played == ({"easy": 2} if tier == "easy" else {"easy": 1, tier: 1})


def test_each_rule_set_has_a_record_of_its_own(player: Caller) -> None:
    win(by_tier(player, rules="classic"))
    lose(by_tier(player, rules="open"))
    assert [(row["rules_key"], row["won"], row["current_streak"]) for row in rows()] == [
        ("classic", 1, 1),
        ("open", 0, 0),
    ]


def test_the_bests_are_of_games_won_only(player: Caller) -> None:
    lose(by_tier(player))
    assert (record().fastest_win_ms, record().fewest_moves, record().best_against_par) == (
        None,
        None,
        None,
    )


def test_the_fastest_win_and_the_fewest_moves_may_be_of_different_games(player: Caller) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        slow = by_tier(player)
        line = winning_line("classic", slow.state()["number"])
        slow.play(line.split()[0])
        clock.shift(100)
        slow.play(line.partition(" ")[2])
        quick = by_tier(player)
        line = winning_line("classic", quick.state()["number"])
        for _ in range(60):
            quick.play("d")
            quick.undo()
        quick.play(line.split()[0])
        clock.shift(1)
        quick.play(line.partition(" ")[2])
    moves = [table.state()["moves"] for table in (slow, quick)]
    assert moves[0] < moves[1]
    assert (record().fewest_moves, record().fastest_win_ms) == (moves[0], 1000)


def test_par_is_compared_only_where_it_is_known(player: Caller) -> None:
    table = by_tier(player, rules="overlap")
    assert player.get(f"deals/{table.state()['number']}/", rules="overlap").json()["par"] is None
    win(table)
    assert (record().won, record().best_against_par) == (1, None)


def test_a_game_by_number_counts_nothing(player: Caller) -> None:
    number, line = WON["classic"]
    state = player.deal("classic", number).play(line).json()
    assert (state["status"], told(state)) == ("won", UNCOUNTED)
    assert rows() == []


def test_a_game_without_a_move_counts_nothing(player: Caller) -> None:
    by_tier(player)
    by_tier(player)  # leaves the first behind
    state = by_tier(player).change("resignations").json()
    assert (state["status"], told(state)) == ("lost", UNCOUNTED)
    assert rows() == []


def test_a_hint_is_no_move(player: Caller) -> None:
    table = by_tier(player)
    assert table.change("hints").status_code == 200
    table.change("resignations")
    assert rows() == []


def test_a_move_that_was_taken_back_counts(player: Caller) -> None:
    table = by_tier(player)
    table.play("d")
    table.undo()
    table.change("resignations")
    assert record().played == 1


def test_undo_out_of_stuck_and_a_later_win_is_one_win(player: Caller) -> None:
    table = by_tier(player)
    while table.state()["status"] == "playing":  # without ever a pair
        state = table.state()
        table.play("d" if state["stock"]["count"] else "r" if _can_redeal(state) else _any(state))
    assert table.state()["status"] == "stuck"
    assert rows() == []
    table.change("restarts")
    assert win(table)["status"] == "won"
    assert (record().played, record().won, record().current_streak) == (1, 1, 1)


def _can_redeal(state: dict[str, Any]) -> bool:
    return {"action": "redeal", "cards": []} in state["legal"]


def _any(state: dict[str, Any]) -> str:
    return "".join(state["legal"][0]["cards"])


def test_a_game_left_behind_is_lost(player: Caller) -> None:
    win(by_tier(player))
    left = by_tier(player)
    left.play("d")
    by_tier(player)
    assert (record().played, record().won, record().current_streak) == (2, 1, 0)
    assert told(left.state())["streak_before"] == 1


def test_a_ranked_game_counts_in_no_tier(player: Caller) -> None:
    table = ranked_game(player)
    table.play("d")
    assert told(table.change("resignations").json()) == UNCOUNTED
    assert rows() == []


def test_a_stuck_game_is_not_over(player: Caller) -> None:
    by_tier(player).play("d")
    assert rows() == []


def test_the_win_and_the_record_stand_or_fall_together(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = by_tier(player)
    *line, last = winning_line("classic", table.state()["number"]).split()
    table.play(" ".join(line))
    with monkeypatch.context() as patched:
        patched.setattr(Record, "save", _crash)
        table.caller.client.raise_request_exception = False
        with nothing_changed():
            assert table.move(last).status_code == 500
    assert table.state()["status"] == "playing"
    assert table.move(last).json()["status"] == "won"
    assert (record().played, record().won) == (1, 1)


def _crash(*_: Any, **__: Any) -> None:
    raise RuntimeError("the power goes")


@pytest.mark.django_db(transaction=True)
def test_twenty_parallel_finishes_change_the_record_once(player: Caller) -> None:
    table = by_tier(player)
    *line, last = winning_line("classic", table.state()["number"]).split()
    table.play(" ".join(line))
    answers = at_once(*[lambda: beside(table).move(last) for _ in range(20)])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert (record().played, record().won) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_twenty_parallel_ends_of_all_sorts_change_the_record_once(player: Caller) -> None:
    table = by_tier(player)
    *line, last = winning_line("classic", table.state()["number"]).split()
    table.play(" ".join(line))
    ends = [
        lambda: beside(table).move(last),
        lambda: beside(table).change("resignations"),
        lambda: by_tier(Caller(player.token)),
    ]
    at_once(*[ends[index % 3] for index in range(18)])
    assert record().played == 1
    assert LogEntry.objects.filter(game_id=table.id).count() == len(line) + 1
    assert_rebuilt_the_same()


@pytest.mark.django_db(transaction=True)
def test_first_games_of_two_tiers_that_end_at_once_are_both_counted(player: Caller) -> None:
    tables = [by_tier(player, tier) for tier in ("easy", "standard", "random")]
    for table in tables:
        table.play("d")
    at_once(*[lambda table=table: beside(table).change("resignations") for table in tables])
    assert [row["played"] for row in rows()] == [1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_while_games_end_loses_none(player: Caller) -> None:
    lose(by_tier(player))
    tables = [by_tier(player, tier, rules) for tier in ("easy", "standard") for rules in SOME]
    for table in tables:
        table.play("d")
    at_once(
        *[lambda table=table: beside(table).change("resignations") for table in tables],
        *[lambda: records.rebuild(player_of(player)) for _ in range(4)],
    )
    assert sum(row["played"] for row in rows()) == 1 + len(tables)
    assert_rebuilt_the_same()


SOME = ("classic", "open", "strict")

# Idle games


def idle_for(table: Table, **time: float) -> None:
    """As if the last entry of the game were so old."""
    with time_machine.travel(timezone.now() - timedelta(**time), tick=False):
        table.play("d")


def close_idle() -> str:
    out = StringIO()
    call_command("close_idle", stdout=out)
    return out.getvalue()


def test_a_counted_game_idle_for_seven_days_is_lost(player: Caller) -> None:
    table = by_tier(player)
    idle_for(table, days=7)
    assert "1 idle" in close_idle()
    assert table.state()["status"] == "lost"
    assert table.log()[-1]["reason"] == "idle"
    assert (record().played, record().won) == (1, 0)


def test_one_idle_for_less_goes_on(player: Caller) -> None:
    table = by_tier(player)
    idle_for(table, days=6.999)
    assert "0 idle" in close_idle()
    assert table.state()["status"] == "playing"


def test_any_entry_is_a_sign_of_life(player: Caller) -> None:
    table = by_tier(player)
    idle_for(table, days=8)
    table.change("pauses", paused=True)
    close_idle()
    assert table.state()["status"] == "playing"


def test_practice_is_never_idle(player: Caller) -> None:
    table = player.deal("classic", 7)
    idle_for(table, days=400)
    close_idle()
    assert table.state()["status"] == "playing"


def test_an_idle_game_without_a_move_ends_and_counts_nothing(player: Caller) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=8), tick=False):
        table = by_tier(player)
    close_idle()
    assert table.state()["status"] == "lost"
    assert rows() == []


def test_an_idle_game_that_is_broken_keeps_no_other_from_being_closed(
    player: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = by_tier(player), by_tier(player, "standard")
    idle_for(broken, days=9)
    idle_for(sound, days=8)
    Game.objects.filter(pk=broken.id).update(position=b"")
    assert "1 idle" in close_idle()
    assert broken.id in caplog.text
    assert sound.state()["status"] == "lost"


def test_time_idle_is_not_time_played(player: Caller) -> None:
    table = by_tier(player)
    start = timezone.now() - timedelta(days=8)
    with time_machine.travel(start, tick=False) as clock:
        table.play("d")
        clock.shift(5)
        table.play("d")
    close_idle()
    assert table.state()["elapsed_ms"] == 5000
    call_command("verify_logs")


@pytest.mark.django_db(transaction=True)
def test_closing_idle_games_twice_at_once_closes_each_once(player: Caller) -> None:
    tables = [by_tier(player, tier) for tier in ("easy", "standard", "random")]
    for table in tables:
        idle_for(table, days=9)
    at_once(*[close_idle] * 4)
    assert [row["played"] for row in rows()] == [1, 1, 1]
    assert [table.log()[-1]["type"] for table in tables] == ["close"] * 3


# From the logs


def test_a_rebuild_mends_what_is_wrong_and_says_so(player: Caller) -> None:
    win(by_tier(player))
    right = rows()
    Record.objects.update(played=9, won=5, best_streak=3)
    assert "played is 9, the logs say 1" in rebuild()
    assert rows() == right


def test_a_check_changes_nothing_and_fails(player: Caller) -> None:
    win(by_tier(player))
    Record.objects.update(played=9)
    wrong = rows()
    with pytest.raises(CommandError, match="1 records differ"):
        rebuild("--check")
    assert rows() == wrong


def test_a_record_of_no_game_goes(player: Caller) -> None:
    Record.objects.create(player=player_of(player), rules_key="open", tier="easy", played=3)
    rebuild()
    assert rows() == []


def test_one_player_can_be_named(player: Caller) -> None:
    other = Caller.guest()
    lose(by_tier(player))
    lose(by_tier(other))
    Record.objects.all().delete()
    rebuild(player_of(other).username)
    assert [row["player_id"] for row in rows()] == [player_of(other).pk]
    with pytest.raises(CommandError, match="no such player"):
        rebuild("nobody")
