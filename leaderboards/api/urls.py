from django.urls import path

from leaderboards.api import views

urlpatterns = [
    path("daily/<slug:rules>/", views.TodayView.as_view(), name="today"),
    path("daily/<slug:rules>/games/", views.TodaysGameView.as_view(), name="todays_game"),
    path("daily/<slug:rules>/<date:date>/", views.DayView.as_view(), name="day"),
    path("daily/<slug:rules>/<date:date>/games/", views.ArchiveView.as_view(), name="archive"),
    path("daily/<slug:rules>/<date:date>/board/", views.BoardView.as_view(), name="day_board"),
    path(
        "daily/<slug:rules>/<date:date>/board/<totals:span>/",
        views.TotalsView.as_view(),
        name="totals_board",
    ),
]
