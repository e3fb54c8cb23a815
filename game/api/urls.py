from django.urls import path

from game.api import views

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
]
