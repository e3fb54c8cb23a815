"""What a player hands on of a day: nothing that would help those who have not played it."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game import wording
from game.models import Game
from leaderboards.models import DailyDeal
from leaderboards.month import best_of
from leaderboards.selectors import Row


def share_text(
    daily: DailyDeal, own: Row | Game, *, address: str, rank: object = "", players: object = ""
) -> str:
    """Of a row of the board, or of an ended game that is not on it. `rank`, `players`: as they are
    written; what fills them in later may be, too."""
    title = _("Pyramid daily %(date)s · %(rules)s") % {
        "date": daily.date.isoformat(),
        "rules": wording.RULE_SETS[daily.rules_key].name,
    }
    if isinstance(own, Game):
        facts = [f"{_cards(best_of(own))} {wording.clock(own.elapsed_ms)}", _moves(own.moves)]
        return "\n".join([title, " · ".join([*facts, _("unranked")]), address])
    assert own.result is not None
    result = own.result
    facts = [
        f"{_cards(result.removed)} {wording.clock(result.elapsed_ms)}",
        _moves(result.moves),
        _("with hints") if result.assisted else _("no hints"),
        _("rank %(rank)s of %(players)s") % {"rank": rank, "players": players},
    ]
    return "\n".join([title, " · ".join(facts), address])


def _cards(removed: int) -> str:
    return f"{removed}/28 {'▲' if removed == 28 else '△'}"


def _moves(count: int) -> str:
    return ngettext("%(count)s move", "%(count)s moves", count) % {"count": count}
