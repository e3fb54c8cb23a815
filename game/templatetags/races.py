"""What pages beside a race tell of it."""

from django import template

from game.selectors import open_race_of

register = template.Library()

register.simple_tag(open_race_of)
