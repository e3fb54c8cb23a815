"""Players in a race, at the API."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game import racing
from game.models import Race
from game.rules.notation import format_line
from game.rules.position import Position
from game.services import races
from solver.search import decide
from tests.caller import Caller, Table


class Racers:
    """A race that the first caller has opened and the others have joined, on deal 7 if nothing else
    is said."""

    def __init__(self, *callers: Caller, **terms: Any) -> None:
        terms = {"rules": "classic", "seats": max(2, len(callers))} | terms
        terms |= {} if "tier" in terms else {"number": terms.get("number", 7)}
        self.callers = callers
        answer = callers[0].post("races/", terms)
        assert answer.status_code == 201, answer.content
        self.code = answer.json()["code"]
        self.address = f"races/{self.code}/"
        for caller in callers[1:]:
            answer = caller.post(f"{self.address}seats/")
            assert answer.status_code == 201, answer.content

    @property
    def row(self) -> Race:
        return Race.objects.select_related("deal").get(code=self.code)

    def body(self, caller: Caller | None = None) -> dict[str, Any]:
        """The race as the caller sees it, the first one if none is given."""
        return (caller or self.callers[0]).get(self.address).json()

    def seats(self, *members: str) -> list[Any]:
        """What the seats say, by number: a tuple for each, or a value for one member."""
        seats = self.body()["seats"]
        if len(members) == 1:
            return [seat[members[0]] for seat in seats]
        return [tuple(seat[member] for member in members) for seat in seats]

    def ready(self, caller: Caller, ready: Any = True) -> Any:
        return change_seat(caller, self.code, ready)

    def leave(self, caller: Caller) -> Any:
        return caller.send("DELETE", f"{self.address}seats/me/", "")

    def start(self) -> "list[Table]":
        """Starts the race now, without the countdown; each one's board."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(racing, "COUNTDOWN", timedelta(0))
            answer = self.callers[0].post(f"{self.address}starts/")
            assert answer.status_code == 200, answer.content
        let_time_pass()
        return self.tables()

    def tables(self) -> "list[Table]":
        return [Table(caller, self.body(caller)["game"]["id"]) for caller in self.callers]

    def use_up_the_time(self) -> None:
        Race.objects.filter(code=self.code).update(ends_at=timezone.now(), due_at=timezone.now())
        let_time_pass()

    def winning_line(self) -> str:
        found = decide(Position.deal(self.row.deal.deck, self.row.rules))
        assert found.line is not None
        return format_line(found.line)


def change_seat(caller: Caller, code: str, ready: Any) -> Any:
    body = f'{{"ready": {str(ready).lower() if isinstance(ready, bool) else ready}}}'
    return caller.send("PATCH", f"races/{code}/seats/me/", body)


def let_time_pass() -> None:
    """What a server does by itself."""
    for race_id in races.due_races(timezone.now()):
        races.pass_time(race_id)


def guests(number: int) -> Sequence[Caller]:
    return [Caller.guest() for _ in range(number)]
