"""The room of a rule set's daily: anybody who looks at today's board."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
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
    heard_of_at = float("-inf")  # of it, too: since when the board may say something else
    shown: Frame | None = None  # what the last frame says

    @property
    def key(self) -> str:
        key: str = self.args["rules"]
        return key

    @property
    def group(self) -> str:
        return board_group(self.key)

    @classmethod
    def versions(cls, keys: Collection[str]) -> Mapping[str, int]:
        """Microseconds since 1970: the start of the day, or what its board has come to."""
        today = Day.at(timezone.now())
        boards = Board.objects.filter(rules_key__in=keys, span=Span.DAY, date=today.date)
        changes = {board.rules_key: selectors.change_of(board) for board in boards}
        return {key: max(_start_of(today), changes.get(key, 0)) for key in keys}

    def enter(self) -> None:
        if not rule_set(self.key).daily:
            raise NoDaily()
        self.heard_of_at = time.monotonic()

    def snapshot(self) -> Frame:
        top = _top(self.key, self.heard_of_at)
        own = selectors.row_of(top.ladder, self.player) if self.player.is_authenticated else None
        me = None if own is None else presentation.row(own, closed=False)
        players = max(top.body["players"], own.rank if own else 0)  # read before the own row
        self.shown = {"type": "board", **top.body, "players": players, "me": me}
        return {"v": top.version, **self.shown}

    def events_since(self, version: int) -> Sequence[Frame] | None:
        """The board as it is now stands for all that led to it, if it says something else than the
        last frame. Its number alone does not tell: what is stamped first may be committed last."""
        before, frame = self.shown, self.snapshot()
        return [] if before == self.shown else [{**frame, "v": max(frame["v"], version + 1)}]

    def hear(self, news: News) -> None:
        self.heard_of_at = time.monotonic()
        super().hear(news)

    def hear_of(self, version: int) -> None:
        self.heard_of_at = time.monotonic()
        super().hear_of(version)

    async def _pass_on(self, news: News) -> None:
        """News say only that there are some."""
        await self._catch_up()

    async def _catch_up(self) -> None:
        """At most once a second; what comes meanwhile is answered by the same frame."""
        await asyncio.sleep(max(0.0, self.sent_at + PAUSE_S - time.monotonic()))
        self.news.clear()
        await super()._catch_up()
        self.sent_at = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Top:
    """What all who look at a board are told alike. `read_at`: of the monotonic clock."""

    read_at: float
    version: int
    ladder: Ladder
    body: Frame


_tops: dict[str, _Top] = {}
_one_reads: defaultdict[str, Lock] = defaultdict(Lock)  # of those who look at a rule set's board


def _top(rules_key: str, since: float) -> _Top:
    """As it was read at this moment or later, by whichever socket of the process."""
    with _one_reads[rules_key]:
        top = _tops.get(rules_key)
        if top is None or top.read_at < since:
            top = _tops[rules_key] = _read(rules_key)
    return top


def _read(rules_key: str) -> _Top:
    read_at, now = time.monotonic(), timezone.now()
    version = DailyRoom.versions([rules_key])[rules_key]  # before the rest: never too new
    day = Day.at(now)
    days.daily(rules=RULE_SETS[rules_key], day=day, today=day)
    ladder = Ladder(results.board(rules_key=rules_key, span=Span.DAY, day=day))
    page = selectors.board_page(ladder, start=From(), most=TOP, viewer=AnonymousUser())
    body = presentation.board(page, now=now)
    told = ("rules", "date", "players", "results")
    return _Top(read_at, version, ladder, {name: body[name] for name in told})


def _start_of(day: Day) -> int:
    return int(day.starts_at.timestamp() * 1_000_000)


_room: Any = DailyRoom.as_asgi()  # Django's stubs want views behind an address
addresses: list[Any] = [re_path(r"^ws/v1/daily/(?P<rules>[a-z0-9-]{1,20})/$", _room)]
