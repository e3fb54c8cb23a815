from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SameSite
from accounts.api.serializers import TokenSerializer
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


def _token(token: str, player: object) -> dict[str, object]:
    return dict(TokenSerializer({"token": token, "player": player}).data)
