"""The pages of players: the public one, the own ones, the settings."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from allauth.usersessions.internal.flows import sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import charts
from accounts.download import download
from accounts.forms import DeletionForm, HistoryForm, SettingsForm
from accounts.language import remember
from accounts.models import Record, Settings, User
from accounts.selectors import player_named, race_record_of, records_of, settings_of
from accounts.services import entrance, leaving
from accounts.services import settings as changing
from accounts.tally import Tally
from game.errors import PlayerGone
from game.models import RUNNING, Game, Kind
from game.selectors import daily_streak, games_of
from pyramid_site.pages import too_often

PAGE = 25  # games of the history
RECENT = 10  # games of a player's page


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponseBase:
    """What anybody may see of a player; at the address that spells the name as the player does."""
    if refusal := too_often(request, "read"):
        return refusal
    shown = player_named(name)
    if shown is None:
        return render(request, "accounts/unknown.html", status=404)
    if shown.username != name:
        return redirect("player", name=shown.username)
    private = settings_of(shown).private
    if private and shown != request.user:
        return render(request, "accounts/player.html", {"player": shown, "hidden": True})
    return render(request, "accounts/player.html", _of(shown, private=private))


@require_safe
def profile(request: HttpRequest) -> HttpResponse:
    """The player's own page; to those who have not played yet, how to begin."""
    if not request.user.is_authenticated:
        return render(request, "accounts/nobody.html", {"here": "profile"})
    shown = _of(request.user, private=settings_of(request.user).private)
    return render(request, "accounts/player.html", {**shown, "here": "profile"})


@require_safe
def history(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "accounts/nobody.html", {"here": "history"})
    form = HistoryForm(request.GET)
    games = form.chosen(games_of(request.user)).select_related("seat__race")
    games = games.order_by("-started_at", "-id")
    page = Paginator(games, PAGE).get_page(request.GET.get("page"))
    context = {"here": "history", "form": form, "games": page, "query": form.query()}
    return render(request, "accounts/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Settings; a visitor who is nobody yet becomes a guest by saving some. What was opened as one
    player is not saved for another."""
    if request.method == "POST" and not _is_theirs(request):
        return _refused_to_others(request)
    present = settings_of(request.user) if request.user.is_authenticated else Settings()
    form = SettingsForm(_sent(request), instance=present)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/settings.html", {"here": "settings", "form": form})
    whose = request.user
    if not whose.is_authenticated:
        if refusal := too_often(request, "guests"):
            return refusal
        whose, _token = entrance.start_guest(request=request)
    with suppress(PlayerGone):  # deleted meanwhile: the next page knows nobody
        changing.change(player=whose, **form.cleaned_data)
    return _saved(request, form.cleaned_data["language"])


@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    """The player's own data, as a file."""
    if not request.user.is_authenticated:
        return redirect("settings")
    if refusal := too_often(request, "export"):
        return refusal
    return download(request.user)


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Logs the player out where that session is; one that is not the player's stays."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("usersessions_list"))
    own = UserSession.objects.filter(user=request.user, pk=pk)
    sessions.end_sessions(request, [*own])
    return redirect("usersessions_list")


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Says what goes and what stays, and does it once the player proves to be it."""
    if not request.user.is_authenticated:
        return redirect("settings")
    if request.method == "POST" and (refusal := too_often(request, "password")):
        return refusal
    form = DeletionForm(_sent(request), player=request.user)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/delete.html", {"here": "settings", "form": form})
    with suppress(PlayerGone):  # deleted meanwhile
        leaving.delete_account(player=request.user)
    logout(request)
    messages.success(request, _("All that was yours is deleted."))
    return redirect("profile")


def _sent(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with; None where it is only looked at."""
    return request.POST if request.method == "POST" else None


def _of(player: User, *, private: bool) -> dict[str, Any]:
    """What a player's page shows, to those who may see it: of a private one, to nobody else."""
    drawn = charts.charts_of(player)
    records = list(records_of(player))
    return {
        "player": player,
        "private": private,
        "records": records,
        "totals": _totals(records),
        "races": race_record_of(player).tally,
        "daily": daily_streak(player, now=timezone.now()),
        "charts": drawn,
        "plots": drawn.as_json(),
        "recent": _recent(player),
    }


def _totals(records: Sequence[Record]) -> dict[str, Any]:
    """Over all rule sets and tiers."""
    total = Tally(played=sum(row.played for row in records), won=sum(row.won for row in records))
    return {
        "played": total.played,
        "won": total.won,
        "rate": total.win_rate,
        "best_streak": max((row.best_streak for row in records), default=0),
    }


def _recent(player: User) -> QuerySet[Game]:
    """Games that have ended, which anybody with their link may look at."""
    casual = games_of(player).filter(kind=Kind.CASUAL)
    return casual.exclude(status__in=RUNNING).order_by("-last_entry_at", "-id")[:RECENT]


def _is_theirs(request: HttpRequest) -> bool:
    """Whether the form was opened by whoever sends it. Nobody may have begun to play since."""
    whose = request.POST.get("whose", "")
    if not request.user.is_authenticated:
        return not whose
    return whose == request.user.username or (not whose and request.user.is_guest)


def _refused_to_others(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        text = _("Nothing was saved: you are %(name)s on this device now.")
        messages.error(request, text % {"name": request.user.username})
        return redirect("settings")
    messages.error(request, _("Nothing was saved: you are logged out on this device."))
    return redirect_to_login(reverse("settings"))


def _saved(request: HttpRequest, language: str) -> HttpResponse:
    """Back to the settings, in the language that has been chosen."""
    with override(language or get_language()):
        messages.success(request, _("Saved."))
    response = redirect("settings")
    remember(response, language)
    return response
