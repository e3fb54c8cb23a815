from django.urls import path

from leaderboards.api import views

urlpatterns = [
    path("daily/<slug:rules>/", views.TodayView.as_view(), name="today"),
    path("daily/<slug:rules>/<date:date>/", views.DayView.as_view(), name="day"),
]
