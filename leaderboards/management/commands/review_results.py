"""`manage.py review_results`: look at results faster than a hand plays, and judge them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboards.models import DailyResult
from leaderboards.services.results import judge


class Command(BaseCommand):
    help = (
        "Lists the results that are marked suspect and stand on the boards. --withdraw takes "
        "results off all boards for good, --clear removes their mark."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--withdraw", nargs="+", type=int, default=[], metavar="ID")
        parser.add_argument("--clear", nargs="+", type=int, default=[], metavar="ID")

    def handle(self, *, withdraw: list[int], clear: list[int], **options: Any) -> None:
        asked = {*withdraw, *clear}
        if both := sorted({*withdraw} & {*clear}):
            raise CommandError(f"either withdraw or clear: {_listed(both)}")
        known = dict(DailyResult.objects.filter(pk__in=asked).values_list("pk", "withdrawn"))
        if unknown := sorted(asked - set(known)):
            raise CommandError(f"no such results: {_listed(unknown)}")
        if gone := sorted(pk for pk in clear if known[pk]):
            raise CommandError(f"withdrawn for good: {_listed(gone)}")
        for result_id in sorted(asked):
            withdrawn = result_id in withdraw
            judge(result_id, withdrawn=withdrawn)
            self.stdout.write(f"{result_id} {'withdrawn' if withdrawn else 'cleared'}")
        if not asked:
            self._list()

    def _list(self) -> None:
        suspect = DailyResult.objects.filter(suspect=True, withdrawn=False)
        suspect = suspect.select_related("daily", "player").order_by("pk")
        for result in suspect:
            self.stdout.write(
                f"{result.pk}  {result.daily.date} {result.daily.rules_key}"
                f"  {result.player.get_username()}  {result.elapsed_ms / 1000:.1f} s"
                f"  {result.moves} moves  game {result.game_id}"
            )
        self.stdout.write(self.style.SUCCESS(f"{len(suspect)} results to review"))


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids))
