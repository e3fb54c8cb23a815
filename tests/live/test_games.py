"""The room of a game: what its player is told in every tab, and what may be asked there."""

import asyncio
from typing import Any

import pytest

from game.models import Game, LogEntry
from tests.caller import Caller, Table, body_of
from tests.game.lines import LOSING
from tests.live.socket import Frame, Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)

CHANGES = {  # the socket's word -> the call's address
    "move": "moves",
    "undo": "undos",
    "rewind": "rewinds",
    "restart": "restarts",
    "resign": "resignations",
    "pause": "pauses",
}
TIMES = ("elapsed_ms", "id")


async def dealt(player: Caller, number: int = 7) -> Table:
    return await elsewhere(lambda: player.deal("classic", number))


def at(table: Table, query: str = "") -> Socket:
    return Socket(f"games/{table.id}/{query}", token=table.caller.token)


def without_times(state: Any) -> Any:
    kept = {name: value for name, value in state.items() if name not in TIMES}
    if "result" in kept:
        kept["result"] = without_times(kept["result"])
    return kept


@live
async def test_a_game_is_shown_at_once(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        frame = await socket.told()
    assert (frame["type"], frame["v"]) == ("snapshot", 0)
    assert frame["state"] == await elsewhere(table.state)


@live
async def test_another_s_game_is_not_there(player: Caller, stranger: Caller) -> None:
    table = await dealt(player)
    async with Socket(f"games/{table.id}/", token=stranger.token) as socket:
        assert await socket.closed() == 4404


@live
async def test_another_s_game_is_not_there_once_it_has_ended_either(
    player: Caller, stranger: Caller
) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.change("resignations"))
    async with Socket(f"games/{table.id}/", token=stranger.token) as socket:
        assert await socket.closed() == 4404


@live
async def test_whoever_has_seen_all_is_told_nothing_again(player: Caller) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.play("d d"))
    async with at(table, "?v=2") as socket:
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"


@live
async def test_whoever_has_missed_something_is_told_how_it_stands(player: Caller) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.play("d d d"))
    async with at(table, "?v=1") as socket:
        frame = await socket.told()
    assert (frame["type"], frame["v"], frame["state"]["version"]) == ("state", 3, 3)


@pytest.mark.parametrize("v", ["4", "999999999", "", "x", "-1", "1.0", "²", "9" * 99, "%ff"])
@live
async def test_a_version_that_cannot_be_gets_it_all(player: Caller, v: str) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.play("d d d"))
    async with at(table, f"?v={v}") as socket:
        frame = await socket.told()
        assert (frame["type"], frame["v"]) == ("snapshot", 3)
        await elsewhere(lambda: table.play("d"))
        assert (await socket.told())["v"] == 4


@live
async def test_a_move_is_answered_with_the_state(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="move", **body_of("6D7D"), version=0, client_move_id="one")
        frame = await socket.told()
        assert (frame["type"], frame["v"], frame["client_move_id"]) == ("state", 1, "one")
        assert frame["state"]["removed"] == 2
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"  # nobody tells the mover again


@live
async def test_the_player_s_other_tabs_see_it(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as here, at(table) as there:
        await here.told("snapshot")
        await there.told("snapshot")
        await here.ask(type="move", **body_of("d"))
        frame = await there.told()
    assert (frame["type"], frame["v"]) == ("state", 1)
    assert "client_move_id" not in frame
    assert frame["state"]["waste"]["count"] == 1


@live
async def test_a_change_by_rest_is_seen_at_the_socket(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: table.play("d"))
        frame = await socket.told()
        now = await elsewhere(table.state)
    assert (frame["type"], frame["v"]) == ("state", 1)
    assert without_times(frame["state"]) == without_times(now)


@live
async def test_a_game_that_is_left_behind_ends_at_the_socket_too(player: Caller) -> None:
    start = {"rules": "classic", "tier": "easy"}
    game = await elsewhere(lambda: player.post("games/", start).json())
    table = Table(player, game["id"])
    async with at(table) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: table.play("d") and player.post("games/", start))
        while (frame := await socket.told("state"))["v"] < 2:
            pass
    assert frame["state"]["status"] == "lost"


ASKED: dict[str, list[tuple[str, Frame]]] = {
    "a move": [("move", body_of("6D7D"))],
    "all changes": [
        ("move", body_of("d")),
        ("pause", {"paused": True}),
        ("pause", {"paused": False}),
        ("undo", {}),
        ("move", body_of("6D7D")),
        ("restart", {}),
        ("resign", {}),
        ("undo", {}),
    ],
    "not by the rules": [
        ("move", body_of("KS")),
        ("move", body_of("2C")),
        ("move", body_of("6D6C")),
        ("move", body_of("r")),
        ("undo", {}),
        ("rewind", {"to": "lock"}),
    ],
    "not of the shape": [
        ("move", {}),
        ("move", {"action": "dance"}),
        ("move", {"action": "remove", "cards": "KS"}),
        ("move", {"action": "remove", "cards": [7]}),
        ("move", {"action": "remove", "cards": ["KX"]}),
        ("move", {"action": "draw", "version": "0"}),
        ("move", {"action": "draw", "version": -1}),
        ("move", {"action": "draw", "version": 10**300}),
        ("move", {"action": "draw", "client_move_id": ""}),
        ("move", {"action": "draw", "client_move_id": "x" * 65}),
        ("rewind", {}),
        ("rewind", {"to": ["winnable"]}),
        ("pause", {"paused": "yes"}),
    ],
    "stale": [
        ("move", body_of("d")),
        ("move", {**body_of("d"), "version": 0}),
        ("undo", {"version": 7}),
    ],
    "twice": [
        ("move", {**body_of("d"), "client_move_id": "one"}),
        ("move", {**body_of("d"), "client_move_id": "two"}),
        ("move", {**body_of("d"), "client_move_id": "one"}),
        ("undo", {"client_move_id": "one"}),
    ],
    "a move that can still be won": [("rewind", {"to": "winnable"})],
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
@live
async def test_both_doors_do_and_refuse_the_same(
    player: Caller, stranger: Caller, asked: list[tuple[str, Frame]]
) -> None:
    by_socket, by_rest = await dealt(player), await dealt(stranger)
    async with at(by_socket) as socket:
        await socket.told("snapshot")
        for type_, body in asked:
            await socket.ask(type=type_, **body)
            frame = await socket.told("state", "problem")
            answer = await elsewhere(lambda: by_rest.change(CHANGES[type_], **body))  # noqa: B023
            said = answer.json()
            if answer.status_code == 200:
                assert without_times(frame["state"]) == without_times(said)
                assert frame.get("client_move_id") == body.get("client_move_id")
                continue
            assert frame["status"] == answer.status_code
            for member in ("title", "detail", "code", "params"):
                assert frame[member] == said[member]
            assert frame.get("errors") == said.get("errors")
            assert ("state" in frame) == ("state" in said)
    assert [entry["type"] for entry in await elsewhere(by_socket.log)] == [
        entry["type"] for entry in await elsewhere(by_rest.log)
    ]


@live
async def test_a_problem_says_which_change_it_is_about(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="move", **body_of("KS"), client_move_id="wrong")
        problem = await socket.told()
    assert (problem["type"], problem["client_move_id"]) == ("problem", "wrong")


@live
async def test_a_stale_change_is_told_how_the_game_stands(player: Caller) -> None:
    table = await dealt(player)
    await elsewhere(lambda: table.play("d"))
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="move", **body_of("d"), version=0)
        problem = await socket.told()
    assert problem["code"] == "stale_version"
    assert problem["state"]["version"] == 1


@live
async def test_a_problem_is_in_the_language_that_is_asked_for(player: Caller) -> None:
    table = await dealt(player)
    headers = {"accept-language": "ru"}
    async with Socket(f"games/{table.id}/", token=player.token, headers=headers) as socket:
        await socket.ask(type="undo")
        problem = await socket.told("problem")
    there = await elsewhere(
        lambda: Caller(player.token, language="ru").post(f"{table.address}undos/").json()
    )
    assert problem["detail"] == there["detail"]
    assert problem["detail"] != "There is no move to take back."


@live
async def test_in_a_browser_the_player_s_own_language_comes_first(player: Caller) -> None:
    table = await dealt(player)
    await elsewhere(lambda: player.send("PATCH", "me/", '{"settings": {"language": "ja"}}'))
    headers = {"cookie": f"sessionid={player.token}", "accept-language": "ru"}
    async with Socket(f"games/{table.id}/", headers=headers) as socket:
        await socket.ask(type="undo")
        problem = await socket.told("problem")
    there = await elsewhere(
        lambda: Caller(player.token, language="ja").post(f"{table.address}undos/").json()
    )
    assert problem["detail"] == there["detail"]


@pytest.mark.usefixtures("counters")
@live
async def test_calls_and_frames_are_counted_together(
    player: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dealt(player)
    settings.RATE_LIMITS = {"change": "2/hour"}
    async with at(table) as socket:
        await socket.told("snapshot")
        assert (await elsewhere(lambda: table.move("d"))).status_code == 200
        await socket.told("state")
        await socket.ask(type="move", **body_of("d"))
        await socket.told("state")
        await socket.ask(type="move", **body_of("d"), client_move_id="three")
        problem = await socket.told()
        there = await elsewhere(lambda: table.move("d"))
    assert (problem["status"], problem["code"]) == (429, "throttled")
    assert problem["client_move_id"] == "three"
    assert there.status_code == 429


@pytest.mark.usefixtures("counters")
@live
async def test_rewinding_to_what_can_be_won_is_held_to_the_solver_s_limit(
    player: Caller, settings: Any
) -> None:
    table = await dealt(player, LOSING[0])
    await elsewhere(lambda: table.play(LOSING[1]))
    settings.RATE_LIMITS = {"solver": "1/hour"}
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="rewind", to="winnable")
        assert (await socket.told())["type"] == "state"
        await socket.ask(type="rewind", to="winnable")
        assert (await socket.told())["code"] == "throttled"


@live
async def test_a_burst_of_changes_ends_at_the_last_version(player: Caller) -> None:
    table = await dealt(player)
    many = 150
    async with at(table) as socket:
        await socket.told("snapshot")
        async with at(table) as other:
            await other.told("snapshot")
            for _ in range(many):
                await other.ask(type="pause", paused=True)
            while (await other.told())["v"] < many:
                pass
        seen = [0]
        while seen[-1] < many:
            seen.append((await socket.told("state"))["v"])
    assert seen == sorted(set(seen))
    assert await elsewhere(LogEntry.objects.count) == many


@live
async def test_a_state_that_is_fetched_on_a_frame_is_that_one_or_newer(player: Caller) -> None:
    table = await dealt(player)

    async def play(socket: Socket) -> None:
        for _ in range(20):
            await socket.ask(type="pause", paused=True)
            await socket.told("state")

    async with at(table) as socket, at(table) as other:
        await socket.told("snapshot")
        await other.told("snapshot")
        playing = asyncio.create_task(play(other))
        v = 0
        while v < 20:
            v = (await socket.told("state"))["v"]
            assert (await elsewhere(table.state))["version"] >= v
        await playing


@live
async def test_no_card_goes_through_the_layer(
    player: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyramid_site.hub import Hub

    told: list[str] = []
    post = Hub.post
    monkeypatch.setattr(Hub, "post", lambda hub, news: told.append(news.text) or post(hub, news))
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await socket.ask(type="move", **body_of("6D7D"))
        await socket.told("state")
    assert told == ['{"type":"changed","v":1}']


@live
async def test_a_player_who_has_gone_is_told_so(player: Caller) -> None:
    table = await dealt(player)
    async with at(table) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: Game.objects.all().delete())
        await socket.ask(type="undo")
        problem = await socket.told()
    assert (problem["status"], problem["code"]) == (404, "not_found")
