"""A game's log: begun with a deal, and added to. The caller has seen to it that this may be."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from game.answers import Label
from game.events import announce_end, tell_of_change
from game.ledger import Entry, EntryType, Ledger
from game.models import Deal, Game, Kind, LogEntry, Tier
from game.rules.rulesets import RuleSet
from game.view import View
from pyramid_site.prepared import Insert, Update, write

_ADD_ENTRY = Insert(LogEntry)
_KEEP = Update(Game, Game.KEPT)


@dataclass(frozen=True, slots=True)
class Made:
    """An entry of the log, and the game as it was with it."""

    entry: Entry
    view: View


def append(
    game: Game, ledger: Ledger, type_: EntryType, detail: str, client_move_id: str | None = None
) -> Made:
    """The caller holds the row's lock. Raises a `RuleError` when the rules refuse the entry."""
    entry = Entry(seq=ledger.version + 1, at=timezone.now(), type=type_, detail=detail)
    after = ledger.after(entry)
    game.keep(after)
    write(_ADD_ENTRY.of(LogEntry.of(game, entry, client_move_id)), _KEEP.of(game))
    tell_of_change(game)
    if after.status.is_over:
        game.aftermath = announce_end(game, after)
        if game.aftermath:
            game.save(update_fields=["aftermath"])
    return Made(entry, View(game, after, entry.at))


def start(
    *,
    player: AbstractBaseUser,
    deal: Deal,
    rules: RuleSet,
    kind: Kind = Kind.CASUAL,
    tier: Tier | None = None,
    counted: bool = False,
    label_before: Label | None = None,
    at: datetime | None = None,
) -> Game:
    """Deals. `label_before`: what the player has been told of the deal before; `at`: when the
    game starts, now if not given.
    """
    game = Game(
        player_id=player.pk,
        deal=deal,
        rules_key=rules.key,
        kind=kind,
        tier=tier or "",
        counted=counted,
        label_before=label_before or "",
        started_at=at or timezone.now(),
    )
    game.keep(game.start_ledger())
    game.save(force_insert=True)
    return game
