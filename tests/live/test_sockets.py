"""What holds in every room: who is let in, what may be said, when a socket is closed."""

import json
from typing import Any

import pytest
from django.db import OperationalError

from tests.caller import Caller
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)

A_GAME = "games/00000000-0000-4000-8000-000000000000/"


@live
async def test_without_a_session_there_is_no_way_in() -> None:
    async with Socket(A_GAME) as socket:
        assert await socket.closed() == 4401


@live
async def test_a_token_of_nobody_is_no_way_in() -> None:
    async with Socket(A_GAME, token="a" * 32) as socket:
        assert await socket.closed() == 4401


@live
async def test_a_token_in_the_address_is_not_looked_at(player: Caller) -> None:
    async with Socket(f"{A_GAME}?token={player.token}&access_token={player.token}") as socket:
        assert await socket.closed() == 4401


@live
async def test_the_session_cookie_is_a_way_in(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    headers = {"cookie": f"a=b; sessionid={player.token}", "origin": "http://localhost"}
    async with Socket(f"games/{table.id}/", headers=headers) as socket:
        assert (await socket.told())["type"] == "snapshot"


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost.evil.example",
        "http://localhost:81",
        "null",
        "",
        "file://localhost",
        "http://[",
    ],
)
@live
async def test_a_page_of_another_origin_is_not_let_in(player: Caller, origin: str) -> None:
    headers = {"cookie": f"sessionid={player.token}", "origin": origin}
    async with Socket(A_GAME, headers=headers) as socket:
        assert await socket.closed() == 4403


@live
async def test_a_host_that_is_not_ours_is_not_let_in(player: Caller) -> None:
    headers = {"host": "evil.example", "origin": "http://evil.example"}
    async with Socket(A_GAME, token=player.token, headers=headers) as socket:
        assert await socket.closed() == 4403


@live
async def test_an_origin_that_is_trusted_is_let_in(player: Caller, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://pyramid.example", "https://*.cards.example"]
    table = await elsewhere(lambda: player.deal("classic", 7))
    for origin in ("https://pyramid.example", "https://play.cards.example"):
        headers = {"origin": origin}
        async with Socket(f"games/{table.id}/", token=player.token, headers=headers) as socket:
            assert (await socket.told())["type"] == "snapshot"


@pytest.mark.parametrize("room", ["", "games/", "games/7/", "nothing/", "games/%00/", A_GAME])
@live
async def test_what_is_no_room_is_closed(player: Caller, room: str) -> None:
    async with Socket(room, token=player.token) as socket:
        assert await socket.closed() == 4404


@live
async def test_a_ping_is_answered_with_what_it_said_and_the_time(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.ask(type="ping", t=1234.5)
        pong = await socket.told("pong")
    assert pong["t"] == 1234.5
    assert pong["server_now"].endswith("Z")


@live
async def test_bytes_close_the_socket(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.say(b"\x00\xff")
        assert await socket.closed() == 1003


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "nothing",
        "NaN",
        '{"type": "ping", "t": NaN}',
        '{"type": "ping", "t": 1e999}',
        '{"type": "ping", "t": "\\ud800"}',
        '{"type": "ping", "t": ' + "9" * 5000 + "}",
        "[" * 8000 + "]" * 8000,
        '{"a":' * 2000 + "1" + "}" * 2000,
    ],
)
@live
async def test_what_is_no_json_is_a_problem(player: Caller, text: str) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.say(text)
        problem = await socket.told("problem")
        assert (problem["status"], problem["code"]) == (400, "parse_error")
        await socket.ask(type="ping", t=1)
        await socket.told("pong")


@pytest.mark.parametrize(
    "frame", [[], 7, "ping", None, {}, {"type": None}, {"type": ["ping"]}, {"type": "dance"}]
)
@live
async def test_what_is_no_frame_is_a_problem(player: Caller, frame: Any) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.say(json.dumps(frame))
        problem = await socket.told("problem")
    assert (problem["status"], problem["code"]) == (400, "invalid")


@pytest.mark.usefixtures("counters")
@live
async def test_too_many_sockets_are_refused(player: Caller, settings: Any) -> None:
    settings.RATE_LIMITS = {"read": "2/hour"}
    for code in (4404, 4404, 1008):
        async with Socket(A_GAME, token=player.token) as socket:
            assert await socket.closed() == code


@live
async def test_a_database_that_is_away_has_sockets_come_back(
    player: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Any) -> Any:
        raise OperationalError

    monkeypatch.setattr("accounts.sessions.SessionStore.player", fail)
    async with Socket(A_GAME, token=player.token) as socket:
        assert await socket.closed() == 1011


@live
async def test_too_many_frames_at_once_close_the_socket(player: Caller, settings: Any) -> None:
    settings.SOCKET_FRAMES = (5, 1)
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        for n in range(6):
            await socket.ask(type="ping", t=n)
        assert await socket.closed() == 1008


@live
async def test_one_player_has_so_many_sockets_and_no_more(
    player: Caller, stranger: Caller, settings: Any
) -> None:
    settings.SOCKETS_AT_ONCE = 2
    table = await elsewhere(lambda: player.deal("classic", 7))
    room = f"games/{table.id}/"
    async with Socket(room, token=player.token) as first:
        await first.told("snapshot")
        async with Socket(room, token=player.token) as second:
            await second.told("snapshot")
            async with Socket(room, token=player.token) as third:
                assert await third.closed() == 1008
            async with Socket(room, token=stranger.token) as other:
                assert await other.closed() == 4404
        async with Socket(room, token=player.token) as again:
            await again.told("snapshot")
