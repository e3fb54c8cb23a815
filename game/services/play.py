"""Playing: start a game, make a move, take it back, give up.

Every change takes the same way (`_change`): the game's row is locked, the entry is tried on what
the log adds up to so far, and entry and row are written together or not at all.
"""

import secrets
from collections.abc import Callable, Mapping
from enum import StrEnum
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.errors import GameNotFound, IdReused, NotInRanked, StaleVersion
from game.ledger import Entry, EntryType, Ledger
from game.models import RUNNING, Deal, Game, Kind, LogEntry, Tier
from game.rules.deals import CATALOGUE, LAST_NUMBER, numbered_deck
from game.rules.errors import GameOver, RuleError
from game.rules.moves import Move
from game.rules.notation import format_move, parse_move
from game.rules.playthrough import Playthrough
from game.rules.rulesets import RuleSet
from game.selectors import ledger_as_of, running_game
from game.view import View
from pyramid_site.prepared import Given, Insert, Select, Update

LEFT_BEHIND = "left_behind"  # why a game was closed

_OWN_GAME = Select(
    lambda: (
        Game.objects.select_related("deal")
        .select_for_update(of=("self",))
        .filter(
            pk=Given("id", Game._meta.pk), player_id=Given("player", Game._meta.get_field("player"))
        )
    )
)
_ADD_ENTRY = Insert(LogEntry)
_KEEP = Update(Game, Game.KEPT)


class Rewind(StrEnum):
    LOCK = "lock"  # to just before the move that locked a card


# How many moves of the line each of them keeps.
_KEPT_MOVES: Mapping[Rewind, Callable[[Ledger], int]] = {
    Rewind.LOCK: lambda ledger: ledger.play.moves_before_lock(),
}


def start_numbered(*, player: AbstractBaseUser, rules: RuleSet, number: int) -> tuple[View, bool]:
    """The player's running game of this deal, or a new one, as practice; and whether it is new.

    Raises `UnknownDeal`.
    """
    numbered_deck(number)
    with transaction.atomic():
        _one_start_at_a_time(player)
        game = running_game(player=player, rules=rules, number=number)
        created = game is None
        if game is None:
            game = start(player=player, deal=_numbered_deal(number), rules=rules)
    return View(game, game.ledger(), timezone.now()), created


def start_in_tier(*, player: AbstractBaseUser, rules: RuleSet, tier: Tier) -> View:
    """A new counted game of a deal in which the player has not moved yet.

    The counted game of the same rule set and tier that is still running is left behind: lost.
    """
    with transaction.atomic():
        _one_start_at_a_time(player)
        _leave_behind(player=player, rules=rules, tier=tier)
        deal = _numbered_deal(_fresh_number(player=player, rules=rules))
        game = start(player=player, deal=deal, rules=rules, tier=tier, counted=True)
    return View(game, game.ledger(), game.started_at)


def start(
    *,
    player: AbstractBaseUser,
    deal: Deal,
    rules: RuleSet,
    kind: Kind = Kind.CASUAL,
    tier: Tier | None = None,
    counted: bool = False,
) -> Game:
    """Deals. The caller has seen to it that this player may have this deal."""
    game = Game(
        player_id=player.pk,
        deal=deal,
        rules_key=rules.key,
        kind=kind,
        tier=tier or "",
        counted=counted,
    )
    game.keep(game.start_ledger())
    game.save(force_insert=True)
    return game


def move(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    move: Move,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Raises a `RuleError` leaf that says why not; then nothing has changed."""
    return _change(game_id, player, EntryType.MOVE, format_move(move), version, client_move_id)


def undo(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Takes back the last move. Raises `NothingToUndo`."""
    return _change(game_id, player, EntryType.UNDO, "", version, client_move_id)


def rewind(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    to: Rewind,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Takes back several moves at once. Raises `NothingToRewind`."""
    return _change(
        game_id, player, EntryType.REWIND, to, version, client_move_id, finding=_KEPT_MOVES[to]
    )


def restart(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Back to the deal. Raises `NothingToUndo` when the game stands there."""
    return _change(game_id, player, EntryType.RESTART, "", version, client_move_id)


def pause(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    paused: bool,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Stops the clock of a casual game, or lets it run on. Raises `NotInRanked`."""
    detail = "on" if paused else "off"
    return _change(game_id, player, EntryType.PAUSE, detail, version, client_move_id)


def resign(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Gives up: the game is lost."""
    return _change(game_id, player, EntryType.RESIGN, "", version, client_move_id)


def _change(
    game_id: UUID,
    player: AbstractBaseUser,
    type_: EntryType,
    asked: str,
    version: int | None,
    client_move_id: str | None,
    finding: Callable[[Ledger], int] | None = None,
) -> View:
    """Appends an entry: what was asked, and what the server found to that, where it must look.

    A repeated `client_move_id` is refused by the position, the version or the log's constraint,
    so it is only looked for then: the answer to a change that is made costs no query for it.
    """
    try:
        with transaction.atomic():
            game = _own_game(game_id, player)
            ledger = game.ledger()
            if ledger.status.is_over:
                raise GameOver(status=ledger.status)
            if version is not None and ledger.is_stale(version):
                raise StaleVersion(View(game, ledger, timezone.now()))
            if type_ is EntryType.PAUSE and game.is_ranked:
                raise NotInRanked()
            detail = asked if finding is None else f"{asked} {finding(ledger)}"
            return _append(game, ledger, type_, detail, client_move_id)
    except (RuleError, IntegrityError):
        made = _entry_made(game_id, player, client_move_id)
        if made is None:
            raise
        return _answer_again(made, type_, asked)


def _entry_made(
    game_id: UUID, player: AbstractBaseUser, client_move_id: str | None
) -> LogEntry | None:
    """The entry that a request with this id made before."""
    if client_move_id is None:
        return None
    made = LogEntry.objects.filter(
        game_id=game_id, game__player_id=player.pk, client_move_id=client_move_id
    )
    return made.select_related("game__deal").first()


def _append(
    game: Game, ledger: Ledger, type_: EntryType, detail: str, client_move_id: str | None = None
) -> View:
    entry = Entry(seq=ledger.version + 1, at=timezone.now(), type=type_, detail=detail)
    after = ledger.after(entry)
    _ADD_ENTRY(LogEntry.of(game, entry, client_move_id))
    game.keep(after)
    _KEEP(game)
    return View(game, after, entry.at)


def _answer_again(made: LogEntry, type_: EntryType, asked: str) -> View:
    """What the first request with this id was answered."""
    if made.type != type_ or not _same_question(type_, made.detail.split(" ")[0], asked):
        raise IdReused(str(made.client_move_id))
    return View(made.game, ledger_as_of(made.game, made.seq), made.at)


def _same_question(type_: EntryType, before: str, now: str) -> bool:
    """Whether both ask for the same; a pair may be named in either order."""
    if type_ is EntryType.MOVE:
        first, second = parse_move(before), parse_move(now)
        return first.action is second.action and set(first.cards) == set(second.cards)
    return before == now


def _own_game(game_id: UUID, player: AbstractBaseUser) -> Game:
    """The player's game, locked until the transaction ends. Raises `GameNotFound`."""
    game = _OWN_GAME.first(id=game_id, player=player.pk)
    if game is None:
        raise GameNotFound()
    return game


def _one_start_at_a_time(player: AbstractBaseUser) -> None:
    """Starts of one player wait for each other until the transaction ends."""
    get_user_model().objects.select_for_update().filter(pk=player.pk).first()


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
        _append(game, game.ledger(), EntryType.CLOSE, LEFT_BEHIND)


def _numbered_deal(number: int) -> Deal:
    return Deal.objects.get_or_create(number=number)[0]


def _fresh_number(*, player: AbstractBaseUser, rules: RuleSet) -> int:
    """A number past the catalogue of which this player has no game under these rules, and whose
    deal does not lie there with a card locked: such a game would be lost before it began."""
    while True:
        number = secrets.choice(range(CATALOGUE.stop, LAST_NUMBER + 1))
        if Playthrough.start(numbered_deck(number), rules).locks():
            continue
        if not Game.objects.filter(
            player_id=player.pk, rules_key=rules.key, deal__number=number
        ).exists():
            return number
