"""What pages call tiers, kinds of games and how they end."""

from django.utils.translation import pgettext

from game import wording
from game.models import Game, Kind, Tier


def rules_name(key: str) -> str:
    return str(wording.RULE_SETS[key].name)


def tier_name(tier: str) -> str:
    """Of an empty one: what is said of a game by number."""
    names = {
        Tier.EASY: pgettext("kind of deal", "Easy"),
        Tier.STANDARD: pgettext("kind of deal", "Standard"),
        Tier.RANDOM: pgettext("kind of deal", "Random"),
    }
    return names[Tier(tier)] if tier else pgettext("kind of deal", "By number")


def kind_name(kind: str) -> str:
    names = {
        Kind.CASUAL: pgettext("kind of game", "Casual"),
        Kind.DAILY: pgettext("kind of game", "Daily"),
        Kind.RACE: pgettext("kind of game", "Race"),
    }
    return names[Kind(kind)]


def group_name(rules_key: str, tier: str) -> str:
    """The rule set and the tier, such as "Classic · Easy"."""
    return f"{rules_name(rules_key)} · {tier_name(tier)}"


def result_name(game: Game) -> str:
    match game.status:
        case "won":
            return pgettext("how a game ended", "Won")
        case "lost":
            return pgettext("how a game ended", "Lost")
        case "stuck":
            return pgettext("how a game stands", "Stuck")
    return pgettext("how a game stands", "Running")
