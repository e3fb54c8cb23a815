"""The calls about oneself and other players."""

from typing import ClassVar, cast

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts import language, presentation, selectors
from accounts.api import profile_serializers as shapes
from accounts.download import download
from accounts.models import User
from accounts.services import leaving, settings
from pyramid_site.schema import problems


class MeView(APIView):
    rate_limits: ClassVar = {"GET": "read", "PATCH": "change", "DELETE": "password"}

    @extend_schema(
        operation_id="get_me",
        tags=["players"],
        responses={200: shapes.MeSerializer, **problems()},
        description="Who you are, and your settings.",
    )
    def get(self, request: Request) -> Response:
        return Response(presentation.me(_player(request)))

    @extend_schema(
        operation_id="change_me",
        tags=["players"],
        request=shapes.MeChangeSerializer,
        responses={200: shapes.MeSerializer, **problems(body=True)},
        description=(
            "Changes settings: those that are named, and nothing else. Name, e-mail and password "
            "are changed elsewhere, records by playing."
        ),
    )
    def patch(self, request: Request) -> Response:
        player = _player(request)
        changes = _shape(shapes.MeChangeSerializer, request).get("settings", {})
        settings.change(player=player, **changes)
        response = Response(presentation.me(player))
        if "language" in changes and _comes_by_cookie(request):
            language.remember(response, changes["language"])
        return response

    @extend_schema(
        operation_id="delete_me",
        tags=["players"],
        request=shapes.GoodbyeSerializer,
        responses={204: None, **problems(body=True)},
        description=(
            "Deletes the account with its games, logs, records and sessions, at once and for "
            'good. An account that has a password must send it, as `{"password": …}`; a guest '
            "needs no body. Ranked games stay, without a name."
        ),
    )
    def delete(self, request: Request) -> Response:
        player = _player(request)
        asked = _shape(shapes.GoodbyeSerializer, request)
        leaving.prove(player=player, password=asked.get("password"))
        leaving.delete_account(player=player)
        if _comes_by_cookie(request):
            request._request.session.flush()
        return Response(status=204)


class MyRecordsView(APIView):
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_my_records",
        tags=["players"],
        responses={200: shapes.RecordsSerializer, **problems()},
        description="What your counted games add up to, by rule set and tier; and your races.",
    )
    def get(self, request: Request) -> Response:
        return Response(presentation.records(_player(request)))


class ExportView(APIView):
    rate_limits: ClassVar = {"GET": "export"}

    @extend_schema(
        operation_id="export_me",
        tags=["players"],
        responses={
            200: OpenApiResponse(
                OpenApiTypes.OBJECT,
                description="`profile`, `settings`, `email_addresses`, `two_factor`, `sessions`, "
                "`records`, `daily`, `races`, `seats` in races, and `games`, each with its whole "
                "`log`.",
            ),
            **problems(),
        },
        description="All that is kept of you, as one JSON document to download.",
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        return download(_player(request))


class PlayerView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_player",
        tags=["players"],
        responses={200: shapes.PublicPlayerSerializer, **problems(404)},
        description="A player, in whatever case the name is written, with their records unless "
        "they keep them to themselves.",
    )
    def get(self, request: Request, name: str) -> Response:
        player = selectors.player_named(name)
        if player is None:
            raise NotFound()
        return Response(presentation.player(player))


def _player(request: Request) -> User:
    return cast("User", request.user)


def _shape(shape: type[Serializer], request: Request) -> dict:
    """What the request says, in its shape. Raises `ValidationError`."""
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def _comes_by_cookie(request: Request) -> bool:
    """Whether it is this player's browser that asks: beside a token there may be any cookie."""
    return request._request.session.session_key == request.auth
