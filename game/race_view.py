"""What others see of a board, in a race and beside one: names, numbers and states, never a card.

Events are kept without names, which go with their accounts; whoever is told one gets them.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from game import racing
from game.models import Game, RaceEvent, Seat
from game.view import instant

Names = Mapping[int, str | None]  # by the number of the seat


def seat(state: racing.Seat) -> dict[str, Any]:
    """A seat, without the name of its player. Times in milliseconds since the start."""
    return {
        "seat": state.number,
        "host": state.host,
        "ready": state.ready,
        "connected": state.connected,
        "removed": state.removed,
        "best_removed": state.best_removed,
        "best_ms": state.best_ms,
        "pass": state.pass_number,
        "moves": state.moves,
        "undos": state.undos,
        "done": state.done,
        "cleared": state.cleared,
        "elapsed_ms": state.elapsed_ms,
        "place": state.place,
    }


def progress(game: Game) -> dict[str, Any]:
    """How a casual board stands, for others who play the same deal."""
    play = game.ledger().play
    return {
        "player": game.player.get_username(),
        "removed": play.position.removed,
        "pass": play.position.pass_number,
        "moves": play.moves,
        "undos": play.undos,
    }


def event(happened: racing.Event) -> dict[str, Any]:
    """What is kept of an event, less what its row says: its type, number and time."""
    match happened:
        case racing.Event(type=racing.EventType.REMATCH, seat=racing.Seat() as asker):
            return {"code": happened.code, "url": url(happened.code), "by": asker.number}
        case racing.Event(type=racing.EventType.COUNTDOWN | racing.EventType.START):
            return {"starts_at": _at(happened.starts_at), "ends_at": _at(happened.ends_at)}
        case racing.Event(type=racing.EventType.SEAT, seat=racing.Seat() as taken):
            return {"seat": seat(taken), "left": happened.left}
        case racing.Event(seat=racing.Seat() as concerned):
            return {"seat": seat(concerned)}
    return {}


def name_of(seat: Seat) -> str | None:
    """The player's name; of an account that is gone, none."""
    player = seat.player
    return player.get_username() if player is not None and player.is_active else None


def names_of(seats: Iterable[Seat]) -> Names:
    """By number."""
    return {seat.number: name_of(seat) for seat in seats}


def frame(event: RaceEvent, names: Names) -> dict[str, Any]:
    """An event as it is told: with the name of whom it concerns."""
    body = dict(event.body)
    if "seat" in body:
        body["seat"] = {**body["seat"], "player": names.get(body["seat"]["seat"])}
    if "by" in body:
        body["player"] = names.get(body.pop("by"))
    return {"type": event.type, "v": event.seq, **body}


def url(code: str) -> str:
    return f"/race/{code}"


def _at(at: datetime | None) -> str | None:
    return None if at is None else instant(at)
