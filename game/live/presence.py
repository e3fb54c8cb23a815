"""Who is there: whose socket has said something of late."""

from typing import TypeVar

from game.live.consumer import SOCKETS, Room
from game.live.game import GameRoom
from game.services.presence import AWAY_AFTER, be_present, pause_left

R = TypeVar("R", bound=Room)


def present(kind: type[R]) -> list[R]:
    """The sockets of this process in rooms of a kind that were heard of within `AWAY_AFTER`. From
    any thread."""
    return [
        socket
        for socket in list(SOCKETS)
        if isinstance(socket, kind) and socket.silent_s < AWAY_AFTER.total_seconds()
    ]


def mind_games() -> None:
    """Says which games' players are here, and stops the clocks of those who are nowhere."""
    here = {socket.key for socket in present(GameRoom)}
    if here:
        be_present(here)
    pause_left()
