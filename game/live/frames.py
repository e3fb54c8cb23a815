"""The words of the sockets: the frames of each room, and the codes that close one.

docs/websocket.md explains each of them; a test holds the two together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from game.racing import EventType


class Close(IntEnum):
    BINARY = 1003  # frames are text
    TOO_MANY = 1008  # frames at once
    TOO_LARGE = 1009  # a frame
    FAULT = 1011  # of the server's
    NO_SESSION = 4401  # none, or one that has ended
    FORBIDDEN = 4403  # the page is of another origin
    NO_ROOM = 4404  # or not one for this player
    SILENT = 4408  # for too long
    SLOW = 4410  # does not take what it is sent
    GOING_DOWN = 4503  # the server; another one, or the next, is there at once


@dataclass(frozen=True, slots=True)
class Words:
    """Types of frames, to the server and from it."""

    asked: frozenset[str]
    told: frozenset[str]


EVERYWHERE = Words(asked=frozenset({"ping"}), told=frozenset({"pong", "problem"}))

ROOMS: Mapping[str, Words] = {
    "games": Words(
        asked=frozenset({"move", "undo", "rewind", "restart", "resign", "pause"}),
        told=frozenset({"snapshot", "state"}),
    ),
    "races": Words(
        asked=frozenset({"ready", "leave"}),
        told=frozenset({"snapshot", *EventType}),
    ),
    "deals": Words(
        asked=frozenset({"race"}),
        told=frozenset({"snapshot", "progress", "left", "race"}),
    ),
}
