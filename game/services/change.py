"""The one way of every change: into the log with its answer, or not at all.

The entry is tried on what the log adds up to so far, and entry and row are written together, if the
log has not gone on meanwhile. Where it has, where a game ends and in a race the row is held.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.errors import DailyClosed, GameNotFound, IdReused, NotInRanked, StaleVersion
from game.ledger import EntryType, Ledger
from game.models import Game, Kind, LogEntry
from game.rules.errors import GameOver, RuleError
from game.rules.notation import parse_move
from game.selectors import RaceOf, ledger_as_of, race_of
from game.services import race_change
from game.services.log import Draft, Made, draw_up, enter, enter_unheld
from game.services.recent import recall, remember
from game.view import View
from pyramid_site.prepared import Given, Select, stands_alone

_OWN_GAME = Select(
    lambda: Game.objects.select_related("deal").filter(
        pk=Given("id", Game._meta.pk), player_id=Given("player", Game._meta.get_field("player"))
    )
)
_OWN_GAME_HELD = Select(lambda: _OWN_GAME.queryset().select_for_update(of=("self",)))

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


Find = Callable[[Ledger], str]


def make(change: Change, find: Find | None = None) -> Made:
    """Appends the entry: what was asked and, where the server must look, what it `find`s to that.

    Raises the `RuleError` leaf that says why not. A repeated `client_move_id` is refused by the
    position, the version or the log's constraint, so it is only looked for then: the answer to a
    change that is made costs no query for it.
    """
    try:
        race = race_of(change.game_id)
        made = _made_at_once(change, find) if race is None and stands_alone() else None
        return made or _made_holding(change, find, race)
    except (RuleError, IntegrityError):
        again = made_before(change)
        if again is None:
            raise
        return again


def _made_at_once(change: Change, find: Find | None) -> Made | None:
    """In one to three ways to the database and back; None where the row has to be held."""
    recent = recall(change.game_id) if find is None else None
    if recent is not None and recent[0].player_id == change.player.pk:
        with suppress(RuleError):  # comes again below, unless what is recent here is old elsewhere
            draft = _drafted(change, *recent)
            made = _entered(draft)
            if made is not None or draft.after.status.is_over:
                return made
    game = _own_game(_OWN_GAME, change)
    return _entered(_drafted(change, game, game.ledger(), find))


def _entered(draft: Draft) -> Made | None:
    made = None if draft.after.status.is_over else enter_unheld(draft)
    if made is not None:
        remember(draft.game, draft.after)
    return made


@transaction.atomic
def _made_holding(change: Change, find: Find | None, race: RaceOf | None) -> Made:
    held = None if race is None else race_change.hold(race.id)  # before any of its games
    game = _own_game(_OWN_GAME_HELD, change)
    made = enter(_drafted(change, game, game.ledger(), find, held))
    if held is not None:
        race_change.follow(held, made)
    return made


def _drafted(
    change: Change,
    game: Game,
    ledger: Ledger,
    find: Find | None = None,
    held: race_change.Held | None = None,
) -> Draft:
    now = timezone.now()
    refuse(change, game, ledger, now)
    if held is not None:
        held.refuse_late(now)
    found = "" if find is None else find(ledger)
    detail = f"{change.asked} {found}" if change.asked and found else change.asked or found
    return draw_up(game, ledger, change.type, detail, at=now, client_move_id=change.client_move_id)


def refuse(change: Change, game: Game, ledger: Ledger, now: datetime) -> None:
    """Raises what stands against a change before the rules are asked."""
    if ledger.status.is_over:
        raise GameOver(status=ledger.status)
    if game.is_closed(now):
        raise DailyClosed()
    if change.version is not None and ledger.is_stale(change.version):
        raise StaleVersion(View(game, ledger, now))
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


def _own_game(games: Select[Game], change: Change) -> Game:
    """The player's game. Raises `GameNotFound`."""
    game = games.first(id=change.game_id, player=change.player.pk)
    if game is None:
        raise GameNotFound()
    return game
