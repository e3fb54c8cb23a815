"""The daily calls. A view takes the shape, calls one service or selector, and presents."""

from datetime import date
from typing import ClassVar

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from game.rules.rulesets import rule_set
from leaderboards import presentation
from leaderboards.api import serializers as shapes
from leaderboards.days import Day
from leaderboards.services import days
from pyramid_site.schema import problems

TAGS = ["daily"]


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
        return _answer(rules, None)


class DayView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_day",
        tags=TAGS,
        parameters=[OpenApiParameter("date", OpenApiTypes.DATE, OpenApiParameter.PATH)],
        responses={200: shapes.DaySerializer, **problems(400, 404)},
        description="A day that has begun. Once it is closed, with the seed: anybody can check it.",
    )
    def get(self, request: Request, rules: str, date: date) -> Response:
        return _answer(rules, Day(date))


def _answer(rules_key: str, asked: Day | None) -> Response:
    now = timezone.now()
    rules, today = rule_set(rules_key), Day.at(now)
    day = asked or today
    daily = days.daily(rules=rules, day=day, today=today)
    commitment = days.next_commitment(rules=rules, today=today) if day == today else None
    return Response(presentation.day(daily, next_commitment=commitment, now=now))
