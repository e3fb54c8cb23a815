"""Links to the entrance, by which one comes back to where one was."""

from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from django import template
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest
from django.urls import reverse

register = template.Library()

# Pages that one does not want to lose by coming in: somebody waits there, or a game goes on.
KEPT = (
    *("play", "new_race", "race_page"),
    *("daily", "daily_today", "daily_day", "daily_totals", "play_daily"),
)


@register.simple_tag(takes_context=True)
def entrance_address(context: template.Context, name: str) -> str:
    """Of allauth's page of this name. It names the page to go on to, which allauth follows within
    the site only; between pages of the entrance it is handed on."""
    request = context["request"]
    wanted = _wanted(request)
    address = reverse(name)
    return f"{address}?{urlencode({REDIRECT_FIELD_NAME: wanted})}" if wanted else address


def _wanted(request: HttpRequest) -> str | None:
    page = getattr(request.resolver_match, "view_name", "")
    if page in KEPT or (page == "home" and request.GET):
        return request.get_full_path()
    handed_on: str | None = get_next_redirect_url(request) if _is_entrance(page) else None
    return handed_on


def _is_entrance(page: str) -> bool:
    return page.startswith("account_")
