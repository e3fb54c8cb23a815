"""docs/websocket.md says what the code says, and nothing else."""

import re

import pytest

from game.live.consumer import Room
from game.live.deal import DealRoom
from game.live.frames import EVERYWHERE, ROOMS, Close, Words
from game.live.game import GameRoom
from game.live.race import RaceRoom
from leaderboards.live import WORDS, DailyRoom
from tests.architecture.test_documents import read, rows

PAGE = read("docs/websocket.md")
CLASSES: list[type[Room]] = [GameRoom, RaceRoom, DealRoom, DailyRoom]
ALL = {**ROOMS, **WORDS}


def explained(section: str) -> Words:
    """The frames of a section's two tables."""
    asked, told = re.split(r"^### From the server.*$", section, maxsplit=1, flags=re.MULTILINE)
    return Words(asked=_frames(asked), told=_frames(told))


def _frames(text: str) -> frozenset[str]:
    return frozenset(row[0] for row in rows(text) if row[0] not in ("frame", "---"))


def sections() -> dict[str, str]:
    """The rooms' sections, by their kind."""
    parts = re.split(r"^## `(\w+)/.*`$", PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_room_is_explained_with_its_frames() -> None:
    assert {kind: explained(section) for kind, section in sections().items()} == ALL


def test_the_frames_of_every_room_are_explained() -> None:
    staying = PAGE.split("## Staying")[1].split("\n## ")[0]
    assert explained(staying) == EVERYWHERE


def test_every_closing_code_is_explained() -> None:
    codes = [int(row[0]) for row in rows(PAGE.split("## Staying")[0]) if row[0].isdigit()]
    assert codes == [code.value for code in Close]


@pytest.mark.parametrize("room", CLASSES, ids=lambda room: room.kind)
def test_a_room_takes_the_frames_that_it_says(room: type[Room]) -> None:
    assert room.asked.keys() == ALL[room.kind].asked


def test_every_room_is_tried() -> None:
    assert {room.kind for room in CLASSES} == set(ALL)
