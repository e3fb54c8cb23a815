"""The pages of players; allauth's own are below /accounts/."""

from django.urls import path

from accounts import pages

urlpatterns = [
    path("players/<str:name>", pages.player, name="player"),
    path("profile", pages.profile, name="profile"),
    path("history", pages.history, name="history"),
    path("settings", pages.settings, name="settings"),
    path("settings/export", pages.export, name="export"),
    path("settings/sessions/<int:pk>/end", pages.end_session, name="end_session"),
    path("settings/delete", pages.delete, name="delete"),
]
