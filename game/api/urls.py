from django.urls import path

from game.api import races, views

urlpatterns = [
    path("rules/", views.RulesView.as_view(), name="rules"),
    path("deals/<number:number>/", views.DealView.as_view(), name="deal"),
    path("games/", views.GamesView.as_view(), name="games"),
    path("games/<uuid:game_id>/", views.GameView.as_view(), name="game"),
    path("games/<uuid:game_id>/log/", views.LogView.as_view(), name="log"),
    path("games/<uuid:game_id>/analysis/", views.AnalysisView.as_view(), name="analysis"),
    path("games/<uuid:game_id>/moves/", views.MovesView.as_view(), name="moves"),
    path("games/<uuid:game_id>/undos/", views.UndosView.as_view(), name="undos"),
    path("games/<uuid:game_id>/rewinds/", views.RewindsView.as_view(), name="rewinds"),
    path("games/<uuid:game_id>/restarts/", views.RestartsView.as_view(), name="restarts"),
    path("games/<uuid:game_id>/pauses/", views.PausesView.as_view(), name="pauses"),
    path("games/<uuid:game_id>/hints/", views.HintsView.as_view(), name="hints"),
    path("games/<uuid:game_id>/checks/", views.ChecksView.as_view(), name="checks"),
    path(
        "games/<uuid:game_id>/resignations/", views.ResignationsView.as_view(), name="resignations"
    ),
    path("races/", races.RacesView.as_view(), name="races"),
    path("races/<slug:code>/", races.RaceView.as_view(), name="race"),
    path("races/<slug:code>/seats/", races.SeatsView.as_view(), name="seats"),
    path("races/<slug:code>/seats/me/", races.OwnSeatView.as_view(), name="own-seat"),
    path("races/<slug:code>/starts/", races.StartsView.as_view(), name="starts"),
    path("races/<slug:code>/rematches/", races.RematchesView.as_view(), name="rematches"),
]
