"""The room of a numbered deal: those who play it now, each on a casual board of their own."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar
from uuid import UUID

from game import race_view
from game.events import deal_group, game_group
from game.live.consumer import Frame, Room
from game.live.frames import Close
from game.rules.rulesets import rule_set
from game.services import company
from pyramid_site.hub import News
from pyramid_site.throttling import caller, hold_to_limit


class DealRoom(Room):
    """What is told here counts for the moment: there are no versions."""

    kind: ClassVar[str] = "deals"
    asked: ClassVar[Mapping[str, str]] = {"race": "open_race"}
    game_id: UUID | None = None  # of one's own game there, once entered

    @property
    def key(self) -> tuple[str, int]:
        return self.args["rules"], int(self.args["number"])

    @property
    def group(self) -> str:
        return deal_group(*self.key)

    def enter(self) -> None:
        self.game_id = company.join(**self._who_and_where()).pk

    @property
    def further_groups(self) -> Collection[str]:
        return () if self.game_id is None else (game_group(self.game_id),)

    def snapshot(self) -> Frame:
        others = company.others(**self._who_and_where())
        return {"type": "snapshot", "v": 0, "players": list(map(race_view.progress, others))}

    def passed_on(self, news: News) -> str | None:
        """Everything but what is about oneself."""
        who = news.message["player"]
        name = who["player"] if isinstance(who, dict) else who
        return news.text if news.type == "race" or name != self.player.get_username() else None

    async def _pass_on(self, news: News) -> None:
        """A change of one's own game is told to the others. Whoever is said to have left and does
        want no company any more, leaves."""
        if news.group != self.group:
            await self.database(company.tell_of_change, self.game_id)
        elif news.type == "left" and news.message["player"] == self.player.get_username():
            if not await self.database(company.is_wanted_at, self.game_id):
                self.close(Close.NO_ROOM)
        else:
            await super()._pass_on(news)

    def open_race(self, _: Frame) -> None:
        hold_to_limit(caller(self.player), "race")
        company.open_race(**self._who_and_where())

    def _who_and_where(self) -> dict[str, Any]:
        rules_key, number = self.key
        return {"player": self.player, "rules": rule_set(rules_key), "number": number}
