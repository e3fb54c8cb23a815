"""The pages of the dailies."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from game.pages import page_data
from game.rules.errors import RuleError
from game.rules.rulesets import rule_set
from leaderboards.days import Day
from leaderboards.services import days


@require_safe
@ensure_csrf_cookie
def play(request: HttpRequest, rules: str, date: date) -> HttpResponse:
    """The table, at a day's deal: the page's script sees how that may be played, and by whom."""
    try:
        days.daily(rules=rule_set(rules), day=Day(date), today=Day.at(timezone.now()))
    except RuleError as error:
        raise Http404(error.code) from error
    return render(request, "game/play.html", {"page": page_data(request)})
