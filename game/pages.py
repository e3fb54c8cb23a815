"""The pages of the table."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from game import wording
from game.rules.deals import numbered_deck
from game.rules.errors import RuleError
from game.rules.rulesets import RULE_SETS, rule_set


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
    return render(
        request,
        "game/play.html",
        {
            "page": {
                "rules": rules,
                "number": number,
                "player": _player(request),
                "language": get_language(),
                "languages": settings.LANGUAGES,
            },
            "rule_sets": [
                {"key": rules.key, "name": wording.RULE_SETS[rules.key].name}
                for rules in RULE_SETS.values()
            ],
        },
    )


def _player(request: HttpRequest) -> dict[str, object] | None:
    if not request.user.is_authenticated:
        return None
    return {"name": request.user.get_username(), "is_guest": request.user.is_guest}
