"""Before its day is closed, nothing of a daily is told by any call, page or frame: a walk through
all of them."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.urls import URLResolver, get_resolver

from game.models import Game, LogEntry
from game.rules.cards import Card
from leaderboards.live import DailyRoom
from tests.accounts.callers import account
from tests.caller import Caller, Table
from tests.game.ranked import player_of
from tests.leaderboards.dailies import DAY, NOON, TODAY, start, today, win, winning_line
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db

GAMES = "<uuid:game_id>"
ANY_CHANGE = {"action": "draw", "cards": [], "to": "lock", "paused": True}
FOREIGN = re.compile(r"^(accounts|_allauth)/")  # pages of a library, which knows no game


class Secret:
    """What nobody may be told of a daily that one player has won."""

    def __init__(self, table: Table) -> None:
        self.table = table
        game = Game.objects.select_related("deal").get(pk=table.id)
        deck, seed = game.deal.deck, game.deal.seed
        assert seed is not None
        line = winning_line(table).split()
        self.told = {
            "seed": [seed],
            "deck": list(_written(deck[28:34])) + list(_written(deck[:6])),
            "line": list(_written(line[-6:])),
        }

    def in_text(self, text: str) -> list[str]:
        return [name for name, ways in self.told.items() if any(way in text for way in ways)]


def _written(words: Iterable[Card | str]) -> Iterator[str]:
    """In the ways in which a row of cards or moves may be written."""
    row = [str(word) for word in words]
    for separator in (" ", "", ",", ", ", "-", '","', '", "', "', '", "\n"):
        yield separator.join(row)
    yield json.dumps(row)


def addresses(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Every address that there is, with its parameters as they are written down."""
    for pattern in (resolver or get_resolver()).url_patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, address)
        else:
            yield address


def filled(address: str, game_id: str) -> str:
    """With each parameter set to what concerns the daily; an unknown one fails."""
    values = {
        "rules": "classic",
        "date": "2026-12-01",
        "span": "week",
        "number": "7",
        "code": "ABCDEFGH",
        "name": "ada",
        "game_id": game_id,
        "pk": "1",
    }
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], address)


OWN = sorted({address for address in addresses() if not FOREIGN.match(address)})


def browser(caller: Caller) -> Client:
    """The same caller at the calls and at the pages."""
    if caller.token is not None:
        caller.client.cookies[settings.SESSION_COOKIE_NAME] = caller.token
    return caller.client


def text_of(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return body.decode() + " ".join(f"{name}: {value}" for name, value in answer.headers.items())


@pytest.fixture
def secret(ada: Caller, clock: time_machine.Traveller) -> Secret:
    table = start(ada)
    win(table, clock)
    return Secret(table)


def test_the_walk_knows_the_calls_and_pages(secret: Secret) -> None:
    assert {f"api/v1/games/{GAMES}/log/", f"api/v1/games/{GAMES}/analysis/"} <= set(OWN)
    assert "api/v1/daily/<slug:rules>/<date:date>/board/" in OWN
    assert [name for name in secret.told if not secret.told[name]] == []


@pytest.mark.parametrize("moment", [TODAY.starts_at, TODAY.resets_at, TODAY.closes_at])
def test_no_call_and_no_page_tells_of_it_before_it_is_closed(
    secret: Secret,
    bob: Caller,
    player: Caller,
    nobody: Caller,
    clock: time_machine.Traveller,
    moment: Any,
) -> None:
    """Of one who has won it, one who plays it, a guest and one who is nobody."""
    start(bob)
    start(player)
    clock.move_to(max(NOON + timedelta(hours=1), moment - timedelta(seconds=1)))
    told: list[tuple[str, str, list[str]]] = []
    for who, caller in {"bob": bob, "guest": player, "nobody": nobody}.items():
        client = browser(caller)
        for address in OWN:
            for method in ("get", "options", "post"):
                if method == "post" and GAMES not in address:
                    continue
                sent = {"data": ANY_CHANGE, "content_type": "application/json"}
                more = sent if method == "post" else {}
                answer = getattr(client, method)(filled(address, secret.table.id), **more)
                assert answer.status_code < 500, address
                found = secret.in_text(text_of(answer))
                if GAMES in address and method != "options":
                    assert answer.status_code in (401, 404, 405), (who, method, address)
                told += [(who, f"{method} {address}", found)] * bool(found)
    assert told == []


def test_its_own_winner_is_not_told_the_seed_the_deck_or_an_analysis(
    secret: Secret, ada: Caller
) -> None:
    client = browser(ada)
    for address in OWN:
        answer = client.get(filled(address, secret.table.id))
        # The log is the player's own, and so is the line that it holds.
        assert set(secret.in_text(text_of(answer))) <= {"line"}, address
        assert answer.status_code == 409 or "analysis" not in address


def test_the_walk_finds_it_once_it_is_closed(
    secret: Secret, bob: Caller, clock: time_machine.Traveller
) -> None:
    """So it would have found it before."""
    clock.move_to(TODAY.closes_at)
    client = browser(bob)
    found = {
        address: secret.in_text(text_of(client.get(filled(address, secret.table.id))))
        for address in OWN
    }
    assert "seed" in found["api/v1/daily/<slug:rules>/<date:date>/"]
    game = client.get(filled(f"api/v1/games/{GAMES}/", secret.table.id)).json()
    assert (game["player"], game["status"]) == ("ada", "won")
    analysis = client.get(filled(f"api/v1/games/{GAMES}/analysis/", secret.table.id)).json()
    assert analysis["label"] == "winnable"
    log = client.get(filled(f"api/v1/games/{GAMES}/log/", secret.table.id)).json()
    assert len(log["entries"]) == LogEntry.objects.filter(game_id=secret.table.id).count()
    [row] = client.get(f"/api/v1/{DAY}board/").json()["results"]
    assert row["game"] == secret.table.id


def test_also_of_one_who_keeps_to_themselves_the_log_is_there_once_it_is_closed(
    secret: Secret, ada: Caller, bob: Caller, clock: time_machine.Traveller
) -> None:
    ada.send("PATCH", "me/", json.dumps({"settings": {"private": True}}))
    clock.move_to(TODAY.closes_at)
    assert bob.get(f"{secret.table.address}log/").status_code == 200


def test_nothing_secret_is_logged(
    secret: Secret, bob: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    start(bob).move("9S")
    bob.get(f"{secret.table.address}analysis/")
    assert secret.in_text(caplog.text) == []


@pytest.mark.django_db(transaction=True)
@live
async def test_no_frame_tells_of_it() -> None:
    def begin() -> tuple[Secret, Caller]:
        with time_machine.travel(NOON, tick=False) as clock:
            ada = account("ada")
            table = start(ada)
            win(table, clock)
            return Secret(table), account("bob")

    with time_machine.travel(NOON + timedelta(hours=1)):
        secret, bob = await elsewhere(begin)
        assert await elsewhere(lambda: today().seed) == secret.told["seed"][0]
        async with Socket(f"games/{secret.table.id}/", token=bob.token) as socket:
            assert await socket.closed() == 4404
        for caller in (bob, secret.table.caller):
            async with Socket(f"{DailyRoom.kind}/classic/", token=caller.token) as socket:
                frame = await socket.told("board")
            assert frame["results"][0]["player"] == "ada"
            assert frame["results"][0]["game"] is None
            assert secret.in_text(json.dumps(frame)) == []
        table = await elsewhere(lambda: start(bob))
        async with Socket(f"games/{table.id}/", token=bob.token) as socket:
            assert secret.in_text(json.dumps(await socket.told("snapshot"))) == []


def test_a_game_of_the_daily_is_in_no_list_of_others(secret: Secret, bob: Caller) -> None:
    name = player_of(secret.table.caller).username
    page = browser(bob).get(f"/players/{name}").content.decode()
    assert secret.table.id not in page
    assert bob.get("games/").json()["results"] == []
