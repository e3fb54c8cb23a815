"""How often one player may call."""

import secrets
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.test import Client
from pytest_django import Settings

from pyramid_site import throttling
from tests.caller import API, Caller, assert_problem
from tests.game.lines import LOSING

GUESTS = f"{API}guests/"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def limits(settings: Settings, counters: None, db: None) -> dict[str, str]:
    settings.RATE_LIMITS = {}
    return settings.RATE_LIMITS


def address() -> str:
    return f"10.{secrets.randbelow(256)}.{secrets.randbelow(256)}.{secrets.randbelow(256)}"


def test_one_call_too_many_is_told_when_to_come_back(
    limits: dict[str, str], clock: time_machine.Traveller
) -> None:
    limits["guests"] = "3/minute"
    assert [Client().post(GUESTS).status_code for _ in range(3)] == [201] * 3
    answer = Client().post(GUESTS)
    body = assert_problem(answer, 429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert body["params"]["retry_after_s"] == int(answer["Retry-After"])


def test_after_the_time_that_was_told_a_call_is_taken_again(
    limits: dict[str, str], clock: time_machine.Traveller
) -> None:
    limits["guests"] = "3/minute"
    for _ in range(3):
        Client().post(GUESTS)
    clock.shift(20)
    wait_s = int(Client().post(GUESTS)["Retry-After"])
    clock.shift(wait_s)
    assert Client().post(GUESTS).status_code == 201


def test_a_refused_call_does_nothing(limits: dict[str, str], player: Caller) -> None:
    table = player.deal("classic", 7)
    limits["change"] = "2/minute"
    codes = [table.move("d").status_code for _ in range(4)]
    assert codes == [200, 200, 429, 429]
    assert table.state()["version"] == 2


def test_the_shorter_and_the_longer_limit_hold_both(
    limits: dict[str, str], clock: time_machine.Traveller
) -> None:
    limits["guests"] = "2/minute;3/hour"
    codes = []
    for _ in range(3):
        codes += [Client().post(GUESTS).status_code for _ in range(2)]
        clock.shift(61)
    assert Counter(codes) == {201: 3, 429: 3}


def test_each_player_has_a_count_of_their_own(limits: dict[str, str]) -> None:
    first, second = Caller.guest(), Caller.guest()
    limits["read"] = "2/minute"
    assert [first.get("games/").status_code for _ in range(3)] == [200, 200, 429]
    assert [second.get("games/").status_code for _ in range(3)] == [200, 200, 429]


def test_a_player_is_counted_wherever_they_call_from(limits: dict[str, str]) -> None:
    player = Caller.guest()
    limits["read"] = "2/minute"
    codes = [player.client.get(f"{API}games/", REMOTE_ADDR=address()).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_whoever_has_no_token_is_counted_by_address(limits: dict[str, str]) -> None:
    limits["guests"] = "1/minute"
    here, there = address(), address()
    codes = [Client(REMOTE_ADDR=at).post(GUESTS).status_code for at in (here, here, there)]
    assert codes == [201, 429, 201]


def test_whoever_has_a_network_of_ipv6_has_one_count_for_it(limits: dict[str, str]) -> None:
    limits["guests"] = "1/minute"
    here, there = (f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}" for _ in range(2))
    addresses = (f"{here}::1", f"{here}:ffff::2", f"{there}::1")
    codes = [Client(REMOTE_ADDR=at).post(GUESTS).status_code for at in addresses]
    assert codes == [201, 429, 201]


def test_ipv4_written_as_ipv6_is_the_same_address(limits: dict[str, str]) -> None:
    limits["guests"] = "1/minute"
    here, there = address(), address()
    addresses = (here, f"::ffff:{here}", f"::ffff:{there}")
    codes = [Client(REMOTE_ADDR=at).post(GUESTS).status_code for at in addresses]
    assert codes == [201, 429, 201]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
def test_a_header_makes_no_other_address(limits: dict[str, str], header: str) -> None:
    limits["guests"] = "1/minute"
    codes = [Client(headers={header: address()}).post(GUESTS).status_code for _ in range(2)]
    assert codes == [201, 429]


def test_reading_does_not_use_up_what_changing_may(limits: dict[str, str]) -> None:
    table = Caller.guest().deal("classic", 7)
    limits.update(read="1/minute", change="1/minute", deal="1/minute")
    assert table.caller.get(table.address).status_code == 200
    assert table.caller.get(table.address).status_code == 429
    assert table.move("d").status_code == 200
    assert table.move("d").status_code == 429
    assert table.caller.post("games/", {"rules": "open", "number": 7}).status_code == 201
    assert table.caller.post("games/", {"rules": "open", "number": 7}).status_code == 429


def test_what_asks_the_solver_is_counted_together(limits: dict[str, str]) -> None:
    table = Caller.guest().deal("classic", LOSING[0])
    table.play(LOSING[1])
    limits["solver"] = "2/minute"
    assert table.change("hints").status_code == 200
    assert table.change("rewinds", to="winnable").status_code == 200
    answer = table.change("rewinds", to="winnable")
    assert_problem(answer, 429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert table.change("hints").status_code == 429
    assert table.change("checks").status_code == 429
    assert table.caller.get(f"{table.address}analysis/").status_code == 429
    assert table.change("rewinds", to="lock").status_code == 422
    assert table.move("2CJH").status_code == 200


def test_nothing_is_limited_unless_the_settings_say_so(db: None) -> None:
    assert {Client().post(GUESTS).status_code for _ in range(25)} == {201}


@pytest.mark.django_db(transaction=True)
def test_calls_at_the_same_moment_do_not_slip_through(settings: Settings, counters: None) -> None:
    settings.RATE_LIMITS = {"guests": "5/hour"}

    def start(_: int) -> Any:
        try:
            return Client().post(GUESTS).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(10) as threads:
        codes = list(threads.map(start, range(20)))
    assert Counter(codes) == {201: 5, 429: 15}


def test_with_redis_gone_the_process_counts_for_itself(settings: Settings, db: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"  # nobody listens there any more
    settings.RATE_LIMITS = {"guests": "2/hour"}
    here = address()
    codes = [Client(REMOTE_ADDR=here).post(GUESTS).status_code for _ in range(3)]
    assert codes == [201, 201, 429]


@pytest.mark.redis
def test_in_redis_a_window_passes_too(settings: Settings, db: None) -> None:
    settings.RATE_LIMITS = {"guests": "2/second"}
    client = Client(REMOTE_ADDR=address())
    answers = [client.post(GUESTS) for _ in range(8)]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused["Retry-After"] == "1"
    give_up = time.monotonic() + 10
    while client.post(GUESTS).status_code == 429:
        assert time.monotonic() < give_up


@pytest.mark.redis
def test_in_redis_all_processes_count_together(settings: Settings, db: None) -> None:
    settings.RATE_LIMITS = {"guests": "2/hour"}
    here = address()
    codes = []
    for _ in range(3):
        throttling._limiter.cache_clear()  # another process has another connection
        codes.append(Client(REMOTE_ADDR=here).post(GUESTS).status_code)
    assert codes == [201, 201, 429]


def test_a_head_counts_as_the_get_that_it_is(settings: Settings, counters: None, db: None) -> None:
    settings.RATE_LIMITS = {"read": "2/hour"}
    here = address()
    codes = [Client(REMOTE_ADDR=here).head(f"{API}rules/").status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_the_document_is_limited_too(settings: Settings, counters: None, db: None) -> None:
    settings.RATE_LIMITS = {"document": "2/hour"}
    here = address()
    codes = [Client(REMOTE_ADDR=here).get(f"{API}schema/").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
