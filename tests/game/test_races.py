"""Races through the API: who may do what when, and what each is told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from game.models import Deal, Game, Race, RaceEvent, Seat
from game.rules.deals import numbered_deck, seeded_deck
from game.selectors import race_seen_by
from game.services import race_presence, races
from tests.caller import Caller, assert_problem
from tests.game.lines import WON
from tests.game.racers import Racers, guests, let_time_pass
from tests.game.ranked import player_of
from tests.game.records import nothing_changed

pytestmark = pytest.mark.django_db

NUMBER, LINE = WON["classic"]


@pytest.fixture
def pair(player: Caller, stranger: Caller) -> Racers:
    return Racers(player, stranger, number=NUMBER)


def test_a_new_race_is_a_lobby_with_its_host(player: Caller) -> None:
    answer = player.post("races/", {"rules": "open", "number": 95})
    assert answer.status_code == 201
    body = answer.json()
    assert (body["rules"], body["number"], body["tier"]) == ("open", 95, None)
    assert (body["kind"], body["status"], body["seats_max"]) == ("friendly", "lobby", 2)
    assert (body["time_limit_ms"], body["game"], body["me"]) == (900_000, None, 1)
    assert [(seat["player"], seat["host"]) for seat in body["seats"]] == [
        (player.get("me/").json()["name"], True)
    ]


def test_terms_are_kept(player: Caller) -> None:
    terms = {"rules": "classic", "number": 7, "seats": 10, "time_limit_ms": 60_000}
    body = player.post("races/", terms).json()
    assert (body["seats_max"], body["time_limit_ms"]) == (10, 60_000)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"rules": "classic"}, "non_field_errors"),
        ({"rules": "classic", "number": 7, "tier": "easy"}, "non_field_errors"),
        ({"rules": "classic", "number": 7, "seats": 1}, "seats"),
        ({"rules": "classic", "number": 7, "seats": 11}, "seats"),
        ({"rules": "classic", "number": 7, "seats": "2"}, "seats"),
        ({"rules": "classic", "number": 7, "time_limit_ms": 59_999}, "time_limit_ms"),
        ({"rules": "classic", "number": 7, "time_limit_ms": 3_600_001}, "time_limit_ms"),
        ({"rules": "classic", "tier": "hard"}, "tier"),
    ],
)
def test_bad_terms_open_no_race(player: Caller, terms: dict[str, Any], field: str) -> None:
    body = assert_problem(player.post("races/", terms), 400, "invalid")
    assert list(body["errors"]) == [field]
    assert not Race.objects.exists()


@pytest.mark.parametrize("code", ["AAAAAAAA", "%00", "a%00b", "%F0%9F%98%80"])
def test_the_page_of_no_race_says_so(player: Caller, code: str) -> None:
    assert player.get(f"/race/{code}").status_code == 404


def test_an_unknown_deal_opens_no_race(player: Caller) -> None:
    terms = {"rules": "classic", "number": 2**32}
    assert_problem(player.post("races/", terms), 404, "unknown_deal")


def test_nobody_opens_no_race(nobody: Caller) -> None:
    assert_problem(
        nobody.post("races/", {"rules": "classic", "number": 7}), 401, "not_authenticated"
    )


def test_anybody_with_the_code_may_look(pair: Racers, nobody: Caller) -> None:
    body = nobody.get(pair.address).json()
    assert (body["me"], body["game"], len(body["seats"])) == (None, None, 2)


def test_a_code_may_be_written_small(pair: Racers, nobody: Caller) -> None:
    assert nobody.get(f"races/{pair.code.lower()}/").json()["code"] == pair.code


@pytest.mark.parametrize("code", ["AAAAAAAA", "x", "-", "A" * 100])
def test_a_race_that_is_not_there(player: Caller, code: str) -> None:
    assert_problem(player.get(f"races/{code}/"), 404, "not_found")
    assert_problem(player.post(f"races/{code}/seats/"), 404, "not_found")
    assert_problem(player.post(f"races/{code}/rematches/"), 404, "not_found")


def test_to_join_twice_is_one_seat(pair: Racers, stranger: Caller) -> None:
    with nothing_changed():
        answer = stranger.post(f"{pair.address}seats/")
    assert answer.status_code == 200
    assert len(answer.json()["seats"]) == 2


def test_a_full_race_takes_nobody(pair: Racers) -> None:
    third = Caller.guest()
    body = assert_problem(third.post(f"{pair.address}seats/"), 409, "race_full")
    assert body["params"] == {"seats": 2}


def test_a_race_that_has_begun_takes_nobody(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger, seats=3)
    player.post(f"{race.address}starts/")
    assert_problem(Caller.guest().post(f"{race.address}seats/"), 409, "race_started")
    let_time_pass()
    assert_problem(Caller.guest().post(f"{race.address}seats/"), 409, "race_started")


def test_all_ready_begin_the_countdown(pair: Racers) -> None:
    for caller in pair.callers:
        assert pair.ready(caller).status_code == 200
    body = pair.body()
    assert (body["status"], body["game"]) == ("countdown", None)
    assert 4_000 < body["starts_in_ms"] <= 5_000


@pytest.mark.parametrize("ready", ["1", '"true"', "null"])
def test_ready_is_true_or_false(pair: Racers, ready: str) -> None:
    assert_problem(pair.ready(pair.callers[0], ready), 400, "invalid")


def test_only_who_has_a_seat_is_ready_starts_leaves_or_meets_again(pair: Racers) -> None:
    watcher = Caller.guest()
    assert_problem(pair.ready(watcher), 403, "not_seated")
    assert_problem(watcher.post(f"{pair.address}starts/"), 403, "not_seated")
    assert_problem(pair.leave(watcher), 403, "not_seated")
    pair.start()
    pair.use_up_the_time()
    assert_problem(watcher.post(f"{pair.address}rematches/"), 403, "not_seated")


def test_only_the_host_starts(pair: Racers, stranger: Caller) -> None:
    assert_problem(stranger.post(f"{pair.address}starts/"), 403, "not_host")


def test_nobody_races_alone(player: Caller) -> None:
    race = Racers(player)
    assert_problem(player.post(f"{race.address}starts/"), 409, "race_too_few")


def test_the_cards_are_there_for_each_when_the_race_starts(pair: Racers) -> None:
    tables = pair.start()
    states = [table.state() for table in tables]
    assert states[0]["id"] != states[1]["id"]
    assert states[0]["pyramid"] == states[1]["pyramid"]
    assert states[0]["pyramid"][6] == list(numbered_deck(NUMBER)[21:28])
    assert {(state["kind"], state["number"], state["running"]) for state in states} == {
        ("race", None, True)
    }


def test_the_clocks_run_from_the_common_start(pair: Racers) -> None:
    pair.start()
    started = {game.started_at for game in Game.objects.all()}
    assert started == {pair.row.starts_at}


def test_nothing_starts_before_its_time(pair: Racers, player: Caller) -> None:
    player.post(f"{pair.address}starts/")
    races.pass_time(pair.row.pk)
    assert pair.body()["status"] == "countdown"
    assert not Game.objects.exists()


def test_others_see_how_a_board_stands_and_no_card(pair: Racers, stranger: Caller) -> None:
    own, _ = pair.start()
    own.play(" ".join(LINE.split()[:6]))
    own.undo()
    [seat, _] = pair.body(stranger)["seats"]
    assert (seat["removed"], seat["best_removed"]) == (9, 9)
    assert (seat["moves"], seat["undos"], seat["pass"]) == (6, 1, 1)
    assert_problem(stranger.get(own.address), 404, "not_found")
    assert_problem(stranger.get(f"{own.address}log/"), 404, "not_found")
    assert_problem(stranger.get(f"{own.address}analysis/"), 404, "not_found")


def test_an_undo_never_lowers_the_best(pair: Racers) -> None:
    own, _ = pair.start()
    own.play("7D6D")
    own.undo()
    assert pair.seats("removed", "best_removed")[0] == (0, 2)


@pytest.mark.parametrize("kind", ["hints", "checks"])
def test_nobody_helps_in_a_race(pair: Racers, kind: str) -> None:
    own, _ = pair.start()
    assert_problem(own.change(kind), 403, "not_in_ranked")


def test_a_race_does_not_pause(pair: Racers) -> None:
    own, _ = pair.start()
    assert_problem(own.change("pauses", paused=True), 403, "not_in_ranked")
    assert_problem(own.change("rewinds", to="winnable"), 403, "not_in_ranked")


def test_the_first_of_two_who_clears_has_won(pair: Racers, player: Caller) -> None:
    own, other = pair.start()
    other.play("7D6D")
    state = own.play(LINE).json()
    assert (state["status"], state["label"], state["number"]) == ("won", "winnable", NUMBER)
    assert state["result"]["place"] == 1
    assert other.state()["result"]["place"] == 2
    body = pair.body()
    name = player.get("me/").json()["name"]
    assert (body["status"], body["winner"], body["draw"]) == ("over", name, False)
    assert pair.seats("place", "cleared", "done") == [(1, True, True), (2, False, False)]
    assert_problem(other.move("d"), 409, "game_over")
    assert other.log()[-1]["reason"] == "race_over"


def test_who_gives_up_is_done_and_the_other_goes_on(pair: Racers) -> None:
    own, other = pair.start()
    own.change("resignations")
    assert pair.seats("done", "cleared") == [(True, False), (False, False)]
    assert pair.body()["status"] == "running"
    assert other.move("d").status_code == 200


def test_to_leave_a_running_race_is_to_give_up(pair: Racers, player: Caller) -> None:
    pair.start()
    body = pair.leave(player).json()
    assert body["seats"][0]["done"]
    assert body["game"]["status"] == "lost"
    with nothing_changed():
        assert pair.leave(player).status_code == 200


def test_all_done_end_the_race(pair: Racers) -> None:
    own, other = pair.start()
    own.play("7D6D")
    own.change("resignations")
    other.change("resignations")
    assert pair.body()["status"] == "over"
    assert pair.seats("place") == [1, 2]


def test_the_time_limit_ends_the_race(pair: Racers) -> None:
    own, other = pair.start()
    own.play("7D6D")
    pair.use_up_the_time()
    assert pair.body()["status"] == "over"
    assert pair.seats("place", "done") == [(1, False), (2, False)]
    assert {table.state()["status"] for table in (own, other)} == {"lost"}


def test_no_move_is_made_once_the_time_is_up_though_nobody_has_ended_the_race(
    pair: Racers,
) -> None:
    own, _ = pair.start()
    Race.objects.update(ends_at=timezone.now())
    assert_problem(own.move("d"), 409, "game_over")
    assert pair.body()["status"] == "running"


def test_nobody_moved_and_it_is_a_draw(pair: Racers) -> None:
    pair.start()
    pair.use_up_the_time()
    body = pair.body()
    assert (body["winner"], body["draw"]) == (None, True)
    assert pair.seats("place") == [1, 1]


def test_of_three_the_rest_goes_on_to_the_limit() -> None:
    race = Racers(*guests(3), number=NUMBER)
    first, second, _ = race.start()
    first.play(LINE)
    assert race.body()["status"] == "running"
    second.play("7D6D")
    race.use_up_the_time()
    assert race.seats("place") == [1, 2, 3]


def test_while_others_race_on_nothing_of_a_finished_board_is_told() -> None:
    race = Racers(*guests(3), number=NUMBER)
    first, _, _ = race.start()
    first.play(LINE)
    for caller in race.callers[1:]:
        assert_problem(caller.get(first.address), 404, "not_found")
    assert_problem(first.caller.get(f"{first.address}analysis/"), 409, "still_running")
    assert first.state()["label"] is None
    assert race.seats("game") == [None, None, None]


def test_once_it_is_over_its_seats_see_all_boards_and_nobody_else_does(pair: Racers) -> None:
    own, other = pair.start()
    own.play(LINE)
    ids = pair.seats("game")
    assert ids == [own.id, other.id]
    for part in ("", "log/", "analysis/"):
        assert other.caller.get(f"{own.address}{part}").status_code == 200
        for outsider in (Caller.guest(), Caller()):
            assert_problem(outsider.get(f"{own.address}{part}"), 404, "not_found")
    assert [seat["game"] for seat in pair.body(Caller())["seats"]] == [None, None]


def test_a_rated_race_is_secret_until_it_is_over(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger, tier="easy")
    tables = race.start()
    body = race.body()
    assert (body["kind"], body["tier"], body["number"]) == ("rated", "easy", None)
    assert (body["seed"], body["attempt"]) == (None, None)
    pyramid = tables[0].state()["pyramid"]
    tables[0].play(race.winning_line())
    body = race.body(stranger)
    deck = seeded_deck(body["seed"], body["attempt"])
    assert [card for row in pyramid for card in row] == list(deck[:28])


def test_a_seat_that_is_left_is_free(pair: Racers, stranger: Caller) -> None:
    assert pair.leave(stranger).status_code == 200
    assert len(pair.body()["seats"]) == 1
    assert Caller.guest().post(f"{pair.address}seats/").status_code == 201


def test_the_host_leaves_and_the_next_is_the_host(pair: Racers, player: Caller) -> None:
    pair.leave(player)
    assert pair.seats("seat", "host") == [(2, True)]


def test_a_race_that_all_have_left_is_over(player: Caller) -> None:
    race = Racers(player)
    race.leave(player)
    assert race.body()["status"] == "over"
    assert_problem(Caller.guest().post(f"{race.address}seats/"), 409, "race_started")


def test_a_lobby_that_nobody_comes_back_to_ends(player: Caller) -> None:
    race = Racers(player)
    due_at = race.row.due_at
    assert due_at is not None
    assert timedelta(hours=23) < due_at - timezone.now() <= timedelta(days=1)
    Race.objects.update(due_at=timezone.now())
    let_time_pass()
    assert race.body()["status"] == "over"


def test_a_rematch_is_one_race_for_all(pair: Racers, player: Caller, stranger: Caller) -> None:
    pair.start()
    pair.use_up_the_time()
    first = stranger.post(f"{pair.address}rematches/")
    second = player.post(f"{pair.address}rematches/")
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["code"] == second.json()["code"] != pair.code
    body = second.json()
    assert [seat["host"] for seat in body["seats"]] == [True, False]
    assert (body["rules"], body["seats_max"], body["kind"]) == ("classic", 2, "friendly")
    assert body["number"] != NUMBER
    assert pair.body()["rematch"] == body["code"]


def test_a_rematch_by_tier_has_another_secret_deal(player: Caller, stranger: Caller) -> None:
    race = Racers(player, stranger, tier="easy")
    race.start()
    race.use_up_the_time()
    code = player.post(f"{race.address}rematches/").json()["code"]
    successor = Race.objects.get(code=code)
    assert successor.tier == "easy"
    assert successor.deal_id != race.row.deal_id


def test_a_rematch_that_all_have_left_makes_room_for_another(pair: Racers, player: Caller) -> None:
    pair.start()
    pair.use_up_the_time()
    first = player.post(f"{pair.address}rematches/").json()["code"]
    player.send("DELETE", f"races/{first}/seats/me/", "")
    again = player.post(f"{pair.address}rematches/")
    assert again.status_code == 201
    assert again.json()["code"] != first


def test_a_rematch_that_nobody_came_to_makes_room_for_another(
    pair: Racers, player: Caller, stranger: Caller
) -> None:
    pair.start()
    pair.use_up_the_time()
    first = player.post(f"{pair.address}rematches/").json()["code"]
    Race.objects.filter(code=first).update(due_at=timezone.now())
    let_time_pass()
    again = stranger.post(f"{pair.address}rematches/")
    assert again.status_code == 201
    assert again.json()["code"] != first


def test_a_rematch_that_all_leave_while_one_comes_makes_room_for_another(
    pair: Racers, player: Caller, stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.start()
    pair.use_up_the_time()
    first = player.post(f"{pair.address}rematches/").json()["code"]
    hold_player = races.hold_player

    def hold_late(comer: Any) -> None:
        monkeypatch.setattr(races, "hold_player", hold_player)
        player.send("DELETE", f"races/{first}/seats/me/", "")
        hold_player(comer)

    monkeypatch.setattr(races, "hold_player", hold_late)
    again = stranger.post(f"{pair.address}rematches/")
    assert again.status_code == 201
    assert again.json()["code"] != first


def test_there_is_no_rematch_before_the_end(pair: Racers, player: Caller) -> None:
    address = f"{pair.address}rematches/"
    assert_problem(player.post(address), 409, "not_started")
    pair.start()
    assert_problem(player.post(address), 409, "still_running")


def test_every_event_has_its_number_and_none_names_a_card_or_a_player(pair: Racers) -> None:
    own, _ = pair.start()
    own.play(LINE)
    events = list(RaceEvent.objects.order_by("seq"))
    assert [event.seq for event in events] == list(range(1, pair.row.version + 1))
    assert events[-1].type == "finish"
    names = [caller.get("me/").json()["name"] for caller in pair.callers]
    told = " ".join(str(event.body) for event in events)
    assert not any(word in told for word in (*names, *numbered_deck(NUMBER)))


def test_seats_keep_what_their_events_say(pair: Racers) -> None:
    own, other = pair.start()
    other.play("7D6D")
    own.play(LINE)
    seats = {
        event.body["seat"]["seat"]: event.body["seat"]
        for event in RaceEvent.objects.order_by("seq")
        if "seat" in event.body
    }
    for row in Seat.objects.all():
        kept = seats[row.number]
        assert (row.removed, row.moves, row.best_removed, row.cleared) == (
            kept["removed"],
            kept["moves"],
            kept["best_removed"],
            kept["cleared"],
        )


def test_a_race_stands_in_the_history_of_who_was_in_it(pair: Racers, player: Caller) -> None:
    own, _ = pair.start()
    own.play(LINE)
    [game] = player.get("games/", kind="race").json()["results"]
    assert (game["id"], game["number"], game["url"]) == (own.id, NUMBER, f"/race/{pair.code}")


def heard(seat: Seat) -> tuple[str, int]:
    assert seat.player_id is not None
    return (seat.race.code, seat.player_id)


def let_be_silent(seconds: int) -> None:
    Seat.objects.update(seen_at=timezone.now() - timedelta(seconds=seconds))


def test_who_comes_is_there(pair: Racers) -> None:
    assert pair.seats("connected") == [True, True]


def test_who_has_been_away_too_long_is_marked_so(pair: Racers) -> None:
    let_be_silent(7)
    race_presence.mark_away()
    assert pair.seats("connected") == [True, True]
    let_be_silent(8)
    race_presence.seats_heard({heard(Seat.objects.get(number=1))})
    race_presence.mark_away()
    assert pair.seats("connected") == [True, False]


def test_who_comes_back_in_time_was_never_away(pair: Racers) -> None:
    let_be_silent(7)
    with nothing_changed(Race, RaceEvent):
        race_presence.seats_heard({heard(seat) for seat in Seat.objects.all()})
        race_presence.mark_away()


def test_who_comes_back_late_is_there_again(pair: Racers) -> None:
    let_be_silent(8)
    race_presence.mark_away()
    race_presence.seats_heard({heard(Seat.objects.get(number=2))})
    assert pair.seats("connected") == [False, True]
    told = RaceEvent.objects.filter(type="presence").order_by("seq")
    assert [(event.body["seat"]["seat"], event.body["seat"]["connected"]) for event in told] == [
        (1, False),
        (2, False),
        (2, True),
    ]


def test_a_watcher_is_not_told_of(pair: Racers, nobody: Caller) -> None:
    watcher = player_of(Caller.guest())
    with nothing_changed(Race, RaceEvent, Seat):
        race_presence.arrive(code=pair.code, player=watcher)
        race_presence.seats_heard({(pair.code, watcher.pk)})


def test_what_is_shown_of_the_seats_is_as_old_as_the_version(pair: Racers) -> None:
    """Otherwise the events between the two would take a seat back again."""
    table, _ = pair.start()
    before, moved = pair.row.version, []

    def move_after_the_first(execute: Callable[..., Any], *statement: Any) -> Any:
        answer = execute(*statement)
        if not moved:
            moved.append(True)
            table.play("d")
        return answer

    viewer, race = player_of(pair.callers[1]), pair.row
    with connection.execute_wrapper(move_after_the_first):
        seen = race_seen_by(viewer, race)
    moves = sum(seat.moves for seat in seen.seats)
    assert moved
    assert seen.race.version == before + moves


def test_old_events_are_forgotten_and_the_race_is_not(pair: Racers, player: Caller) -> None:
    own, _ = pair.start()
    own.play(LINE)
    before = pair.body()
    RaceEvent.objects.update(at=timezone.now() - timedelta(days=2))
    races.forget_old()
    assert not RaceEvent.objects.exists()
    after = pair.body()
    assert {name: after[name] for name in after.keys() - {"server_now"}} == {
        name: before[name] for name in before.keys() - {"server_now"}
    }


def test_a_race_that_runs_forgets_nothing(pair: Racers) -> None:
    pair.start()
    RaceEvent.objects.update(at=timezone.now() - timedelta(days=2))
    with nothing_changed():
        races.forget_old()


@pytest.mark.parametrize("terms", [{"number": 7}, {"tier": "random"}])
def test_a_race_that_all_had_left_is_forgotten(player: Caller, terms: dict[str, Any]) -> None:
    race = Racers(player, **terms)
    race.leave(player)
    races.forget_old()
    assert Race.objects.exists()
    Race.objects.update(created_at=timezone.now() - timedelta(days=2))
    races.forget_old()
    assert not Race.objects.exists()
    assert not Deal.objects.filter(number=None).exists()
