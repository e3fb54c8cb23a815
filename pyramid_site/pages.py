"""Pages that belong to no app."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pyramid_site.problem import PROBLEMS


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Every problem code, its status and what it means: where `type` of a problem leads."""
    return render(request, "problems.html", {"problems": PROBLEMS})
