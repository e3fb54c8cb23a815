from django.urls import path

from accounts.api import profile, views

urlpatterns = [
    path("guests/", views.GuestsView.as_view(), name="guests"),
    path("me/", profile.MeView.as_view(), name="me"),
    path("me/records/", profile.MyRecordsView.as_view(), name="my-records"),
    path("me/export/", profile.ExportView.as_view(), name="my-export"),
    path("players/<str:name>/", profile.PlayerView.as_view(), name="public-player"),
]
