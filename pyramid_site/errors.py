"""What an unknown address or a fault answers: a problem below /api/, a page elsewhere."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language_from_request, override
from django.views import csrf, defaults

from pyramid_site.problem import problem_response


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return problem_response("not_found")
    return defaults.page_not_found(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_api(request):
        return problem_response("bad_request")
    return defaults.bad_request(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if _is_api(request):
        return problem_response("csrf_failed")
    return csrf.csrf_failure(request, reason)


def server_error(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return problem_response("server_error")
    return defaults.server_error(request)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def body_too_large(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """A WSGI application that refuses every request for its size."""
    return _refuse("body_too_large", environ, start_response)


def fault(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """A WSGI application that answers every request that it could not be answered."""
    return _refuse("server_error", environ, start_response)


def _refuse(code: str, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    language = get_language_from_request(WSGIRequest(environ))  # no middleware stands before it
    with override(language):
        response = problem_response(code)
    start_response(
        f"{response.status_code} {response.reason_phrase}", list(response.headers.items())
    )
    return [response.content]
