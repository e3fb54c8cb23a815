from django.apps import AppConfig
from django.urls import register_converter

from leaderboards.converters import DateConverter, TotalsConverter


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"

    def ready(self) -> None:
        from leaderboards import keeping
        from leaderboards.services import results

        register_converter(DateConverter, "date")
        register_converter(TotalsConverter, "totals")
        results.listen()
        keeping.keep()
