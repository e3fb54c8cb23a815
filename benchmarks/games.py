"""Games to play: random deals under every rule set, with lines that the rules allow."""

import json
import random
from collections import deque
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

from benchmarks.load import Request, post
from benchmarks.servers import Address
from game.rules.deals import LAST_NUMBER, numbered_deck
from game.rules.moves import Action, Move
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS, RuleSet

API = "/api/v1"


def random_game(chance: random.Random) -> tuple[RuleSet, int, list[Move]]:
    """A rule set, a deal, and moves until nothing can be moved: three times in four a removal
    when there is one."""
    rules, number = chance.choice([*RULE_SETS.values()]), chance.randint(1, LAST_NUMBER)
    position, line = Position.deal(numbered_deck(number), rules), []
    while moves := position.legal_moves():
        removes = [move for move in moves if move.action is Action.REMOVE]
        line.append(chance.choice(removes if removes and chance.random() < 0.75 else moves))
        position = position.apply(line[-1])
    return rules, number, line


def asked(game_id: str, version: int, move: Move) -> dict[str, Any]:
    """The body of a move as the page sends it: with the version it is made against and an id."""
    return {
        "action": move.action,
        "cards": move.cards,
        "version": version,
        "client_move_id": f"{game_id[:18]}-{version:04}-made-here",
    }


class Guest:
    """A guest of a server, and an iterator over the moves that it has ready to make."""

    def __init__(self, address: Address, chance: random.Random) -> None:
        self.http = HTTPConnection(*address)
        self.chance = chance
        self.ready: deque[Request] = deque()
        self.caller: dict[str, str] = {}
        self.caller = {"Authorization": f"Bearer {self._post('guests/', {})['token']}"}

    def __iter__(self) -> Iterator[Request]:
        return self

    def __next__(self) -> Request:
        if not self.ready:
            raise StopIteration
        return self.ready.popleft()

    def deal(self, moves: int) -> None:
        """Starts games until at least so many moves are ready."""
        while len(self.ready) < moves:
            rules, number, line = random_game(self.chance)
            game_id = self._post("games/", {"rules": rules.key, "number": number})["id"]
            path = f"{API}/games/{game_id}/moves/"
            for version, move in enumerate(line):
                body = json.dumps(asked(game_id, version, move)).encode()
                self.ready.append(Request(move.action, post(path, body, self.caller)))

    def _post(self, call: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", **self.caller}
        self.http.request("POST", f"{API}/{call}", json.dumps(body), headers)
        answer = self.http.getresponse()
        answered: dict[str, Any] = json.load(answer)
        if answer.status != 201:
            raise RuntimeError(f"{call} was answered {answer.status}: {answered}")
        return answered
