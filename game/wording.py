"""What the rule sets are called and how each plays, and how long things took, for people."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Wording:
    name: str | Promise
    summary: str | Promise


RULE_SETS: Mapping[str, Wording] = {
    "classic": Wording(
        _("Classic"),
        _("Draw from a face-down stock; three passes. Clear the pyramid."),
    ),
    "blind": Wording(
        _("Blind"),
        _("Covered cards lie face down; one pass. Clear the pyramid."),
    ),
    "open": Wording(
        _("Open"),
        _("The stock lies face up and its top card plays; three passes. Clear the pyramid."),
    ),
    "open-2": Wording(
        _("Open, two passes"),
        _("The stock lies face up and its top card plays; two passes. Clear the pyramid."),
    ),
    "open-1": Wording(
        _("Open, one pass"),
        _("The stock lies face up and its top card plays; one pass. Clear the pyramid."),
    ),
    "overlap": Wording(
        _("Overlap"),
        _(
            "Face-up stock; a card may go together with the only card that still lies on it; "
            "three passes. Clear the pyramid."
        ),
    ),
    "overlap-1": Wording(
        _("Overlap, one pass"),
        _(
            "Face-up stock; a card may go together with the only card that still lies on it; "
            "one pass. Clear the pyramid."
        ),
    ),
    "strict": Wording(
        _("Strict"),
        _("Face-up stock; three passes. All 52 cards must go."),
    ),
}


def clock(milliseconds: int | None) -> str:
    """1:05, or 1:00:05; a dash for None."""
    if milliseconds is None:
        return "–"
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
