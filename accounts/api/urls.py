from django.urls import path

from accounts.api import views

urlpatterns = [path("guests/", views.GuestsView.as_view(), name="guests")]
