"""The pages of the daily deal; the API's addresses stand in leaderboards.api.urls."""

from django.urls import path

from leaderboards import pages

urlpatterns = [
    path("daily/", pages.day, name="daily"),
    path("daily/<slug:rules>/", pages.day, name="daily_today"),
    path("daily/<slug:rules>/<date:date>/", pages.day, name="daily_day"),
    path("daily/<slug:rules>/<date:date>/<totals:span>/", pages.totals, name="daily_totals"),
    path("daily/<slug:rules>/<date:date>/play", pages.play, name="play_daily"),
]
