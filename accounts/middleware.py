"""What our players are to allauth's own addresses."""

from collections.abc import Callable
from typing import Any

from allauth.core.internal.httpkit import is_headless_request
from allauth.headless.base.response import ConflictResponse
from allauth.headless.internal.restkit.response import APIResponse
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import ResolverMatch

from accounts.aside import set_guest_aside
from accounts.errors import AlreadyRegistered, EntranceError, LoginFailed, NameTaken
from pyramid_site.problem import problem_body

PAGES = ("account_", "mfa_", "usersessions_")  # what allauth's names begin with
STAYS_IN = "account_logout"  # where a guest may go out


class SetGuestsAside:
    """See `accounts.aside`. What only a race brings to light, or what allauth does not expect, is
    answered here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        assert request.resolver_match is not None
        if _is_allauths(request.resolver_match):
            set_guest_aside(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if is_headless_request(request):
            return _headless_answer(request, error)
        if not isinstance(error, NameTaken | AlreadyRegistered | LoginFailed):
            return None
        text = error.messages[0] if isinstance(error, NameTaken) else _detail(error)
        messages.error(request, text)
        return redirect(request.get_full_path())


def _is_allauths(match: ResolverMatch) -> bool:
    if match.namespaces[:1] == ["headless"]:
        return True
    return (match.url_name or "").startswith(PAGES) and match.url_name != STAYS_IN


def _headless_answer(request: HttpRequest, error: Exception) -> HttpResponse | None:
    match error:
        case AlreadyRegistered():
            return ConflictResponse(request)
        case NameTaken():
            wrong = {"message": error.messages[0], "code": "name_taken", "param": "username"}
            return APIResponse(request, errors=[wrong], status=400)
        case LoginFailed():
            wrong = {"message": _detail(error), "code": error.code, "param": "password"}
            return APIResponse(request, errors=[wrong], status=400)
        case UnicodeEncodeError() | RecursionError():  # JSON with half a letter, or too deep
            return HttpResponseBadRequest()
    return None


def _detail(error: EntranceError) -> str:
    return str(problem_body(error.code)["detail"])
