from django.apps import AppConfig
from django.urls import register_converter

from game.converters import NumberConverter


class GameConfig(AppConfig):
    name = "game"

    def ready(self) -> None:
        register_converter(NumberConverter, "number")
