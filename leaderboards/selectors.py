"""Reads: boards by pages, and how one player's days went."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser

from game.models import Game, Kind
from game.selectors import Viewer
from leaderboards.days import Day, Span
from leaderboards.models import Board, DailyDeal, DailyResult, Standing
from leaderboards.ranking import Score, Total
from leaderboards.ranks import DATABASE, Ladder, Place, Ranks, ranks


@dataclass(frozen=True, slots=True)
class Row:
    """`result`: of a day's board; None where days are added up."""

    rank: int
    place: Place
    player: AbstractBaseUser
    score: Score | Total
    result: DailyResult | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`size`: how many stand on the board, never fewer than its rows tell of. `first`, `last`:
    where the page begins and ends; of an empty one, the end of the board that it lies beyond.
    `is_first`, `is_last`: whether nobody comes before and after. `own`: the viewer's row, wherever
    it is."""

    ladder: Ladder
    rows: Sequence[Row]
    size: int
    first: Place
    last: Place
    is_first: bool
    is_last: bool
    own: Row | None


@dataclass(frozen=True, slots=True)
class From:
    """Where a page starts: after a place, before one, around a player or from a position. Nothing:
    at the top."""

    after: Place | None = None
    before: Place | None = None
    around: Viewer | None = None
    position: int = 0


def board_page(ladder: Ladder, *, start: From, most: int, viewer: Viewer) -> BoardPage:
    """At most so many rows, better ones first."""
    try:
        return _page(ranks(), ladder, start, most, viewer)
    except _Disagreeing as disagreeing:
        ranks().doubt(ladder.board, disagreeing.players)
        return _page(DATABASE, ladder, start, most, viewer)


def row_of(ladder: Ladder, player: Viewer) -> Row | None:
    """The player's row on the board; None for one who is not on it."""
    standing = _standing(ladder, player)
    if standing is None:
        return None
    rows = _rows(ranks(), ladder, [standing], copied=False)
    return rows[0] if rows else None


def size_of(ladder: Ladder) -> int:
    """How many stand on it."""
    return ranks().size(ladder)


def game_of(daily: DailyDeal, player: Viewer) -> Game | None:
    """The player's game of the day, if there is one."""
    if daily.deal is None or player.pk is None:
        return None
    games = Game.objects.filter(kind=Kind.DAILY, deal=daily.deal, player_id=player.pk)
    return games.select_related("deal").first()


def days_played(player: Viewer, *, rules_key: str, first: Day, last: Day) -> Mapping[Day, Game]:
    """The player's games of these days' dailies, by day; those of a guest among them."""
    games = Game.objects.filter(
        kind=Kind.DAILY,
        player_id=player.pk,
        rules_key=rules_key,
        started_at__gte=first.starts_at,
        started_at__lt=last.resets_at,
    )
    return {Day.at(game.started_at): game for game in games}


def change_of(board: Board) -> int:
    """A number that rises with the board: when a standing was changed last, in microseconds since
    1970, and one more for each player, so that one who is stamped first and committed last raises
    it, too. 0 for a board on which nobody has stood."""
    changed = Standing.objects.filter(board=board).order_by("-changed_at")
    last = changed.values_list("changed_at", flat=True).first()
    return 0 if last is None else int(last.timestamp() * 1_000_000) + DATABASE.size(Ladder(board))


FIRST, LAST = Place((1 << 53) - 1, 0), Place(0, (1 << 53) - 1)  # before all, and after all


class _Disagreeing(Exception):
    """A copy of the board names some who do not stand so in the database."""

    def __init__(self, players: Collection[int]) -> None:
        super().__init__(players)
        self.players = players


def _page(asked: Ranks, ladder: Ladder, start: From, most: int, viewer: Viewer) -> BoardPage:
    places = _places(asked, ladder, start, most)
    rows = _rows(asked, ladder, places[:most] if start.before is None else places[-most:])
    own = _standing(ladder, viewer)
    own_row = next((row for row in rows if own and row.place.player_id == own.player_id), None)
    if own is not None and own_row is None:
        own_row = next(iter(_rows(asked, ladder, [own], copied=False)), None)
    edge = LAST if start.before is None else FIRST
    first, last = (rows[0].place, rows[-1].place) if rows else (edge, edge)
    return BoardPage(
        ladder=ladder,
        rows=rows,
        size=max(asked.size(ladder), _told_of(rows), own_row.rank if own_row else 0),
        first=first,
        last=last,
        is_first=not asked.before(ladder, first, 1),
        is_last=not asked.after(ladder, last, 1),
        own=own_row,
    )


def _told_of(rows: Sequence[Row]) -> int:
    """The least position that the last row can have: of those with its rank it comes after the
    ones on the page. A board may change between the statement that lists it and the one that
    counts it."""
    if not rows:
        return 0
    return rows[-1].rank - 1 + sum(row.rank == rows[-1].rank for row in rows)


def _places(asked: Ranks, ladder: Ladder, start: From, most: int) -> list[Place]:
    if start.after is not None:
        return asked.after(ladder, start.after, most)
    if start.before is not None:
        return asked.before(ladder, start.before, most)
    own = None if start.around is None else _standing(ladder, start.around)
    if own is None:
        return asked.at(ladder, start.position, most)
    above = asked.before(ladder, own, most)
    below = asked.after(ladder, own, most)
    half = max((most - 1) // 2, most - 1 - len(below))
    return [*above[max(0, len(above) - half) :], own, *below][:most]


def _standing(ladder: Ladder, player: Viewer) -> Place | None:
    """Where the database says that the player stands on this ladder."""
    if player.pk is None:
        return None
    standings = Standing.objects.filter(
        board_id=ladder.board.pk, player_id=player.pk, key__isnull=False
    )
    if ladder.unassisted:
        standings = standings.filter(assisted=False)
    standing = standings.first()
    return (
        None
        if standing is None or standing.key is None
        else Place(standing.key, standing.player_id)
    )


def _rows(
    asked: Ranks, ladder: Ladder, places: Sequence[Place], *, copied: bool = True
) -> list[Row]:
    """`copied`: whether a copy may have named the places. Then raises `_Disagreeing`; what the
    database has changed between two statements of ours, is left out."""
    details = _details(ladder, [place.player_id for place in places])
    otherwise = {
        place.player_id
        for place in places
        if place.player_id not in details or details[place.player_id][0] != place.key
    }
    if otherwise and copied and asked is not DATABASE:
        raise _Disagreeing(otherwise)
    rows: list[Row] = []
    for place, rank in zip(places, _ranks(asked, ladder, places), strict=True):
        if place.player_id in otherwise:
            continue
        _, player, result = details[place.player_id]
        score = Total.of(place.key) if result is None else result.score
        rows.append(Row(rank, place, player, score, result))
    return rows


def _ranks(asked: Ranks, ladder: Ladder, places: Sequence[Place]) -> list[int]:
    """Equal keys share a rank. It is asked of the first and, since others with the first's key may
    come before, of the next one with another key; from there on it is counted."""
    ranks_: list[int] = []
    counted_from: int | None = None  # the index from which ranks are counted
    for index, place in enumerate(places):
        if index and place.key == places[index - 1].key:
            ranks_.append(ranks_[-1])
        elif counted_from is None or not index:
            ranks_.append(asked.above(ladder, place.key) + 1)
            counted_from = index if index else None
        else:
            ranks_.append(ranks_[counted_from] + index - counted_from)
    return ranks_


_Detail = tuple[int | None, AbstractBaseUser, DailyResult | None]


def _details(ladder: Ladder, players: Sequence[int]) -> dict[int, _Detail]:
    board = ladder.board
    if board.span == Span.DAY:
        results = DailyResult.objects.filter(
            daily__rules_key=board.rules_key,
            daily__date=board.date,
            player_id__in=players,
            withdrawn=False,
        ).select_related("player")
        return {each.player_id: (each.score.key, each.player, each) for each in results}
    standings = Standing.objects.filter(board_id=board.pk, player_id__in=players)
    return {
        each.player_id: (each.key, each.player, None) for each in standings.select_related("player")
    }
