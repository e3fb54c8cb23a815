"""Whatever comes in: a problem body with its code, never a fault, nothing changed, nothing lost."""

import json
from typing import Any

import pytest

from tests.caller import Caller, Table, assert_problem
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db

CHANGES = ["moves", "undos", "rewinds", "restarts", "pauses", "resignations", "hints", "checks"]
POSTS = ["games", *CHANGES]  # every call that takes a body

GOOD: dict[str, dict[str, Any]] = {
    "games": {"rules": "classic", "number": 99},
    "moves": {"action": "draw", "cards": [], "version": 2, "client_move_id": "a"},
    "undos": {"version": 2, "client_move_id": "a"},
    "rewinds": {"to": "lock", "version": 2, "client_move_id": "a"},
    "restarts": {"version": 2, "client_move_id": "a"},
    "pauses": {"paused": True, "version": 2, "client_move_id": "a"},
    "resignations": {"version": 2, "client_move_id": "a"},
    "hints": {"version": 2, "client_move_id": "a"},
    "checks": {"version": 2, "client_move_id": "a"},
}

NOT_JSON = [
    b"{",
    b"}",
    b"{'rules': 'classic'}",
    b'{"rules": "classic",}',
    b'{"rules"}',
    b"rules=classic&number=7",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b'{"version": NaN}',
    b'{"number": Infinity}',
    b"\xff\xfe",
    b"\x00",
    b'{"action": "\xc3\x28"}',
    b'{"action": "dr\x00aw"}',
    b'\xef\xbb\xbf{"rules": "classic"}',
    b'{"a": 1} {"b": 2}',
    b'{"action": "\\ud800"}',
    b'{"client_move_id": "\\udc00\\ud800"}',
    b'{"\\ud83c": 1}',
    b"[" * 60_000,
    b'{"a":' * 12_000,
    b"[" * 30_000 + b"]" * 30_000,
    b"9" * 5000,
    b'{"version": ' + b"9" * 5000 + b"}",
    b"<rules>classic</rules>",
    b"\x80\x04K\x01.",
]
NOT_AN_OBJECT = ["null", "true", "false", "0", "7", "1e400", '""', '"draw"', "[]", "[{}]", "[1]"]

WRONG: dict[str, list[Any]] = {
    "rules": [
        None,
        1,
        1.5,
        True,
        [],
        {},
        ["classic"],
        "",
        "\x00",
        "classic\x00",
        "é" * 5,
        "x" * 9000,
    ],
    "number": [
        *(None, "7", " 7", "seven", "", 1.5, 1e30, True, False, [], {}, [7], {"number": 7}),
        *(2**63, -(2**63) - 1, 10**300, "٧", "7\x00"),
    ],
    "tier": [None, 1, True, [], {}, "", "x" * 9000, "RANDOM", "random\x00"],
    "action": [None, 1, True, [], {}, ["draw"], "", "DRAW", " draw", "d", "draw\x00", "x" * 9000],
    "cards": [
        *(None, 1, True, "", "6H", "6H7D", {}, {"6H": "7D"}, [None], [1], [True], [[]], [{}]),
        *([["6H", "7D"]], ["6H", None], ["6H", 7], ["6H\x00"], ["x" * 9000], ["KD"] * 2000),
    ],
    "version": [
        *("2", "", "two", True, False, 1.5, 1e30, [], {}, [2], -1, 2**31, 2**63, 10**300),
    ],
    "client_move_id": [
        *("", " ", "a b", "a\x00", "é", "\n", "a\n", "x" * 65, "x" * 9000, 1, 1.5, True, [], {}),
    ],
    "to": [None, 1, True, [], {}, ["lock"], "", "LOCK", "start", "lock\x00", "x" * 9000],
    "paused": [None, 0, 1, 1.0, "true", "false", "on", "yes", "", [], {}, [True]],
}


@pytest.fixture
def table(player: Caller) -> Table:
    """A game in which an undo, a restart, a pause and a draw are possible; its version is 2."""
    table = player.deal("classic", 1)
    table.play("KD d")
    return table


def address_of(kind: str, table: Table) -> str:
    return "games/" if kind == "games" else f"{table.address}{kind}/"


def assert_bad(answer: Any, *codes: str) -> None:
    body = assert_problem(answer, answer.status_code, answer.json()["code"])
    assert 400 <= body["status"] < 500
    assert body["code"] in codes


def test_what_is_called_good_here_is_good(player: Caller, table: Table) -> None:
    """So that the tests below fail for what they change, and for nothing else."""
    for kind in ("games", "moves"):
        assert player.post(address_of(kind, table), GOOD[kind]).status_code in (200, 201)
    for number, kind in enumerate(set(CHANGES) - {"moves", "rewinds"}, 2):
        other = player.deal("classic", number)
        other.play("d d")
        assert other.change(kind, **GOOD[kind]).status_code == 200


@pytest.mark.parametrize("kind", POSTS)
def test_a_body_that_is_not_json(player: Caller, table: Table, kind: str) -> None:
    with nothing_changed():
        for body in NOT_JSON:
            answer = player.send("POST", address_of(kind, table), body)
            assert_problem(answer, 400, "parse_error")


@pytest.mark.parametrize("kind", POSTS)
def test_a_body_that_is_no_object(player: Caller, table: Table, kind: str) -> None:
    with nothing_changed():
        for body in NOT_AN_OBJECT:
            answer = player.send("POST", address_of(kind, table), body)
            assert_bad(answer, "invalid", "parse_error")


@pytest.mark.parametrize(
    ("kind", "field"),
    [(kind, field) for kind in POSTS for field in GOOD[kind]] + [("games", "tier")],
)
def test_a_field_of_the_wrong_type(player: Caller, table: Table, kind: str, field: str) -> None:
    codes = {"rules": ["invalid", "unknown_rules"], "cards": ["invalid", "bad_card"]}
    good = {"rules": "classic"} if field == "tier" else GOOD[kind]
    with nothing_changed():
        for value in WRONG[field]:
            answer = player.post(address_of(kind, table), {**good, field: value})
            assert_bad(answer, *codes.get(field, ["invalid"]))


@pytest.mark.parametrize("kind", ["moves", "rewinds", "pauses"])
def test_a_field_that_is_missing_is_named(player: Caller, table: Table, kind: str) -> None:
    field = {"moves": "action", "rewinds": "to", "pauses": "paused"}[kind]
    with nothing_changed():
        body = assert_problem(player.post(address_of(kind, table), {}), 400, "invalid")
    assert body["errors"][field][0]["code"] == "required"
    assert body["errors"][field][0]["detail"]


def test_each_field_that_is_wrong_is_named(table: Table) -> None:
    body = assert_problem(
        table.change("moves", action="jump", version=-1, client_move_id=""), 400, "invalid"
    )
    assert body["errors"].keys() == {"action", "version", "client_move_id"}


@pytest.mark.parametrize("kind", POSTS)
@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "application/jsonx",
        "nonsense",
        "",
        "\x00",
        "application/" + "x" * 3000,
    ],
)
def test_a_foreign_content_type(player: Caller, table: Table, kind: str, content_type: str) -> None:
    with nothing_changed():
        answer = player.send("POST", address_of(kind, table), json.dumps(GOOD[kind]), content_type)
        assert_problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "charset", ["utf-16", "utf-32", "zlib", "bz2", "hex", "rot13", "undefined", "base64"]
)
def test_a_charset_that_the_body_is_not_in(player: Caller, table: Table, charset: str) -> None:
    with nothing_changed():
        answer = player.send(
            "POST", f"{table.address}undos/", b"{}", f"application/json; charset={charset}"
        )
        assert_problem(answer, 400, "parse_error")


@pytest.mark.parametrize("kind", CHANGES)
def test_a_good_body_for_no_game(player: Caller, kind: str) -> None:
    with nothing_changed():
        for game_id in ("00000000-0000-4000-8000-000000000000", "1", "nope", "%00", "x" * 3000):
            answer = player.post(f"games/{game_id}/{kind}/", GOOD[kind])
            assert_problem(answer, 404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "FOO"])
def test_a_method_that_an_address_does_not_take(player: Caller, table: Table, method: str) -> None:
    addresses = ["guests/", "rules/", "deals/7/", "schema/", "docs/", table.address]
    addresses += [f"{table.address}log/", *(address_of(kind, table) for kind in POSTS)]
    with nothing_changed():
        for address in addresses:
            answer = player.send(method, address, b"{}")
            assert_problem(answer, 405, "method_not_allowed")
            assert answer["Allow"]


def test_what_an_address_takes_is_asked_of_the_schema_alone(player: Caller, table: Table) -> None:
    addresses = ["guests/", "rules/", "deals/7/", "docs/", table.address, f"{table.address}log/"]
    with nothing_changed():
        for address in [*addresses, *(address_of(kind, table) for kind in POSTS)]:
            answer = player.send("OPTIONS", address, b"")
            assert_problem(answer, 405, "method_not_allowed")


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_is_not_read(player: Caller, table: Table, kind: str) -> None:
    assert_problem(player.get(address_of(kind, table)), 405, "method_not_allowed")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "nonsense", "image/*"])
@pytest.mark.parametrize("address", ["rules/", "games/", "schema/", "deals/0/"])
def test_an_answer_in_a_format_that_there_is_not(player: Caller, address: str, accept: str) -> None:
    answer = player.client.get(f"/api/v1/{address}", headers={"Accept": accept})
    assert_problem(answer, 406, "not_acceptable")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nope/",
        "games",
        "games/x",
        "rules",
        "guests//",
        "%00",
        "..",
        "games/%F0%9F%82%A1/",
        "é/",
    ],
)
def test_an_address_that_there_is_not(player: Caller, address: str) -> None:
    assert_problem(player.get(address), 404, "not_found")


@pytest.mark.parametrize(
    "query",
    [
        {"status": "nope"},
        {"status": "\x00"},
        {"status": "running", "cursor": "x" * 3000},
        {"cursor": "\x00\ud83c".encode("utf-8", "replace")},
        {"page_size": "\x00"},
        {"unknown": "x" * 3000},
    ],
)
def test_queries_of_all_sorts(player: Caller, query: dict[str, Any]) -> None:
    answer = player.get("games/", **query)
    assert answer.status_code in (200, 400, 404)


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "1e3", "9" * 400, "\x00", "2147483648"])
def test_the_log_goes_on_after_a_number_only(table: Table, after: str) -> None:
    answer = table.caller.get(f"{table.address}log/", after=after)
    assert_problem(answer, 400, "invalid")


def test_unknown_fields_are_passed_over(table: Table) -> None:
    """A client of tomorrow may say more."""
    assert table.move("d", colour="red", nested={"deep": [1, 2]}).status_code == 200


def test_an_empty_body_is_an_empty_object(player: Caller, table: Table) -> None:
    answer = player.send("POST", f"{table.address}undos/", b"", "")
    assert answer.status_code == 200


def test_two_fields_of_one_name_are_no_fault(table: Table) -> None:
    answer = table.caller.send(
        "POST", f"{table.address}moves/", b'{"action": "redeal", "action": "draw"}'
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("order", [("zh-hans", "ja", "ru", "en"), ("en", "ru", "ja", "zh-hans")])
def test_a_limit_is_told_in_the_language_of_each_caller(
    player: Caller, table: Table, order: tuple[str, ...]
) -> None:
    details = {}
    for language in order:
        caller = Caller(player.token, language=language)
        answer = caller.post(f"{table.address}undos/", {"version": -1})
        details[language] = answer.json()["errors"]["version"][0]["detail"]
    assert len(set(details.values())) == len(order)
    assert details["en"] == "This number is too small."
