"""What moves send to the database.

`python -m benchmarks.statements SEED GAMES` plays games in its own process, on the database of
its environment, and pickles them to stdout as a list of `Played`.
"""

import os
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.games import API, asked, random_game


@dataclass(frozen=True, slots=True)
class Statement:
    sql: str
    params: tuple[Any, ...]
    in_transaction: bool


@dataclass(frozen=True, slots=True)
class Played:
    game_id: str
    moves: list[list[Statement]] = field(default_factory=list)


def play(seed: int, games: int) -> list[Played]:
    """Games of one guest through the whole of Django, without a server."""
    from django.test import Client

    chance = random.Random(seed)
    anyone = Client(SERVER_NAME="127.0.0.1")
    token = anyone.post(f"{API}/guests/", {}, "application/json").json()["token"]
    guest = Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {token}"})
    return [_played(guest, chance) for _ in range(games)]


def _played(guest: Any, chance: random.Random) -> Played:
    from django.db import connection

    rules, number, line = random_game(chance)
    start = {"rules": rules.key, "number": number}
    played = Played(guest.post(f"{API}/games/", start, "application/json").json()["id"])

    def keep(execute: Callable[..., Any], sql: str, params: Sequence[Any], *rest: Any) -> Any:
        statement = Statement(sql, tuple(params or ()), connection.in_atomic_block)
        played.moves[-1].append(statement)
        return execute(sql, params, *rest)

    with connection.execute_wrapper(keep):
        for version, move in enumerate(line):
            played.moves.append([])
            path = f"{API}/games/{played.game_id}/moves/"
            answer = guest.post(path, asked(played.game_id, version, move), "application/json")
            assert answer.status_code == 200, answer.content
    return played


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")
    django.setup()
    from benchmarks import statements  # the pickle has to name this module, not __main__

    sys.stdout.buffer.write(pickle.dumps(statements.play(int(sys.argv[1]), int(sys.argv[2]))))


if __name__ == "__main__":
    main()
