"""Who may call what."""

from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView


class SameSite(BasePermission):
    """For calls that set the session cookie: a page of another site must not make them.

    A browser leaves the cookie out of a request from another site, so that it would look like one
    of nobody's, and its answer would put another player in the place of whoever is logged in.
    Callers that are no browser send neither header.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        elsewhere = request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
        if elsewhere or ("Origin" in request.headers and not _origin_is_ours(request)):
            raise PermissionDenied(code="csrf_failed")
        return True


def _origin_is_ours(request: Request) -> bool:
    return CsrfViewMiddleware(lambda _: None)._origin_verified(request._request)  # type: ignore[arg-type, attr-defined]
