"""The server process: frames that are too large, readers that are too slow, and its end."""

import json
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psycopg
import pytest
from django.contrib.staticfiles import finders
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.serving import Server, scratch_database

PATIENCE_S = 8


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with scratch_database(tmp_path_factory.mktemp("database")) as url:
        yield url


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[Server]:
    server = Server(database_url=database, log=tmp_path / "log", RATE_LIMITS="off")
    server.start()
    yield server
    server.stop()
    assert "Exception inside application" not in server.log.read_text(), server.log.read_text()


def post(server: Server, call: str, body: Any = None, token: str | None = None) -> Any:
    request = Request(f"{server.url}/api/v1/{call}", json.dumps(body or {}).encode())
    request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    with urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


class Player:
    """A guest with a game, at a socket in its room."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.token = post(server, "guests/")["token"]
        game = post(server, "games/", {"rules": "classic", "number": 7}, self.token)
        self.game = f"games/{game['id']}/"

    def socket(self, server: Server | None = None) -> ClientConnection:
        """At this server process, or another one."""
        address = f"{(server or self.server).url.replace('http', 'ws')}/ws/v1/{self.game}"
        headers = {"Authorization": f"Bearer {self.token}"}
        return connect(address, additional_headers=headers, open_timeout=PATIENCE_S, max_queue=None)

    def draw(self, server: Server | None = None) -> None:
        post(server or self.server, f"{self.game}moves/", {"action": "draw"}, self.token)


def told(wire: ClientConnection) -> Any:
    return json.loads(wire.recv(PATIENCE_S))


def told_until(wire: ClientConnection, version: int) -> None:
    """Reads on to that version; none on the way goes back."""
    seen = 0
    while seen < version:
        v = told(wire)["v"]
        assert v > seen
        seen = v


def closing_code(wire: ClientConnection) -> int:
    """What it is closed with, whatever is said before that."""
    with pytest.raises(ConnectionClosed) as closed:
        _read_on(wire)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def _read_on(wire: ClientConnection) -> None:
    while True:
        wire.recv(PATIENCE_S)


def _flood(wire: ClientConnection) -> None:
    while True:
        wire.send("{")


def test_a_frame_of_a_megabyte_closes_the_socket(server: Server) -> None:
    with Player(server).socket() as wire:
        assert told(wire)["type"] == "snapshot"
        wire.send("x" * 1_000_000)
        assert closing_code(wire) == 1009


def test_text_that_is_no_text_closes_the_socket(server: Server) -> None:
    with Player(server).socket() as wire:
        wire.send(b"\xff\xfe", text=True)
        assert closing_code(wire) == 1007


def test_bytes_close_the_socket(server: Server) -> None:
    with Player(server).socket() as wire:
        wire.send(b"\x00\xff\x00")
        assert closing_code(wire) == 1003


def test_a_flood_closes_the_socket_and_is_no_fault(server: Server) -> None:
    with Player(server).socket() as wire:
        assert told(wire)["type"] == "snapshot"
        with pytest.raises(ConnectionClosed) as closed:
            _flood(wire)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert "Traceback" not in server.log.read_text(), server.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_at_its_end_sockets_are_told_to_come_back(server: Server, number: signal.Signals) -> None:
    with Player(server).socket() as wire:
        assert told(wire)["type"] == "snapshot"
        assert server.process is not None
        server.process.send_signal(number)
        assert closing_code(wire) == 4503
        assert server.process.wait(PATIENCE_S) == 0


def test_at_its_end_requests_that_run_are_answered(server: Server) -> None:
    player = Player(server)
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as slow:
        head = (
            f"POST /api/v1/{player.game}moves/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {player.token}\r\nContent-Type: application/json\r\n"
        )
        body = '{"action": "draw"}'
        assert server.process is not None
        slow.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode())
        server.process.send_signal(signal.SIGTERM)
        slow.sendall(body.encode())
        answer = b""
        while piece := slow.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert server.process.wait(PATIENCE_S) == 0


def test_a_second_signal_ends_it_at_once(server: Server) -> None:
    player = Player(server)
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as slow:
        head = "POST /api/v1/guests/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n"
        with player.socket() as wire:
            assert told(wire)["type"] == "snapshot"
            slow.sendall(head.encode())  # its body does not come
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            assert closing_code(wire) == 4503
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_S) == -signal.SIGTERM


@pytest.mark.postgresql
@pytest.mark.redis
def test_what_changes_in_one_process_is_seen_in_another(
    server: Server, database: str, tmp_path: Path
) -> None:
    other = Server(database_url=database, log=tmp_path / "other", RATE_LIMITS="off")
    other.start()
    try:
        player = Player(server)
        with player.socket() as here, player.socket(other) as there:
            assert [told(wire)["type"] for wire in (here, there)] == ["snapshot"] * 2
            for _ in range(10):
                player.draw(server)
                player.draw(other)
            told_until(here, 20)
            told_until(there, 20)
    finally:
        other.stop()


@pytest.mark.postgresql
def test_nobody_notices_that_the_database_has_cut_all_connections(
    server: Server, database: str
) -> None:
    players = [Player(server) for _ in range(8)]
    with (
        ThreadPoolExecutor(len(players)) as together,
        psycopg.connect(database, autocommit=True) as connection,
    ):
        wires = [player.socket() for player in players]
        for wire in wires:
            assert told(wire)["type"] == "snapshot"
        for turn in range(3):
            list(together.map(Player.draw, players))
            for wire in wires:
                told_until(wire, 2 * turn + 1)
            cut = connection.execute(
                "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert len(cut.fetchall()) > 3  # of threads of both kinds
            for wire in wires:
                wire.send(
                    json.dumps({"type": "move", "action": "draw", "client_move_id": f"{turn}"})
                )
            for wire in wires:
                frame = told(wire)
                assert (frame["type"], frame["v"]) == ("state", 2 * turn + 2), frame
            for wire in wires if turn == 2 else ():
                wire.close()


def test_a_large_answer_comes_whole_to_a_slow_reader(server: Server) -> None:
    """More than the system takes at once, twice on one connection."""
    path = "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    asked = f"GET /static/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    content = Path(str(finders.find(path))).read_bytes()
    assert len(content) > 1_000_000
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.settimeout(PATIENCE_S)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(f"{asked}\r\n{asked}Connection: close\r\n\r\n".encode())
        answer = b""
        while piece := reader.recv(65536):
            answer += piece
            time.sleep(0.001)
    assert answer.count(content) == 2
