"""The room of a game: its player, in every tab."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar
from uuid import UUID

from django.utils import timezone

from game.events import game_group
from game.live.consumer import Frame, Room
from game.models import Game
from game.presentation import present
from game.selectors import own_game
from pyramid_site.hub import News


class GameRoom(Room):
    kind: ClassVar[str] = "games"

    @property
    def key(self) -> UUID:
        game_id: UUID = self.args["game_id"]
        return game_id

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

    def _state_as(self, type_: str, game: Game) -> Frame:
        return {"type": type_, "v": game.version, "state": present(game, timezone.now())}
