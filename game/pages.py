"""The pages of the table and of the race."""

from django.forms import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from game.errors import RaceNotFound
from game.rules.deals import numbered_deck
from game.rules.errors import RuleError
from game.rules.rulesets import DEFAULT, RULE_SETS, rule_set
from game.selectors import race_by_code


@require_safe
@ensure_csrf_cookie
def table(
    request: HttpRequest, rules: str | None = None, number: int | None = None
) -> HttpResponse:
    """The table: with the deal of the address, or with whatever its player goes on with."""
    try:
        if rules is not None:
            rule_set(rules)
        if number is not None:
            numbered_deck(number)
    except RuleError as error:
        raise Http404(error.code) from error
    return render(request, "game/play.html", {"page": page_data(request)})


@require_safe
@ensure_csrf_cookie
def new_race(request: HttpRequest) -> HttpResponse:
    """Where a race is made; `?rules=` and `?number=` of the address fill the form in, and `?deal=`
    is a number that is not chosen yet."""
    return render(request, "game/race_new.html", {"page": page_data(request)})


@require_safe
@ensure_csrf_cookie
def race(request: HttpRequest, code: str) -> HttpResponse:
    """One race, from its lobby to its result. Of a code that no race has, a page says so."""
    try:
        code = race_by_code(code).code
    except RaceNotFound:
        return render(request, "game/race_unknown.html", status=404)
    return render(request, "game/race.html", {"page": {**page_data(request), "code": code}})


def page_data(request: HttpRequest) -> dict[str, object]:
    """What the page's script is told."""
    return {
        "player": _player(request),
        "default_rules": DEFAULT.key,
        "rules": list(RULE_SETS),
    }


def _player(request: HttpRequest) -> dict[str, object] | None:
    if not request.user.is_authenticated:
        return None
    return {
        "name": request.user.get_username(),
        "is_guest": request.user.is_guest,
        "settings": _settings(request),
    }


def _settings(request: HttpRequest) -> dict[str, object]:
    """How the player likes the table; empty for one who has set nothing.

    What changes looks only is marked on the page's first element instead (`settings.html`), which
    is there before any script.
    """
    settings = getattr(request.user, "settings", None)  # a relation that accounts lays
    return {} if settings is None else model_to_dict(settings, exclude=["player"])
