"""The room of a numbered deal: who else plays it now, and how far they are."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.live.presence import mind_games
from game.models import Presence
from game.rules.deals import numbered_deck
from game.services.presence import pause_left
from tests.caller import Caller
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


def room(caller: Caller, rules: str = "classic", number: int = 7) -> Socket:
    return Socket(f"deals/{rules}/{number}/", token=caller.token)


@asynccontextmanager
async def entered(caller: Caller) -> AsyncIterator[tuple[Socket, list[Any]]]:
    """The socket, and who is there already."""
    async with room(caller) as socket:
        frame = await socket.told("snapshot")
        yield socket, frame["players"]


def name_of(caller: Caller) -> str:
    name: str = caller.get("me/").json()["name"]
    return name


@live
async def test_players_of_a_deal_see_each_other_come(player: Caller, stranger: Caller) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: own.play("6D7D"))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(player) as (first, nobody), entered(stranger) as (_, somebody):
        frame = await first.told()
    assert nobody == []
    assert somebody == [
        {
            "player": await elsewhere(lambda: name_of(player)),
            "removed": 2,
            "pass": 1,
            "moves": 1,
            "undos": 0,
        }
    ]
    assert (frame["type"], frame["player"]["player"]) == (
        "progress",
        await elsewhere(lambda: name_of(stranger)),
    )


@live
async def test_a_move_is_told_to_the_others_and_names_no_card(
    player: Caller, stranger: Caller
) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(stranger) as (other, _), entered(player):
        await other.told("progress")
        await elsewhere(lambda: own.play("6D7D"))
        frame = await other.told("progress")
    assert (frame["v"], frame["player"]["removed"], frame["player"]["moves"]) == (0, 2, 1)
    assert not any(card in str(frame) for card in numbered_deck(7))


@live
async def test_nobody_is_told_of_themselves(player: Caller, stranger: Caller) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(stranger) as (other, _), entered(player) as (socket, _):
        await other.told("progress")
        await elsewhere(lambda: own.play("6D7D"))
        await other.told("progress")  # by now it has been told to all
        await socket.ask(type="ping")
        assert (await socket.told())["type"] == "pong"


@live
async def test_who_gives_up_has_left(player: Caller, stranger: Caller) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(stranger) as (other, _), entered(player):
        await other.told("progress")
        await elsewhere(lambda: own.change("resignations"))
        frame = await other.told("left")
    assert frame["player"] == await elsewhere(lambda: name_of(player))


@live
async def test_who_is_silent_for_too_long_has_left(player: Caller, stranger: Caller) -> None:
    for caller in (player, stranger):
        await elsewhere(lambda: caller.deal("classic", 7))  # noqa: B023
    async with entered(stranger) as (other, _):
        async with entered(player):
            await other.told("progress")
        await elsewhere(mind_games)
        await elsewhere(
            lambda: Presence.objects.update(seen_at=timezone.now() - timedelta(seconds=9))
        )
        await other.ask(type="ping")
        await other.told("pong")
        await elsewhere(mind_games)
        frame = await other.told("left")
        async with entered(player) as (_, there):
            assert len(there) == 1
    assert frame["player"] == await elsewhere(lambda: name_of(player))


@live
async def test_one_word_makes_it_a_race_for_all_who_are_there(
    player: Caller, stranger: Caller
) -> None:
    third = await elsewhere(Caller.guest)
    for caller in (player, stranger, third):
        await elsewhere(lambda: caller.deal("classic", 7))  # noqa: B023
    async with entered(player) as (own, _), entered(stranger) as (other, _), entered(third):
        await own.ask(type="race")
        told = [await socket.told("race") for socket in (own, other)]
    race = (await elsewhere(lambda: stranger.get(f"races/{told[1]['code']}/"))).json()
    assert told[0] == told[1]
    assert told[0]["player"] == await elsewhere(lambda: name_of(player))
    assert (race["rules"], race["number"], race["kind"]) == ("classic", 7, "friendly")
    assert (race["seats_max"], len(race["seats"]), race["url"]) == (3, 1, told[0]["url"])


@live
async def test_only_who_plays_the_deal_is_let_in(player: Caller, stranger: Caller) -> None:
    await elsewhere(lambda: player.deal("open", 7))
    over = await elsewhere(lambda: stranger.deal("classic", 7))
    await elsewhere(lambda: over.change("resignations"))
    for caller in (player, stranger):
        async with room(caller) as socket:
            assert await socket.closed() == 4404


@pytest.mark.parametrize(
    ("rules", "number"), [("nonsense", 7), ("classic", 0), ("classic", 10**10), ("classic" * 20, 7)]
)
@live
async def test_there_is_no_room_of_no_deal(player: Caller, rules: str, number: int) -> None:
    async with room(player, rules, number) as socket:
        assert await socket.closed() == 4404


@live
async def test_who_wants_no_company_neither_sees_nor_is_seen(
    player: Caller, stranger: Caller
) -> None:
    for caller in (player, stranger):
        await elsewhere(lambda: caller.deal("classic", 7))  # noqa: B023
    async with entered(player):
        await elsewhere(lambda: player.send("PATCH", "me/", '{"settings": {"company": false}}'))
        async with entered(stranger) as (_, there):
            assert there == []
    async with room(player) as socket:
        assert await socket.closed() == 4404


async def asks_for_no_company(caller: Caller) -> None:
    await elsewhere(lambda: caller.send("PATCH", "me/", '{"settings": {"company": false}}'))


@live
async def test_nobody_is_told_that_one_without_company_is_away(
    player: Caller, stranger: Caller
) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: stranger.deal("classic", 7))
    await asks_for_no_company(player)
    async with entered(stranger) as (other, _):
        async with Socket(f"games/{table.id}/", token=player.token) as socket:
            await socket.told("snapshot")
            await elsewhere(mind_games)
        past = timezone.now() - timedelta(seconds=9)
        await elsewhere(lambda: Presence.objects.update(seen_at=past))
        await other.ask(type="ping")
        await other.told("pong")
        await elsewhere(mind_games)
        await elsewhere(mind_games)  # what the first has told is heard by now
        await other.ask(type="ping")
        assert (await other.told())["type"] == "pong"
    assert not await elsewhere(Presence.objects.filter(game_id=table.id).exists)


@live
async def test_who_wants_no_company_any_more_leaves_at_once(
    player: Caller, stranger: Caller
) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(stranger) as (other, _), entered(player) as (socket, _there):
        await other.told("progress")
        await elsewhere(lambda: player.send("PATCH", "me/", '{"settings": {"company": false}}'))
        left = await other.told()
        assert await socket.closed() == 4404
        await elsewhere(lambda: own.play("6D7D"))
        await other.ask(type="ping")
        assert (await other.told())["type"] == "pong"
    assert (left["type"], left["player"]) == ("left", await elsewhere(lambda: name_of(player)))


@live
async def test_who_is_away_is_not_brought_back_by_the_pause(
    player: Caller, stranger: Caller
) -> None:
    own = await elsewhere(lambda: player.deal("classic", 7))
    await elsewhere(lambda: own.play("6D7D"))
    await elsewhere(lambda: stranger.deal("classic", 7))
    async with entered(stranger) as (other, _), entered(player):
        await other.told("progress")
        long_ago = timezone.now() - timedelta(seconds=9)
        await elsewhere(lambda: Presence.objects.filter(game=own.id).update(seen_at=long_ago))
        await elsewhere(pause_left)
        assert (await other.told())["type"] == "left"
        await asyncio.sleep(0.3)  # the pause is heard in the player's own room
        await other.ask(type="ping")
        assert (await other.told())["type"] == "pong"


@pytest.mark.parametrize("goes", ["registers", "logs in", "deletes all"])
@live
async def test_a_name_that_is_nobodys_any_more_has_left(
    goes: str, player: Caller, stranger: Caller
) -> None:
    for caller in (player, stranger):
        await elsewhere(lambda: caller.deal("classic", 7))  # noqa: B023
    name = await elsewhere(lambda: name_of(player))
    ada = {"username": "Ada", "password": "seven wide pyramids"}
    if goes == "logs in":
        await elsewhere(lambda: Caller().post("accounts/", ada))
    async with entered(stranger) as (other, _), entered(player):
        await other.told("progress")
        match goes:
            case "registers":
                await elsewhere(lambda: player.post("accounts/", ada))
            case "logs in":
                await elsewhere(lambda: player.post("tokens/", ada))
            case _:
                await elsewhere(lambda: player.send("DELETE", "me/", ""))
        frame = await other.told("left")
    assert frame["player"] == name
