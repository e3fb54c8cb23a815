"""`manage.py rebuild_boards`: make boards anew from the results."""

import sys
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from leaderboards.models import Standing
from leaderboards.services.rebuilding import boards_of, rebuild


class Command(BaseCommand):
    help = (
        "Adds up the results of every board, writes what they come to where a standing or a count "
        "says something else, and has the copies in Redis filled anew. Safe to run while people "
        "play."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "date",
            nargs="?",
            type=date.fromisoformat,
            help="such as 2026-12-01: the boards of the day, its week and its month; all if none",
        )
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if a board differs"
        )

    def handle(self, *, date: date | None, check: bool, **options: Any) -> None:
        boards = boards_of(date)
        differences = 0
        with tqdm(
            total=Standing.objects.filter(board__in=boards).count(),
            unit="standing",
            disable=not sys.stderr.isatty(),
        ) as bar:
            for board in boards:
                for checked in rebuild(board, write=not check):
                    for text in checked.found:
                        self.stdout.write(text)
                    differences += len(checked.found)
                    bar.update(checked.players)
        summary = f"{len(boards)} boards checked, {differences} differences"
        if differences and check:
            raise CommandError(summary)
        mended = " (rebuilt)" if differences else ""
        self.stdout.write(self.style.SUCCESS(summary + mended))
