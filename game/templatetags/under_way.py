"""What pages tell of games that go on elsewhere."""

from django import template

from game import selectors
from game.presentation import url
from game.selectors import Viewer

register = template.Library()

register.simple_tag(selectors.open_race_of)


@register.simple_tag
def running_daily_of(player: Viewer) -> str | None:
    """Where the player's daily goes on, if there is one."""
    game = selectors.running_daily_of(player)
    return None if game is None else url(game)
