"""The running server keeps to its OpenAPI document, whatever is sent to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.serving import Server, scratch_database

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
EXAMPLES = 50  # of each call
ENDING = {f"/api/v1/{path}" for path in ("accounts/", "tokens/", "tokens/current/", "me/")}


@dataclass(frozen=True)
class Visitor:
    """A player at a running server."""

    url: str
    token: str


def called(url: str, path: str, token: str | None = None, body: Any = None) -> Any:
    headers = {"Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    method = "GET" if body is None else "POST"
    return requests.request(method, f"{url}{path}", json=body, headers=headers, timeout=30).json()


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder: Path = tmp_path_factory.mktemp("served")
    with scratch_database(folder) as database_url:
        server = Server(database_url=database_url, log=folder / "server.log", RATE_LIMITS="off")
        server.start()
        try:
            token = called(server.url, "/api/v1/guests/", body={})["token"]
            yield Visitor(server.url, token)
        finally:
            server.stop()


@pytest.fixture
def game_id(visitor: Visitor) -> str:
    """A running game of the visitor's own."""
    start = {"rules": "classic", "number": 7}
    return called(visitor.url, "/api/v1/games/", visitor.token, start)["id"]


@pytest.fixture
def ended_id(visitor: Visitor) -> str:
    """An ended game of the visitor's own."""
    start = {"rules": "classic", "number": 3}
    game = called(visitor.url, "/api/v1/games/", visitor.token, start)["id"]
    called(visitor.url, f"/api/v1/games/{game}/moves/", visitor.token, {"action": "draw"})
    called(visitor.url, f"/api/v1/games/{game}/resignations/", visitor.token, {})
    return game


def token_for(case: Any, visitor: Visitor) -> str:
    """The visitor's own, except for calls with which a token ends."""
    if case.path in ENDING:
        return called(visitor.url, "/api/v1/guests/", body={})["token"]
    return visitor.token


document = SchemaGenerator().get_schema(request=None, public=True)
schema = schemathesis.openapi.from_dict(document)
bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schema.parametrize()
@bounded
def test_every_call_answers_as_its_document_says(
    case: Any, visitor: Visitor, game_id: str, ended_id: str
) -> None:
    """Mostly to an own game, running or ended, so that the calls get past the door."""
    if "game_id" in (case.path_parameters or {}) and len(str(case.body)) % 8:
        wants_an_end = case.path.endswith("analysis/")
        case.path_parameters["game_id"] = ended_id if wants_an_end else game_id
    headers = {"Authorization": f"Bearer {token_for(case, visitor)}"}
    case.call_and_validate(base_url=visitor.url, headers=headers, checks=CHECKS)


@schema.parametrize()
@settings(bounded, max_examples=5)
def test_every_call_answers_nobody_as_its_document_says(
    case: Any, visitor: Visitor, game_id: str
) -> None:
    if "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = game_id
    case.call_and_validate(base_url=visitor.url, checks=CHECKS)


def test_the_document_that_is_served_is_the_one_tested_here(visitor: Visitor) -> None:
    served = called(visitor.url, "/api/v1/schema/")
    assert served["paths"].keys() == document["paths"].keys()
    assert served["openapi"].startswith("3.1")


def test_the_document_names_every_call_of_the_contract() -> None:
    paths = {path.removeprefix("/api/v1/") for path in document["paths"]}
    game = "games/{game_id}/"
    assert paths >= {
        "guests/",
        "rules/",
        "deals/{number}/",
        "games/",
        game,
        f"{game}log/",
        f"{game}analysis/",
    }
    assert paths >= {
        f"{game}{change}/"
        for change in (
            "moves",
            "undos",
            "rewinds",
            "restarts",
            "resignations",
            "pauses",
            "hints",
            "checks",
        )
    }
