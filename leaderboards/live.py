"""The room of a rule set's daily: anybody who looks at today's board."""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from django.urls import re_path
from django.utils import timezone

from game.live.consumer import Frame, Room
from game.live.frames import Words
from game.rules.rulesets import RULE_SETS, rule_set
from leaderboards import presentation, selectors
from leaderboards.days import Day, Span
from leaderboards.errors import NoDaily
from leaderboards.events import board_group
from leaderboards.models import Board
from leaderboards.ranks import Ladder
from leaderboards.selectors import From
from leaderboards.services import days, results
from pyramid_site.hub import News

WORDS: Mapping[str, Words] = {"daily": Words(asked=frozenset(), told=frozenset({"board"}))}

TOP = 10  # rows
PAUSE_S = 1.0  # from one frame to the next


class DailyRoom(Room):
    """Its frames are all alike: the top of the board, and where one stands oneself, as both are
    when the frame is sent. So several changes within a second make one."""

    kind: ClassVar[str] = "daily"
    open_to_all: ClassVar[bool] = True
    sent_at = float("-inf")  # of the monotonic clock

    @property
    def key(self) -> str:
        key: str = self.args["rules"]
        return key

    @property
    def group(self) -> str:
        return board_group(self.key)

    @classmethod
    def versions(cls, keys: Collection[str]) -> Mapping[str, int]:
        """Microseconds since 1970: the start of the day, or the last change of its board."""
        today = Day.at(timezone.now())
        boards = Board.objects.filter(rules_key__in=keys, span=Span.DAY, date=today.date)
        changes = {board.rules_key: selectors.last_change(board.pk) for board in boards}
        return {key: max(_start_of(today), changes.get(key, 0)) for key in keys}

    def enter(self) -> None:
        if not rule_set(self.key).daily:
            raise NoDaily()

    def snapshot(self) -> Frame:
        version = self.versions([self.key])[self.key]  # before what is read: never too new
        now = timezone.now()
        day = Day.at(now)
        days.daily(rules=RULE_SETS[self.key], day=day, today=day)
        board = results.board(rules_key=self.key, span=Span.DAY, day=day)
        page = selectors.board_page(Ladder(board), start=From(), most=TOP, viewer=self.player)
        body = presentation.board(page, now=now)
        told = ("rules", "date", "players", "results", "me")
        return {"type": "board", "v": version, **{name: body[name] for name in told}}

    def events_since(self, version: int) -> Sequence[Frame] | None:
        """The board as it is now stands for all that led to it."""
        frame = self.snapshot()
        return [] if frame["v"] == version else [frame]

    async def _pass_on(self, news: News) -> None:
        """News say only that there are some."""
        await self._catch_up()

    async def _catch_up(self) -> None:
        """At most once a second; what comes meanwhile is answered by the same frame."""
        await asyncio.sleep(max(0.0, self.sent_at + PAUSE_S - time.monotonic()))
        self.news.clear()
        self.sent_at = time.monotonic()
        await super()._catch_up()


def _start_of(day: Day) -> int:
    return int(day.starts_at.timestamp() * 1_000_000)


_room: Any = DailyRoom.as_asgi()  # Django's stubs want views behind an address
addresses: list[Any] = [re_path(r"^ws/v1/daily/(?P<rules>[a-z0-9-]{1,20})/$", _room)]
