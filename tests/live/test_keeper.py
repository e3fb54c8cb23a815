"""What a server sees to by itself."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.live.duties import compare_versions
from game.live.keeper import Duty, Keeper
from game.models import Game
from pyramid_site import broadcast
from tests.caller import Caller
from tests.live.socket import Socket, elsewhere, live

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Redis were away: every news is lost."""
    monkeypatch.setattr(broadcast, "tell", lambda *_: None)


@live
async def test_news_that_were_lost_are_made_up_for(player: Caller, nothing_is_told: None) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: table.play("d d d"))
        await elsewhere(compare_versions)
        frame = await socket.told()
        await elsewhere(compare_versions)
        await socket.ask(type="ping")
        after = await socket.told()
    assert (frame["type"], frame["v"], frame["state"]["version"]) == ("state", 3, 3)
    assert after["type"] == "pong"


@live
async def test_a_room_that_has_gone_is_closed(player: Caller) -> None:
    table = await elsewhere(lambda: player.deal("classic", 7))
    async with Socket(f"games/{table.id}/", token=player.token) as socket:
        await socket.told("snapshot")
        await elsewhere(lambda: Game.objects.all().delete())
        await elsewhere(compare_versions)
        assert await socket.closed() == 4404


def test_a_duty_is_done_at_its_interval() -> None:
    done: list[str] = []
    keeper = Keeper(
        [
            Duty(lambda: done.append("often"), every_s=1),
            Duty(lambda: done.append("seldom"), every_s=3),
        ]
    )
    for now in (10.0, 10.5, 11.0, 12.0, 13.0):
        keeper.tick(now)
    assert done == ["often", "seldom", "often", "often", "often", "seldom"]


def test_a_duty_comes_again_when_it_says_that_something_is_due() -> None:
    keeper = Keeper([Duty(lambda: timezone.now() + timedelta(seconds=0.5), every_s=2)])
    assert 10.4 < keeper.tick(10.0) <= 10.5


def test_a_duty_that_fails_keeps_no_other_from_being_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[Any] = []

    def fail() -> None:
        raise RuntimeError

    keeper = Keeper([Duty(fail, every_s=1), Duty(lambda: done.append(1), every_s=1)])
    keeper.tick(10.0)
    keeper.tick(11.0)
    assert done == [1, 1]
    assert "fail failed" in caplog.text
