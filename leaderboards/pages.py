"""The pages of the daily deal: a day with its board and calendar, and boards that add days up."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from game.models import RUNNING, Game
from game.pages import page_data
from game.rules.errors import UnknownRules
from game.rules.rulesets import DEFAULT, RULE_SETS, rule_set
from game.selectors import Streak, daily_streak
from game.view import instant
from game.wording import RULE_SETS as RULE_SET_WORDS
from leaderboards import presentation, selectors
from leaderboards.days import Day, Span
from leaderboards.errors import NoDaily
from leaderboards.live import TOP
from leaderboards.models import DailyDeal
from leaderboards.month import WEEKDAYS, Month, best_of, month_named, month_of
from leaderboards.ranks import Ladder
from leaderboards.selectors import BoardPage, From, Row
from leaderboards.services import days, results
from leaderboards.services.days import FIRST_DAY
from pyramid_site.pages import too_often

PAGE = 25  # rows, below the top
NEIGHBOURS = 5  # rows around the player's own, that among them
STARTS = ("cursor", "around", "from")  # what a page's address may say of where the board starts

Page = Callable[..., HttpResponse]


def _daily_page(page: Page) -> Page:
    """Holds it to the limit of what is read, and says so where there is no such daily."""

    @require_safe
    @wraps(page)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        if refusal := too_often(request, "read"):
            return refusal
        try:
            return page(request, **parts)
        except (NoDaily, UnknownRules):
            return render(request, "leaderboards/no_daily.html", status=404)

    return answer


@_daily_page
def day(request: HttpRequest, rules: str = DEFAULT.key, date: date | None = None) -> HttpResponse:
    """A day that has begun, or today: what to do, who stands where, and how the month went."""
    now = timezone.now()
    today = Day.at(now)
    shown = today if date is None else Day(date)
    daily = days.daily(rules=rule_set(rules), day=shown, today=today)
    board = results.board(rules_key=rules, span=Span.DAY, day=shown)
    whole = Ladder(board)
    asked = Ladder(board, unassisted=request.GET.get("assisted") == "false")
    page = _board_page(request, asked)
    own = selectors.row_of(whole, request.user) if asked.unassisted else page.own
    game = selectors.game_of(daily, request.user)
    told = presentation.day(
        daily,
        next_commitment=days.next_commitment(rules=daily.rules, today=today)
        if shown == today
        else None,
        game=game,
        result=own,
        now=now,
    )
    closed = now >= shown.closes_at
    players = page.size
    if asked.unassisted:
        players = max(selectors.size_of(whole), own.rank if own else 0)
    shared = _shared(request, daily, game, own, players)
    return render(
        request,
        "leaderboards/day.html",
        {
            **_place(rules, shown, today, Span.DAY),
            **_board(request, page, closed=closed),
            **_own(request, daily, game, players),
            "told": told,
            "day": shown,
            "is_closed": closed,
            "earlier": _begun(shown, -1, today),
            "later": _begun(shown, 1, today),
            "today": today,
            "month": _month(request, daily, today),
            "weekdays": WEEKDAYS,
            "is_shared": shared is not None,
            "streak": _streak(request, now),
            "page": {
                **{name: told[name] for name in ("date", "rules", "resets_at", "server_now")},
                "is_today": shown == today,
                "is_top": _is_top(request) and not asked.unassisted,
                "rank": None if own is None else own.rank,
                "neighbours": NEIGHBOURS,
                "share": shared,
            },
        },
    )


@_daily_page
def totals(request: HttpRequest, rules: str, date: date, span: Span) -> HttpResponse:
    """The week or the month that the date lies in."""
    now = timezone.now()
    today, shown = Day.at(now), Day(date)
    days.daily(rules=rule_set(rules), day=shown, today=today)
    page = _board_page(request, Ladder(results.board(rules_key=rules, span=span, day=shown)))
    first, last = span.first(shown), span.last(shown)
    return render(
        request,
        "leaderboards/totals.html",
        {
            **_place(rules, shown, today, span),
            **_board(request, page, closed=now >= last.closes_at),
            "first": first,
            "last": last,
            "is_closed": now >= last.closes_at,
            # A week or a month may begin before the first day that has a daily.
            "earlier": _begun(first, -1, today),
            "later": _begun(last, 1, today),
        },
    )


@ensure_csrf_cookie
@_daily_page
def play(request: HttpRequest, rules: str, date: date) -> HttpResponse:
    """The table, at a day's deal: the page's script sees how that may be played, and by whom."""
    days.daily(rules=rule_set(rules), day=Day(date), today=Day.at(timezone.now()))
    return render(request, "game/play.html", {"page": page_data(request)})


def _place(rules_key: str, shown: Day, today: Day, span: Span) -> dict[str, Any]:
    """Where the page stands among its like."""
    return {
        "rules": rules_key,
        "rule_sets": [rules.key for rules in RULE_SETS.values() if rules.daily],
        "date": shown.date,
        "is_today": shown == today,
        "span": span,
    }


def _begun(day: Day, step: int, today: Day) -> Day | None:
    """The day so many days on, where that has begun and has dailies."""
    found = Day(day.date + timedelta(days=step))
    return found if FIRST_DAY <= found <= today else None


def _has_account(request: HttpRequest) -> bool:
    return request.user.is_authenticated and not request.user.is_guest


def _streak(request: HttpRequest, now: datetime) -> Streak | None:
    return daily_streak(request.user, now=now) if _has_account(request) else None


# The board


def _is_top(request: HttpRequest) -> bool:
    return not any(request.GET.get(name) for name in STARTS)


def _board_page(request: HttpRequest, ladder: Ladder) -> BoardPage:
    most = TOP if _is_top(request) else PAGE
    return selectors.board_page(ladder, start=_start(request), most=most, viewer=request.user)


def _start(request: HttpRequest) -> From:
    """What the address says; from the top on where it makes no sense."""
    try:
        if cursor := request.GET.get("cursor"):
            return presentation.start_of(cursor)
        if request.GET.get("around") == "me":
            return From(around=request.user)
        return From(position=min(max(int(request.GET.get("from", 1)), 1), 2**31) - 1)
    except ValueError:
        return From()


def _board(request: HttpRequest, page: BoardPage, *, closed: bool) -> dict[str, Any]:
    """`around`: the player's row and those next to it, where the top of the board has it not."""
    around: list[dict[str, Any]] = []
    shown = {row.place.player_id for row in page.rows}
    if page.own is not None and _is_top(request) and page.own.place.player_id not in shown:
        near = selectors.board_page(
            page.ladder, start=From(around=request.user), most=NEIGHBOURS, viewer=request.user
        )
        around = [
            presentation.row(row, closed=closed)
            for row in near.rows
            if row.place.player_id not in shown
        ]
    return {
        "blank": {"player": "", "elapsed_ms": None},  # of which the page's script makes rows
        "board": presentation.board(page, now=timezone.now()),
        "around": around,
        "is_top": _is_top(request),
        "is_unassisted": page.ladder.unassisted,
        "me_elsewhere": page.own is not None
        and not around
        and page.own.place.player_id not in shown,
    }


# The player's own


def _own(request: HttpRequest, daily: DailyDeal, game: Game | None, players: int) -> dict[str, Any]:
    """How the player's game of the day stands."""
    day = reverse("daily_day", args=[daily.rules_key, daily.date])
    over = game is not None and game.status not in RUNNING
    ended = game if over else None
    return {
        "has_account": _has_account(request),
        "play": f"{day}play",
        "running": game if not over else None,
        "ended": ended,
        "best": None if ended is None else best_of(ended),
        "players": players,
    }


def _shared(
    request: HttpRequest, daily: DailyDeal, game: Game | None, own: Row | None, players: int
) -> dict[str, Any] | None:
    """Of what the page's script makes a text to hand on: nothing that helps one who has not played
    it. None where nothing has been played."""
    if own is not None:
        result = presentation.row(own, closed=False)
    elif game is not None and game.status not in RUNNING and game.moves:
        best = best_of(game)
        result = {
            **{name: best[name] for name in ("removed", "elapsed_ms", "moves")},
            "assisted": best["hints"] > 0,
            "rank": None,
        }
    else:
        return None
    day = reverse("daily_day", args=[daily.rules_key, daily.date])
    return {
        "rules": str(RULE_SET_WORDS[daily.rules_key].name),
        "date": daily.date.isoformat(),
        "address": request.build_absolute_uri(day),
        "players": players,
        "closes_at": instant(daily.day.closes_at),
        "result": result,
    }


def _month(request: HttpRequest, daily: DailyDeal, today: Day) -> Month:
    """Of the day, or that of the address."""
    asked = month_named(request.GET.get("month", ""), begins=FIRST_DAY, today=today) or daily.day
    games = selectors.days_played(
        request.user,
        rules_key=daily.rules_key,
        first=Span.MONTH.first(asked),
        last=Span.MONTH.last(asked),
    )
    return month_of(asked, games, begins=FIRST_DAY, today=today)
