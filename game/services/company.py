"""Who plays the same numbered deal at the same time, and lets others see it."""

from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from game import race_view
from game.errors import GameNotFound
from game.events import deal_group, tell_of_leaving
from game.ledger import Status
from game.models import RUNNING, Game, Kind, Race
from game.racing import AWAY_AFTER, FEWEST_SEATS, MOST_SEATS
from game.rules.rulesets import RuleSet
from game.selectors import IN_COMPANY
from game.services import races
from game.services.presence import be_present
from pyramid_site.broadcast import tell


def join(*, player: AbstractBaseUser, rules: RuleSet, number: int) -> Game:
    """The player's running game of the deal, which others hear of from now on. Raises
    `GameNotFound` where there is none, or where the player wants no company."""
    games = Game.objects.select_related("player", "deal").filter(IN_COMPANY, player_id=player.pk)
    game = _at(games, rules, number).first()
    if game is None:
        raise GameNotFound()
    be_present({game.pk})
    tell_of_progress(game)
    return game


def tell_of_progress(game: Game) -> None:
    """To those who are at the same deal; of one that has ended, that its player has left."""
    if Status(game.status).is_over:
        tell_of_leaving(game)
        return
    assert game.deal.number is not None
    group = deal_group(game.rules_key, game.deal.number)
    tell(group, {"type": "progress", "v": 0, "player": race_view.progress(game)})


def tell_of_change(game_id: UUID) -> None:
    """Of a game at whose deal its player sits: of one who has been away for too long, or wants no
    company any more, others hear nothing."""
    here = Q(presence__seen_at__gt=timezone.now() - AWAY_AFTER)
    games = Game.objects.select_related("player", "deal").filter(IN_COMPANY, here, pk=game_id)
    for game in games:  # none where it went with its account
        tell_of_progress(game)


def part(*, player: AbstractBaseUser) -> None:
    """Others at the player's deals hear, once it is so, that there is nobody of this name any
    more."""
    games = Game.objects.select_related("player", "deal").filter(
        player_id=player.pk,
        kind=Kind.CASUAL,
        status__in=RUNNING,
        deal__number__isnull=False,
        presence__isnull=False,
    )
    for game in games:
        tell_of_leaving(game)


def is_wanted_at(game_id: UUID) -> bool:
    """Whether the game is there, and its player wants company."""
    return Game.objects.filter(IN_COMPANY, pk=game_id).exists()


def others(*, player: AbstractBaseUser, rules: RuleSet, number: int) -> QuerySet[Game]:
    """The games of those who are there."""
    games = Game.objects.select_related("player").filter(IN_COMPANY).exclude(player_id=player.pk)
    here = games.filter(presence__seen_at__gt=timezone.now() - AWAY_AFTER)
    return _at(here, rules, number).order_by("pk")


def open_race(*, player: AbstractBaseUser, rules: RuleSet, number: int) -> Race:
    """A friendly race on the deal, with a seat for each who is there; all of them are told."""
    present = 1 + others(player=player, rules=rules, number=number).count()
    seats = min(max(present, FEWEST_SEATS), MOST_SEATS)
    race = races.create(player=player, rules=rules, number=number, seats=seats)
    invitation = {
        "code": race.code,
        "url": race_view.url(race.code),
        "player": player.get_username(),
    }
    tell(deal_group(rules.key, number), {"type": "race", "v": 0, **invitation})
    return race


def _at(games: QuerySet[Game], rules: RuleSet, number: int) -> QuerySet[Game]:
    return games.filter(
        deal__number=number, rules_key=rules.key, kind=Kind.CASUAL, status__in=RUNNING
    )
