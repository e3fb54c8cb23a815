"""The game calls. A view takes the shape, calls one service or selector, and presents."""

from collections.abc import Callable
from typing import Any, ClassVar, cast
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.fields import DateTimeField
from rest_framework.pagination import CursorPagination
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from game import presentation, selectors, wording
from game.api import serializers as shapes
from game.errors import StaleVersion
from game.ledger import Rewind
from game.models import Tier
from game.rules.deals import numbered_deck
from game.rules.rulesets import DEFAULT, RULE_SETS, rule_set
from game.services import assist, play
from game.services.analysis import STEPS, analyse
from game.view import View
from pyramid_site.schema import problems
from pyramid_site.throttling import caller, hold_to_limit

LOG_PAGE = 1000  # entries

CHANGE_PROBLEMS = problems(404, 409, 422, body=True)


class GamePages(CursorPagination):
    ordering = ("-started_at", "-id")
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100

    def decode_cursor(self, request: Request) -> Any:
        """Raises `NotFound` for whatever is no cursor, also one that names no moment."""
        cursor = super().decode_cursor(request)
        if cursor is None or cursor.position is None:
            return cursor
        try:
            started_at = DateTimeField().to_internal_value(str(cursor.position))
        except ValidationError as error:
            raise NotFound() from error
        return cursor._replace(position=str(started_at))  # type: ignore[arg-type]  # it is text


class RulesView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="list_rules",
        tags=["rules and deals"],
        responses={200: shapes.RuleSetsSerializer, **problems()},
        description="All rule sets as records.",
    )
    def get(self, request: Request) -> Response:
        return Response(
            {
                "results": [
                    presentation.rule_set(
                        rules,
                        name=str(wording.RULE_SETS[rules.key].name),
                        summary=str(wording.RULE_SETS[rules.key].summary),
                    )
                    for rules in RULE_SETS.values()
                ]
            }
        )


class DealView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_deal",
        tags=["rules and deals"],
        parameters=[
            OpenApiParameter("number", OpenApiTypes.INT64, OpenApiParameter.PATH),
            OpenApiParameter(
                "rules", description=f"A rule set's key; `{DEFAULT.key}` if not given."
            ),
        ],
        responses={200: shapes.DealSerializer, **problems(400, 404)},
        description="What is known of a numbered deal, and how others fared with it.",
    )
    def get(self, request: Request, number: int) -> Response:
        rules = rule_set(request.query_params.get("rules", DEFAULT.key))
        numbered_deck(number)
        return Response(
            presentation.deal(
                number=number,
                rules=rules,
                label=selectors.label_of_number(viewer=request.user, rules=rules, number=number),
                solved=selectors.solved_deal(number=number, rules=rules),
                counts=selectors.counts_of_deal(rules=rules, number=number),
            )
        )


class GamesView(APIView):
    rate_limits: ClassVar = {"GET": "read", "POST": "deal"}

    @extend_schema(
        operation_id="list_games",
        tags=["games"],
        parameters=[
            OpenApiParameter(
                "status",
                enum=["running", "ended", "playing", "stuck", "won", "lost"],
                description="`running` is playing or stuck, `ended` won or lost.",
            ),
            OpenApiParameter("rules", description="A rule set's key."),
            OpenApiParameter(
                "tier",
                enum=[*Tier.values, selectors.BY_NUMBER],
                description="`none`: dealt by number.",
            ),
            OpenApiParameter("kind", enum=["casual", "daily", "race"]),
            OpenApiParameter(
                "counted", OpenApiTypes.BOOL, description="Whether the game counts for a record."
            ),
            OpenApiParameter("cursor", description="Where the page starts, from `next`."),
            OpenApiParameter("page_size", OpenApiTypes.INT, description="At most 100."),
        ],
        responses={200: shapes.GamesSerializer, **problems(400, 404)},
        description="Own games, newest first, of the sorts asked for; those in which nothing was "
        "played only while they are running.",
    )
    def get(self, request: Request) -> Response:
        query = shapes.GamesQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        games = selectors.chosen(selectors.games_of(request.user), **query.validated_data)
        pages = GamePages()
        page = pages.paginate_queryset(games, request, view=self) or []
        now = timezone.now()
        return pages.get_paginated_response([presentation.present(game, now) for game in page])

    @extend_schema(
        operation_id="start_game",
        tags=["games"],
        request=shapes.StartSerializer,
        responses={
            201: shapes.StateSerializer,
            200: shapes.StateSerializer,
            **problems(404, body=True),
        },
        description=(
            "A number deals that deal as practice, or answers the own running game of it with "
            "200. A tier deals a counted game of a deal that you have not moved in, and the "
            "counted game of the same rule set and tier that is still running is lost. Once "
            "you have moved in all of a tier, it deals any of them as practice."
        ),
    )
    def post(self, request: Request) -> Response:
        asked = shape(shapes.StartSerializer, request)
        player = cast("AbstractBaseUser", request.user)
        if "tier" in asked:
            view, created = play.start_in_tier(
                player=player, rules=asked["rules"], tier=Tier(asked["tier"])
            )
        else:
            view, created = play.start_numbered(
                player=player, rules=asked["rules"], number=asked["number"]
            )
        return Response(presentation.state(view), status=201 if created else 200)


class GameView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_game",
        tags=["games"],
        responses={200: shapes.StateSerializer, **problems(404)},
        description="A running game answers its own player; an ended one anyone with its id, "
        "unless its player keeps to themselves.",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        game = selectors.visible_game(game_id, request.user)
        view = assist.with_label(View(game, game.ledger(), timezone.now()))
        whose = {} if game.player == request.user else {"player": game.player.get_username()}
        return Response(presentation.state(view) | whose)


class AnalysisView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "solver"}

    @extend_schema(
        operation_id="get_analysis",
        tags=["games"],
        responses={200: shapes.AnalysisSerializer, **problems(403, 404, 409)},
        description=(
            "A game that has ended: whether it could still be won before each move (the last "
            f"{STEPS} moves of a long log), the move that lost it, par and a line that wins."
        ),
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        return Response(presentation.analysis(analyse(game_id=game_id, viewer=request.user)))


class LogView(APIView):
    permission_classes = (AllowAny,)
    rate_limits: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_log",
        tags=["games"],
        parameters=[
            OpenApiParameter("after", OpenApiTypes.INT, description="Entries after this number.")
        ],
        responses={200: shapes.LogSerializer, **problems(400, 404)},
        description=f"Every entry, oldest first, {LOG_PAGE} a page.",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        query = shapes.LogQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        game = selectors.visible_game(game_id, request.user)
        entries = selectors.log_page(game, after=query.validated_data["after"], size=LOG_PAGE)
        more = len(entries) == LOG_PAGE
        return Response(
            {
                "entries": [presentation.log_entry(entry) for entry in entries],
                "next": request.build_absolute_uri(f"?after={entries[-1].seq}") if more else None,
            }
        )


class ChangeView(APIView):
    """A change of a game: each answers the new state.

    `serializer_class` gives the shape of the request, `change` is the service that makes it and
    `present` the answer that its outcome gets.
    """

    rate_limits: ClassVar = {"POST": "change"}
    serializer_class: ClassVar[type[Serializer]] = shapes.ChangeSerializer
    change: Callable[..., Any]
    present: Callable[..., dict[str, Any]] = staticmethod(presentation.state)

    def post(self, request: Request, game_id: UUID) -> Response:
        asked = shape(self.serializer_class, request)
        return Response(self.present(self.change(game_id=game_id, player=request.user, **asked)))

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        if isinstance(exc, StaleVersion):
            response.data["state"] = presentation.state(exc.view)
        return response


def _change_schema(
    operation_id: str,
    shape: type[Serializer],
    description: str,
    answer: type[Serializer] = shapes.StateSerializer,
) -> Any:
    operation = extend_schema(
        operation_id=operation_id,
        tags=["games"],
        request=shape,
        responses={200: answer, **CHANGE_PROBLEMS},
        description=description,
    )
    return extend_schema_view(post=operation)


@_change_schema(
    "move",
    shapes.MoveSerializer,
    "Removes one king or a pair that adds to 13, draws a card, or turns the waste over.",
)
class MovesView(ChangeView):
    serializer_class = shapes.MoveSerializer
    change = staticmethod(play.move)


@_change_schema("undo", shapes.ChangeSerializer, "Takes back the last move, without limit.")
class UndosView(ChangeView):
    change = staticmethod(play.undo)


@_change_schema(
    "rewind",
    shapes.RewindSerializer,
    "Back to just before the move that locked a card, or to the last position that can still be "
    "won, which counts as a check too; either counts as one undo.",
)
class RewindsView(ChangeView):
    serializer_class = shapes.RewindSerializer

    def change(self, **asked: Any) -> View:
        if asked["to"] is Rewind.WINNABLE:
            hold_to_limit(caller(asked["player"]), "solver")
        return play.rewind(**asked)


@_change_schema(
    "hint",
    shapes.ChangeSerializer,
    "Suggests a move, from what you have seen; counted. Not in a race.",
    shapes.HintSerializer,
)
class HintsView(ChangeView):
    rate_limits: ClassVar = {"POST": "solver"}
    change = staticmethod(assist.hint)
    present = staticmethod(presentation.hint)


@_change_schema(
    "check",
    shapes.ChangeSerializer,
    "Whether the position can still be won, with the cards as they lie; counted. Casual only.",
    shapes.CheckSerializer,
)
class ChecksView(ChangeView):
    rate_limits: ClassVar = {"POST": "solver"}
    change = staticmethod(assist.check)
    present = staticmethod(presentation.check)


@_change_schema("restart", shapes.ChangeSerializer, "Back to the deal; counts as one undo.")
class RestartsView(ChangeView):
    change = staticmethod(play.restart)


@_change_schema("resign", shapes.ChangeSerializer, "Gives up: the game is lost.")
class ResignationsView(ChangeView):
    change = staticmethod(play.resign)


@_change_schema(
    "pause",
    shapes.PauseSerializer,
    "Stops the clock, or lets it run on; a move starts it again too.",
)
class PausesView(ChangeView):
    serializer_class = shapes.PauseSerializer
    change = staticmethod(play.pause)


def shape(form: type[Serializer], request: Request) -> dict[str, Any]:
    """What the request says, in its shape. Raises `ValidationError` or a `RuleError`."""
    return shapes.checked(form, request.data)
