"""The pages; the API's addresses stand in game.api.urls."""

from django.urls import path

from game import pages

urlpatterns = [
    path("", pages.table, name="home"),
    path("play/<str:rules>/<number:number>", pages.table, name="play"),
]
