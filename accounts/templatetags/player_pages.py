"""Times, shares and names as the players' pages write them."""

from collections.abc import Iterable
from datetime import datetime
from math import floor
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext

from accounts import wording
from accounts.models import User
from game import race_view
from game import wording as game_wording
from game.ledger import Clock
from game.models import Game, Kind
from game.presentation import url
from game.selectors import day_of_game, games_of

register = template.Library()

register.filter("clock", game_wording.clock)
register.filter("rules_name", wording.rules_name)
register.filter("tier_name", wording.tier_name)
register.filter("kind_name", wording.kind_name)
register.filter("result_name", wording.result_name)


@register.filter
def time_played(game: Game) -> int:
    """Milliseconds: of a ranked game that runs, until now, as nothing stops its clock; of a casual
    one, until its clock last stood still."""
    clock = Clock(game.elapsed_ms, game.running_since if game.is_ranked else None)
    return clock.at(timezone.now())


@register.filter
def percent(share: float | None) -> str:
    """62 %, from 0.62, in the way of the language; a dash for None. A half goes up, as where the
    page's scripts write the same share."""
    if share is None:
        return "–"
    # Translators: a share, such as "62%"; some languages put a space before the sign.
    return gettext("%(number)s%%") % {"number": number_format(floor(share * 100 + 0.5))}


@register.filter
def unconfirmed(addresses: Iterable[EmailAddress]) -> list[EmailAddress]:
    return [address for address in addresses if not address.verified]


@register.filter
def has_moved(player: User | None) -> bool:
    """Whether the player has a game in which a move was made; nobody has none."""
    return player is not None and games_of(player).filter(moves__gt=0).exists()


@register.simple_tag
def moment(at: datetime, shown: str = "moment") -> SafeString:
    """A time in UTC; where there is JavaScript, in the reader's own zone. `shown`: moment, day or
    month."""
    formats = {
        "moment": "SHORT_DATETIME_FORMAT",
        "day": "DATE_FORMAT",
        "month": "YEAR_MONTH_FORMAT",
    }
    text = date_format(localtime(at), formats[shown])
    return format_html(
        '<time datetime="{}" data-shown="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        shown,
        gettext("%(time)s UTC") % {"time": text} if shown == "moment" else text,
    )


@register.simple_tag
def game_address(game: Game) -> str:
    """Where a game is looked at, or gone on with: one of a race there."""
    if game.kind == Kind.RACE and hasattr(game, "seat"):
        return race_view.url(game.seat.race.code)
    address = url(game)
    return "" if address is None else f"{address}?{urlencode({'game': str(game.pk)})}"


@register.simple_tag
def deal_name(game: Game) -> str:
    number, day = game.deal.number, day_of_game(game)
    if number is not None:
        return gettext("Deal %(number)s") % {"number": number}
    if day is None:
        return wording.kind_name(game.kind)
    # Translators: the deal of a day, such as "Daily of Dec. 1, 2026".
    return gettext("Daily of %(date)s") % {"date": date_format(day, "DATE_FORMAT")}


@register.filter
def browser_name(user_agent: str) -> str:
    """The browser and the system that a User-Agent header names, as far as it can be told."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    return ", ".join(filter(None, (browser, system))) or user_agent[:60] or gettext("Unknown")


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
