"""Games to play: random deals under every rule set, with lines that the rules allow."""

import json
import random
from collections import deque
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

from benchmarks.load import Question, Request, post
from benchmarks.servers import Address
from benchmarks.wire import Wire, frame
from game.rules.deals import LAST_NUMBER, numbered_deck
from game.rules.moves import Action, Move
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS, RuleSet

API = "/api/v1"


def random_game(chance: random.Random) -> tuple[RuleSet, int, list[Move]]:
    """A rule set, a deal, and moves until nothing can be moved."""
    rules, number = chance.choice([*RULE_SETS.values()]), chance.randint(1, LAST_NUMBER)
    return rules, number, [*random_line(rules, number, chance)]


def random_line(rules: RuleSet, number: int, chance: random.Random) -> Iterator[Move]:
    """Three times in four a removal when there is one."""
    position = Position.deal(numbered_deck(number), rules)
    while moves := position.legal_moves():
        removes = [move for move in moves if move.action is Action.REMOVE]
        move = chance.choice(removes if removes and chance.random() < 0.75 else moves)
        position = position.apply(move)
        yield move


def asked(game_id: str, version: int, move: Move) -> dict[str, Any]:
    """The body of a move as the page sends it: with the version it is made against and an id."""
    return {
        "action": move.action,
        "cards": move.cards,
        "version": version,
        "client_move_id": f"{game_id[:18]}-{version:04}-made-here",
    }


class Guest:
    """A guest of a server, and an iterator over the moves that it has ready to make over HTTP."""

    def __init__(self, address: Address, chance: random.Random) -> None:
        self.address = address
        self.http = HTTPConnection(*address)
        self.chance = chance
        self.ready: deque[Request] = deque()
        self.caller: dict[str, str] = {}
        self.caller = {"Authorization": f"Bearer {self.post('guests/', {})['token']}"}

    def __iter__(self) -> Iterator[Request]:
        return self

    def __next__(self) -> Request:
        if not self.ready:
            raise StopIteration
        return self.ready.popleft()

    def deal(self, moves: int) -> None:
        """Starts games until at least so many moves are ready."""
        for game_id, line in self._started(moves - len(self.ready)):
            path = f"{API}/games/{game_id}/moves/"
            for version, move in enumerate(line):
                body = json.dumps(asked(game_id, version, move)).encode()
                self.ready.append(Request(move.action, post(path, body, self.caller)))

    def questions(self, moves: int) -> list[Question]:
        """At least so many moves to make at sockets, one for each game, which are open."""
        questions = []
        for game_id, line in self._started(moves):
            wire = Wire(self.address, f"/ws/v1/games/{game_id}/", self.caller)
            wire.first()
            for version, move in enumerate(line):
                body = {"type": "move", **asked(game_id, version, move)}
                content = frame(json.dumps(body).encode())
                questions.append(Question(move.action, content, wire))
        return questions

    def _started(self, moves: int) -> Iterator[tuple[str, list[Move]]]:
        while moves > 0:
            rules, number, line = random_game(self.chance)
            game = self.post("games/", {"rules": rules.key, "number": number})
            yield game["id"], line
            moves -= len(line)

    def post(self, call: str, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
        """Raises `RuntimeError` where it is not answered with this status."""
        return self._answered("POST", call, json.dumps(body), status)

    def get(self, call: str) -> dict[str, Any]:
        """As `post`, where the status is not 200."""
        return self._answered("GET", call, None, 200)

    def _answered(self, method: str, call: str, body: str | None, status: int) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", **self.caller}
        self.http.request(method, f"{API}/{call}", body, headers)
        answer = self.http.getresponse()
        answered: dict[str, Any] = json.load(answer)
        if answer.status != status:
            raise RuntimeError(f"{call} was answered {answer.status}: {answered}")
        return answered
