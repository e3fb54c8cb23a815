"""The one way of every change: into the log with its answer, or not at all.

The game's row is locked, the entry is tried on what the log adds up to so far, and entry and row
are written together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.errors import GameNotFound, IdReused, NotInRanked, StaleVersion
from game.ledger import EntryType, Ledger
from game.models import Game, Kind, LogEntry
from game.rules.errors import GameOver, RuleError
from game.rules.notation import parse_move
from game.selectors import ledger_as_of, race_of
from game.services import race_change
from game.services.log import Made, append
from game.view import View
from pyramid_site.prepared import Given, Select

_OWN_GAME = Select(
    lambda: (
        Game.objects.select_related("deal")
        .select_for_update(of=("self",))
        .filter(
            pk=Given("id", Game._meta.pk), player_id=Given("player", Game._meta.get_field("player"))
        )
    )
)

# Where each change is not made: those that are not named are made in every game.
_REFUSED_IN = {
    EntryType.PAUSE: (Kind.DAILY, Kind.RACE),
    EntryType.HINT: (Kind.RACE,),
    EntryType.CHECK: (Kind.DAILY, Kind.RACE),
}


@dataclass(frozen=True, slots=True)
class Change:
    """What a player asks for. `asked` is what the request says, in the words of the log."""

    game_id: UUID
    player: AbstractBaseUser
    type: EntryType
    asked: str = ""
    version: int | None = None  # the one that it is made against
    client_move_id: str | None = None

    def is_asked_again_of(self, made: LogEntry) -> bool:
        """Whether the entry is the answer to the same; a pair may be named in either order."""
        if made.type != self.type:
            return False
        if self.type is EntryType.MOVE:
            first, second = parse_move(made.detail), parse_move(self.asked)
            return first.action is second.action and set(first.cards) == set(second.cards)
        return made.detail.split(" ")[0] == self.asked or self.type in _FOUND_ALONE


_FOUND_ALONE = (EntryType.HINT, EntryType.CHECK)  # nothing was asked but for what was found


def make(change: Change, find: Callable[[Ledger], str] | None = None) -> Made:
    """Appends the entry: what was asked and, where the server must look, what it `find`s to that.

    Raises the `RuleError` leaf that says why not. A repeated `client_move_id` is refused by the
    position, the version or the log's constraint, so it is only looked for then: the answer to a
    change that is made costs no query for it.
    """
    try:
        race = race_of(change.game_id)
        with transaction.atomic():
            held = None if race is None else race_change.hold(race.id)  # before any of its games
            game = _own_game(change)
            ledger = game.ledger()
            refuse(change, game, ledger)
            if held is not None:
                held.refuse_late(timezone.now())
            found = "" if find is None else find(ledger)
            detail = f"{change.asked} {found}" if change.asked and found else change.asked or found
            made = append(game, ledger, change.type, detail, change.client_move_id)
            if held is not None:
                race_change.follow(held, made)
            return made
    except (RuleError, IntegrityError):
        again = made_before(change)
        if again is None:
            raise
        return again


def refuse(change: Change, game: Game, ledger: Ledger) -> None:
    """Raises what stands against a change before the rules are asked."""
    if ledger.status.is_over:
        raise GameOver(status=ledger.status)
    if change.version is not None and ledger.is_stale(change.version):
        raise StaleVersion(View(game, ledger, timezone.now()))
    if game.kind in _REFUSED_IN.get(change.type, ()):
        raise NotInRanked()


def made_before(change: Change) -> Made | None:
    """What the first request with this `client_move_id` was answered, None if there was none.

    Raises `IdReused` where that asked for something else.
    """
    if change.client_move_id is None:
        return None
    entries = LogEntry.objects.filter(
        game_id=change.game_id,
        game__player_id=change.player.pk,
        client_move_id=change.client_move_id,
    )
    made = entries.select_related("game__deal").first()
    if made is None:
        return None
    if not change.is_asked_again_of(made):
        raise IdReused(change.client_move_id)
    return Made(made.entry, View(made.game, ledger_as_of(made.game, made.seq), made.at))


def _own_game(change: Change) -> Game:
    """The player's game, locked until the transaction ends. Raises `GameNotFound`."""
    game = _OWN_GAME.first(id=change.game_id, player=change.player.pk)
    if game is None:
        raise GameNotFound()
    return game
