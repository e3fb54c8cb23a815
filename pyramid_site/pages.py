"""Pages that belong to no app."""

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pyramid_site.problem import PROBLEMS
from pyramid_site.throttling import RateLimit


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Every problem code, its status and what it means: where `type` of a problem leads."""
    return render(request, "problems.html", {"problems": PROBLEMS})


def too_often(request: HttpRequest, scope: str) -> HttpResponse | None:
    """The answer to whoever asks for pages more often than the limit allows; None to all others."""
    limit = RateLimit()
    if limit.allow(request, scope):
        return None
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(math.ceil(limit.wait() or 1))
    return response
