"""Games as this process has last written them, so that the next move need not read them first.

They may be behind what was written since, here or by another process. An entry that is made on them
is then none for the log; but a refusal is only to be told from what the database says.
"""

from collections import OrderedDict
from copy import copy
from threading import Lock
from uuid import UUID

from game.ledger import Ledger
from game.models import Game

MOST = 2_000  # games; about 10 kB each

_games: OrderedDict[UUID, tuple[Game, Ledger]] = OrderedDict()
_lock = Lock()


def remember(game: Game, ledger: Ledger) -> None:
    """What has been written of a game, and is committed."""
    known = (copy(game), ledger)
    with _lock:
        if game.pk in _games and _games[game.pk][1].version > ledger.version:
            return  # another thread has gone on
        _games[game.pk] = known
        _games.move_to_end(game.pk)
        if len(_games) > MOST:
            _games.popitem(last=False)


def recall(game_id: UUID) -> tuple[Game, Ledger] | None:
    """For the caller alone."""
    with _lock:
        found = _games.get(game_id)
    return None if found is None else (copy(found[0]), found[1])
