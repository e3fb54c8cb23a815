"""What counted games leave behind in their players' records.

A record is written in the transaction that ends a game. A game ends once, since its row is locked
and its log takes one entry of each number: so it is counted once. Of races: `race_records`.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet

from accounts.models import Record, User
from accounts.services import race_records
from accounts.tally import Finished, Tally, difference
from game.events import game_finished
from game.ledger import Ledger, Status
from game.models import Game, Kind
from game.selectors import log_of, solved_deal

Key = tuple[str, str]  # a rule set's and a tier


def enter_the_end(*, game: Game, ledger: Ledger, **_: Any) -> dict[str, Any] | None:
    """Receives `game_finished`: what the player is told of the record before and after."""
    if not (_is_counted(game) and ledger.play.moves):
        return None
    record = _locked(game.player_id, (game.rules_key, game.tier))
    before = record.tally
    after = before.after(_finished(game, ledger))
    record.keep(after)
    record.save()
    return {
        "played": after.played,
        "won_games": after.won,
        "win_rate_before": before.win_rate,
        "win_rate": after.win_rate,
        "streak_before": before.current_streak,
        "streak_after": after.current_streak,
        "best_streak": after.best_streak,
    }


def listen() -> None:
    game_finished.connect(enter_the_end, dispatch_uid="accounts.records")
    race_records.listen()


def rebuild(player: User, *, write: bool = True) -> list[str]:
    """Makes the player's records anew, from the logs and the seats of races: what was different, in
    words. Nothing of one who has been deleted meanwhile.

    Logs are replayed before anything is locked, since that takes long; those of games that end
    meanwhile, afterwards. All rows are locked before the games are read for good: a game that ends
    then adds itself before or after, never in between.
    """
    replayed: dict[UUID, Finished] = {}
    _tallies(player, replayed)
    with transaction.atomic():
        # Who leaves, waits: a record that names nobody would be refused.
        if not User.objects.select_for_update(no_key=True).filter(pk=player.pk):
            return []
        differing = _write_anew(player, replayed) + race_records.write_anew(player)
        if not write:
            transaction.set_rollback(True)
    return differing


def _write_anew(player: User, replayed: dict[UUID, Finished]) -> list[str]:
    keys = {*map(_key, Record.objects.filter(player=player)), *map(_key, _counted(player))}
    rows = {key: _locked(player.pk, key) for key in sorted(keys)}
    tallies = _tallies(player, replayed)
    differing = []
    for key, row in rows.items():
        kept, log = row.tally, tallies.get(key, Tally())
        if kept != log:
            found = difference(kept, log, "the logs say")
            differing.append(f"{player}, {' '.join(key)}: {found}")
        row.keep(log)
        if log.played:
            row.save()
        else:
            row.delete()
    return differing


def _is_counted(game: Game) -> bool:
    return game.kind == Kind.CASUAL and game.counted


def _finished(game: Game, ledger: Ledger) -> Finished:
    solved = solved_deal(number=game.deal.number, rules=game.rules)
    return Finished(
        won=ledger.status is Status.WON,
        elapsed_ms=ledger.clock.elapsed_ms,
        moves=ledger.play.moves,
        par=None if solved is None else solved.par,
    )


def _locked(player_id: int, key: Key) -> Record:
    """The record, new if there was none, locked until the transaction ends."""
    rules, tier = key
    return Record.objects.select_for_update().get_or_create(
        player_id=player_id, rules_key=rules, tier=tier
    )[0]


def _key(row: Record | Game) -> Key:
    return row.rules_key, row.tier


def _counted(player: User) -> QuerySet[Game]:
    return Game.objects.select_related("deal").filter(player=player, kind=Kind.CASUAL, counted=True)


def _tallies(player: User, replayed: dict[UUID, Finished]) -> dict[Key, Tally]:
    """What the logs of the player's counted games add up to, in the order of their ends. Those that
    have ended join the `replayed`, which are not read again: their logs have ended, too."""
    tallies: dict[Key, Tally] = {}
    last_entry = Max("entries__id")
    for game in _counted(player).annotate(last_entry=last_entry).order_by("last_entry").iterator():
        if game.pk not in replayed:
            ledger = game.start_ledger().replay(log_of(game))
            if not (ledger.status.is_over and ledger.play.moves):
                continue
            replayed[game.pk] = _finished(game, ledger)
        tallies[_key(game)] = tallies.get(_key(game), Tally()).after(replayed[game.pk])
    return tallies
