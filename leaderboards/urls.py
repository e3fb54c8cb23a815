"""The pages; the API's addresses stand in leaderboards.api.urls."""

from django.urls import path

from leaderboards import pages

urlpatterns = [
    path("daily/<str:rules>/<date:date>/play", pages.play, name="play_daily"),
]
