"""HTTP in a bounded pool of threads, through its ASGI interface."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse

import pytest

from pyramid_site.pool import PooledHTTP

WSGI = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]
LIMIT = 100


def pooled(application: WSGI, threads: int = 2) -> PooledHTTP:
    return PooledHTTP(
        application,
        threads=threads,
        slow=re.compile("/slow/.*"),
        slow_threads=1,
        body_limit=LIMIT,
        too_large=too_large,
        fault=fault,
    )


def too_large(_environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    start_response("413 Too Large", [])
    return [b"too large"]


def fault(_environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    start_response("500 Fault", [])
    return [b"fault"]


def asked(
    http: PooledHTTP, *chunks: bytes, path: str = "/", headers: Iterable[Any] = (), **scope: Any
) -> list[dict[str, Any]]:
    """What one request is answered."""
    return asyncio.run(_asked(http, *(chunks or (b"",)), path=path, headers=headers, **scope))


async def _asked(
    http: PooledHTTP, *chunks: bytes, path: str = "/", headers: Iterable[Any] = (), **scope: Any
) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, 1)
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    request = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
        "headers": list(headers),
        "client": ("10.0.0.9", 5000),
        "server": ("127.0.0.1", 8000),
        "scheme": "http",
        **scope,
    }
    await http(request, receive, send)
    return sent


class Kept:
    """Answers 200 and keeps what it was asked."""

    def __init__(self) -> None:
        self.environ: dict[str, Any] = {}
        self.body = b""

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        self.environ = environ
        self.body = environ["wsgi.input"].read()
        start_response("200 OK", [("X-Said", "yes"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        return [b"one", b"two"]


def test_an_answer_comes_with_its_status_headers_and_body() -> None:
    start, body = asked(pooled(Kept()))
    assert start["status"] == 200
    assert start["headers"] == [
        (b"x-said", b"yes"),
        (b"set-cookie", b"a=1"),
        (b"set-cookie", b"b=2"),
    ]
    assert body["body"] == b"onetwo"


def test_a_body_in_pieces_arrives_whole() -> None:
    kept = Kept()
    asked(pooled(kept), b"ab", b"", b"cd")
    assert kept.body == b"abcd"
    assert kept.environ["CONTENT_LENGTH"] == "4"


def test_a_body_of_the_limit_is_taken_and_one_byte_more_is_refused() -> None:
    kept = Kept()
    assert asked(pooled(kept), b"x" * LIMIT)[0]["status"] == 200
    assert asked(pooled(kept), b"x" * LIMIT, b"y")[0]["status"] == 413
    assert kept.body == b"x" * LIMIT


def test_a_path_beyond_ascii_is_given_as_pep_3333_has_it() -> None:
    kept = Kept()
    asked(pooled(kept), path="/играть")
    assert kept.environ["PATH_INFO"].encode("latin-1").decode() == "/играть"


def test_headers_named_twice_are_joined() -> None:
    kept = Kept()
    headers = [(b"x-a", b"1"), (b"x-a", b"2"), (b"cookie", b"a=1"), (b"cookie", b"b=2")]
    asked(pooled(kept), headers=[*headers, (b"content-type", b"application/json")])
    assert kept.environ["HTTP_X_A"] == "1,2"
    assert kept.environ["HTTP_COOKIE"] == "a=1; b=2"
    assert kept.environ["CONTENT_TYPE"] == "application/json"


def test_the_caller_s_address_is_the_socket_s() -> None:
    kept = Kept()
    asked(pooled(kept), headers=[(b"remote-addr", b"1.2.3.4")])
    assert kept.environ["REMOTE_ADDR"] == "10.0.0.9"


def test_an_answer_is_closed_once_it_is_read() -> None:
    class Answer(list[bytes]):
        closed = False

        def close(self) -> None:
            self.closed = True

    answer = Answer([b"read"])

    def application(_: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return answer

    assert asked(pooled(application))[1]["body"] == b"read"
    assert answer.closed


def test_no_more_requests_run_at_once_than_there_are_threads() -> None:
    lock = threading.Lock()
    full = threading.Barrier(3)  # passes only when three run at once
    running: list[int] = []
    most = 0

    def application(_: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        nonlocal most
        with lock:
            running.append(1)
            most = max(most, len(running))
        full.wait(timeout=30)
        with lock:
            running.pop()
        start_response("200 OK", [])
        return [b""]

    async def many() -> None:
        http = pooled(application, threads=3)
        await asyncio.gather(*(_asked(http, b"") for _ in range(9)))

    asyncio.run(many())
    assert most == 3


def test_a_request_never_waits_behind_slow_ones() -> None:
    quick_one_is_done = threading.Event()

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow/one":
            assert quick_one_is_done.wait(timeout=30)
        else:
            quick_one_is_done.set()
        start_response("200 OK", [])
        return [b""]

    async def many() -> list[Any]:
        http = pooled(application, threads=1)
        slow = [_asked(http, b"", path="/slow/one") for _ in range(5)]
        return await asyncio.gather(*slow, _asked(http, b"", path="/quick"))

    assert {answer[0]["status"] for answer in asyncio.run(many())} == {200}


def test_an_application_that_raises_is_logged_and_answered(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def application(_: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("X-Half", "done")])
        yield b"half"
        raise ZeroDivisionError

    start, body = asked(pooled(application), path="/here")
    assert (start["status"], start["headers"], body["body"]) == (500, [], b"fault")
    assert caplog.messages == ["POST /here was not answered"]


def test_a_head_request_is_answered_without_a_body() -> None:
    start, body = asked(pooled(Kept()), method="HEAD")
    assert start["status"] == 200
    assert body["body"] == b""


class Stream(list[bytes]):
    """An answer that is made while it is read."""

    streaming = True
    closed = False

    def close(self) -> None:
        self.closed = True


def streaming(answer: Iterable[bytes], *headers: tuple[str, str]) -> WSGI:
    def application(_: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [*headers])
        return answer

    return application


def test_an_answer_of_unknown_length_goes_out_as_it_comes() -> None:
    answer = Stream([b"one", b"two"])
    start, *bodies = asked(pooled(streaming(answer, ("X-Said", "yes"))))
    assert (start["status"], start["headers"]) == (200, [(b"x-said", b"yes")])
    assert [body["body"] for body in bodies] == [b"one", b"two", b""]
    assert [body.get("more_body", False) for body in bodies] == [True, True, False]
    assert answer.closed


def test_an_answer_of_known_length_goes_out_at_once() -> None:
    answer = Stream([b"one", b"two"])
    _, body = asked(pooled(streaming(answer, ("Content-Length", "6"))))
    assert body["body"] == b"onetwo"


def test_a_piece_is_made_once_the_one_before_it_is_out() -> None:
    made: list[bytes] = []
    sent: list[int] = []

    class Pieces(Stream):
        def __iter__(self) -> Any:
            for piece in (b"one", b"two", b"three"):
                made.append(piece)
                yield piece

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(_: Any) -> None:
        sent.append(len(made))

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    asyncio.run(pooled(streaming(Pieces()))({**scope, "http_version": "1.1"}, receive, send))
    assert sent == [0, 1, 2, 3, 3]


def test_an_answer_that_fails_on_its_way_ends_there(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Stream):
        def __iter__(self) -> Any:
            yield b"half"
            raise ZeroDivisionError

    answer = Failing()
    start, *bodies = asked(pooled(streaming(answer)), path="/here")
    assert start["status"] == 200
    assert [body["body"] for body in bodies] == [b"half", b""]
    assert caplog.messages == ["POST /here was not answered to its end"]
    assert answer.closed


def test_a_head_request_makes_nothing_of_a_stream() -> None:
    answer = Stream([b"one"])
    start, body = asked(pooled(streaming(answer)), method="HEAD")
    assert (start["status"], body["body"]) == (200, b"")
    assert answer.closed


def test_a_request_that_breaks_off_is_not_run() -> None:
    kept = Kept()
    messages = [
        {"type": "http.request", "body": b"half", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}
    asyncio.run(pooled(kept)(scope, receive, send))
    assert kept.environ == {}


def test_no_codec_of_the_caller_s_choice_decodes_anything() -> None:
    for charset in ("charset=zlib", 'Charset = "rot13"', "charset*=utf-8''hex"):
        kept = Kept()
        asked(pooled(kept), headers=[(b"content-type", f"text/plain; {charset}".encode())])
        assert kept.environ["CONTENT_TYPE"] == "text/plain"


def test_a_header_with_an_underscore_passes_for_no_other() -> None:
    kept = Kept()
    asked(pooled(kept), headers=[(b"x-a", b"1"), (b"x_a", b"2")])
    assert kept.environ["HTTP_X_A"] == "1"
