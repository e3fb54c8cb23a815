"""The language of pages: a player's setting comes before the browser's cookie and its wishes.

Answers of the API are in the language that their caller asks for.
"""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.views import i18n

from accounts.services.settings import change
from game.errors import PlayerGone

# What speaks the language of its header, and what must not ask the database who is there.
NO_PAGES = ("/api/", "/_allauth/", "/healthz", "/readyz", "/metrics")


def follow_settings(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, behind those that find the cookie's language and the player."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(NO_PAGES) and (language := language_of(request.user)):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return get_response(request)

    return answer


def choose(request: HttpRequest) -> HttpResponseBase:
    """The list of languages on every page: for this browser, and in a player's settings."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        with suppress(PlayerGone):
            change(player=request.user, language=language)
    return i18n.set_language(request)


def remember(response: HttpResponseBase, language: str) -> None:
    """Has the browser keep to what its player has just set; empty: to nothing."""
    if language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def language_of(player: AbstractBaseUser | AnonymousUser) -> str:
    """As the player's settings say; empty where they say nothing."""
    kept = getattr(player, "settings", None)  # there may be no row
    return kept.language if kept is not None else ""
