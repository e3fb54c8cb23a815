"""A guest who registers or logs in, by whichever door, and what becomes of the games."""

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Session, Settings, User
from accounts.services import entrance
from game.models import Game
from tests.accounts.doors import DOORS, PASSWORD, Door, Pages, Rest, account
from tests.accounts.playing import by_tier, lose
from tests.caller import Caller, assert_problem
from tests.game.test_at_once import at_once, beside

pytestmark = pytest.mark.django_db

MANY = 8
TIERS = ("easy", "standard", "random")


def games(caller: Caller) -> list[str]:
    return sorted(game["id"] for game in caller.get("games/").json()["results"])


# Registering


def test_a_guest_who_registers_is_the_same_player(door: Door) -> None:
    guest = door.guest()
    table = guest.deal("classic", 7)
    table.play("d")
    row = User.objects.get()
    assert door.is_in(door.register("Alice"))
    player = User.objects.get()
    assert (player.pk, player.username, player.is_guest) == (row.pk, "Alice", False)
    assert games(door.caller()) == [table.id]
    assert Game.objects.get().counted is False  # by number


def test_a_counted_game_goes_on_counting_when_its_guest_registers(door: Door) -> None:
    guest = door.guest()
    guest.post("games/", {"rules": "classic", "tier": "easy"})
    door.register("Alice")
    assert Game.objects.get().counted


def test_registering_answers_a_fresh_token_and_the_guests_ends(door: Door) -> None:
    guest = door.guest()
    door.register("Alice")
    assert door.token != guest.token
    assert door.caller().get("games/").status_code == 200
    assert_problem(guest.get("games/"), 401, "authentication_failed")
    assert not Session.objects.filter(session_key=guest.token).exists()


def test_every_token_of_the_guest_ends(door: Door) -> None:
    guest = door.guest()
    other = Session.objects.get(session_key=guest.token)
    other.session_key = "another0device0of0the0guest"
    other.save(force_insert=True)
    assert Caller(other.session_key).get("games/").status_code == 200
    door.register("Alice")
    assert_problem(Caller(other.session_key).get("games/"), 401, "authentication_failed")


def test_who_registers_with_something_wrong_stays_a_guest(door: Door) -> None:
    guest = door.guest()
    account("Alice")
    assert not door.is_in(door.register("alice"))
    assert not door.is_in(door.register("Bob", "short"))
    assert guest.get("games/").status_code == 200
    assert User.objects.get(is_guest=True).has_usable_password() is False


def test_a_registered_guest_can_log_in_with_the_password(door: Door) -> None:
    door.guest()
    door.register("Alice")
    assert Rest().log_in("Alice").status_code == 201


def test_settings_of_a_guest_who_registers_stay(door: Door) -> None:
    door.guest()
    Settings.objects.create(player=User.objects.get(), four_colours=True)
    door.register("Alice")
    assert User.objects.get().settings.four_colours


# Logging in


def test_the_games_of_a_guest_who_logs_in_go_over_as_practice(door: Door) -> None:
    mine = account("Alice").deal("classic", 1)
    guest = door.guest()
    table = by_tier(guest)
    table.play("d")
    by_number = guest.deal("open", 8).id
    assert door.is_in(door.log_in("Alice"))
    assert games(door.caller()) == sorted([mine.id, table.id, by_number])
    assert not Game.objects.filter(counted=True).exists()
    call_command("verify_logs", verbosity=0)


def test_a_counted_game_that_was_only_dealt_does_not_come_along() -> None:
    """The page deals one to whoever comes by, and whoever logs in has one of their own."""
    account("Alice")
    guest = Caller.guest()
    dealt = by_tier(guest)
    answer = guest.post("tokens/", {"username": "Alice", "password": PASSWORD}).json()
    assert answer["moved"] == {"games": 0, "running": 0, "closed": 0}
    assert not Game.objects.filter(pk=dealt.id).exists()


def test_the_guest_is_gone_after_logging_in(door: Door) -> None:
    account("Alice")
    guest = door.guest()
    Settings.objects.create(player=User.objects.get(is_guest=True), four_colours=True)
    door.log_in("Alice")
    assert [player.username for player in User.objects.all()] == ["Alice"]
    assert not Settings.objects.exists()
    assert_problem(guest.get("games/"), 401, "authentication_failed")
    assert door.token != guest.token


def test_a_log_in_that_fails_changes_nothing(door: Door) -> None:
    account("Alice")
    guest = door.guest()
    guest.post("games/", {"rules": "classic", "tier": "easy"})
    before = games(guest)
    assert not door.is_in(door.log_in("Alice", "a wrong one"))
    assert games(guest) == before
    assert Game.objects.get().counted
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_game_goes_on_where_the_guest_left_it(door: Door) -> None:
    account("Alice")
    table = door.guest().deal("classic", 7)
    version = table.play("d d").json()["version"]
    door.log_in("Alice")
    answer = door.caller().post(
        f"{table.address}moves/", {"action": "draw", "cards": [], "version": version}
    )
    assert (answer.status_code, answer.json()["version"]) == (200, version + 1)


def test_of_two_running_games_of_a_deal_the_accounts_own_goes_on(door: Door) -> None:
    mine = account("Alice").deal("classic", 7)
    guests = door.guest().deal("classic", 7)
    guests.play("d")
    door.log_in("Alice")
    status = {game["id"]: game["status"] for game in door.caller().get("games/").json()["results"]}
    assert status == {mine.id: "playing", guests.id: "lost"}


def test_a_crash_between_log_in_and_the_move_of_games_undoes_both(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    account("Alice")
    guest = door.guest()
    table = guest.deal("classic", 7)
    sessions = Session.objects.count()

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(Session, "save", crash)  # the last thing that is done
        with pytest.raises(RuntimeError):
            door.log_in("Alice")
    assert games(guest) == [table.id]
    assert Session.objects.count() == sessions
    assert door.is_in(door.log_in("Alice"))
    assert games(door.caller()) == [table.id]


def test_logging_in_without_having_been_a_guest_moves_nothing(door: Door) -> None:
    account("Alice")
    assert door.is_in(door.log_in("Alice"))
    assert games(door.caller()) == []


def test_a_guest_who_logs_in_by_address_comes_to_the_same(door: Door) -> None:
    account("Alice", email="alice@example.com")
    table = door.guest().deal("classic", 7)
    assert door.is_in(door.log_in("Alice@Example.com"))
    assert games(door.caller()) == [table.id]


def test_a_game_that_came_along_tells_no_more_of_the_guests_record(door: Door) -> None:
    account("Alice")
    table = by_tier(door.guest())
    assert lose(table)["result"]["played"] == 1
    door.log_in("Alice")
    state = door.caller().get(table.address).json()
    assert (state["counted"], state["result"]["played"]) == (False, None)


# The receipt


def test_the_answer_counts_what_has_moved() -> None:
    account("Alice").deal("classic", 7)
    door = Rest()
    guest = door.guest()
    guest.deal("classic", 7)
    guest.deal("open", 7)
    guest.deal("open", 8).change("resignations")
    assert door.log_in("Alice").json()["moved"] == {"games": 3, "running": 1, "closed": 1}


def test_an_answer_to_nobodys_log_in_has_no_receipt() -> None:
    account("Alice")
    assert "moved" not in Rest().log_in("Alice").json()


def test_allauths_api_counts_too() -> None:
    account("Alice")
    door = DOORS[3]()
    door.guest().deal("open", 7)
    answer = door.log_in("Alice").json()
    assert answer["meta"]["moved"] == {"games": 1, "running": 1, "closed": 0}


def test_a_page_says_what_has_moved() -> None:
    account("Alice")
    door = Pages()
    door.guest().deal("open", 7)
    answer = door.log_in("Alice")
    told = [str(message) for message in answer.wsgi_request._messages]
    assert any(text.startswith("1 game that you played as a guest") for text in told)


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_of_many_registrations_of_one_guest_one_wins() -> None:
    guest = Caller.guest()
    table = guest.deal("classic", 7)

    def register(number: int) -> Any:
        body = {"username": f"Alice{number}x", "password": PASSWORD}
        return Caller(guest.token).post("accounts/", body)

    answers = at_once(*[lambda number=number: register(number) for number in range(MANY)])
    won = [answer for answer in answers if answer.status_code == 201]
    assert len(won) == 1
    codes = {answer.json()["code"] for answer in answers if answer.status_code != 201}
    assert codes <= {"already_registered", "authentication_failed"}
    player = User.objects.get()
    assert player.username == won[0].json()["player"]["name"]
    assert games(Caller(won[0].json()["token"])) == [table.id]


def test_a_guest_who_has_registered_since_the_call_came_in_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guest = Caller.guest()
    first = entrance.register

    def second(**wanted: Any) -> User:
        monkeypatch.setattr(entrance, "register", first)
        assert guest.post("accounts/", {"username": "Bob", "password": PASSWORD}).status_code == 201
        return first(**wanted)

    monkeypatch.setattr(entrance, "register", second)
    answer = Caller(guest.token).post("accounts/", {"username": "Alice", "password": PASSWORD})
    assert_problem(answer, 409, "already_registered")
    assert [player.username for player in User.objects.all()] == ["Bob"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("as_guests", [True, False])
def test_of_many_who_register_one_name_at_once_one_gets_it(as_guests: bool) -> None:
    tokens = [Caller.guest().token if as_guests else None for _ in range(MANY)]
    names = ["Alice", "ALICE", "alice", "a1ice"]

    def register(number: int) -> Any:
        body = {"username": names[number % len(names)], "password": PASSWORD}
        return Caller(tokens[number]).post("accounts/", body)

    answers = at_once(*[lambda number=number: register(number) for number in range(MANY)])
    assert sorted(answer.status_code for answer in answers) == [201] + [400] * (MANY - 1)
    for answer in answers:
        if answer.status_code == 400:
            errors = assert_problem(answer, 400, "invalid")["errors"]
            assert [error["code"] for error in errors["username"]] == ["name_taken"]
    assert User.objects.filter(is_guest=False).count() == 1
    assert User.objects.filter(is_guest=True).count() == (MANY - 1 if as_guests else 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", DOORS, ids=lambda door: door.__name__)
def test_who_is_too_late_for_a_name_is_told_at_every_door(
    place: type[Door], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the names and the row stands the database alone."""
    door = place()
    door.guest()
    account("Alice")
    monkeypatch.setattr("accounts.adapter._is_taken", lambda *_: False)
    answer = door.register("alice")
    assert not door.is_in(answer)
    assert answer.status_code in (302, 400)
    assert User.objects.get(is_guest=True).has_usable_password() is False
    assert door.caller().get("games/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_games_move_once_when_a_guest_logs_in_many_times_at_once() -> None:
    account("Alice")
    guest = Caller.guest()
    tables = [guest.deal("classic", number) for number in (7, 8, 9)]
    body = {"username": "Alice", "password": PASSWORD}
    answers = at_once(*[lambda: Caller(guest.token).post("tokens/", body) for _ in range(MANY)])
    assert {answer.status_code for answer in answers} <= {201, 401}
    won = [answer.json() for answer in answers if answer.status_code == 201]
    assert [body["moved"]["games"] for body in won if "moved" in body] == [3]
    assert games(Caller(won[0]["token"])) == sorted(table.id for table in tables)
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_guest_who_registers_and_logs_in_at_once_loses_nothing() -> None:
    for _ in range(4):
        User.objects.all().delete()
        account("Alice")
        guest = Caller.guest()
        table = guest.deal("classic", 7)
        answers = at_once(
            lambda guest=guest: Caller(guest.token).post(
                "accounts/", {"username": "Bob", "password": PASSWORD}
            ),
            lambda guest=guest: Caller(guest.token).post(
                "tokens/", {"username": "Alice", "password": PASSWORD}
            ),
        )
        assert all(answer.status_code in (201, 401, 409) for answer in answers)
        owner = Game.objects.get(pk=table.id).player
        assert owner.username in ("Alice", "Bob")
        assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.django_db(transaction=True)
def test_moves_while_the_guest_logs_in_are_made_or_refused_but_not_lost() -> None:
    account("Alice")
    guest = Caller.guest()
    table = guest.deal("classic", 7)
    draw = {"action": "draw", "cards": []}
    answers = at_once(
        *[lambda: Caller(guest.token).post(f"{table.address}moves/", draw) for _ in range(6)],
        lambda: Caller(guest.token).post("tokens/", {"username": "Alice", "password": PASSWORD}),
    )
    made = sum(answer.status_code == 200 for answer in answers[:-1])
    assert {answer.status_code for answer in answers[:-1]} <= {200, 401, 404}
    token = answers[-1].json()["token"]
    assert Caller(token).get(table.address).json()["moves"] == made
    call_command("verify_logs", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_games_that_end_while_the_guest_logs_in_count_for_nobody_afterwards() -> None:
    account("Alice")
    guest = Caller.guest()
    tables = [by_tier(guest, tier, rules) for tier in TIERS for rules in ("classic", "open")]
    for table in tables:
        table.play("d")
    body = {"username": "Alice", "password": PASSWORD}
    answers = at_once(
        *[lambda table=table: beside(table).change("resignations") for table in tables],
        lambda: Caller(guest.token).post("tokens/", body),
    )
    assert answers[-1].status_code == 201
    assert {answer.status_code for answer in answers[:-1]} <= {200, 401, 404}
    alice = Caller(answers[-1].json()["token"])
    assert games(alice) == sorted(table.id for table in tables)
    assert alice.get("me/records/").json()["records"] == []
    call_command("verify_logs", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_games_that_start_while_the_guest_logs_in_are_the_accounts_or_nobodys() -> None:
    account("Alice")
    guest = Caller.guest()
    starts = [
        lambda number=number: Caller(guest.token).post(
            "games/", {"rules": "classic", "number": number}
        )
        for number in range(1, 7)
    ]
    body = {"username": "Alice", "password": PASSWORD}
    answers = at_once(*starts, lambda: Caller(guest.token).post("tokens/", body))
    started = {answer.json()["id"] for answer in answers[:-1] if answer.status_code == 201}
    assert started == {str(game.pk) for game in Game.objects.filter(player__username="Alice")}
    assert {answer.status_code for answer in answers[:-1]} <= {201, 401, 404}
