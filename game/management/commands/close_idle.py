"""`manage.py close_idle`: end counted games that nobody went on with for a week."""

import sys
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from game.services.idle import IDLE_AFTER, close_idle, idle_games


class Command(BaseCommand):
    help = (
        f"Ends counted games without an entry for {IDLE_AFTER.days} days: they are lost. Safe to "
        "run at any time and twice at once; a server does it by itself every hour."
    )

    def handle(self, *, verbosity: int, **options: Any) -> None:
        count = idle_games().count()
        hidden = verbosity == 0 or not sys.stderr.isatty()
        closed = sum(tqdm(close_idle(), total=count, unit="game", disable=hidden))
        if verbosity:
            self.stdout.write(self.style.SUCCESS(f"{closed} idle games closed"))
