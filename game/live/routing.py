"""The addresses of the game's rooms, and what answers where there is none."""

from typing import Any

from django.urls import path, re_path

from game.live.deal import DealRoom
from game.live.frames import Close
from game.live.game import GameRoom
from game.live.race import RaceRoom
from game.live.refusal import refuse
from pyramid_site.pool import Receive, Scope, Send


async def no_such_room(_scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(receive, send, Close.NO_ROOM)


_no_room: Any = no_such_room  # Django's stubs want views behind an address
_games: Any = GameRoom.as_asgi()
_races: Any = RaceRoom.as_asgi()
_deals: Any = DealRoom.as_asgi()
addresses: list[Any] = [
    path("ws/v1/games/<uuid:game_id>/", _games),
    # No longer than they can be: groups are named after them, which Redis hears of first.
    re_path(r"^ws/v1/races/(?P<code>[A-Za-z0-9]{1,12})/$", _races),
    re_path(r"^ws/v1/deals/(?P<rules>[a-z0-9-]{1,20})/(?P<number>[0-9]{1,10})/$", _deals),
]
no_room: Any = re_path("", _no_room)
