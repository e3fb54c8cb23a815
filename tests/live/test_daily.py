"""The room of a rule set's daily: the top of today's board and one's own rank."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.utils import timezone

from leaderboards import live as live_module
from leaderboards.live import PAUSE_S, TOP, DailyRoom
from pyramid_site.broadcast import tell
from tests.accounts.callers import account
from tests.caller import Caller
from tests.leaderboards.dailies import NOON, TODAY, give_up, start
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


def room(caller: Caller | None = None, rules: str = "classic", query: str = "") -> Socket:
    return Socket(f"daily/{rules}/{query}", token=None if caller is None else caller.token)


def ends(caller: Caller, rules: str = "classic") -> None:
    """A result with two cards removed, or one."""
    table = start(caller, rules)
    state = table.state()
    while not state["removed"]:  # some days begin with a draw
        state = table.change("moves", **state["legal"][0]).json()  # removals come first
    give_up(table)


@live
async def test_anybody_sees_the_board_at_once() -> None:
    async with room() as socket:
        frame = await socket.told()
    assert frame == {
        "type": "board",
        "v": frame["v"],
        "rules": "classic",
        "date": datetime.now(UTC).date().isoformat(),
        "players": 0,
        "results": [],
        "me": None,
    }


@live
async def test_a_result_is_told_to_all_and_to_each_their_own_rank() -> None:
    ada, bob = await elsewhere(lambda: (account("ada"), account("bob")))
    async with room(ada) as first, room(bob) as second, room() as third:
        for socket in (first, second, third):
            assert (await socket.told())["results"] == []
        await elsewhere(lambda: ends(ada))
        frames = [await socket.told() for socket in (first, second, third)]
    assert {frame["players"] for frame in frames} == {1}
    assert [frame["results"][0]["player"] for frame in frames] == ["ada"] * 3
    assert [frame["me"] and frame["me"]["rank"] for frame in frames] == [1, None, None]
    assert frames[0]["me"] == frames[0]["results"][0]
    assert frames[0]["results"][0]["game"] is None


@live
async def test_many_results_in_a_second_are_one_frame() -> None:
    async with room() as socket:
        first = await socket.told()
        frames, heard = [], [time.monotonic()]
        for name in [f"player{number}" for number in range(TOP + 2)]:
            await elsewhere(lambda name=name: ends(account(name)))
        while not frames or frames[-1]["players"] < TOP + 2:
            frames.append(await socket.told())
            heard.append(time.monotonic())
    assert len(frames) <= heard[-1] - heard[0] + 1
    assert len(frames[-1]["results"]) == TOP
    assert [frame["v"] for frame in frames] == sorted({frame["v"] for frame in frames})
    assert frames[0]["v"] > first["v"]


@live
async def test_a_slow_look_at_the_board_is_followed_by_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = live_module._read

    def slowly(rules_key: str) -> Any:
        time.sleep(0.7)
        return read(rules_key)

    ada = await elsewhere(lambda: account("ada"))
    monkeypatch.setattr(live_module, "_read", slowly)
    async with room() as socket:
        await socket.told()
        told = time.monotonic()
        monkeypatch.setattr(live_module, "_read", read)
        await elsewhere(lambda: ends(ada))
        await socket.told()
        assert time.monotonic() - told > 0.9 * PAUSE_S


@live
async def test_whoever_comes_back_is_told_the_whole_board_as_a_newer_one() -> None:
    async with room() as socket:
        version = (await socket.told())["v"]
    async with room(query=f"?v={version}") as socket:
        frame = await socket.told()
    assert (frame["type"], frame["players"]) == ("board", 0)
    assert frame["v"] > version


@live
async def test_a_board_that_says_the_same_is_not_told_again() -> None:
    async with room() as socket:
        await socket.told()
        await elsewhere(lambda: tell("daily.classic", {"type": "changed"}))
        await asyncio.sleep(2 * PAUSE_S)
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"


@live
async def test_what_is_stamped_first_and_committed_last_is_told() -> None:
    ada, bob = await elsewhere(lambda: (account("ada"), account("bob")))
    async with room() as socket:
        await socket.told()
        await elsewhere(lambda: ends(ada))
        first = await socket.told()
        early = timezone.now() - timedelta(seconds=20)
        stopped = type("Stopped", (), {"now": staticmethod(lambda: early)})
        with patch("leaderboards.services.results.timezone", stopped):
            await elsewhere(lambda: ends(bob))
        second = await socket.told()
    assert {row["player"] for row in second["results"]} == {"ada", "bob"}
    assert second["v"] > first["v"]


@live
async def test_news_that_are_lost_are_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from game.live.duties import compare_versions

    monkeypatch.setattr("leaderboards.services.results.tell_of_board", lambda _: None)
    ada = await elsewhere(lambda: account("ada"))
    async with room() as socket:
        await socket.told()
        await elsewhere(lambda: ends(ada))
        await elsewhere(compare_versions)
        assert (await socket.told())["players"] == 1


@live
async def test_one_rule_set_hears_nothing_of_another() -> None:
    ada = await elsewhere(lambda: account("ada"))
    async with room() as socket, room(rules="open") as other:
        await socket.told()
        await other.told()
        await elsewhere(lambda: ends(ada, "open"))
        assert (await other.told())["players"] == 1
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"


@live
async def test_those_without_an_account_are_counted_by_their_networks(settings: Any) -> None:
    settings.SOCKETS_AT_ONCE = 1

    def from_(address: str) -> Socket:
        socket = room()
        socket.wire.scope["client"] = (address, 4711)
        return socket

    async with from_("192.0.2.1") as first, from_("192.0.2.2") as second:
        await first.told()
        await second.told()
        async with from_("192.0.2.1") as again:
            assert await again.closed() == 1008


@pytest.mark.parametrize("rules", ["strict", "chess"])
@live
async def test_a_rule_set_without_a_daily_has_no_room(rules: str) -> None:
    async with room(rules=rules) as socket:
        assert await socket.closed() == 4404


def test_a_new_day_is_a_newer_version(db: None) -> None:
    def version() -> Any:
        return DailyRoom.versions(["classic"])["classic"]

    with time_machine.travel(NOON, tick=False) as clock:
        assert version() == int(TODAY.starts_at.timestamp() * 1_000_000)
        ends(account("ada"))
        with_result = version()
        clock.move_to(TODAY.resets_at - timedelta(seconds=1))
        assert version() == with_result
        clock.shift(timedelta(seconds=1))
        assert version() > with_result
