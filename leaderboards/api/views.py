"""The daily calls. A view takes the shape, calls one service or selector, and presents."""

from datetime import date
from typing import Any, ClassVar, cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import QueryDict
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from game.api.serializers import StateSerializer
from game.presentation import state
from game.rules.rulesets import rule_set
from game.view import View
from leaderboards import presentation, selectors
from leaderboards.api import serializers as shapes
from leaderboards.days import Day, Span
from leaderboards.ranks import Ladder
from leaderboards.selectors import From
from leaderboards.services import days, games, results
from pyramid_site.schema import problems

TAGS = ["daily"]
DATE = OpenApiParameter("date", OpenApiTypes.DATE, OpenApiParameter.PATH)
PAGES = [
    OpenApiParameter(
        "around", enum=["me"], description="The page that you stand on; the top if you do not."
    ),
    OpenApiParameter(
        "from_rank", OpenApiTypes.INT, description="From the so many-th row on, 1 being the first."
    ),
    OpenApiParameter("cursor", description="Where the page starts, from `next` or `previous`."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"At most {shapes.MOST}."),
]
ASSISTED = OpenApiParameter(
    "assisted",
    OpenApiTypes.BOOL,
    description="`false`: only those that took no hint, ranked among themselves.",
)


class TodayView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_daily",
        tags=TAGS,
        responses={200: shapes.DaySerializer, **problems(400, 404)},
        description="Today's deal of the rule set, by the server's clock in UTC, and what it is "
        "held to: the commitment to its seed, and to tomorrow's.",
    )
    def get(self, request: Request, rules: str) -> Response:
        return _day(request, rules, None)


class DayView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_day",
        tags=TAGS,
        parameters=[DATE],
        responses={200: shapes.DaySerializer, **problems(400, 404)},
        description="A day that has begun. Once it is closed, with the seed: anybody can check it.",
    )
    def get(self, request: Request, rules: str, date: date) -> Response:
        return _day(request, rules, Day(date))


class TodaysGameView(APIView):
    rate_limits: ClassVar = {"POST": "deal"}

    @extend_schema(
        operation_id="start_daily",
        tags=TAGS,
        request=None,
        responses={201: StateSerializer, 200: StateSerializer, **problems(400, 404, 409, 429)},
        description="Starts your one game of today's deal, or goes on with it (200). The clock "
        "runs from here, and never stops. It is ranked if you have registered before; a guest's "
        "counts for nothing, also once the guest registers.",
    )
    def post(self, request: Request, rules: str) -> Response:
        return _started(*games.start_today(player=_player(request), rules=rule_set(rules)))


class ArchiveView(APIView):
    rate_limits: ClassVar = {"POST": "deal"}

    @extend_schema(
        operation_id="play_archive",
        tags=TAGS,
        request=None,
        parameters=[DATE],
        responses={201: StateSerializer, 200: StateSerializer, **problems(400, 404, 409, 429)},
        description="A closed day's deal as practice, or your running game of it (200).",
    )
    def post(self, request: Request, rules: str, date: date) -> Response:
        return _started(
            *games.start_from_archive(player=_player(request), rules=rule_set(rules), day=Day(date))
        )


class BoardView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_board",
        tags=TAGS,
        parameters=[DATE, *PAGES, ASSISTED],
        responses={200: shapes.BoardSerializer, **problems(400, 404)},
        description="The results of a day, best first: won before not won, more cards removed "
        "before fewer, unassisted before assisted, less time, fewer moves.",
    )
    def get(self, request: Request, rules: str, date: date) -> Response:
        return _board(request, rules, Day(date), Span.DAY)


class TotalsView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_totals",
        tags=TAGS,
        parameters=[
            DATE,
            OpenApiParameter("span", location=OpenApiParameter.PATH, enum=["week", "month"]),
            *PAGES,
        ],
        responses={200: shapes.TotalsSerializer, **problems(400, 404)},
        description="The week (from Monday) or the month that the date lies in: the cards removed "
        "on all its days, then the days won, then the time of all.",
    )
    def get(self, request: Request, rules: str, date: date, span: Span) -> Response:
        return _board(request, rules, Day(date), span)


def _day(request: Request, rules_key: str, asked: Day | None) -> Response:
    now = timezone.now()
    rules, today = rule_set(rules_key), Day.at(now)
    day = asked or today
    daily = days.daily(rules=rules, day=day, today=today)
    commitment = days.next_commitment(rules=rules, today=today) if day == today else None
    board = results.board(rules_key=rules.key, span=Span.DAY, day=day)
    return Response(
        presentation.day(
            daily,
            next_commitment=commitment,
            game=selectors.game_of(daily, request.user),
            result=selectors.row_of(Ladder(board), request.user),
            now=now,
        )
    )


def _started(view: View, created: bool) -> Response:
    return Response(state(view), status=201 if created else 200)


def _board(request: Request, rules_key: str, day: Day, span: Span) -> Response:
    shape = shapes.BoardQuerySerializer if span is Span.DAY else shapes.TotalsQuerySerializer
    query = shape(data=request.query_params)
    query.is_valid(raise_exception=True)
    asked, now = query.validated_data, timezone.now()
    rules = rule_set(rules_key)
    days.daily(rules=rules, day=day, today=Day.at(now))
    board = results.board(rules_key=rules.key, span=span, day=day)
    page = selectors.board_page(
        Ladder(board, unassisted=not asked.get("assisted", True)),
        start=_start(request, asked),
        most=asked["page_size"],
        viewer=request.user,
    )
    body = presentation.board(page, now=now)
    return Response(
        body | {name: _address(request, asked, body[name]) for name in ("next", "previous")}
    )


def _start(request: Request, asked: dict[str, Any]) -> From:
    if "cursor" in asked:
        start: From = asked["cursor"]
        return start
    if "around" in asked:
        return From(around=request.user)
    return From(position=asked.get("from_rank", 1) - 1)


def _address(request: Request, asked: dict[str, Any], cursor: str | None) -> str | None:
    """The same question for another page."""
    if cursor is None:
        return None
    query = QueryDict(mutable=True)
    for name in ("assisted", "page_size"):
        if name in request.query_params and name in asked:
            query[name] = request.query_params[name]
    query["cursor"] = cursor
    return request.build_absolute_uri(f"?{query.urlencode()}")


def _player(request: Request) -> AbstractBaseUser:
    return cast("AbstractBaseUser", request.user)
