from django.urls import path

from accounts.api import entrance, profile

urlpatterns = [
    path("guests/", entrance.GuestsView.as_view(), name="guests"),
    path("accounts/", entrance.AccountsView.as_view(), name="accounts"),
    path("tokens/", entrance.TokensView.as_view(), name="tokens"),
    path("tokens/current/", entrance.CurrentTokenView.as_view(), name="current-token"),
    path("me/", profile.MeView.as_view(), name="me"),
    path("me/records/", profile.MyRecordsView.as_view(), name="my-records"),
    path("me/export/", profile.ExportView.as_view(), name="my-export"),
    path("players/<str:name>/", profile.PlayerView.as_view(), name="public-player"),
]
