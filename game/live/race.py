"""The room of a race: its seats, and whoever else knows its code. Of the boards each sees their
own and nobody else's."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from django.utils import timezone

from game import presentation, race_view
from game.api.race_serializers import ReadySerializer
from game.api.serializers import checked
from game.events import race_group
from game.live.consumer import Frame, Room
from game.models import Race, RaceEvent
from game.racing import EventType
from game.selectors import events_of, race_by_code, race_seen_by, seats_of
from game.services import race_presence, races
from pyramid_site.hub import News
from pyramid_site.throttling import caller, hold_to_limit

MISSED = 100  # events; whoever has missed more is told how the race stands instead

# What everybody is told alike; of others, each reads what is there for them to see.
_ALIKE = frozenset(EventType) - {EventType.COUNTDOWN, EventType.START, EventType.FINISH}


class RaceRoom(Room):
    kind: ClassVar[str] = "races"
    asked: ClassVar[Mapping[str, str]] = {"ready": "set_ready", "leave": "leave_race"}

    @property
    def key(self) -> str:
        code: str = self.args["code"].upper()
        return code

    @property
    def group(self) -> str:
        return race_group(self.key)

    @classmethod
    def versions(cls, keys: Collection[str]) -> Mapping[str, int]:
        return dict(Race.objects.filter(code__in=keys).values_list("code", "version"))

    def enter(self) -> None:
        race_presence.arrive(code=self.key, player=self.player)

    def snapshot(self) -> Frame:
        body = self._body(race_by_code(self.key))
        return {"type": "snapshot", "v": body["version"], **body}

    def events_since(self, version: int) -> Sequence[Frame] | None:
        race = race_by_code(self.key)
        events = events_of(race, after=version, most=MISSED + 1)
        followed = version + len(events)
        if len(events) > MISSED or followed < race.version or version > race.version:
            return None
        names = race_view.names_of(seats_of(race))
        return [self._frame(race, event, names) for event in events]

    def passed_on(self, news: News) -> str | None:
        return news.text if news.type in _ALIKE else None

    def set_ready(self, frame: Frame) -> None:
        hold_to_limit(caller(self.player), "change")
        asked = checked(ReadySerializer, frame)
        races.set_ready(code=self.key, player=self.player, ready=asked["ready"])

    def leave_race(self, _: Frame) -> None:
        hold_to_limit(caller(self.player), "change")
        races.leave(code=self.key, player=self.player)

    def _frame(self, race: Race, event: RaceEvent, names: race_view.Names) -> Frame:
        """An event that was missed: what it says of times and boards is as they are now."""
        told = race_view.frame(event, names)
        match event.type:
            case EventType.COUNTDOWN:
                return {**told, **presentation.countdown(race, timezone.now())}
            case EventType.START:
                body = self._body(race)
                times = presentation.countdown(race, timezone.now())
                return {**told, **times, "game": body["game"]}
            case EventType.FINISH:
                return {**told, **self._body(race)}
        return told

    def _body(self, race: Race) -> Frame:
        return presentation.race(race_seen_by(self.player, race))
