"""The race calls. A view takes the shape, calls one service or selector, and presents."""

from typing import Any, ClassVar, cast

from django.contrib.auth.base_user import AbstractBaseUser
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from game import presentation, selectors
from game.api import race_serializers as shapes
from game.api.views import shape
from game.models import Race, Tier
from game.services import races
from pyramid_site.schema import problems

TAGS = ["races"]


class RacesView(APIView):
    rate_limits: ClassVar = {"POST": "race"}

    @extend_schema(
        operation_id="create_race",
        tags=TAGS,
        request=shapes.CreateSerializer,
        responses={201: shapes.RaceSerializer, **problems(404, body=True)},
        description=(
            "By tier it is rated: the deal is secret until the race is over. On a number it is "
            "friendly: everybody sees the number, and it stands in no record. You have the first "
            "seat and are the host; whoever knows the code may take another."
        ),
    )
    def post(self, request: Request) -> Response:
        asked = shape(shapes.CreateSerializer, request)
        tier = Tier(asked.pop("tier")) if "tier" in asked else None
        return _answer(request, races.create(player=_player(request), tier=tier, **asked), 201)


class RaceView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_race",
        tags=TAGS,
        responses={200: shapes.RaceSerializer, **problems(404)},
        description="How the race stands: all seats, and of the boards one's own, once started.",
    )
    def get(self, request: Request, code: str) -> Response:
        return _answer(request, selectors.race_by_code(code))


class SeatsView(APIView):
    rate_limits: ClassVar = {"POST": "change"}

    @extend_schema(
        operation_id="join_race",
        tags=TAGS,
        request=None,
        responses={
            201: shapes.RaceSerializer,
            200: shapes.RaceSerializer,
            **problems(404, 409),
        },
        description="Takes a seat; 200 where one is yours already.",
    )
    def post(self, request: Request, code: str) -> Response:
        race, joined = races.join(code=code, player=_player(request))
        return _answer(request, race, 201 if joined else 200)


class OwnSeatView(APIView):
    rate_limits: ClassVar = {"PATCH": "change", "DELETE": "change"}

    @extend_schema(
        operation_id="set_ready",
        tags=TAGS,
        request=shapes.ReadySerializer,
        responses={200: shapes.RaceSerializer, **problems(403, 404, 409, body=True)},
        description="Once all are ready, the countdown begins; who is not after all calls it off.",
    )
    def patch(self, request: Request, code: str) -> Response:
        asked = shape(shapes.ReadySerializer, request)
        return _answer(request, races.set_ready(code=code, player=_player(request), **asked))

    @extend_schema(
        operation_id="leave_race",
        tags=TAGS,
        responses={200: shapes.RaceSerializer, **problems(403, 404)},
        description="Frees the seat before the start; gives up the game after it.",
    )
    def delete(self, request: Request, code: str) -> Response:
        return _answer(request, races.leave(code=code, player=_player(request)))


class StartsView(APIView):
    rate_limits: ClassVar = {"POST": "change"}

    @extend_schema(
        operation_id="start_race",
        tags=TAGS,
        request=None,
        responses={200: shapes.RaceSerializer, **problems(403, 404, 409)},
        description="The host begins the countdown, as soon as two are there.",
    )
    def post(self, request: Request, code: str) -> Response:
        return _answer(request, races.start(code=code, player=_player(request)))


class RematchesView(APIView):
    rate_limits: ClassVar = {"POST": "race"}

    @extend_schema(
        operation_id="create_rematch",
        tags=TAGS,
        request=None,
        responses={
            201: shapes.RaceSerializer,
            200: shapes.RaceSerializer,
            **problems(403, 404, 409),
        },
        description=(
            "Another race under the same terms on another deal, one for all who were in this one: "
            "201 for the first who asks, 200 and a seat for the others."
        ),
    )
    def post(self, request: Request, code: str) -> Response:
        race, created = races.rematch(code=code, player=_player(request))
        return _answer(request, race, 201 if created else 200)


def _player(request: Request) -> AbstractBaseUser:
    return cast("AbstractBaseUser", request.user)


def _answer(request: Request, race: Race, status: int = 200) -> Response:
    body: dict[str, Any] = presentation.race(selectors.race_seen_by(request.user, race))
    return Response(body, status=status)
