"""Through `manage.py serve` itself: what only the server can do wrong."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from tests.serving import Server, scratch_database

MEBIBYTE = b"x" * 2**20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    with scratch_database(folder) as url:
        server = Server(database_url=url, log=folder / "log")
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def http(server: Server) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    yield connection
    connection.close()


def answered(
    http: HTTPConnection, *request: object, **options: object
) -> tuple[HTTPResponse, bytes]:
    http.request(*request, **options)  # type: ignore[arg-type]
    response = http.getresponse()
    return response, response.read()


def test_one_connection_serves_one_request_after_another(http: HTTPConnection) -> None:
    guest, body = answered(
        http, "POST", "/api/v1/guests/", "{}", {"Content-Type": "application/json"}
    )
    assert guest.status == 201
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {json.loads(body)['token']}",
    }
    start = json.dumps({"rules": "classic", "number": 7})
    game, _ = answered(http, "POST", "/api/v1/games/", start, headers)
    assert game.status == 201


def test_a_form_reaches_django_whole(http: HTTPConnection) -> None:
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={'c' * 32}",
        "X-CSRFToken": "c" * 32,
    }
    response, _ = answered(http, "POST", "/i18n/setlang/", "language=ru", headers)
    assert response.status in (204, 302)
    assert "django_language=ru" in response.getheader("Set-Cookie", "")


@pytest.mark.parametrize("chunked", [False, True], ids=["of stated length", "in chunks"])
def test_a_body_over_the_limit_is_refused_however_it_comes(
    http: HTTPConnection, chunked: bool
) -> None:
    body = iter([MEBIBYTE] * 3) if chunked else MEBIBYTE * 3
    headers = {"Content-Type": "application/json"}
    response, problem = answered(
        http, "POST", "/api/v1/guests/", body, headers, encode_chunked=chunked
    )
    assert response.status == 413
    assert json.loads(problem)["code"] == "body_too_large"
    assert answered(http, "GET", "/healthz")[0].status == 200


def test_a_head_request_gets_the_length_and_no_body(http: HTTPConnection) -> None:
    response, body = answered(http, "HEAD", "/")
    assert response.status == 200
    assert int(response.getheader("Content-Length", "0")) > 0
    assert body == b""


def test_a_path_beyond_ascii_is_an_address_like_others(http: HTTPConnection) -> None:
    response, _ = answered(http, "GET", "/%D0%B8%D0%B3%D1%80%D0%B0")
    assert response.status == 404


def test_an_export_comes_in_chunks_and_the_connection_goes_on(http: HTTPConnection) -> None:
    headers = {"Content-Type": "application/json"}
    _, body = answered(http, "POST", "/api/v1/guests/", "{}", headers)
    headers["Authorization"] = f"Bearer {json.loads(body)['token']}"
    answered(http, "POST", "/api/v1/games/", '{"rules": "classic", "number": 7}', headers)
    export, document = answered(http, "GET", "/api/v1/me/export/", None, headers)
    assert (export.status, export.getheader("Transfer-Encoding")) == (200, "chunked")
    assert [game["number"] for game in json.loads(document)["games"]] == [7]
    assert answered(http, "HEAD", "/api/v1/me/export/", None, headers)[1] == b""
    assert answered(http, "GET", "/api/v1/me/", None, headers)[0].status == 200
