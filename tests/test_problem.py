"""Every error is one body, in the reader's language: RFC 9457 problem details."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client
from django.utils import translation

from pyramid_site.problem import PROBLEMS, problem_body
from tests.caller import API, PROBLEM, Caller, assert_problem

LANGUAGES = ["en", "zh-hans", "zh-hant", "ru", "ja"]

# As the rules give them.
STATUS = {
    "bad_card": 400,
    "unknown_rules": 400,
    "unknown_deal": 404,
    "stale_version": 409,
    "game_over": 409,
    "id_reused": 409,
    "not_in_ranked": 403,
    "not_playable": 422,
    "card_covered": 422,
    "pair_covers_itself": 422,
    "king_alone": 422,
    "not_thirteen": 422,
    "stock_empty": 422,
    "stock_not_empty": 422,
    "waste_empty": 422,
    "no_redeals_left": 422,
    "nothing_to_undo": 422,
    "nothing_to_rewind": 422,
    "still_running": 409,
    "solver_busy": 429,
}

# What an error of each code may carry.
PARAMS: dict[str, list[dict[str, Any]]] = {
    "bad_card": [{"cards": ["XX"]}, {"cards": []}, {"cards": ["6H", "6H"]}],
    "unknown_rules": [{"rules": "nope"}],
    "unknown_deal": [{"number": 0}],
    "game_over": [{"status": "won"}, {"status": "lost"}],
    "stale_version": [{"version": 3}],
    "id_reused": [{"client_move_id": "a"}],
    "not_playable": [
        {"card": "TD"},
        {"card": "TD", "place": "waste"},
        {"card": "TD", "place": "stock"},
        {"card": "TD", "place": "removed"},
    ],
    "card_covered": [
        {"card": "8S", "coverers": ["QD", "QC"]},
        {"card": "8S", "coverers": ["QD"]},
        {"card": "8S", "coverers": ["??", "??"]},
        {"card": "8S", "coverers": ["??"]},
    ],
    "pair_covers_itself": [{"cards": ["AS", "QD"]}],
    "king_alone": [{"card": "KS"}],
    "not_thirteen": [
        {"cards": ["QH", "9C"], "values": [12, 9], "sum": 21},
        {"cards": ["QH"], "values": [12], "sum": 12},
    ],
    "stock_not_empty": [{"count": 1}, {"count": 24}],
    "race_full": [{"seats": 2}, {"seats": 5}],
    "no_redeals_left": [{"passes": 1}, {"passes": 3}],
    "nothing_to_rewind": [{}, {"to": "winnable"}],
    "solver_busy": [{"retry_after_s": 2}],
    "throttled": [{"retry_after_s": 1}, {"retry_after_s": 59}],
}
OCCURRENCES = [(code, params) for code in PROBLEMS for params in PARAMS.get(code, [{}])]


@pytest.mark.parametrize(("code", "status"), STATUS.items())
def test_each_error_of_the_rules_has_its_status(code: str, status: int) -> None:
    assert problem_body(code, PARAMS.get(code, [{}])[0])["status"] == status


@pytest.mark.parametrize(("code", "params"), OCCURRENCES)
def test_each_error_has_a_text_in_each_language(code: str, params: dict[str, Any]) -> None:
    for language in LANGUAGES:
        with translation.override(language):
            body = problem_body(code, params)
        assert (body["code"], body["params"]) == (code, params)
        assert body["title"].strip()
        assert body["detail"].strip()
        assert "%(" not in body["title"] + body["detail"]


@pytest.mark.parametrize(("code", "params"), OCCURRENCES)
def test_no_text_is_left_in_english_where_there_are_translations(
    code: str, params: dict[str, Any]
) -> None:
    if not any((path / "ru").exists() for path in settings.LOCALE_PATHS):
        return
    texts = {}
    for language in LANGUAGES:
        with translation.override(language):
            body = problem_body(code, params)
        texts[language] = (body["title"], body["detail"])
    assert len({texts["en"], texts["ru"], texts["ja"], texts["zh-hans"]}) == 4
    assert texts["zh-hant"] not in (texts["en"], texts["ja"])


def test_the_sum_of_a_wrong_pair_is_told() -> None:
    detail = problem_body("not_thirteen", PARAMS["not_thirteen"][0])["detail"]
    assert "21" in detail
    assert "Q♥" in detail
    assert "9♣" in detail


def test_a_ten_is_written_as_players_write_it() -> None:
    assert "10♦" in problem_body("not_playable", {"card": "TD", "place": "waste"})["detail"]


def test_a_face_down_coverer_is_not_named() -> None:
    detail = problem_body("card_covered", {"card": "8S", "coverers": ["??"]})["detail"]
    assert "??" not in detail


@pytest.mark.django_db
def test_the_address_in_a_problem_leads_to_what_explains_it() -> None:
    page = Client().get(f"{API}problems/")
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/html")
    text = page.content.decode()
    for code in PROBLEMS:
        address, _, anchor = problem_body(code, PARAMS.get(code, [{}])[0])["type"].partition("#")
        assert (address, anchor) == (f"{API}problems/", code)
        assert f'id="{code}"' in text


@pytest.mark.django_db
def test_a_refusal_is_told_in_the_language_of_the_caller() -> None:
    player = Caller.guest()
    table = player.deal("classic", 7)
    codes = set()
    for language in LANGUAGES:
        answer = Caller(player.token, language=language).post(f"{table.address}undos/")
        assert answer["Content-Language"] == language
        codes.add(assert_problem(answer, 422, "nothing_to_undo")["code"])
    assert codes == {"nothing_to_undo"}


@pytest.mark.django_db
def test_a_fault_is_a_problem_that_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the password is 1234")

    monkeypatch.setattr("game.selectors.games_of", broken)
    player = Caller.guest()
    player.client.raise_request_exception = False
    answer = player.get("games/")
    assert_problem(answer, 500, "server_error")
    assert "1234" not in answer.content.decode()
    assert "1234" in caplog.text


# Over the limit of size: at the door, before Django


def through_the_door(
    body: bytes, *, chunks: int = 1, language: str = "en", path: str = f"{API}games/"
) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Status, headers and JSON of a POST through the ASGI application."""
    from pyramid_site.asgi import application

    async def call() -> tuple[int, dict[str, str], dict[str, Any]]:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "headers": [
                (b"host", b"localhost"),
                (b"content-type", b"application/json"),
                (b"accept-language", language.encode()),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        door = ApplicationCommunicator(application, scope)
        size = -(-len(body) // chunks) or 1
        for start in range(0, chunks * size, size):
            await door.send_input(
                {
                    "type": "http.request",
                    "body": body[start : start + size],
                    "more_body": start + size < chunks * size,
                }
            )
        head = await door.receive_output(10)
        content = await door.receive_output(10)
        headers = {name.decode(): text.decode() for name, text in head["headers"]}
        return head["status"], headers, json.loads(content["body"])

    return async_to_sync(call)()


@pytest.mark.parametrize("chunks", [1, 7])
@pytest.mark.parametrize("size", [64 * 1024 + 1, 1_000_000])
def test_a_body_over_64_kib_is_refused_unread(size: int, chunks: int) -> None:
    status, headers, body = through_the_door(b"x" * size, chunks=chunks)
    assert (status, headers["content-type"]) == (413, PROBLEM)
    assert (body["code"], body["status"]) == ("body_too_large", 413)


def test_a_body_of_64_kib_is_read() -> None:
    """And found to be no JSON, or to come from nobody."""
    status, _, body = through_the_door(b"x" * 64 * 1024, path=f"{API}nope/")
    assert (status, body["code"]) == (404, "not_found")


def test_a_body_over_the_limit_is_refused_in_the_language_of_its_sender() -> None:
    with translation.override("ja"):
        japanese = problem_body("body_too_large")["detail"]
    with translation.override("en"):
        english = problem_body("body_too_large")["detail"]
    through_the_door(b"", language="ja", path=f"{API}nope/")  # leaves its language in the thread
    assert through_the_door(b"x" * 70_000, language="en")[2]["detail"] == english
    assert through_the_door(b"x" * 70_000, language="ja")[2]["detail"] == japanese


def test_a_foreign_host_is_refused_with_a_problem_below_api(db: None) -> None:
    answer = Client(headers={"Host": "evil.example"}).get("/api/v1/rules/")
    assert_problem(answer, 400, "bad_request")


def test_what_a_player_is_answered_is_kept_by_no_cache(player: Caller) -> None:
    for address in ("games/", "rules/"):
        assert "no-store" in player.get(address)["Cache-Control"]
    assert "no-store" in Client().get("/")["Cache-Control"]
