"""The floor: the statements of real moves through psycopg in a loop, with nothing around them."""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import cycle, groupby
from time import perf_counter
from typing import Any

import psycopg

from benchmarks.servers import PYTHON, run
from benchmarks.statements import Played, Statement

GAMES = 4  # of each connection
SEED = 7

_Connection = psycopg.Connection[tuple[Any, ...]]


class Floor:
    """Replays games on up to `connections` connections, each in a thread of its own."""

    def __init__(self, url: str, environment: Mapping[str, str], connections: int) -> None:
        command = (PYTHON, "-m", "benchmarks.statements", str(SEED), str(GAMES * connections))
        played: list[Played] = pickle.loads(run(command, environment))  # noqa: S301  our own
        self.statements = max(len(move) for game in played for move in game.moves)
        self.hands = [
            (_connect(url), cycle(played[first::connections])) for first in range(connections)
        ]

    def rate(self, connections: int, seconds: float) -> float:
        """Moves a second on so many connections at once."""
        with ThreadPoolExecutor(connections) as pool:
            return sum(pool.map(lambda hand: _rate(*hand, seconds), self.hands[:connections]))

    def close(self) -> None:
        for connection, _ in self.hands:
            connection.close()


def _connect(url: str) -> _Connection:
    """With Django's kind of cursor, which may send several statements at once."""
    return psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor)


def _rate(connection: _Connection, games: Iterator[Played], seconds: float) -> float:
    moves, busy, deadline = 0, 0.0, perf_counter() + seconds
    while perf_counter() < deadline:
        game = next(games)
        connection.execute("DELETE FROM game_logentry WHERE game_id = %s", [game.game_id])
        back = "UPDATE game_game SET version = 0, changed = 0 WHERE id = %s"
        connection.execute(back, [game.game_id])
        start = perf_counter()
        for move in game.moves:
            _send(connection, move)
            moves += 1
            if perf_counter() > deadline:
                break
        busy += perf_counter() - start
    return moves / busy


def _send(connection: _Connection, move: Iterable[Statement]) -> None:
    for together, statements in groupby(move, key=lambda statement: statement.in_transaction):
        scope: AbstractContextManager[Any] = connection.transaction() if together else nullcontext()
        with scope:
            for statement in statements:
                cursor = connection.execute(statement.sql, statement.params)
                if cursor.description:
                    cursor.fetchall()
