"""Who is there: whose socket has said something of late."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from game.live.consumer import SOCKETS, Room
from game.live.deal import DealRoom
from game.live.game import GameRoom
from game.live.race import RaceRoom
from game.services import races
from game.services.presence import be_present, pause_left


class Minder:
    """Notes in the database who has been heard of, in rooms of these kinds that have let them in,
    since it did so last; and sees to those who were not for too long, at whichever process they
    were."""

    def __init__(
        self,
        kinds: tuple[type[Room], ...],
        note: Callable[[Sequence[Any]], None],
        see_off: Callable[[], None],
    ) -> None:
        self.kinds, self.note, self.see_off = kinds, note, see_off
        self.noted_at = 0.0  # of the monotonic clock

    def __call__(self) -> None:
        now = time.monotonic()
        since, self.noted_at = now - self.noted_at, now
        heard = [
            socket
            for socket in list(SOCKETS)
            if isinstance(socket, self.kinds) and socket.has_entered and socket.silent_s <= since
        ]
        if heard:
            self.note(heard)
        self.see_off()


def _note_games(sockets: Sequence[GameRoom | DealRoom]) -> None:
    be_present({socket.game_id for socket in sockets if socket.game_id is not None})


def _note_races(sockets: Sequence[RaceRoom]) -> None:
    races.seats_heard({(socket.key, socket.player.pk) for socket in sockets})


mind_games = Minder((GameRoom, DealRoom), _note_games, pause_left)
mind_races = Minder((RaceRoom,), _note_races, races.mark_away)
