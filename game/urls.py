"""The pages; the API's addresses stand in game.api.urls."""

from django.urls import path

from game import pages

urlpatterns = [
    path("", pages.table, name="home"),
    path("play/<str:rules>/<number:number>", pages.table, name="play"),
    path("race/", pages.new_race, name="new_race"),
    path("race/<str:code>", pages.race, name="race_page"),
]
