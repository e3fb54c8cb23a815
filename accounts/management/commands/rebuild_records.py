"""`manage.py rebuild_records`: make records anew from the logs of games and the seats of races."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from tqdm import tqdm

from accounts.models import RaceRecord, Record, User
from accounts.selectors import player_named
from accounts.services.records import rebuild
from game.models import Game, Seat


class Command(BaseCommand):
    help = (
        "Replays the counted games of every player, looks at their rated races, and writes what "
        "they add up to where a record says something else. Safe to run while people play."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("players", nargs="*", metavar="NAME", help="names; everybody if none")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if a record differs"
        )

    def handle(self, *, players: list[str], check: bool, **options: Any) -> None:
        asked = [self._named(name) for name in players] if players else None
        checked, differing = 0, 0
        for player in tqdm(
            asked or _with_games().iterator(),
            total=len(asked) if asked else _with_games().count(),
            unit="player",
            disable=not sys.stderr.isatty(),
        ):
            found = rebuild(player, write=not check)
            for text in found:
                self.stdout.write(text)
            checked += 1
            differing += len(found)
        summary = f"{checked} players checked, {differing} records differ"
        if differing and check:
            raise CommandError(summary)
        mended = " (rebuilt)" if differing else ""
        self.stdout.write(self.style.SUCCESS(summary + mended))

    def _named(self, name: str) -> User:
        player = player_named(name)
        if player is None:
            raise CommandError(f"no such player: {name}")
        return player


def _with_games() -> Any:
    """Players with a counted game, a seat that counts, or a record."""
    return User.objects.filter(
        Q(pk__in=Game.objects.filter(counted=True).values("player"))
        | Q(pk__in=Seat.objects.filter(counted=True).values("player"))
        | Q(pk__in=Record.objects.values("player"))
        | Q(pk__in=RaceRecord.objects.values("player"))
    ).order_by("pk")
