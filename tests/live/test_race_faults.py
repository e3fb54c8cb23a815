"""Faults that a race survives, at real server processes.

Where PostgreSQL and Redis are there the servers are two processes on different ports; otherwise one
is both, and what takes two is skipped.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from game.rules.cards import DECK
from game.rules.deals import numbered_deck
from game.rules.notation import format_move
from game.rules.position import Position
from game.rules.rulesets import RULE_SETS
from solver.search import decide
from tests.caller import body_of
from tests.live.clients import PATIENCE_S, Body, Person, Race, Tab, changes, open_wire
from tests.serving import Server, scratch_database

pytestmark = pytest.mark.xdist_group("processes")

ON_SERVICES = (
    os.environ.get("DATABASE_URL", "").startswith(("postgres:", "postgresql:"))
    and os.environ.get("REDIS_URL", "") != ""
)

AWAY_S = 8.0
COUNTDOWN_S = 5.0


class Servers:
    """Those of one database, which are stopped at the end; then their logs tell of no fault."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.database_url = stack.enter_context(scratch_database(folder))
        self.started: list[Server] = []

    def start(self, **environment: str) -> Server:
        log = self.folder / f"log {len(self.started)}"
        server = Server(database_url=self.database_url, log=log, RATE_LIMITS="off", **environment)
        server.start()
        self.stack.callback(server.stop)
        self.started.append(server)
        return server

    def assert_no_fault(self) -> None:
        for server in self.started:
            printed = server.log.read_text()
            assert "Traceback" not in printed, printed


@pytest.fixture
def own_servers(tmp_path: Path) -> Iterator[Servers]:
    """To be started by the test, and killed."""
    with ExitStack() as stack:
        servers = Servers(tmp_path, stack)
        yield servers
    servers.assert_no_fault()


@pytest.fixture(scope="module")
def lasting_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sequence[Server]]:
    with ExitStack() as stack:
        servers = Servers(tmp_path_factory.mktemp("servers"), stack)
        first = servers.start()
        yield (first, servers.start() if ON_SERVICES else first)
    servers.assert_no_fault()


@pytest.fixture
def servers(lasting_servers: Sequence[Server]) -> Iterator[Sequence[Server]]:
    """Two, or one that is both; they outlive the test."""
    yield lasting_servers
    for server in lasting_servers:
        printed = server.log.read_text()
        assert "Traceback" not in printed, printed


def people_at(server: Server, number: int) -> list[Person]:
    return [Person(server) for _ in range(number)]


def assert_shown_as_it_is(tabs: Sequence[Tab], person: Person, server: Server, race: Race) -> None:
    """Each tab comes to the last version, and shows what the API tells then."""
    body = person.get(server, race.address)
    for tab in tabs:
        tab.wait_until(tab.has(body["version"]))
        assert tab.version == body["version"]
        assert tab.shown["status"] == body["status"]
        for seat in body["seats"]:
            shown = tab.seats[seat["seat"]]
            assert {**shown, "game": None} == {**seat, "game": None}


# Many events


class Board:
    """A player's own board, at a socket of its room: changes go out without waiting for answers."""

    def __init__(self, server: Server, person: Person, game_id: str) -> None:
        self.made = 0
        self.wire = open_wire(server, f"games/{game_id}/", person.token)
        assert json.loads(self.wire.recv(PATIENCE_S))["type"] == "snapshot"

    def burst(self, number: int) -> None:
        """Draws and takes back, so many changes in all, and then waits until all are answered."""
        for turn in range(number):
            frame = {"type": "undo"} if turn % 2 else {"type": "move", **body_of("d")}
            self.made += 1
            self.wire.send(json.dumps({**frame, "client_move_id": f"change-{self.made}"}))
        waiting = number
        while waiting:
            answer = json.loads(self.wire.recv(PATIENCE_S))
            assert answer["type"] == "state", answer
            waiting -= "client_move_id" in answer

    def close(self) -> None:
        self.wire.close()


def test_seven_clients_see_a_thousand_events_through_to_the_last(
    servers: Sequence[Server],
) -> None:
    people = people_at(servers[0], 3)
    race = Race(servers[0], people)
    tokens = [person.token for person in (*people, *people_at(servers[0], 4))]
    with ExitStack() as stack:
        tabs = [
            stack.enter_context(
                Tab(
                    race.address,
                    servers if number % 2 else servers[::-1],
                    token,
                    leaves_every_s=0.3 if number in (2, 4, 6) else None,
                    forgets=number == 6,
                )
            )
            for number, token in enumerate(tokens)
        ]
        race.start(servers[1])
        race.wait_for_start(servers[1])
        boards = [
            Board(servers[number % 2], person, game_id)
            for number, (person, game_id) in enumerate(zip(people, race.games, strict=True))
        ]
        with ThreadPoolExecutor(len(boards)) as threads:
            for _ in range(3):
                list(threads.map(lambda board: board.burst(112), boards))
        for board in boards:
            board.close()
        body = people[0].get(servers[0], race.address)
        assert body["version"] > 1000
        assert [changes(seat) for seat in body["seats"]] == [336] * 3
        assert_shown_as_it_is(tabs, people[0], servers[1], race)
        assert min(tabs[number].connections for number in (2, 4, 6)) > 5
        assert {tabs[number].connections for number in (0, 1, 3, 5)} == {1}


# At the same instant


def shortest_win() -> tuple[str, int, list[Body]]:
    """A deal that is cleared soon, and the moves that do it."""
    rules, number = RULE_SETS["open"], 4
    line = decide(Position.deal(numbered_deck(number), rules)).line
    assert line is not None
    return rules.key, number, [body_of(format_move(move)) for move in line]


class LastMove:
    """A race of two that waits for one last move of either."""

    def __init__(self, servers: Sequence[Server], tab_of: Any) -> None:
        self.servers = servers
        self.people = people_at(servers[0], 2)
        rules, number, self.line = shortest_win()
        self.race = Race(servers[0], self.people, rules=rules, number=number)
        self.tabs = [tab_of(self.race.address, person) for person in self.people]
        self.race.start(servers[1])

    def play_but_one(self) -> None:
        self.race.wait_for_start(self.servers[0])
        for server, person, game_id in zip(self.servers, self.people, self.race.games, strict=True):
            with open_wire(server, f"games/{game_id}/", person.token) as wire:
                for move in self.line[:-1]:
                    wire.send(json.dumps({"type": "move", **move}))
                while json.loads(wire.recv(PATIENCE_S))["v"] < len(self.line) - 1:
                    pass

    def both_clear(self, threads: ThreadPoolExecutor) -> list[tuple[int, Body]]:
        at_once = Barrier(2)

        def clear(number: int) -> tuple[int, Body]:
            at_once.wait(PATIENCE_S)
            call = f"games/{self.race.games[number]}/moves/"
            return self.people[number].ask(self.servers[number], "POST", call, self.line[-1])

        return list(threads.map(clear, range(2)))


def test_of_two_last_moves_in_the_same_instant_one_wins_in_every_tab(
    servers: Sequence[Server],
) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(2) as threads:

        def tab_of(room: str, person: Person) -> Tab:
            return stack.enter_context(Tab(room, servers, person.token))

        races = [LastMove(servers, tab_of) for _ in range(8)]
        for each in races:
            each.play_but_one()
        for each in races:
            answers = each.both_clear(threads)
            statuses = sorted(status for status, _ in answers)
            assert statuses == [200, 409], answers
            assert next(body for status, body in answers if status == 409)["code"] == "game_over"
            winner = each.people[[status for status, _ in answers].index(200)].name
            for person, server, tab in zip(each.people, servers, each.tabs, strict=True):
                assert person.get(server, each.race.address)["winner"] == winner
                tab.wait_until(tab.told("finish"))
                assert (tab.shown["status"], tab.shown["winner"]) == ("over", winner)
                places = {seat["player"]: seat["place"] for seat in tab.seats.values()}
                assert places == {each.people[0].name: 1, each.people[1].name: 2} or places == {
                    each.people[0].name: 2,
                    each.people[1].name: 1,
                }
                assert places[winner] == 1


# The database is the truth


def test_whoever_asks_on_any_event_is_shown_that_version_or_a_newer_one(
    servers: Sequence[Server],
) -> None:
    people = people_at(servers[0], 2)
    race = Race(servers[0], people)
    with ExitStack() as stack:

        def follow(person: Person, first: Server, other: Server) -> Tab:
            def ask(frame: Body) -> None:
                body = person.get(other, race.address)
                assert body["version"] >= frame["v"], (body, frame)
                for seat in body["seats"]:
                    assert changes(seat) >= changes(tab.seats.get(seat["seat"], seat))

            tab = Tab(race.address, [first], person.token, on_frame=ask)
            return stack.enter_context(tab)

        tabs = [
            follow(people[0], servers[0], servers[1]),
            follow(people[1], servers[1], servers[0]),
        ]
        race.start(servers[0])
        race.wait_for_start(servers[0])
        for server, person, game_id in zip(servers[::-1], people, race.games, strict=True):
            board = Board(server, person, game_id)
            board.burst(24)
            board.close()
            person.move(server, game_id, "d")
        people[0].ask(servers[1], "DELETE", f"{race.address}seats/me/")
        people[1].ask(servers[0], "DELETE", f"{race.address}seats/me/")
        for tab in tabs:
            tab.wait_until(tab.told("finish"))
        assert_shown_as_it_is(tabs, people[0], servers[0], race)


# What stays hidden


def test_no_card_of_anothers_board_is_told_before_the_end(servers: Sequence[Server]) -> None:
    people = people_at(servers[0], 2)
    watcher = Person(servers[0])
    race = Race(servers[0], people, tier="easy")
    with ExitStack() as stack:
        tabs = [
            stack.enter_context(Tab(race.address, servers, person.token, leaves_every_s=leaves))
            for person, leaves in (
                (watcher, None),
                (watcher, 0.3),
                *((each, None) for each in people),
            )
        ]
        race.start(servers[0])
        race.wait_for_start(servers[0])
        tabs[2].wait_until(tabs[2].told("start"))
        for server, person, game_id in zip(servers, people, race.games, strict=True):
            for _ in range(12):
                state = person.get(server, f"games/{game_id}/")
                move = state["legal"][0]
                person.post(server, f"games/{game_id}/moves/", move)
            person.post(server, f"games/{game_id}/undos/")
        for server, person in zip(servers, people, strict=True):
            person.ask(server, "DELETE", f"{race.address}seats/me/")
        for tab in tabs:
            tab.wait_until(tab.told("finish"))
    seed = watcher.get(servers[0], race.address)["seed"]
    assert seed
    for tab in tabs:
        others = [frame for frame in tab.frames if frame.get("status") != "over"]
        assert len(others) > 24 or tab.leaves_every_s
        for frame in others:
            assert_names_no_card(frame, seed, own=tab in tabs[2:])


def assert_names_no_card(frame: Body, seed: str, *, own: bool) -> None:
    """But for the own game, which only `snapshot` and `start` carry."""
    game = frame.pop("game", None)
    assert game is None or own
    for member in ("code", "url", "rematch"):
        frame.pop(member, None)
    for seat in (*frame.get("seats", ()), frame.get("seat", {})):
        seat.pop("player", None)
    text = json.dumps(frame)
    assert not [card for card in DECK if card in text], text
    assert seed not in json.dumps(game) + text
    assert frame.get("seed") is None


# Nonsense


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "{",
        "[]",
        "null",
        '"ready"',
        "{}",
        '{"type": "ready"}',
        '{"type": "ready", "ready": "perhaps"}',
        '{"type": "ready", "ready": null, "v": -1}',
        '{"type": "snapshot"}',
        '{"type": "start"}',
        '{"type": "move", "action": "draw", "cards": []}',
        '{"type": {"a": 1}}',
        '{"type": "__init__"}',
        '{"type": "leave", "leave": [1, 2, 3]',
        "\u0000",
        '{"type": "\\ud800"}',
    ],
)
def test_nonsense_is_a_problem_and_the_socket_stays(
    servers: Sequence[Server], nonsense: str
) -> None:
    person = Person(servers[0])
    race = Race(servers[0], [person])
    with open_wire(servers[0], race.address, person.token) as wire:
        wire.send(nonsense)
        wire.send('{"type": "ping", "t": 7}')
        told: dict[str, Body] = {}
        while not {"problem", "pong"} <= told.keys():
            frame = json.loads(wire.recv(PATIENCE_S))
            told[frame["type"]] = frame
    assert (told["problem"]["status"], told["pong"]["t"]) == (400, 7)


@pytest.mark.parametrize(
    ("content", "code"),
    [("x" * 2**20, 1009), (os.urandom(2**20), 1009), (os.urandom(1000), 1003)],
    ids=["a megabyte", "a megabyte of bytes", "bytes"],
)
def test_what_is_too_much_or_no_text_closes_the_socket(
    servers: Sequence[Server], content: str | bytes, code: int
) -> None:
    person = Person(servers[0])
    race = Race(servers[0], [person])
    with open_wire(servers[0], race.address, person.token) as wire:
        wire.send(content)
        assert closing_code(wire) == code


@pytest.mark.parametrize(
    "room", ["races/NOSUCH77/", "races//", "races/%2e%2e/", "races/" + "A" * 300 + "/", "nowhere/"]
)
def test_a_room_that_is_not_there_is_closed(servers: Sequence[Server], room: str) -> None:
    with open_wire(servers[0], room, Person(servers[0]).token) as wire:
        assert closing_code(wire) == 4404


def closing_code(wire: Any) -> int | None:
    while True:
        try:
            wire.recv(PATIENCE_S)
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code


# Who goes silent


def test_who_says_nothing_is_away_in_time_and_the_race_still_ends(
    servers: Sequence[Server],
) -> None:
    people = people_at(servers[0], 2)
    race = Race(servers[0], people)
    silent = open_wire(servers[1], race.address, people[1].token)
    heard_at = time.monotonic()
    with silent, Tab(race.address, servers, people[0].token) as tab:
        tab.wait_until(tab.told("presence", seat=2, connected=False))
        assert time.monotonic() - heard_at >= AWAY_S
        race.start(servers[0])
        race.wait_for_start(servers[0])
        let_the_time_be_up(servers[0], race)
        tab.wait_until(tab.told("finish"))


def test_who_logs_out_is_closed_at_every_server(servers: Sequence[Server]) -> None:
    person = Person(servers[0])
    race = Race(servers[0], [person])
    with (
        Tab(race.address, servers, person.token) as one,
        Tab(race.address, servers[::-1], person.token) as other,
    ):
        assert person.ask(servers[0], "DELETE", "tokens/current/")[0] in (200, 204)
        for tab in (one, other):
            tab.wait_until(lambda tab=tab: tab.codes == [4401])


def let_the_time_be_up(server: Server, race: Race) -> None:
    """Now, instead of after a minute at least."""
    code = (
        "from django.utils import timezone; from game.models import Race; now = timezone.now();"
        f"Race.objects.filter(code={race.code!r}).update(ends_at=now, due_at=now)"
    )
    done = server.manage("shell", "-c", code)
    assert done.returncode == 0, done.stdout


# Servers that go


def draw(turn: int) -> Body:
    return {**body_of("d"), "client_move_id": f"turn-{turn}"}


@pytest.mark.postgresql
@pytest.mark.redis
def test_with_a_server_killed_its_players_go_on_at_the_other(own_servers: Servers) -> None:
    doomed, other = own_servers.start(), own_servers.start()
    people = people_at(doomed, 2)
    race = Race(doomed, people)
    with (
        Tab(race.address, [doomed, other], people[0].token) as moved,
        Tab(race.address, [other], people[1].token) as stayed,
    ):
        race.start(doomed)
        race.wait_for_start(other)
        board = Board(doomed, people[0], race.games[0])
        board.burst(20)
        for turn in range(6):
            board.wire.send(
                json.dumps({"type": "move", **body_of("d"), "client_move_id": f"{turn}"})
            )
        doomed.kill()
        for turn in range(6):  # whatever came of them: each is made once
            body = {**body_of("d"), "client_move_id": f"{turn}"}
            people[0].post(other, f"games/{race.games[0]}/moves/", body)
        people[1].move(other, race.games[1], "d")
        moved.wait_until(lambda: moved.connections == 2)
        assert_shown_as_it_is([moved, stayed], people[0], other, race)
        seats = people[0].get(other, race.address)["seats"]
        assert [changes(seat) for seat in seats] == [26, 1]
        assert stayed.connections == 1


@pytest.mark.postgresql
@pytest.mark.redis
def test_who_does_not_come_back_from_a_killed_server_is_away(own_servers: Servers) -> None:
    doomed, other = own_servers.start(), own_servers.start()
    people = people_at(doomed, 2)
    race = Race(doomed, people)
    with (
        Tab(race.address, [other], people[1].token) as tab,
        Tab(race.address, [doomed], people[0].token) as lost,
    ):
        for each in (tab, lost):
            each.wait_until(each.told("snapshot"))
        doomed.kill()
        tab.wait_until(tab.told("presence", seat=1, connected=False))


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_race_starts_and_ends_in_time_without_the_server_that_began_it(
    own_servers: Servers,
) -> None:
    doomed, other = own_servers.start(), own_servers.start()
    people = people_at(doomed, 2)
    race = Race(doomed, people)
    with Tab(race.address, [doomed, other], people[0].token) as tab:
        race.start(doomed)
        tab.wait_until(tab.told("countdown"))
        doomed.kill()
        begun = time.monotonic()
        tab.wait_until(tab.told("start"))
        assert time.monotonic() - begun < COUNTDOWN_S + 3
        let_the_time_be_up(other, race)
        tab.wait_until(tab.told("finish"))


@pytest.mark.postgresql
@pytest.mark.redis
def test_at_the_end_of_a_server_its_players_come_back_at_the_other(own_servers: Servers) -> None:
    ending, other = own_servers.start(), own_servers.start()
    people = people_at(ending, 2)
    race = Race(ending, people)
    with Tab(race.address, [ending, other], people[0].token) as tab:
        race.start(ending)
        race.wait_for_start(other)
        ending.stop()
        tab.wait_until(lambda: tab.connections == 2)
        assert tab.codes == [4503]
        people[1].move(other, race.games[1], "d")
        assert_shown_as_it_is([tab], people[0], other, race)


class OwnRedis:
    """A Redis server of the test's own, which may end."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE_S
        while not self._listens() and time.monotonic() < deadline:
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.mark.postgresql
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server (install it)")
def test_with_redis_restarted_nothing_is_lost(own_servers: Servers) -> None:
    redis = OwnRedis()
    redis.start()
    own_servers.stack.callback(redis.stop)
    servers = [own_servers.start(REDIS_URL=redis.url) for _ in range(2)]
    people = people_at(servers[0], 2)
    race = Race(servers[0], people)
    with (
        Tab(race.address, servers, people[0].token) as one,
        Tab(race.address, servers[::-1], people[1].token) as other,
    ):
        race.start(servers[0])
        race.wait_for_start(servers[0])

        def move_both() -> None:
            for server, person, game_id in zip(servers, people, race.games, strict=True):
                person.move(server, game_id, "d")

        move_both()
        redis.stop()
        for _ in range(3):
            move_both()
        assert_shown_as_it_is([one, other], people[0], servers[0], race)
        redis.start()
        for _ in range(3):
            move_both()
        assert_shown_as_it_is([one, other], people[1], servers[1], race)
        seats = people[0].get(servers[0], race.address)["seats"]
        assert [changes(seat) for seat in seats] == [7, 7]
        assert (one.connections, other.connections) == (1, 1)
