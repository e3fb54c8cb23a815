"""Ranks on a day's board of a million results: asked of Redis and of PostgreSQL, in one process.

And of PostgreSQL on the next day's, on which there is a crowd: the best 12,000 of a million are
within four seconds.

Beside a PING of the same Redis and a SELECT of one row by its primary key, which both take turns
with the questions in each round. The latter is sent as ours are, through Django's cursor. Times are
those of one question after the other, from the call until its answer is there:

- `rank`: how many are better than a player, of all or of the best hundredth
- `rank on the crowded board`, `in a crowded top 1 %`: the same of the next day's
- `top page`, `from a rank`, `deep page`, `around me`: 20 places at the top, at any place, after a
  place that a cursor names, and on both sides of a player
- `page as it is answered`: the top with names, scores and ranks, and the own row of one who asks
- `write`: a result and its standings on three boards, committed, and in the sets
- `filling`: a set for all and one for those without help, from the database

`python -m benchmarks.boards RESULTS ROUNDS QUESTIONS` measures on the services of its environment,
and pickles the rows to stdout.
"""

import os
import pickle
import random
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.report import Beside, Row, progress
from benchmarks.servers import PYTHON, run

PAGE = 20
CROWD = 0.036  # of those who have won
RANKS = ("rank, PostgreSQL", "rank on the crowded board, PostgreSQL")
RANK_LIMIT_S = 0.005
FILL_LIMIT_S = 60.0
SQL = Path(__file__).with_name("boards.sql")

Question = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """A round is each question so many times."""

    results: int = 1_000_000
    rounds: int = 5
    questions: int = 200


QUICK = Plan(results=50_000, rounds=3, questions=100)


@dataclass(frozen=True, slots=True)
class Target:
    """At most so many times what another question takes, at one part of all answers."""

    times: float
    part: float


TARGETS: Mapping[str, Target] = {
    "rank, Redis": Target(3, 0.99),
    "rank in the top 1 %, PostgreSQL": Target(5, 0.5),
    "rank in a crowded top 1 %, PostgreSQL": Target(5, 0.5),
    "top page, PostgreSQL": Target(5, 0.5),
}


def measure(database_url: str, redis_url: str, plan: Plan) -> Sequence[Row]:
    """On an empty PostgreSQL database."""
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": "benchmark",
        "DAILY_SECRET": "benchmark",
        "DJANGO_SETTINGS_MODULE": "pyramid_site.settings",
    }
    progress("boards: making tables")
    run((PYTHON, "manage.py", "migrate", "-v", "0"), environment)
    progress(f"boards: {plan.results} results, {plan.rounds} rounds; this takes some minutes")
    numbers = map(str, (plan.results, plan.rounds, plan.questions))
    rows: list[Row] = pickle.loads(  # noqa: S301  our own
        run((PYTHON, "-m", "benchmarks.boards", *numbers), environment)
    )
    return rows


def measured(plan: Plan) -> list[Row]:
    """In a process of its own, with Django set up."""
    from leaderboards.ranks import DATABASE
    from leaderboards.ranks.redis import RedisRanks
    from leaderboards.services import days

    class Copies(RedisRanks):
        """Those of nobody else who may use this Redis."""

        @property
        def _prefix(self) -> str:
            return f"pyramid.benchmark.{token}"

    token = secrets.token_hex(8)
    copies = Copies(os.environ["REDIS_URL"], DATABASE)
    to_come = 2 * (plan.rounds + 1) * plan.questions
    board = _board_of(days.FIRST_DAY, plan.results, to_come)
    crowded = _board_of(days.FIRST_DAY.next, plan.results, to_come, crowd=CROWD)
    copies.catch_up()
    try:
        began = perf_counter()
        copies.fill(board)
        filled_s = perf_counter() - began
        questions = dict(_questions(copies, board)) | dict(_ranks_among(crowded))
        taken: dict[str, list[list[float]]] = {name: [] for name in questions}
        for number in range(plan.rounds + 1):  # the first one warms up
            for name, question in questions.items():
                times = [_timed(question) for _ in range(plan.questions)]
                taken[name] += [times] if number else []
    finally:
        for name in copies._redis.scan_iter(f"pyramid.benchmark.{token}*"):
            copies._redis.unlink(name)
    ping, select = taken.pop("PING"), taken.pop("SELECT")
    rows = [_row(name, times, ping, select) for name, times in taken.items()]
    limit = Beside("the limit", FILL_LIMIT_S, (FILL_LIMIT_S / filled_s,))
    note = f"{plan.results} results on the board, {_equal(board):.0%} of them equal to another"
    return [*rows, Row("filling, Redis", "s", filled_s, (limit,), 1.0, (note,))]


def _questions(copies: Any, board: Any) -> Iterator[tuple[str, Question]]:
    from django.db import connection

    from leaderboards.models import Standing
    from leaderboards.ranks import DATABASE, Ladder, Place
    from leaderboards.selectors import From, board_page

    chance, ladder = random.Random(1), Ladder(board)
    size = DATABASE.size(ladder)
    some = [
        (each.pk, Place(each.key or 0, each.player_id), each.player)
        for position in (chance.randrange(size) for _ in range(500))
        for place in DATABASE.at(ladder, position, 1)
        for each in Standing.objects.filter(board=board, player=place.player_id).select_related(
            "player"
        )
    ]
    best = DATABASE.at(ladder, 0, max(1, size // 100))
    writes = count()
    come = _coming(board)

    def select() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM leaderboards_standing WHERE id = %s", [anyone()[0]])
            return cursor.fetchone()

    def anyone() -> tuple[int, Place, Any]:
        return chance.choice(some)

    def around(ranks: Any) -> object:
        place = anyone()[1]
        return ranks.before(ladder, place, PAGE), ranks.after(ladder, place, PAGE)

    def page(ranks: Any) -> object:
        with _asked(ranks):
            return board_page(ladder, start=From(), most=PAGE, viewer=anyone()[2])

    def write(ranks: Any) -> object:
        with _asked(ranks):
            return come[next(writes)]()

    yield "PING", copies._redis.ping
    yield "SELECT", select
    for name, ranks in (("Redis", copies), ("PostgreSQL", DATABASE)):
        asked: Mapping[str, Callable[[Any], object]] = {
            "rank": lambda ranks: ranks.above(ladder, anyone()[1].key),
            "rank in the top 1 %": lambda ranks: ranks.above(ladder, chance.choice(best).key),
            "top page": lambda ranks: ranks.at(ladder, 0, PAGE),
            "from a rank": lambda ranks: ranks.at(ladder, chance.randrange(size), PAGE),
            "deep page": lambda ranks: ranks.after(ladder, anyone()[1], PAGE),
            "around me": around,
            "page as it is answered": page,
            "write": write,
        }
        for what, question in asked.items():
            yield f"{what}, {name}", lambda question=question, ranks=ranks: question(ranks)


def _ranks_among(board: Any) -> Iterator[tuple[str, Question]]:
    from leaderboards.ranks import DATABASE, Ladder

    chance, ladder = random.Random(2), Ladder(board)
    size = DATABASE.size(ladder)
    some = [place for _ in range(500) for place in DATABASE.at(ladder, chance.randrange(size), 1)]
    best = DATABASE.at(ladder, 0, max(1, size // 100))
    for where, places in (("on the crowded board", some), ("in a crowded top 1 %", best)):
        yield (
            f"rank {where}, PostgreSQL",
            lambda places=places: DATABASE.above(ladder, chance.choice(places).key),
        )


def _board_of(day: Any, results: int, to_come: int, crowd: float = 0.0) -> Any:
    """With so many results, and players with games for the results to come."""
    from django.db import connection, transaction

    from game.models import Deal
    from game.rules.rulesets import RULE_SETS
    from leaderboards.days import Span
    from leaderboards.models import DailyResult, Standing
    from leaderboards.ranks import DATABASE
    from leaderboards.services import days
    from leaderboards.services.results import board

    daily = days.daily(rules=RULE_SETS["classic"], day=day, today=day)
    deal = Deal.objects.create(seed=daily.seed, attempt=0)
    found = board(rules_key="classic", span=Span.DAY, day=day)
    values = {
        "players": results + to_come,
        "to_come": to_come,
        "deal": deal.pk,
        "daily": daily.pk,
        "board": found.pk,
        "crowd": crowd,
    }
    with connection.cursor() as cursor:
        for statement in SQL.read_text().split(";\n"):
            if statement.strip():
                cursor.execute(statement, values)
        with transaction.atomic():
            DATABASE.recount(found)
        cursor.execute("VACUUM ANALYZE")
    for each in DailyResult.objects.filter(daily=daily).order_by("-pk")[:100]:
        assert Standing.objects.get(board=found, player=each.player_id).key == each.score.key
    return found


def _coming(board: Any) -> list[Question]:
    """What enters a new result, for each player who has none yet."""
    from django.db import transaction

    from game.models import Game
    from leaderboards.models import DailyDeal, DailyResult
    from leaderboards.services.results import enter

    daily = DailyDeal.objects.get(date=board.date, rules_key=board.rules_key)
    games = Game.objects.filter(deal__seed=daily.seed, daily_result=None).select_related("player")
    like = list(DailyResult.objects.all()[:1000])

    def entering(game: Any, run: Any) -> Question:
        @transaction.atomic
        def enter_one() -> None:
            scored = {name: getattr(run, name) for name in DailyResult.SCORE}
            result = DailyResult(daily=daily, player=game.player, game=game, undos=0, **scored)
            result.save()
            enter(result)

        return enter_one

    return [entering(game, like[number % len(like)]) for number, game in enumerate(games)]


@contextmanager
def _asked(who: Any) -> Iterator[None]:
    """What the whole service asks, is asked of these."""
    from leaderboards import ranks, selectors
    from leaderboards.services import results

    def chosen() -> Any:
        return who

    usual = ranks.ranks
    selectors.ranks = results.ranks = chosen
    try:
        yield
    finally:
        selectors.ranks = results.ranks = usual


def _equal(board: Any) -> float:
    """Which part of the board shares its rank."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(n) FILTER (WHERE n > 1) / sum(n) FROM"
            " (SELECT count(*) AS n FROM leaderboards_standing WHERE board_id = %s GROUP BY key)"
            " AS keys",
            [board.pk],
        )
        return float(cursor.fetchone()[0] or 0)


def _timed(question: Question) -> float:
    began = perf_counter()
    question()
    return perf_counter() - began


def _row(
    name: str,
    rounds: Sequence[Sequence[float]],
    ping: Sequence[Sequence[float]],
    select: Sequence[Sequence[float]],
) -> Row:
    on_redis = name.endswith("Redis")
    target = TARGETS.get(name)
    part = target.part if target else 0.5
    beside = [
        Beside(
            f"{'PING' if on_redis else 'SELECT'} p{part * 100:.0f}",
            _overall(like := ping if on_redis else select, part) * 1e6,
            tuple(
                _at(their, part) / _at(own, part) for own, their in zip(rounds, like, strict=True)
            ),
        )
    ]
    if name in RANKS:
        within = tuple(RANK_LIMIT_S / _at(own, part) for own in rounds)
        beside.insert(0, Beside("the limit", RANK_LIMIT_S * 1e6, within))
    least = 1 / target.times if target else 1.0 if name in RANKS else None
    p50, p99 = (_overall(rounds, each) * 1e6 for each in (0.5, 0.99))
    return Row(
        name=f"{name}, p{part * 100:.0f}",
        unit="µs",
        figure=_overall(rounds, part) * 1e6,
        beside=tuple(beside),
        target=least,
        notes=(f"p50 {p50:.0f} µs, p99 {p99:.0f} µs",),
    )


def _overall(rounds: Sequence[Sequence[float]], part: float) -> float:
    return median(_at(times, part) for times in rounds)


def _at(times: Sequence[float], part: float) -> float:
    return sorted(times)[int(len(times) * part)]


def main() -> None:
    import django

    django.setup()
    sys.stdout.buffer.write(pickle.dumps(measured(Plan(*map(int, sys.argv[1:4])))))


if __name__ == "__main__":
    main()
