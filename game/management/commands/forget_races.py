"""`manage.py forget_races`: remove what nobody needs any more of races that are over."""

from typing import Any

from django.core.management.base import BaseCommand

from game.services.races import forget_old


class Command(BaseCommand):
    help = (
        "Removes the events of races that were over a day ago and races that everybody left before "
        "the start, with their secret deals. Seats, games and logs stay. A server does it by "
        "itself every hour."
    )

    def handle(self, *, verbosity: int, **options: Any) -> None:
        rows = forget_old()
        if verbosity:
            self.stdout.write(self.style.SUCCESS(f"{rows} rows removed"))
