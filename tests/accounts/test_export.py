"""One's own data, as one document."""

import json
import re
import tracemalloc
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Record
from accounts.services import export
from accounts.services.export import export_of
from game.models import Game, LogEntry
from game.rules.cards import DECK
from tests.accounts.callers import PASSWORD, account, patch, settings_of
from tests.caller import Caller, assert_problem
from tests.game.lines import WON
from tests.game.racers import Racers
from tests.game.ranked import SEED, player_of, ranked_game

pytestmark = pytest.mark.django_db


def exported(caller: Caller) -> dict[str, Any]:
    answer = caller.get("me/export/")
    assert answer.status_code == 200
    return json.loads(answer.getvalue())


def test_it_is_a_file_of_json_to_be_kept(player: Caller) -> None:
    answer = player.get("me/export/")
    assert answer.streaming
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith("attachment;")
    assert "no-store" in answer["Cache-Control"]
    assert json.loads(answer.getvalue())


def test_a_guest_who_has_done_nothing_has_a_document_too(player: Caller) -> None:
    document = exported(player)
    assert document["profile"]["name"] == player_of(player).username
    assert document["profile"]["is_guest"] is True
    assert document["settings"] == settings_of(player)
    assert document["email_addresses"] == document["records"] == document["games"] == []
    assert document["daily"] == {"current_streak": 0, "best_streak": 0}


def test_everything_of_the_account_is_in_it() -> None:
    ada = account("Ада", email="ada@example.org")
    user = player_of(ada)
    EmailAddress.objects.create(user=user, email="new@example.org")
    patch(ada, {"settings": {"language": "ja", "private": True}})
    Record.objects.create(player=user, rules_key="open", tier="easy", played=2)
    UserSession.objects.create(
        user=user, ip="10.1.2.3", session_key=ada.token or "", user_agent="Netscape"
    )
    document = exported(ada)
    assert document["profile"]["name"] == "Ада"
    assert document["settings"] == settings_of(ada)
    assert document["email_addresses"] == [
        {"email": "ada@example.org", "verified": True, "primary": True},
        {"email": "new@example.org", "verified": False, "primary": False},
    ]
    assert [(record["rules"], record["played"]) for record in document["records"]] == [("open", 2)]
    (session,) = document["sessions"]
    assert (session["address"], session["user_agent"]) == ("10.1.2.3", "Netscape")
    assert session["last_seen_at"]
    assert session["expires_at"]


def test_every_game_is_in_it_with_its_whole_log(player: Caller) -> None:
    number, line = WON["overlap"]
    won = player.deal("overlap", number)
    won.play(line)
    running = player.deal("classic", 7)
    running.play("6D7D d")
    running.change("hints")
    running.undo()
    running.change("pauses", paused=True)
    untouched = player.deal("open", 3)
    games = exported(player)["games"]
    assert [game["id"] for game in games] == [won.id, running.id, untouched.id]
    for game, table in zip(games, (won, running, untouched), strict=True):
        assert game["log"] == table.log()
        state = table.state()
        for member in ("rules", "number", "tier", "kind", "status", "version", "moves", "undos"):
            assert game[member] == state[member]
    assert [bool(game["ended_at"]) for game in games] == [True, False, False]


def test_every_seat_in_a_race_is_in_it(player: Caller, stranger: Caller) -> None:
    raced, waiting = Racers(stranger, player, tier="easy"), Racers(player)
    _, own = raced.start()
    raced.use_up_the_time()
    document = exported(player)
    members = ("race", "status", "tier", "number", "counted", "game", "place")
    assert [tuple(seat[member] for member in members) for seat in document["seats"]] == [
        (raced.code, "over", "easy", None, True, own.id, 1),
        (waiting.code, "lobby", None, 7, False, None, None),
    ]
    assert raced.row.deal.seed not in json.dumps(document)


def test_what_others_have_is_not_in_it(player: Caller, stranger: Caller) -> None:
    stranger.deal("classic", 7).play("d")
    assert exported(player)["games"] == []


def cards_in(data: Any) -> set[str]:
    return set(re.findall(r'"([A23456789TJQK][CDHS])"', json.dumps(data)))


def test_no_card_is_in_it_that_was_not_played(player: Caller) -> None:
    player.deal("blind", 7).play("d d d")
    player.deal("classic", 7).play("6D7D d d d")
    ranked_game(player).play("d d d")
    assert cards_in(exported(player)) == {"6D", "7D"}


def test_no_secret_is_in_it() -> None:
    ada = account("ada", email="ada@example.org")
    user = player_of(ada)
    ranked_game(ada).play("d")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "hidden-in-an-app"})
    text = ada.get("me/export/").getvalue().decode()
    for secret in (SEED, ada.token, user.password, PASSWORD, "hidden-in-an-app", "position"):
        assert secret not in text
    assert not [deck for deck in (" ".join(DECK),) if deck in text]
    assert json.loads(text)["two_factor"][0]["type"] == "totp"
    assert json.loads(text)["games"][0]["number"] is None


@pytest.mark.parametrize("name", ['"quoted"', "back\\slash", "線\u2028名", "{}]"])
def test_any_name_makes_good_json(name: str) -> None:
    assert exported(account(name))["profile"]["name"] == name


# Long ones


def many_games(caller: Caller, number: int) -> None:
    """All with the time of the first: an order by time alone would lose some."""
    game = Game.objects.get(pk=caller.deal("classic", 1).id)
    Game.objects.filter(pk=game.pk).update(status="lost")
    for _ in range(number - 1):
        game.pk = None
        game.id = Game._meta.pk.get_default()
        game.status = "lost"
        game.save(force_insert=True)


def long_log(caller: Caller, entries: int) -> Game:
    game = Game.objects.get(pk=caller.deal("classic", 7).id)
    at = timezone.now()
    LogEntry.objects.bulk_create(
        LogEntry(game=game, seq=seq, at=at, type="pause", detail="on")
        for seq in range(1, entries + 1)
    )
    Game.objects.filter(pk=game.pk).update(version=entries)
    return game


@pytest.mark.parametrize("number", [1, 2, 3, 4, 7])
def test_games_of_several_pages_are_each_in_it_once(
    player: Caller, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(export, "PAGE", 3)
    many_games(player, number)
    games = [game["id"] for game in exported(player)["games"]]
    assert sorted(games) == sorted(str(pk) for pk in Game.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("entries", [0, 1, 2, 3, 4, 6, 7])
def test_logs_of_several_pages_are_whole(
    player: Caller, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    monkeypatch.setattr(export, "PAGE", 3)
    long_log(player, entries)
    (game,) = exported(player)["games"]
    assert [entry["seq"] for entry in game["log"]] == list(range(1, entries + 1))


def test_a_long_log_takes_no_more_memory_than_a_short_one(
    stranger: Caller, player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PAGE", 50)
    monkeypatch.setattr(export, "PIECE", 1024)
    long_log(stranger, 200)
    long_log(player, 2000)
    export_size(stranger)  # what is loaded but once is loaded now
    (short, little), (long, most) = export_size(stranger), export_size(player)
    assert long > 9 * short
    assert most < 1.5 * little


def export_size(caller: Caller) -> tuple[int, int]:
    """Letters of the document, and the bytes that were in use at most on the way."""
    pieces = export_of(player=player_of(caller))
    tracemalloc.start()
    try:
        return sum(map(len, pieces)), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_happens_meanwhile_leaves_it_whole(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PIECE", 1)
    tables = [player.deal("classic", 1), player.deal("classic", 7)]
    for table in tables:
        table.play("d d")
    pieces = export_of(player=player_of(player))
    text = next(pieces) + next(pieces) + next(pieces)  # the first game's head is out by now
    tables[0].play("d")
    tables[1].play("d")
    games = json.loads(text + "".join(pieces))["games"]
    for game in games:
        assert [entry["seq"] for entry in game["log"]] == list(range(1, game["version"] + 1))


def test_a_game_that_goes_meanwhile_leaves_it_good_json(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PIECE", 1)
    player.deal("classic", 1).play("d d")
    pieces = export_of(player=player_of(player))
    text = next(pieces) + next(pieces) + next(pieces)
    Game.objects.all().delete()
    assert json.loads(text + "".join(pieces))["games"][0]["log"] == []


@pytest.mark.usefixtures("counters")
def test_it_is_asked_for_a_few_times_an_hour(settings: Settings) -> None:
    player = Caller.guest()
    settings.RATE_LIMITS = {"export": "2/hour"}
    answers = [player.get("me/export/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    for answer in answers[:2]:
        answer.getvalue()
    assert_problem(answers[2], 429, "throttled")
