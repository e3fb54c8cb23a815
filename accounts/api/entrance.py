from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from django.core.exceptions import ValidationError as FormError
from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.authentication import token_session
from accounts.api.entrance_serializers import (
    LoggedInSerializer,
    LogInSerializer,
    RegisterSerializer,
    TokenSerializer,
)
from accounts.api.permissions import SameSite
from accounts.aside import at_the_entrance
from accounts.services import entrance
from pyramid_site.schema import problems


class GuestsView(APIView):
    permission_classes = (AllowAny, SameSite)
    rate_limits: ClassVar = {"POST": "guests"}

    @extend_schema(
        operation_id="start_guest",
        tags=["players"],
        request=None,
        responses={201: TokenSerializer, 200: TokenSerializer, **problems(403)},
        description=(
            "Play at once: makes a guest and logs it in, by the token and by the session cookie. "
            "Whoever is logged in already is answered with their own token and 200."
        ),
    )
    def post(self, request: Request) -> Response:
        if request.user.is_authenticated:
            return Response(_token(str(request.auth), request.user), status=200)
        guest, token = entrance.start_guest(request=request._request)
        return Response(_token(token, guest), status=201)


class AccountsView(APIView):
    permission_classes = (AllowAny, SameSite)

    @extend_schema(
        operation_id="register",
        tags=["players"],
        request=RegisterSerializer,
        responses={201: TokenSerializer, **problems(409, body=True)},
        description=(
            "Registers, and logs in: with the answer's token and, unless the call came with one, "
            "by the session cookie. A guest becomes the account and keeps games and records; the "
            "guest's token is good no more."
        ),
    )
    def post(self, request: Request) -> Response:
        wanted = RegisterSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        with _entrance(request) as entered, _by_field():
            player = entrance.register(request=entered, **wanted.validated_data)
            token = entrance.token_of(entered)
        return Response(_token(token, player), status=201)


class TokensView(APIView):
    permission_classes = (AllowAny, SameSite)

    @extend_schema(
        operation_id="log_in",
        tags=["players"],
        request=LogInSerializer,
        responses={201: LoggedInSerializer, **problems(body=True)},
        description=(
            "Logs in: with the answer's token and, unless the call came with one, by the session "
            "cookie. The token or cookie that the call came with is good no more. The games of a "
            "guest go over to the account, as practice; `moved` counts them."
        ),
    )
    def post(self, request: Request) -> Response:
        given = LogInSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with _entrance(request) as entered:
            player = entrance.log_in(
                request=entered,
                name=given.validated_data["username"],
                password=given.validated_data["password"],
                code=given.validated_data.get("code"),
            )
            token, moved = entrance.token_of(entered), entrance.moved_by(entered)
        body = {"token": token, "player": player} | ({"moved": moved} if moved else {})
        return Response(LoggedInSerializer(body).data, status=201)


class CurrentTokenView(APIView):
    @extend_schema(
        operation_id="log_out",
        tags=["players"],
        request=None,
        responses={204: None, **problems(403)},
        description="Logs out: the token, or the session cookie, is good no more.",
    )
    def delete(self, request: Request) -> Response:
        with _entrance(request) as entered:
            entrance.log_out(request=entered)
        return Response(status=204)


@contextmanager
def _entrance(request: Request) -> Iterator[HttpRequest]:
    with at_the_entrance(request._request, token_session(request)) as entered:
        yield entered


@contextmanager
def _by_field() -> Iterator[None]:
    """What a form finds wrong, as the problem `invalid` says it."""
    try:
        yield
    except FormError as error:
        raise ValidationError(
            {
                _NAMES.get(field, field): [
                    ErrorDetail(text, str(each.code)) for each in errors for text in each.messages
                ]
                for field, errors in error.error_dict.items()
            }
        ) from error


_NAMES = {"password1": "password", "__all__": "non_field_errors"}


def _token(token: str, player: object) -> dict[str, object]:
    return dict(TokenSerializer({"token": token, "player": player}).data)
