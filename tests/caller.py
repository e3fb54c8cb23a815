"""The API as one caller speaks it, and a game at it as its player has it."""

import json
from typing import Any

from django.test import Client

API = "/api/v1/"
PROBLEM = "application/problem+json"


class Caller:
    """Whoever holds the token; nobody without one. Takes addresses below /api/v1/ or whole ones."""

    def __init__(self, token: str | None = None, *, language: str = "en") -> None:
        self.token = token
        headers = {"Accept-Language": language}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self.client = Client(headers=headers)

    @classmethod
    def guest(cls) -> "Caller":
        return cls(Client().post(f"{API}guests/").json()["token"])

    def get(self, address: str, **query: Any) -> Any:
        return self.client.get(_whole(address), query)

    def post(self, address: str, body: Any = None) -> Any:
        return self.send("POST", address, json.dumps({} if body is None else body))

    def send(
        self, method: str, address: str, body: str | bytes, content_type: str = "application/json"
    ) -> Any:
        """A request as raw as it comes."""
        return self.client.generic(method, _whole(address), body, content_type=content_type)

    def deal(self, rules: str, number: int) -> "Table":
        return Table(self, self.post("games/", {"rules": rules, "number": number}).json()["id"])


class Table:
    """A game at the API. Moves are given in notation: `KS`, `6H7D`, `d`, `r`."""

    def __init__(self, caller: Caller, game_id: str) -> None:
        self.caller = caller
        self.id = game_id
        self.address = f"games/{game_id}/"

    def state(self) -> dict[str, Any]:
        return self.caller.get(self.address).json()

    def log(self) -> list[dict[str, Any]]:
        return self.caller.get(f"{self.address}log/").json()["entries"]

    def move(self, text: str, **more: Any) -> Any:
        return self.change("moves", **body_of(text), **more)

    def play(self, line: str) -> Any:
        """The answer to the last move of the line; every one of them is accepted."""
        answer = None
        for text in line.split():
            answer = self.move(text)
            assert answer.status_code == 200, answer.content
        return answer

    def undo(self, **more: Any) -> Any:
        return self.change("undos", **more)

    def change(self, kind: str, **body: Any) -> Any:
        return self.caller.post(f"{self.address}{kind}/", body)


def body_of(text: str) -> dict[str, Any]:
    """The body of a move in notation."""
    match text:
        case "d":
            return {"action": "draw", "cards": []}
        case "r":
            return {"action": "redeal", "cards": []}
        case _:
            cards = [text[start : start + 2] for start in range(0, len(text), 2)]
            return {"action": "remove", "cards": cards}


def assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The answer is the problem body of that code; answers it."""
    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM), answer.content
    body = answer.json()
    assert body.keys() - {"errors", "state"} == {
        "type",
        "title",
        "status",
        "detail",
        "code",
        "params",
    }
    assert (body["status"], body["code"]) == (status, code), body
    assert body["type"].endswith(f"#{code}")
    assert body["title"]
    assert body["detail"]
    return body


def _whole(address: str) -> str:
    return address if address.startswith(("/", "http")) else f"{API}{address}"
