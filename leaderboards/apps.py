from django.apps import AppConfig
from django.urls import register_converter

from leaderboards.converters import DateConverter


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"

    def ready(self) -> None:
        register_converter(DateConverter, "date")
