"""The room of a game: its player, in every tab.

What is asked here is asked of the services that the REST calls ask, in the same shapes and under
the same limits.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from rest_framework.serializers import Serializer

from game.api import serializers as shapes
from game.events import game_group
from game.ledger import Rewind
from game.live.consumer import Frame, Room
from game.models import Game
from game.presentation import present, state
from game.selectors import own_game
from game.services import play
from game.view import View
from pyramid_site.hub import News
from pyramid_site.throttling import caller, hold_to_limit

CHANGES: Mapping[str, tuple[type[Serializer], Callable[..., View]]] = {
    "move": (shapes.MoveSerializer, play.move),
    "undo": (shapes.ChangeSerializer, play.undo),
    "rewind": (shapes.RewindSerializer, play.rewind),
    "restart": (shapes.ChangeSerializer, play.restart),
    "resign": (shapes.ChangeSerializer, play.resign),
    "pause": (shapes.PauseSerializer, play.pause),
}


class GameRoom(Room):
    kind: ClassVar[str] = "games"
    asked: ClassVar[Mapping[str, str]] = dict.fromkeys(CHANGES, "change")

    @property
    def game_id(self) -> UUID:
        game_id: UUID = self.args["game_id"]
        return game_id

    @property
    def key(self) -> UUID:
        return self.game_id

    @property
    def group(self) -> str:
        return game_group(self.key)

    @classmethod
    def versions(cls, keys: Collection[UUID]) -> Mapping[UUID, int]:
        return dict(Game.objects.filter(pk__in=keys).values_list("pk", "version"))

    def snapshot(self) -> Frame:
        return self._state_as("snapshot", own_game(self.key, self.player))

    def events_since(self, version: int) -> Sequence[Frame] | None:
        """The state as it is now stands for all that led to it."""
        game = own_game(self.key, self.player)
        if version > game.version:
            return None
        return [] if version == game.version else [self._state_as("state", game)]

    def passed_on(self, news: News) -> str | None:
        """News say only that there are some: cards are read by whom they belong to."""
        return None

    def takes_long(self, frame: Frame) -> bool:
        return frame.get("to") == Rewind.WINNABLE

    def change(self, frame: Frame) -> Sequence[Frame]:
        """Raises what the service raises."""
        who = caller(self.player)
        hold_to_limit(who, "change")
        shape, service = CHANGES[frame["type"]]
        asked: dict[str, Any] = shapes.checked(shape, frame)
        if asked.get("to") is Rewind.WINNABLE:
            hold_to_limit(who, "solver")
        view = service(game_id=self.key, player=self.player, **asked)
        answer = {"type": "state", "v": view.ledger.version, "state": state(view)}
        if asked.get("client_move_id") is not None:
            answer["client_move_id"] = asked["client_move_id"]
        return [answer]

    def _state_as(self, type_: str, game: Game) -> Frame:
        return {"type": type_, "v": game.version, "state": present(game, timezone.now())}
