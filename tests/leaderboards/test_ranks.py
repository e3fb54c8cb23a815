"""Boards by the database and by Redis: what both promise, held against a plain model."""

import random
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Session, User
from leaderboards.days import Span
from leaderboards.models import Standing
from leaderboards.ranking import Score
from leaderboards.ranks import DATABASE, Ladder, Place, Ranks, ranks
from leaderboards.ranks.database import DatabaseRanks
from leaderboards.selectors import From, board_page
from leaderboards.services.results import forget as forget_player
from tests.caller import Caller, assert_problem
from tests.leaderboards.copies import AtOnce, used
from tests.leaderboards.field import DAYS, NOON, RULES, TODAY, Field, Order, score

pytestmark = pytest.mark.django_db

KINDS = ["database", pytest.param("redis", marks=pytest.mark.redis)]
BOARD = f"daily/{RULES}/{TODAY.date}/board/"
NOBODY: Any = type("Nobody", (), {"pk": None})()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, settings: Any) -> Iterator[str]:
    """Who is asked."""
    with time_machine.travel(NOON, tick=False):
        if request.param == "database":
            settings.REDIS_URL = ""
            yield request.param
            return
        with used(AtOnce(settings.REDIS_URL, DATABASE)):
            yield request.param


def played(players: int, results: int) -> Field:
    """So many results of three days, on all their boards; many are equal."""
    chance, known = random.Random(7), Field()
    come = known.come(players)
    runs = [(player, day, score(chance)) for day in DAYS for player in come]
    known.make(chance.sample(runs, results))
    known.build()
    return known


@pytest.fixture
def many(kind: str) -> Field:
    return played(400, 1000)


@pytest.fixture
def known(kind: str) -> Field:
    return played(60, 150)


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Callable[..., Any]) -> Callable[..., Any]:
    """What follows a commit is done, though the test's own transaction goes on."""

    def do(work: Callable[..., Any], *args: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return work(*args)

    return do


def asked(ladder: Ladder) -> Ranks:
    """Who answers by itself: a set has been filled, and what it says is told by Redis."""
    found = ranks()
    found.size(ladder)
    found.size(ladder)
    if isinstance(found, AtOnce):
        assert found._asked(ladder, found._size) is not None
    else:
        assert found is DATABASE
    return found


LADDERS: Sequence[tuple[Span, bool]] = [
    (Span.DAY, False),
    (Span.DAY, True),
    (Span.WEEK, False),
    (Span.MONTH, False),
]


@pytest.mark.parametrize(("span", "unassisted"), LADDERS)
def test_a_thousand_results_stand_as_the_model_has_them(
    many: Field, span: Span, unassisted: bool
) -> None:
    ladder = Ladder(many.board(span), unassisted)
    order = many.order(span, unassisted=unassisted)
    assert len(set(order.ranks.values())) < len(order.players)  # some are equal
    answering = asked(ladder)
    keys = dict(Standing.objects.filter(board=ladder.board).values_list("player_id", "key"))
    places = [Place(keys[player] or 0, player) for player in order.players]
    assert answering.size(ladder) == len(places)
    assert answering.at(ladder, 0, 1000) == answering.after(ladder, None, 1000) == places
    for index, place in enumerate(places):
        assert answering.above(ladder, place.key) + 1 == order.ranks[place.player_id]
        assert answering.after(ladder, place, 3) == places[index + 1 : index + 4]
        assert answering.before(ladder, place, 3) == places[max(0, index - 3) : index]
        assert answering.at(ladder, index, 3) == places[index : index + 3]
    assert answering.at(ladder, len(places), 3) == []
    assert answering.at(ladder, 2**31, 3) == []


def test_days_of_the_week_before_and_of_the_other_month_are_not_added_up(known: Field) -> None:
    assert {day.date.month for day in DAYS} == {11, 12}
    of_december, of_november = known.order(Span.MONTH), known.order(Span.MONTH, DAYS[0])
    for day, order in ((TODAY, of_december), (DAYS[0], of_november)):
        page = board_page(
            Ladder(known.board(Span.MONTH, day)), start=From(), most=1000, viewer=NOBODY
        )
        assert [row.player.pk for row in page.rows] == list(order.players)
    assert of_december.players != of_november.players


def rows_of(body: dict[str, Any]) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]) for row in body["results"]]


def shown(order: Order) -> list[tuple[int, str]]:
    names = dict(User.objects.values_list("pk", "username"))
    return [(order.ranks[player], names[player]) for player in order.players]


def walk(caller: Caller, address: str, by: str) -> Iterator[dict[str, Any]]:
    """The page at the address and all that follow."""
    following: str | None = address
    while following:
        answer = caller.get(following)
        assert answer.status_code == 200, answer.content
        yield answer.json()
        following = answer.json()[by]


@pytest.mark.parametrize("more", ["", "&assisted=false"])
def test_pages_lead_down_to_the_last_row_and_back_to_the_first(
    known: Field, nobody: Caller, more: str
) -> None:
    expected = shown(known.order(unassisted=bool(more)))
    down = list(walk(nobody, f"{BOARD}?page_size=7{more}", "next"))
    assert [row for body in down for row in rows_of(body)] == expected
    assert {body["players"] for body in down} == {len(expected)}
    assert down[0]["previous"] is None
    last = down[-1]["previous"]
    back = list(walk(nobody, last, "previous"))
    assert [row for body in reversed(back) for row in rows_of(body)] == expected[
        : len(expected) - len(down[-1]["results"])
    ]


@pytest.mark.parametrize("span", [Span.WEEK, Span.MONTH])
def test_totals_have_pages_too(known: Field, nobody: Caller, span: Span) -> None:
    address = f"daily/{RULES}/{TODAY.date}/board/{span}/"
    pages = walk(nobody, f"{address}?page_size=9", "next")
    assert [row for body in pages for row in rows_of(body)] == shown(known.order(span))


@pytest.mark.parametrize("by", ["next", "previous"])
def test_a_walk_sees_each_row_once_while_others_come_above_and_go(
    known: Field, nobody: Caller, committed: Callable[..., Any], by: str
) -> None:
    chance, best = random.Random(by), Score(True, 28, False, 1, 40)
    asked(Ladder(known.board()))
    pages = list(walk(nobody, f"{BOARD}?page_size=5", "next"))
    results = {each.player.username: each for each in known.dailies[TODAY].results.all()}
    stay = {row["player"] for body in pages for row in body["results"]}
    seen: list[str] = []
    for body in walk(nobody, f"{BOARD}?page_size=5" if by == "next" else pages[-1]["previous"], by):
        seen += [row["player"] for row in body["results"]]
        # Two come to the top; the one goes that the next page begins at, and another.
        for player in known.come(2) if len(seen) < 100 else ():
            results[player.username] = committed(known.enter, player, TODAY, best)
        here = body["results"][-1 if by == "next" else 0]["player"]
        for name in {here, chance.choice(sorted(results))}:
            committed(known.withdraw, results.pop(name))
            stay.discard(name)
    assert len(seen) == len(set(seen))
    if by == "previous":
        assert seen[-1] not in {row["player"] for body in pages for row in body["results"]}
        stay -= {row["player"] for row in pages[-1]["results"]}  # where the walk began
    assert stay <= set(seen)
    assert rows_of(nobody.get(f"{BOARD}?page_size=100").json()) == shown(known.order())


def caller_of(known: Field, player_id: int) -> Caller:
    store = import_module(django_settings.SESSION_ENGINE).SessionStore()
    user = next(player for player in known.players if player.pk == player_id)
    store["_auth_user_id"] = str(user.pk)
    store["_auth_user_backend"] = django_settings.AUTHENTICATION_BACKENDS[0]
    store["_auth_user_hash"] = user.get_session_auth_hash()
    store.create()
    Session.objects.filter(session_key=store.session_key).update(user=user)
    return Caller(store.session_key)


@pytest.mark.parametrize("unassisted", [False, True])
@pytest.mark.parametrize("where", [0, 3, 20, -3, -1])
def test_around_me_shows_me_amid_the_others(known: Field, where: int, unassisted: bool) -> None:
    order = known.order(unassisted=unassisted)
    me = order.players[where]
    query = {"around": "me", "page_size": 9} | ({"assisted": "false"} if unassisted else {})
    body = caller_of(known, me).get(BOARD, **query).json()
    expected = shown(order)
    index = order.players.index(me)
    first = min(max(0, index - 4), len(expected) - 9)
    assert rows_of(body) == expected[first : first + 9]
    assert (body["me"]["rank"], body["me"]["player"]) == expected[index]


def test_around_me_is_the_top_for_who_does_not_stand_there(known: Field, stranger: Caller) -> None:
    body = stranger.get(BOARD, around="me", page_size=5).json()
    assert rows_of(body) == shown(known.order())[:5]
    assert body["me"] is None


def test_my_row_is_told_wherever_the_page_is(known: Field) -> None:
    order = known.order()
    body = caller_of(known, order.players[30]).get(BOARD, page_size=5).json()
    assert rows_of(body) == shown(order)[:5]
    assert (body["me"]["rank"], body["me"]["player"]) == shown(order)[30]


@pytest.mark.parametrize("rank", [1, 2, 17, 48, 10**6, 2**31 - 1])
def test_from_a_rank_on(known: Field, nobody: Caller, rank: int) -> None:
    expected = shown(known.order())
    assert (
        rows_of(nobody.get(BOARD, from_rank=rank, page_size=7).json())
        == (expected[rank - 1 : rank + 6])
    )


@pytest.mark.parametrize(
    "query",
    [
        {"around": "you"},
        {"from_rank": 0},
        {"from_rank": 2**31},
        {"from_rank": "first"},
        {"page_size": 0},
        {"page_size": 101},
        {"assisted": "perhaps"},
        {"cursor": "x"},
        {"cursor": "é"},
        {"cursor": "YWZ0ZXIuMS4"},  # after.1.
        {"cursor": "YWZ0ZXIuLTEuMQ"},  # after.-1.1
        {"cursor": "YmVzaWRlLjEuMQ"},  # beside.1.1
        {"cursor": "YWZ0ZXIuMS45MDA3MTk5MjU0NzQwOTky"},  # after.1.2**53
        {"around": "me", "from_rank": 1},
    ],
)
def test_a_page_that_cannot_be_is_a_bad_request(
    kind: str, nobody: Caller, query: dict[str, Any]
) -> None:
    assert_problem(nobody.get(BOARD, **query), 400, "invalid")


def test_who_is_withdrawn_or_has_left_stands_on_no_board(
    known: Field, nobody: Caller, committed: Callable[..., Any]
) -> None:
    for span in Span:
        asked(Ladder(known.board(span)))
    withdrawn, left = known.order().players[0], known.order().players[10]
    committed(known.withdraw, known.dailies[TODAY].results.get(player_id=withdrawn))
    user = next(player for player in known.players if player.pk == left)
    committed(lambda: forget_player(player=user))
    for day in DAYS:
        known.scores[day].pop(left, None)
    assert rows_of(nobody.get(f"{BOARD}?page_size=100").json()) == shown(known.order())[:100]
    for span in (Span.WEEK, Span.MONTH):
        body = nobody.get(f"daily/{RULES}/{TODAY.date}/board/{span}/?page_size=100").json()
        assert rows_of(body) == shown(known.order(span))[:100]
        assert body["players"] == len(known.order(span).players)


@pytest.mark.parametrize("kind", ["database"], indirect=True)
@pytest.mark.parametrize(
    ("results", "told"),
    [
        (["first", "second", "third"], 3),
        (["first", "second", "second", "second"], 4),  # the last has rank 2, and stands fourth
    ],
)
def test_no_fewer_are_counted_than_are_listed(
    kind: str, nobody: Caller, monkeypatch: pytest.MonkeyPatch, results: list[str], told: int
) -> None:
    """Somebody leaves after the rows were read, and before they are counted."""
    known = Field()
    players = known.come(len(results))
    times = {"first": 1000, "second": 2000, "third": 3000}
    known.make(
        (player, TODAY, Score(True, 28, False, times[result], 30))
        for player, result in zip(players, results, strict=True)
    )
    known.build()
    count = DatabaseRanks.size

    def size(self: DatabaseRanks, ladder: Ladder) -> int:
        forget_player(player=players[0])
        return count(self, ladder)

    monkeypatch.setattr(DatabaseRanks, "size", size)
    body = nobody.get(BOARD).json()
    assert (len(body["results"]), body["players"]) == (told, told)


def test_a_board_of_nobody_has_one_empty_page(kind: str, nobody: Caller) -> None:
    for _ in range(2):  # from the database, and then from a set that is there and empty
        body = nobody.get(BOARD).json()
        assert (body["results"], body["players"]) == ([], 0)
        assert (body["next"], body["previous"], body["me"]) == (None, None, None)


@pytest.mark.redis
@pytest.mark.parametrize("kind", ["redis"], indirect=True)
def test_a_copy_that_names_one_who_has_gone_is_doubted_and_made_anew(
    known: Field, nobody: Caller
) -> None:
    ladder = Ladder(known.board())
    asked(ladder)
    Standing.objects.filter(player_id=known.order().players[0]).delete()
    gone = known.order().players[0]
    known.dailies[TODAY].results.filter(player_id=gone).delete()
    list(DATABASE.recount(ladder.board))
    del known.scores[TODAY][gone]
    for _ in range(2):  # from the database, and then from a set made anew
        assert rows_of(nobody.get(BOARD).json()) == shown(known.order())[:20]
    assert asked(ladder).size(ladder) == len(known.order().players)


short = st.lists(
    st.tuples(st.integers(0, 5), st.booleans(), st.booleans()), min_size=0, max_size=12
)


class SmallBoards:
    """Boards of few, and places on and off them."""

    def made(self) -> Ranks:
        raise NotImplementedError

    def check(
        self, rows: list[tuple[int, bool, bool]], off: tuple[int, int], most: int, unassisted: bool
    ) -> None:
        known = Field()
        runs = [
            Score(won=won, removed=28, assisted=assisted, elapsed_ms=time, moves=40)
            for time, won, assisted in rows
        ]
        players = known.come(len(runs))
        known.make((player, TODAY, run) for player, run in zip(players, runs, strict=True))
        known.build()
        answering, ladder = self.made(), Ladder(known.board(), unassisted)
        answering.catch_up()
        answering.size(ladder)
        placed = [
            Place(run.key, player.pk)
            for player, run in zip(players, runs, strict=True)
            if not (unassisted and run.assisted)
        ]
        placed.sort(key=lambda place: (-place.key, place.player_id))
        time, shift = off
        elsewhere = Place(
            Score(won=True, removed=28, assisted=False, elapsed_ms=time, moves=40).key,
            max(0, (players[0].pk if players else 1) + shift),
        )
        assert answering.size(ladder) == len(placed)
        for place in [*placed, elsewhere]:
            here = (-place.key, place.player_id)
            better = [each for each in placed if (-each.key, each.player_id) < here]
            worse = [each for each in placed if (-each.key, each.player_id) > here]
            assert answering.after(ladder, place, most) == worse[:most]
            assert answering.before(ladder, place, most) == better[-most:]
            assert answering.above(ladder, place.key) == sum(
                each.key > place.key for each in placed
            )
        for position in range(len(placed) + 2):
            assert answering.at(ladder, position, most) == placed[position : position + most]


draws = given(
    rows=short,
    off=st.tuples(st.integers(0, 5), st.integers(-1, 13)),
    most=st.integers(1, 5),
    unassisted=st.booleans(),
)


class TestSmallBoardsOfTheDatabase(SmallBoards, TestCase):
    def made(self) -> Ranks:
        return DATABASE

    @draws
    @hypothesis_settings(max_examples=25)
    def test_small_boards_are_as_the_model_has_them(self, **drawn: Any) -> None:
        self.check(**drawn)


@pytest.mark.redis
class TestSmallBoardsOfRedis(SmallBoards, TestCase):
    def made(self) -> Ranks:
        return self.copies

    @draws
    @hypothesis_settings(max_examples=25)
    def test_small_boards_are_as_the_model_has_them(self, **drawn: Any) -> None:
        self.copies = AtOnce(django_settings.REDIS_URL, DATABASE)
        with used(self.copies):
            self.check(**drawn)
