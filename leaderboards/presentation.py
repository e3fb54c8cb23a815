"""What is told of a day and of a board. The seed, and the game that a result is of, only once the
day is closed."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Any

from game.models import Game
from game.view import instant
from leaderboards.days import Day, Span
from leaderboards.models import DailyDeal
from leaderboards.ranking import Total
from leaderboards.ranks import Place
from leaderboards.selectors import BoardPage, From, Row


def day(
    daily: DailyDeal,
    *,
    next_commitment: str | None,
    game: Game | None,
    result: Row | None,
    now: datetime,
) -> dict[str, Any]:
    """`next_commitment`: of today's alone. `game`, `result`: the viewer's own."""
    closed = now >= daily.day.closes_at
    dealt = daily.deal if closed else None
    return {
        "date": daily.date.isoformat(),
        "rules": daily.rules_key,
        "resets_at": instant(daily.day.resets_at),
        "closes_at": instant(daily.day.closes_at),
        "server_now": instant(now),
        "commitment": daily.commitment,
        "next_commitment": next_commitment,
        "seed": daily.seed if closed else None,
        "attempt": None if dealt is None else dealt.attempt,
        "game": None if game is None else str(game.pk),
        "result": None if result is None else row(result, closed=closed),
    }


def board(page: BoardPage, *, now: datetime) -> dict[str, Any]:
    """`next`, `previous`: cursors, for the caller to make addresses of."""
    board = page.ladder.board
    span = Span(board.span)
    closed = now >= span.last(Day(board.date)).closes_at
    return {
        "rules": board.rules_key,
        "span": span,
        "date": board.date.isoformat(),
        "players": page.size,
        "results": [row(each, closed=closed) for each in page.rows],
        "next": None if page.is_last else _cursor("after", page.last),
        "previous": None if page.is_first else _cursor("before", page.first),
        "me": None if page.own is None else row(page.own, closed=closed),
    }


def row(row: Row, *, closed: bool) -> dict[str, Any]:
    """Of a day, or of several: then `won` counts them. Times in milliseconds."""
    score = row.score
    body: dict[str, Any] = {
        "rank": row.rank,
        "player": row.player.get_username(),
        "won": score.won,
        "removed": score.removed,
        "elapsed_ms": score.elapsed_ms,
    }
    if isinstance(score, Total) or row.result is None:
        return body
    return body | {
        "assisted": score.assisted,
        "moves": score.moves,
        "undos": row.result.undos,
        "suspect": row.result.suspect,
        "game": str(row.result.game_id) if closed else None,
    }


def start_of(cursor: str) -> From:
    """What a cursor says. Raises `ValueError` for what is none."""
    padded = cursor + "=" * (-len(cursor) % 4)
    side, key, player_id = urlsafe_b64decode(padded.encode("ascii")).decode("ascii").split(".")
    place = Place(int(key), int(player_id))
    if side not in ("after", "before") or not all(0 <= number < 1 << 53 for number in place):
        raise ValueError(cursor)
    return From(after=place) if side == "after" else From(before=place)


def _cursor(side: str, place: Place) -> str:
    text = f"{side}.{place.key}.{place.player_id}"
    return urlsafe_b64encode(text.encode("ascii")).decode("ascii").rstrip("=")
