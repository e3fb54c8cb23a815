"""Is the process alive, can it reach what it needs; and which pages there are."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from pytest_django import Settings

from tests.caller import Caller

NOWHERE = "redis://127.0.0.1:1/0"  # nothing listens there


def answer_to(path: str) -> tuple[int, dict[str, Any]]:
    answer = Client().get(path)
    return answer.status_code, answer.json()


def answer_to_another_thread(path: str) -> tuple[int, dict[str, Any]]:
    """Asked over a connection that has yet to be made."""

    def asked() -> tuple[int, dict[str, Any]]:
        try:
            return answer_to(path)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asked).result()


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """New connections lead nowhere."""
    place = connections.settings["default"]
    if connection.vendor == "sqlite":
        monkeypatch.setitem(place, "NAME", "/nowhere/pyramid.sqlite3")
    else:
        monkeypatch.setitem(place, "HOST", "127.0.0.1")
        monkeypatch.setitem(place, "PORT", "1")


@pytest.fixture
def no_redis(settings: Settings) -> None:
    settings.REDIS_URL = NOWHERE
    settings.CACHES = {
        "default": {"BACKEND": "pyramid_site.cache.SharedCache", "LOCATION": NOWHERE}
    }


def test_a_process_that_answers_is_alive_whatever_it_cannot_reach(no_redis: None) -> None:
    """Without the database: the test asks for none."""
    assert answer_to("/healthz")[0] == 200


@pytest.mark.django_db
def test_it_is_ready_when_it_reaches_what_it_needs() -> None:
    status, body = answer_to("/readyz")
    assert status == 200
    needed = {"database", "redis"} if os.environ.get("REDIS_URL") else {"database"}
    assert body["checks"] == dict.fromkeys(needed, "ok")


def test_it_is_not_ready_without_its_database(no_database: None) -> None:
    status, body = answer_to_another_thread("/readyz")
    assert (status, body["checks"]["database"]) == (503, "unavailable")


def test_it_is_alive_without_its_database(no_database: None) -> None:
    assert answer_to_another_thread("/healthz")[0] == 200


@pytest.mark.django_db
def test_it_is_not_ready_without_its_redis(no_redis: None) -> None:
    status, body = answer_to("/readyz")
    assert (status, body["checks"]) == (503, {"database": "ok", "redis": "unavailable"})


def test_what_cannot_be_reached_is_not_described_to_callers(
    no_database: None, no_redis: None
) -> None:
    _, body = answer_to_another_thread("/readyz")
    assert "127.0.0.1" not in str(body)
    assert "nowhere" not in str(body)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_may_ask_for_the_head_only(path: str) -> None:
    assert Client().head(path).status_code == 200
    assert Client().post(path).status_code == 405


# Pages


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/", "/play/classic/7", "/play/overlap-1/20000", "/play/blind/4294967295", "/api/v1/docs/"],
)
def test_there_is_a_page(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/play/classic/0",
        "/play/classic/-1",
        "/play/classic/4294967296",
        "/play/classic/99999999999999999999",
        "/play/classic/seven",
        "/play/nope/7",
        "/play/classic/",
        "/nope",
        "/api",
        "/admin/",
    ],
)
def test_there_is_no_such_page(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/play/classic/7"])
def test_a_page_is_read_and_not_posted_to(path: str) -> None:
    assert Client().post(path).status_code == 405


@pytest.mark.django_db
def test_a_page_starts_no_session_and_no_game() -> None:
    """Opening a page never ends a game, and robots leave no players behind."""
    player = Caller.guest()
    game = player.deal("classic", 8)
    player.client.get("/play/classic/7")
    assert game.state()["status"] == "playing"
    assert len(player.get("games/").json()["results"]) == 1
    assert "sessionid" not in Client().get("/").cookies


@pytest.mark.django_db
def test_a_page_keeps_to_itself() -> None:
    answer = Client().get("/")
    assert "'unsafe-inline'" not in answer["Content-Security-Policy"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"


# Languages


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("en", "en"),
        ("ru", "ru"),
        ("ja", "ja"),
        ("zh-hans", "zh-hans"),
        ("zh-hant", "zh-hant"),
        ("zh-CN", "zh-hans"),
        ("zh-TW", "zh-hant"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("fr,ja;q=0.5", "ja"),
        ("fr", "en"),
        ("*", "en"),
        ("nonsense;;q=x", "en"),
        ("x" * 3000, "en"),
        ("", "en"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/v1/rules/", "/api/v1/deals/0/", "/api/v1/nope/"])
def test_the_language_is_the_readers(path: str, asked: str, answered: str) -> None:
    answer = Client(headers={"Accept-Language": asked}).get(path)
    assert answer["Content-Language"] == answered
    assert "Accept-Language" in answer["Vary"]
