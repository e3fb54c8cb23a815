"""Random players while the server is killed and started again: nothing answered is lost, and
nothing is done twice.

A player repeats a change under its `client_move_id` until there is an answer, as a client should.
So at the end each change that was accepted stands for one entry of its game's log, and the other
way round. SOAK_SECONDS says for how long.
"""

import json
import os
import random
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from game.rules.cards import DECK
from game.rules.rulesets import RULE_SETS
from tests.serving import Server, scratch_database

SECONDS = float(os.environ.get("SOAK_SECONDS", "120"))
PLAYERS = 6
CHANGES_A_GAME = 150
PATIENCE_S = 60  # for one answer, over a restart of the server

REFUSALS = (400, 409, 422)
BUSY = 429  # the solver, now or because it went with the server
QUESTIONS = ("hints", "checks")  # they leave the position as it is

State = dict[str, Any]


@pytest.mark.soak
def test_nothing_answered_is_lost_or_done_twice_when_the_server_is_killed(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"{SECONDS:.0f} s, seed {seed}")  # noqa: T201  shown when it fails
    with scratch_database(tmp_path) as database_url:
        server = Server(database_url=database_url, log=tmp_path / "log", RATE_LIMITS="off")
        server.start()
        try:
            until = time.monotonic() + SECONDS
            players = [Player(server.url, random.Random(f"{seed} {n}")) for n in range(PLAYERS)]
            with ThreadPoolExecutor(PLAYERS) as pool:
                playing = [pool.submit(player.play, until) for player in players]
                kills = kill_again_and_again(server, until, random.Random(seed))
                for player in playing:
                    player.result()
            games = [game for player in players for game in player.games]
            entries = sum(game.assert_log_is_what_was_answered() for game in games)
        finally:
            server.stop()
        verified = server.manage("verify_logs")
    print(f"{len(games)} games, {entries} entries, {kills} kills")  # noqa: T201
    assert verified.returncode == 0, verified.stdout
    assert entries
    assert {game.state["rules"] for game in games} == set(RULE_SETS)
    assert kills


def kill_again_and_again(server: Server, until: float, chance: random.Random) -> int:
    kills = 0
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, chance.uniform(0.5, 6)))
        server.kill()
        server.start()
        kills += 1
    return kills


class Player:
    """A guest who plays any rule set, not well and not always by the rules."""

    def __init__(self, url: str, chance: random.Random) -> None:
        self.chance = chance
        self.door = Door(f"{url}/api/v1/")
        self.games: list[Game] = []

    def play(self, until: float) -> None:
        self.door.token = self.door.post("guests/", {})[1]["token"]
        keys = list(RULE_SETS)
        self.chance.shuffle(keys)
        while time.monotonic() < until or len(self.games) < len(keys):
            asked = {
                "rules": keys[len(self.games) % len(keys)],
                "number": self.chance.randint(1, 2**32 - 1),
            }
            _, state = self.door.post("games/", asked)
            game = Game(self.door, state)
            self.games.append(game)
            for changes in range(CHANGES_A_GAME):
                if changes > 3 and time.monotonic() > until:
                    break
                self._do_something(game)

    def _do_something(self, game: "Game") -> None:
        match self.chance.choices(
            (
                *("move", "any two cards", "undo", "rewind", "restart", "pause", "stale"),
                *("resign", "question", "rewind to winnable"),
            ),
            (70, 8, 10, 3, 1, 4, 4, 0.3, 3, 0.5),
        )[0]:
            case "move":
                legal = game.state["legal"]
                body = self.chance.choice(legal) if legal else {"action": "draw", "cards": []}
                game.change("moves", body, accepted=bool(legal))
            case "any two cards":
                cards = self.chance.sample(DECK, 2)
                game.change("moves", {"action": "remove", "cards": cards})
            case "undo":
                game.change("undos", {}, accepted=game.state["can_undo"])
            case "rewind":
                game.change("rewinds", {"to": "lock"})
            case "restart":
                game.change("restarts", {}, accepted=game.state["can_undo"])
            case "pause":
                paused = self.chance.random() < 0.5
                game.change("pauses", {"paused": paused}, accepted=not game.is_over)
            case "stale":
                if game.changed:
                    body = {"action": "draw", "version": game.changed - 1}
                    game.change("moves", body, accepted=False)
            case "question":
                game.change(self.chance.choice(QUESTIONS), {})
            case "rewind to winnable":
                game.change("rewinds", {"to": "winnable"})
            case "resign":
                game.change("resignations", {}, accepted=not game.is_over)
        if self.chance.random() < 0.1:
            game.repeat_the_last_change()


@dataclass
class Game:
    door: "Door"
    state: State  # as last answered
    changed: int = 0  # the last version that changed the position
    accepted: dict[int, tuple[str, State]] = field(default_factory=dict)  # by version
    last: tuple[str, State, State] | None = None  # where, what was sent, what was answered

    @property
    def address(self) -> str:
        return f"games/{self.state['id']}/"

    @property
    def is_over(self) -> bool:
        return self.state["status"] in ("won", "lost")

    def change(self, kind: str, body: State, *, accepted: bool | None = None) -> None:
        """Asks for a change until it is answered; `accepted`: what the answer must be."""
        sent = {**body, "client_move_id": str(uuid.uuid4())}
        status, answer = self.door.post(f"{self.address}{kind}/", sent)
        if status != 200:
            assert status in (*REFUSALS, BUSY), answer
            assert not accepted, (kind, sent, answer)
            _, now = self.door.get(self.address)
            assert self._lasting(now) == self._lasting(self.state)
            return
        assert accepted is not False, (kind, sent, answer)
        state = answer.get("state", answer)
        assert state["version"] == self.state["version"] + 1
        self.accepted[state["version"]] = (kind, sent)
        self.last = (kind, sent, answer)
        self.state = state
        if kind not in ("pauses", *QUESTIONS):
            self.changed = state["version"]

    def repeat_the_last_change(self) -> None:
        if self.last is not None:
            kind, sent, answer = self.last
            status, again = self.door.post(f"{self.address}{kind}/", sent)
            assert status == 200
            assert self._without_label(again) == self._without_label(answer)

    def assert_log_is_what_was_answered(self) -> int:
        """Answers how many entries there are."""
        entries = self.door.get(f"{self.address}log/")[1]["entries"]
        assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) == len(self.accepted)
        for entry in entries:
            kind, sent = self.accepted[entry["seq"]]
            assert f"{entry['type']}s" == {"resignations": "resigns"}.get(kind, kind)
            told = {
                name: sent[name] for name in ("action", "cards", "to", "paused") if name in sent
            }
            assert told.items() <= entry.items()
        return len(entries)

    @classmethod
    def _lasting(cls, state: State) -> State:
        """What stays while nothing is changed."""
        return {
            name: value for name, value in cls._without_label(state).items() if name != "elapsed_ms"
        }

    @staticmethod
    def _without_label(answer: State) -> State:
        """An ended game's label may come later than its end, when the solver has time."""
        if "result" not in answer:
            return answer
        result = {**answer["result"], "label": None}
        return {**answer, "label": None, "result": result}


class Door:
    """The API over HTTP, asked again until it answers."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = ""

    def get(self, address: str) -> tuple[int, State]:
        return self._answer(Request(self.url + address))

    def post(self, address: str, body: State) -> tuple[int, State]:
        return self._answer(Request(self.url + address, json.dumps(body).encode()))

    def _answer(self, request: Request) -> tuple[int, State]:
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        patience = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._once(request)
            except (OSError, HTTPException, json.JSONDecodeError):  # killed before or amid it
                if time.monotonic() > patience:
                    raise
                time.sleep(0.05)

    @staticmethod
    def _once(request: Request) -> tuple[int, State]:
        try:
            with urlopen(request, timeout=PATIENCE_S) as response:
                return response.status, json.load(response)
        except HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)
