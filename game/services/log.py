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
from pyramid_site.prepared import Insert, Update, UpdateAndInsert, write

_ADD_ENTRY = Insert(LogEntry)
_KEEP = Update(Game, Game.KEPT)
_KEEP_AND_ADD = UpdateAndInsert(_KEEP, ("player", "version", "last_entry_at"), _ADD_ENTRY)


@dataclass(frozen=True, slots=True)
class Made:
    """An entry of the log, and the game as it was with it."""

    entry: Entry
    view: View


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that the rules allow, and what the log comes to with it; nothing is written yet."""

    game: Game
    before: Ledger
    entry: Entry
    after: Ledger
    client_move_id: str | None


def draw_up(
    game: Game,
    ledger: Ledger,
    type_: EntryType,
    detail: str,
    *,
    at: datetime | None = None,
    client_move_id: str | None = None,
) -> Draft:
    """`at`: when it happens, now if not given. Raises a `RuleError` when the rules refuse it."""
    entry = Entry(seq=ledger.version + 1, at=at or timezone.now(), type=type_, detail=detail)
    return Draft(game, ledger, entry, ledger.after(entry), client_move_id)


def enter(draft: Draft) -> Made:
    """Writes it. The caller holds the game's row."""
    game, after = draft.game, draft.after
    game.keep(after)
    write(_KEEP.of(game), _ADD_ENTRY.of(LogEntry.of(game, draft.entry, draft.client_move_id)))
    tell_of_change(game)
    if after.status.is_over:
        game.aftermath = announce_end(game, after)
        if game.aftermath:
            game.save(update_fields=["aftermath"])
    return Made(draft.entry, View(game, after, draft.entry.at))


def enter_unheld(draft: Draft) -> Made | None:
    """Writes it as a transaction of its own; None where it does not follow the log's last entry any
    more, or the game is another player's by now.

    The last entry is known by its time, too: a database that was set back may have another one with
    this number. Not for an end, from which more follows than an entry.
    """
    game, before, after = draft.game, draft.before, draft.after
    game.keep(after)
    entry = LogEntry.of(game, draft.entry, draft.client_move_id)
    if not _KEEP_AND_ADD.done(game, entry, game.player_id, before.version, before.last_at):
        return None
    tell_of_change(game)
    return Made(draft.entry, View(game, after, draft.entry.at))


def append(
    game: Game, ledger: Ledger, type_: EntryType, detail: str, *, at: datetime | None = None
) -> Made:
    """As `draw_up`, and writes it. The caller holds the game's row."""
    return enter(draw_up(game, ledger, type_, detail, at=at))


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
    closes_at: datetime | None = None,
) -> Game:
    """Deals. `label_before`: what the player has been told of the deal before; `at`: when the
    game starts, now if not given; `closes_at`: a daily's.
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
        closes_at=closes_at,
    )
    game.keep(game.start_ledger())
    game.save(force_insert=True)
    return game
