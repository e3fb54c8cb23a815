"""What the OpenAPI document says of every call: its problems, and how a caller is known."""

from typing import Any, ClassVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema as SpectacularSchema
from drf_spectacular.utils import OpenApiResponse
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers

from pyramid_site.problem import MEDIA_TYPE


class ProblemSerializer(serializers.Serializer):
    """RFC 9457 problem details."""

    type = serializers.CharField(help_text="A page that explains the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="For the reader, in the language of the answer.")
    code = serializers.CharField(help_text="For programs; it does not change.")
    params = serializers.DictField(help_text="What the detail speaks of.")
    errors = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="By field, for the code `invalid`."
    )
    state = serializers.DictField(
        required=False, help_text="The game as it stands, for the code `stale_version`."
    )


ANY_CALL = (401, 406, 429)  # a token that is not valid, no JSON wanted, too often
ANY_BODY = (400, 403, 413, 415)  # no JSON, no CSRF token, too large, not said to be JSON


def problems(*statuses: int, body: bool = False) -> dict[tuple[int, str], Any]:
    """The `responses` of a call that may be answered by problems of these statuses, besides
    those that any call may get and, with `body`, those of any that takes one."""
    all_statuses = {*statuses, *ANY_CALL, *(ANY_BODY if body else ())}
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemSerializer) for status in sorted(all_statuses)
    }


class SchemaView(SpectacularAPIView):
    """The document; to make it takes as long as ten moves."""

    rate_limits: ClassVar = {"GET": "document"}


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: SpectacularSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer"}


class CookieScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.CookieAuthentication"
    name = "cookie"

    def get_security_definition(self, auto_schema: SpectacularSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
