"""The room of a race: what each of its players, and who watches, is told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.live.duties import keep_time
from game.live.presence import mind_races
from game.live.race import MISSED
from game.models import Race, RaceEvent, Seat
from game.rules.deals import numbered_deck
from game.services import race_presence
from tests.caller import Caller
from tests.game.lines import WON
from tests.game.racers import Racers, guests
from tests.live.socket import Frame, Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER, LINE = WON["classic"]


def room(race: Racers, caller: Caller, query: str = "") -> Socket:
    return Socket(f"races/{race.code}/{query}", token=caller.token)


@asynccontextmanager
async def entered(race: Racers, caller: Caller) -> AsyncIterator[Socket]:
    """A socket that has been shown the race: from here on it is told all that happens."""
    async with room(race, caller) as socket:
        await socket.told("snapshot")
        yield socket


@pytest.fixture
def race(player: Caller, stranger: Caller) -> Racers:
    return Racers(player, stranger, number=NUMBER)


def put_together(frames: list[Frame]) -> dict[int, dict[str, Any]]:
    """The seats, as a client that has read all of these knows them."""
    seats: dict[int, dict[str, Any]] = {}
    for frame in frames:
        if "seats" in frame:
            seats = {seat["seat"]: seat for seat in frame["seats"]}
        elif "seat" in frame:
            number = frame["seat"]["seat"]
            seats[number] = seats.get(number, {}) | frame["seat"]
            if frame.get("left"):
                del seats[number]
    return seats


async def all_until(socket: Socket, version: int) -> list[Frame]:
    frames = []
    while not frames or frames[-1]["v"] < version:
        frames.append(await socket.told())
    return frames


@live
async def test_a_race_is_shown_at_once_with_who_is_there(race: Racers, player: Caller) -> None:
    async with room(race, player) as socket:
        frame = await socket.told()
    body = await elsewhere(race.body)
    assert (frame.pop("type"), frame.pop("v")) == ("snapshot", body["version"])
    assert frame.pop("server_now") <= body.pop("server_now")
    assert frame == body


@live
async def test_friends_see_each_other_arrive(player: Caller) -> None:
    race = await elsewhere(lambda: Racers(player))
    async with entered(race, player) as socket:
        friend = await elsewhere(Caller.guest)
        await elsewhere(lambda: friend.post(f"{race.address}seats/"))
        seat = await socket.told()
    name = (await elsewhere(lambda: friend.get("me/"))).json()["name"]
    assert (seat["type"], seat["left"], seat["seat"]["player"]) == ("seat", False, name)
    assert seat["seat"]["connected"]


@live
async def test_ready_from_the_socket_begins_the_countdown(
    race: Racers, player: Caller, stranger: Caller
) -> None:
    async with entered(race, player) as own, entered(race, stranger) as other:
        await own.ask(type="ready", ready=True)
        ready = await other.told("ready")
        await other.ask(type="ready", ready=True)
        countdown = await own.told("countdown")
    assert (ready["seat"]["seat"], ready["seat"]["ready"]) == (1, True)
    assert 4_000 < countdown["starts_in_ms"] <= 5_000
    assert countdown["server_now"] < countdown["starts_at"]


@live
async def test_a_countdown_that_is_called_off_says_so(race: Racers, player: Caller) -> None:
    async with entered(race, player) as socket:
        await elsewhere(lambda: player.post(f"{race.address}starts/"))
        await socket.told("countdown")
        await elsewhere(lambda: race.leave(race.callers[1]))
        frame = await socket.told("countdown")
    assert (frame["starts_at"], frame["starts_in_ms"]) == (None, None)


@live
async def test_the_start_brings_each_their_own_board_and_a_watcher_none(
    race: Racers, player: Caller, stranger: Caller
) -> None:
    watcher = await elsewhere(Caller.guest)
    async with (
        entered(race, player) as own,
        entered(race, stranger) as other,
        entered(race, watcher) as third,
    ):
        tables = await elsewhere(race.start)
        starts = [await socket.told("start") for socket in (own, other, third)]
    assert [start["game"] and start["game"]["id"] for start in starts] == [
        tables[0].id,
        tables[1].id,
        None,
    ]
    assert starts[0]["game"]["pyramid"] == starts[1]["game"]["pyramid"]
    assert starts[0]["ends_at"] > starts[0]["starts_at"]


@live
async def test_others_are_told_of_each_move_and_no_card(race: Racers, stranger: Caller) -> None:
    async with entered(race, stranger) as socket:
        own, _ = await elsewhere(race.start)
        await socket.told("start")
        await elsewhere(lambda: own.play("7D6D"))
        removed = await socket.told()
        await elsewhere(own.undo)
        undone = await socket.told()
    assert (removed["type"], removed["seat"]["removed"], removed["seat"]["moves"]) == (
        "progress",
        2,
        1,
    )
    assert (undone["seat"]["removed"], undone["seat"]["undos"]) == (0, 1)
    assert not any(card in str((removed, undone)) for card in numbered_deck(NUMBER))


@live
async def test_the_end_brings_places_and_the_way_to_all_boards(
    race: Racers, stranger: Caller
) -> None:
    async with entered(race, stranger) as socket:
        own, other = await elsewhere(race.start)
        await socket.told("start")
        await elsewhere(lambda: own.play(LINE))
        cleared = await socket.told("cleared")
        finish = await socket.told()
    assert cleared["seat"]["cleared"]
    assert finish["type"] == "finish"
    assert [seat["place"] for seat in finish["seats"]] == [1, 2]
    assert [seat["game"] for seat in finish["seats"]] == [own.id, other.id]
    assert (finish["game"]["id"], finish["game"]["status"]) == (other.id, "lost")


@live
async def test_a_rematch_is_told_with_its_link(race: Racers, player: Caller) -> None:
    await elsewhere(race.start)
    await elsewhere(race.use_up_the_time)
    async with entered(race, race.callers[1]) as socket:
        body = (await elsewhere(lambda: player.post(f"{race.address}rematches/"))).json()
        frame = await socket.told("rematch")
    assert (frame["code"], frame["url"]) == (body["code"], body["url"])
    assert frame["player"] == body["seats"][0]["player"]


@live
async def test_whoever_was_away_is_told_what_was_missed(race: Racers, player: Caller) -> None:
    async with room(race, player) as socket:
        seen = (await socket.told())["v"]
    own, _ = await elsewhere(race.start)
    await elsewhere(lambda: own.play("7D6D d"))
    version = (await elsewhere(race.body))["version"]
    async with room(race, player, f"?v={seen}") as socket:
        frames = await all_until(socket, version)
    assert [frame["v"] for frame in frames] == list(range(seen + 1, version + 1))
    assert [frame["type"] for frame in frames] == ["countdown", "start", "progress", "progress"]
    assert frames[1]["game"]["removed"] == 2
    assert put_together(frames)[1]["moves"] == 2


@live
async def test_whoever_has_missed_too_much_is_told_how_it_stands(
    race: Racers, player: Caller
) -> None:
    own, _ = await elsewhere(race.start)
    seen = (await elsewhere(race.body))["version"]
    for _ in range(MISSED // 2 + 1):
        await elsewhere(lambda: own.play("d"))
        await elsewhere(own.undo)
    async with room(race, race.callers[1], f"?v={seen}") as socket:
        frame = await socket.told()
    assert frame["type"] == "snapshot"
    assert frame["seats"][0]["undos"] == MISSED // 2 + 1


@pytest.mark.parametrize("query", ["?v=999999", "?v=-1", "?v=x", "?v=", "?w=1"])
@live
async def test_a_version_that_never_was_gets_a_snapshot(
    race: Racers, player: Caller, query: str
) -> None:
    async with room(race, player, query) as socket:
        assert (await socket.told())["type"] == "snapshot"


@live
async def test_a_burst_ends_at_the_last_version(race: Racers, stranger: Caller) -> None:
    async with entered(race, stranger) as socket:
        own, _ = await elsewhere(race.start)
        await elsewhere(lambda: [own.move("d") if turn % 2 else own.undo() for turn in range(240)])
        body = await elsewhere(race.body)
        frames = await all_until(socket, body["version"])
    versions = [frame["v"] for frame in frames]
    assert versions == sorted(set(versions))
    assert put_together(frames)[1]["moves"] == body["seats"][0]["moves"]


@live
async def test_what_is_put_together_is_what_is_there() -> None:
    race = await elsewhere(lambda: Racers(*guests(3), number=NUMBER))
    async with room(race, race.callers[2]) as socket:
        snapshot = await socket.told("snapshot")
        first, second, third = await elsewhere(race.start)
        await elsewhere(lambda: first.play(LINE))
        await elsewhere(lambda: second.play("7D6D"))
        await elsewhere(lambda: second.change("resignations"))
        await elsewhere(lambda: third.play("d"))
        body = await elsewhere(race.body)
        frames = await all_until(socket, body["version"])
    known = put_together([snapshot, *frames])
    assert [known[seat["seat"]] for seat in body["seats"]] == body["seats"]


@live
async def test_a_refusal_is_a_problem_and_the_socket_stays(race: Racers, player: Caller) -> None:
    watcher = await elsewhere(Caller.guest)
    async with entered(race, watcher) as socket:
        await socket.ask(type="ready", ready=True)
        refused = await socket.told()
        await socket.ask(type="ready", ready="yes")
        malformed = await socket.told()
        await socket.ask(type="leave")
        again = await socket.told()
        await socket.ask(type="ping", t=1)
        assert (await socket.told())["type"] == "pong"
    assert (refused["type"], refused["code"], refused["status"]) == ("problem", "not_seated", 403)
    assert (malformed["code"], list(malformed["errors"])) == ("invalid", ["ready"])
    assert again["code"] == "not_seated"


@live
async def test_to_leave_by_the_socket_frees_the_seat(
    race: Racers, player: Caller, stranger: Caller
) -> None:
    async with entered(race, player) as own, entered(race, stranger) as other:
        await other.ask(type="leave")
        frame = await own.told("seat")
    assert (frame["seat"]["seat"], frame["left"]) == (2, True)


@live
async def test_who_registers_is_told_by_the_new_name(
    race: Racers, player: Caller, stranger: Caller
) -> None:
    ada = {"username": "Ada", "password": "seven wide pyramids"}
    async with entered(race, stranger) as socket:
        await elsewhere(lambda: player.post("accounts/", ada))
        frame = await socket.told("seat")
    assert (frame["seat"]["seat"], frame["seat"]["player"]) == (1, "Ada")


@pytest.mark.parametrize("code", ["AAAAAAAA", "x", "A" * 200])
@live
async def test_there_is_no_room_without_a_race(player: Caller, code: str) -> None:
    async with Socket(f"races/{code}/", token=player.token) as socket:
        assert await socket.closed() == 4404


@live
async def test_nobody_is_not_let_in(race: Racers) -> None:
    async with Socket(f"races/{race.code}/") as socket:
        assert await socket.closed() == 4401


def let_be_silent() -> None:
    Seat.objects.update(seen_at=timezone.now() - timedelta(seconds=8))
    race_presence.mark_away()


@live
async def test_two_tabs_are_there_once(race: Racers, player: Caller) -> None:
    await elsewhere(let_be_silent)
    async with entered(race, player), entered(race, player):
        told = await elsewhere(lambda: RaceEvent.objects.filter(type="presence").count())
    assert told == 3  # both were away, and one has come


@live
async def test_away_and_back_are_told(race: Racers, player: Caller, stranger: Caller) -> None:
    async with entered(race, player) as socket:
        await elsewhere(let_be_silent)
        away = [await socket.told("presence") for _ in race.callers]
        async with entered(race, stranger):
            back = await socket.told("presence")
    assert [frame["seat"]["connected"] for frame in away] == [False, False]
    assert (back["seat"]["seat"], back["seat"]["connected"]) == (2, True)


@live
async def test_who_speaks_again_after_a_long_silence_is_back(race: Racers, player: Caller) -> None:
    async with entered(race, player) as socket:
        await elsewhere(let_be_silent)
        await socket.told("presence")
        await socket.told("presence")
        await socket.ask(type="ping")
        await socket.told("pong")
        await elsewhere(mind_races)
        back = await socket.told("presence")
    assert (back["seat"]["seat"], back["seat"]["connected"]) == (1, True)


@live
async def test_what_is_due_happens_by_itself(race: Racers, player: Caller) -> None:
    async with entered(race, player) as socket:
        await elsewhere(lambda: player.post(f"{race.address}starts/"))
        await socket.told("countdown")
        now = timezone.now()
        await elsewhere(lambda: Race.objects.update(starts_at=now, due_at=now))
        assert await elsewhere(keep_time) is not None
        await socket.told("start")
        await elsewhere(lambda: Race.objects.update(ends_at=now, due_at=now))
        assert await elsewhere(keep_time) is None
        await socket.told("finish")
