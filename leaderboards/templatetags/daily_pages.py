"""How the daily's pages write the hours of a day, which is a UTC day, and what a rule set is."""

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from game.wording import RULE_SETS

register = template.Library()


@register.simple_tag
def utc_hour(at: datetime) -> SafeString:
    """Such as "Dec. 3, 2026, 00:00 UTC". The page's script adds what the reader's clock shows."""
    at = at.astimezone(UTC)
    # Translators: a date and a time of the day, such as "Dec. 3, 2026, 00:00 UTC".
    text = gettext("%(date)s, %(time)s UTC") % {
        "date": date_format(at, "DATE_FORMAT"),
        "time": f"{at:%H:%M}",
    }
    return format_html(
        '<time datetime="{}" data-utc>{}</time>', at.isoformat(timespec="seconds"), text
    )


@register.filter
def rules_summary(key: str) -> str | Promise:
    """How the rule set plays, in a line."""
    return RULE_SETS[key].summary
