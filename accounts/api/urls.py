from django.urls import path

from accounts.api import views

urlpatterns = [
    path("guests/", views.GuestsView.as_view(), name="guests"),
    path("accounts/", views.AccountsView.as_view(), name="accounts"),
    path("tokens/", views.TokensView.as_view(), name="tokens"),
    path("tokens/current/", views.CurrentTokenView.as_view(), name="current-token"),
]
