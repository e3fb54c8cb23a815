"""Playing: start a game, make a move, take it back, give up."""

import secrets
from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from game.ledger import Close, EntryType, Rewind
from game.models import RUNNING, Deal, Game, Kind, Tier
from game.rules.deals import CATALOGUE, LAST_NUMBER, numbered_deck
from game.rules.moves import Move
from game.rules.notation import format_move
from game.rules.rulesets import RuleSet
from game.selectors import label_of_number, running_game
from game.services import assist
from game.services.change import Change, make
from game.services.holding import hold
from game.services.log import append, start
from game.view import View
from solver import catalogue
from solver.dealing import lies_locked


def start_numbered(*, player: AbstractBaseUser, rules: RuleSet, number: int) -> tuple[View, bool]:
    """The player's running game of this deal, or a new one, as practice; and whether it is new.

    Raises `UnknownDeal`.
    """
    numbered_deck(number)
    with transaction.atomic():
        hold(player)  # one start at a time
        return _running_or_new(player=player, rules=rules, number=number)


def start_in_tier(*, player: AbstractBaseUser, rules: RuleSet, tier: Tier) -> tuple[View, bool]:
    """A new counted game of a deal in which the player has not moved yet; and whether it is new.

    The counted game of the same rule set and tier that is still running is left behind: lost.
    Once the player has moved in every deal of the tier, any of them, as practice: that leaves
    nothing behind, and answers the running game where there is one of each.
    """
    with transaction.atomic():
        hold(player)  # one start at a time
        number = _fresh_number(player=player, rules=rules, tier=tier)
        if number is None:
            number = _any_number(player=player, rules=rules, tier=tier)
            return _running_or_new(player=player, rules=rules, number=number, tier=tier)
        _leave_behind(player=player, rules=rules, tier=tier)
        deal = numbered_deal(number)
        game = start(player=player, deal=deal, rules=rules, tier=tier, counted=True)
    return View(game, game.ledger(), game.started_at), True


def numbered_deal(number: int) -> Deal:
    """Raises `UnknownDeal`."""
    numbered_deck(number)
    return Deal.objects.get_or_create(number=number)[0]


def move(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    move: Move,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Raises a `RuleError` leaf that says why not; then nothing has changed."""
    asked = format_move(move)
    return make(Change(game_id, player, EntryType.MOVE, asked, version, client_move_id)).view


def undo(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Takes back the last move. Raises `NothingToUndo`."""
    return make(Change(game_id, player, EntryType.UNDO, "", version, client_move_id)).view


def rewind(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    to: Rewind,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Takes back several moves at once. Raises `NothingToRewind`.

    To the last winnable position: see `assist.rewind_to_winnable`, which asks the solver.
    """
    if to is Rewind.WINNABLE:
        return assist.rewind_to_winnable(
            game_id=game_id, player=player, version=version, client_move_id=client_move_id
        )
    change = Change(game_id, player, EntryType.REWIND, to, version, client_move_id)
    return make(change, lambda ledger: str(ledger.play.moves_before_lock())).view


def restart(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Back to the deal. Raises `NothingToUndo` when the game stands there."""
    return make(Change(game_id, player, EntryType.RESTART, "", version, client_move_id)).view


def pause(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    paused: bool,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Stops the clock of a casual game, or lets it run on. Raises `NotInRanked`."""
    asked = "on" if paused else "off"
    return make(Change(game_id, player, EntryType.PAUSE, asked, version, client_move_id)).view


def resign(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Gives up: the game is lost."""
    change = Change(game_id, player, EntryType.RESIGN, "", version, client_move_id)
    return assist.with_label(make(change).view)


def _leave_behind(*, player: AbstractBaseUser, rules: RuleSet, tier: Tier) -> None:
    running = Game.objects.select_related("deal").select_for_update(of=("self",))
    for game in running.filter(
        player_id=player.pk,
        rules_key=rules.key,
        tier=tier,
        kind=Kind.CASUAL,
        counted=True,
        status__in=RUNNING,
    ):
        append(game, game.ledger(), EntryType.CLOSE, Close.LEFT_BEHIND)


def _running_or_new(
    *, player: AbstractBaseUser, rules: RuleSet, number: int, tier: Tier | None = None
) -> tuple[View, bool]:
    """The running game of this deal, or a new one as practice; and whether it is new."""
    game = running_game(player=player, rules=rules, number=number)
    created = game is None
    if game is None:
        game = start(
            player=player,
            deal=numbered_deal(number),
            rules=rules,
            tier=tier,
            label_before=label_of_number(viewer=player, rules=rules, number=number),
        )
    return View(game, game.ledger(), timezone.now()), created


def _fresh_number(*, player: AbstractBaseUser, rules: RuleSet, tier: Tier) -> int | None:
    """A number of the tier in which this player has not moved and runs no game but the counted
    one, which is about to be left behind. None: there is none."""
    if tier is Tier.RANDOM:
        return _random_number(player=player, rules=rules)
    own = Game.objects.filter(player_id=player.pk, rules_key=rules.key, kind=Kind.CASUAL)
    left_behind = Q(counted=True, tier=tier)
    taken = own.filter(Q(moves__gt=0) | Q(status__in=RUNNING) & ~left_behind)
    return _one_of(rules, tier, without=taken)


def _any_number(*, player: AbstractBaseUser, rules: RuleSet, tier: Tier) -> int:
    """A number of the tier, if possible one of which no game runs."""
    own = Game.objects.filter(player_id=player.pk, rules_key=rules.key, kind=Kind.CASUAL)
    number = _one_of(rules, tier, without=own.filter(status__in=RUNNING))
    return number if number is not None else secrets.choice(_numbers(rules, tier))


def _one_of(rules: RuleSet, tier: Tier, *, without: QuerySet[Game]) -> int | None:
    """A random number of the tier that none of these games is of."""
    taken = set(
        without.filter(deal__number__lt=CATALOGUE.stop).values_list("deal__number", flat=True)
    )
    free = [number for number in _numbers(rules, tier) if number not in taken]
    return secrets.choice(free) if free else None


def _numbers(rules: RuleSet, tier: Tier) -> Sequence[int]:
    return catalogue.numbers(rules, catalogue.Tier(tier))


def _random_number(*, player: AbstractBaseUser, rules: RuleSet) -> int:
    """A number past the catalogue of which this player has no game under these rules, and whose
    deal does not lie there with a card locked: such a game would be lost before it began."""
    while True:
        number = secrets.choice(range(CATALOGUE.stop, LAST_NUMBER + 1))
        if lies_locked(numbered_deck(number), rules):
            continue
        if not Game.objects.filter(
            player_id=player.pk, rules_key=rules.key, deal__number=number
        ).exists():
            return number
