"""`manage.py verify_logs`: replay every game and hold what comes of it against its row."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from game.ledger import Ledger
from game.models import Game
from game.rules.errors import RuleError

BATCH = 500  # games read at once


class Command(BaseCommand):
    help = (
        "Replays the log of every game and reports where its row says something else. "
        "The log is the truth; the row is kept so that a move need not read the log."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "games", nargs="*", type=UUID, metavar="GAME", help="ids; all games if none"
        )
        parser.add_argument(
            "--rebuild", action="store_true", help="write what the log says into the differing rows"
        )

    def handle(self, *, games: list[UUID], rebuild: bool, **options: Any) -> None:
        asked = Game.objects.filter(pk__in=games) if games else Game.objects.all()
        if asked.count() < len(set(games)):
            known = set(asked.values_list("pk", flat=True))
            missing = ", ".join(str(game) for game in games if game not in known)
            raise CommandError(f"no such game: {missing}")
        ids = asked.order_by("pk").values_list("pk", flat=True).iterator(BATCH)
        checked = differing = unreadable = 0
        for game_id in tqdm(ids, total=asked.count(), unit="game", disable=not _is_terminal()):
            with transaction.atomic():
                game = (
                    Game.objects.select_related("deal")
                    .select_for_update(of=("self",))
                    .filter(pk=game_id)
                    .first()
                )
                if game is None:  # deleted meanwhile
                    continue
                checked += 1
                try:
                    ledger = _replayed(game)
                except (RuleError, ValueError, KeyError) as error:
                    unreadable += 1
                    self.stdout.write(f"{game_id}: the log cannot be replayed: {error}")
                    continue
                found = list(_differences(game, ledger))
                if found:
                    differing += 1
                    for name, row, log in found:
                        self.stdout.write(f"{game_id}: {name} is {row!r}, the log says {log!r}")
                if found and rebuild:
                    game.keep(ledger)
                    game.save(update_fields=Game.KEPT)
        self._report(checked, differing, unreadable, rebuild)

    def _report(self, checked: int, differing: int, unreadable: int, rebuild: bool) -> None:
        mended = " (rebuilt; restart the servers)" if rebuild and differing else ""
        summary = (
            f"{checked} games checked, {differing} differ from their logs{mended}, "
            f"{unreadable} logs cannot be replayed"
        )
        if unreadable or (differing and not rebuild):
            raise CommandError(summary)
        self.stdout.write(self.style.SUCCESS(summary))


def _replayed(game: Game) -> Ledger:
    """Raises `RuleError` or `ValueError` for a log with a gap or with what the rules forbid."""
    entries = game.entries.order_by("seq").iterator(BATCH)
    return game.start_ledger().replay(entry.entry for entry in entries)


def _differences(game: Game, ledger: Ledger) -> Iterator[tuple[str, object, object]]:
    """Column, what the row says, what the log says."""
    kept = Game(pk=game.pk, deal=game.deal, rules_key=game.rules_key, kind=game.kind)
    kept.keep(ledger)
    for name in Game.KEPT:
        row, log = getattr(game, name), getattr(kept, name)
        if row != log:
            yield name, row, log


def _is_terminal() -> bool:
    return sys.stderr.isatty()
