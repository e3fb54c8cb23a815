"""Results: entered when a ranked game ends, with all the boards that they stand on; and withdrawn.

A result and its standings are written in the transaction that ends the game, whose row is locked:
so it is entered once. Sorted sets, and those who watch a board, hear of it once it is committed.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from game.events import game_finished, player_leaves
from game.ledger import Ledger
from game.models import Game, Kind
from game.selectors import log_of
from leaderboards.days import Day, Span
from leaderboards.events import tell_of_board
from leaderboards.models import Board, DailyDeal, DailyResult, Standing
from leaderboards.ranking import Score, Total
from leaderboards.ranks import DATABASE, Ladder, ranks
from leaderboards.ranks.database import Moved
from leaderboards.runs import best_moment

NOWHERE = (None, None)


def enter_the_end(*, game: Game, ledger: Ledger, **_: Any) -> dict[str, Any] | None:
    """Receives `game_finished`: what counts of the game, and of a ranked one where the player
    stands among all so far. Nothing of one in which nothing was played."""
    if not (game.kind == Kind.DAILY and ledger.play.moves):
        return None
    if not _is_there(game.player_id):
        return None
    run = best_moment(game.start_ledger(), log_of(game), game.started_at)
    score = run.score
    best = {
        **{name: getattr(score, name) for name in ("removed", "elapsed_ms", "moves")},
        "undos": run.undos,
        "hints": run.hints,
    }
    if not game.counted:
        return {"best": best}
    daily = DailyDeal.objects.get(deal=game.deal)
    result = DailyResult.objects.create(
        daily=daily,
        player=game.player,
        game=game,
        undos=run.undos,
        suspect=run.is_suspect,
        **{name: getattr(score, name) for name in DailyResult.SCORE},
    )
    ladder = Ladder(enter(result))
    rank = DATABASE.above(ladder, score.key) + 1
    players = max(DATABASE.size(ladder), rank)  # somebody may have been withdrawn in between
    return {"rank": rank, "players": players, "best": best}


def enter(result: DailyResult) -> Board:
    """Puts a new result on its boards; answers its day's. In the transaction that has made it."""
    moved = _moved(result.daily, result.player)
    _publish(moved)
    return next(each.standing.board for each in moved if each.standing.board.span == Span.DAY)


def withdraw(*, player_id: int, results: QuerySet[DailyResult]) -> None:
    """Takes results of the player off every board. The caller has a transaction open, and holds the
    player."""
    results.filter(player_id=player_id).update(withdrawn=True)
    _publish(_settled(player_id))


def forget(*, player: AbstractBaseUser, **_: Any) -> None:
    """Receives `player_leaves`: deleted accounts stand nowhere."""
    withdraw(player_id=player.pk, results=DailyResult.objects.all())


@transaction.atomic
def judge(result_id: int, *, withdrawn: bool) -> None:
    """What somebody says who has looked at a result: it is withdrawn, or its mark is cleared.
    Raises `DailyResult.DoesNotExist`."""
    result = DailyResult.objects.select_related("daily").get(pk=result_id)
    # Who deletes an account holds it, too. This one may have been closed in another way.
    get_user_model().objects.select_for_update(no_key=True).get(pk=result.player_id)
    if withdrawn:
        withdraw(player_id=result.player_id, results=DailyResult.objects.filter(pk=result_id))
    else:
        result.suspect = False
        result.save(update_fields=["suspect"])
        tell_of_board(result.daily.rules_key)


def listen() -> None:
    game_finished.connect(enter_the_end, dispatch_uid="leaderboards.results")
    player_leaves.connect(forget, dispatch_uid="leaderboards.results")


def board(*, rules_key: str, span: Span, day: Day) -> Board:
    """That of the span which the day lies in."""
    found, _ = Board.objects.get_or_create(
        rules_key=rules_key, span=span, date=span.first(day).date
    )
    return found


def summed(board: Board, players: Collection[int]) -> Mapping[int, tuple[int | None, bool | None]]:
    """For each of these players with results on the board's days the key that they come to, and of
    a single day whether it was assisted."""
    days = (board.date, Span(board.span).last(Day(board.date)).date)
    results = DailyResult.objects.filter(
        player_id__in=players,
        daily__rules_key=board.rules_key,
        daily__date__range=days,
        withdrawn=False,
    )
    scores: defaultdict[int, list[Score]] = defaultdict(list)
    for result in results:
        scores[result.player_id].append(result.score)
    return {player: _key_of(board, several) for player, several in scores.items()}


def _moved(daily: DailyDeal, player: AbstractBaseUser) -> list[Moved]:
    """Brings the player's standings on the boards of the day, its week and its month in line with
    the results there are now."""
    moved = []
    for span in Span:
        standing = _held(board(rules_key=daily.rules_key, span=span, day=daily.day), player)
        before = standing.key
        # Read after it is locked: what has been entered meanwhile is among them.
        standing.key, standing.assisted = summed(standing.board, [player.pk]).get(
            player.pk, NOWHERE
        )
        standing.changed_at = timezone.now()
        standing.save()
        moved.append(Moved(standing, before, standing.key))
    return moved


def _settled(player_id: int) -> list[Moved]:
    """Brings all standings of the player in line with the results there are now: those that change.
    In a few statements, however many days there were."""
    standings = Standing.objects.select_for_update(of=("self",)).select_related("board")
    held = list(standings.filter(player_id=player_id).order_by("pk"))
    scores: defaultdict[tuple[str, str, date], list[Score]] = defaultdict(list)
    for result in DailyResult.objects.select_related("daily").filter(
        player_id=player_id, withdrawn=False
    ):
        for span in Span:
            first = span.first(result.daily.day).date
            scores[result.daily.rules_key, span, first].append(result.score)
    moved = []
    for standing in held:
        key, assisted = _key_of(standing.board, scores.get(_name_of(standing.board), []))
        if standing.key != key:
            moved.append(Moved(standing, standing.key, key))
            standing.key, standing.assisted, standing.changed_at = key, assisted, timezone.now()
    changed = [each.standing for each in moved]
    Standing.objects.bulk_update(changed, ["key", "assisted", "changed_at"], batch_size=200)
    return moved


def _name_of(board: Board) -> tuple[str, str, date]:
    return board.rules_key, board.span, board.date


def _key_of(board: Board, scores: Sequence[Score]) -> tuple[int | None, bool | None]:
    """What the results of the board's days come to, and of a single day whether it was assisted."""
    if not scores:
        return NOWHERE
    if board.span == Span.DAY:
        [score] = scores
        return score.key, score.assisted
    return Total.of_days(scores).key, None


def _is_there(player_id: int) -> bool:
    """As the database says now: whoever has gone while this game was waited for, is no more."""
    return get_user_model().objects.filter(pk=player_id, is_active=True).exists()


def _held(board: Board, player: AbstractBaseUser) -> Standing:
    """The player's, new if there was none, locked until the transaction ends."""
    standing, _ = Standing.objects.select_for_update().get_or_create(
        board=board, player_id=player.pk, defaults={"changed_at": timezone.now()}
    )
    standing.board = board
    return standing


def _publish(moved: Sequence[Moved]) -> None:
    """Counts them, and publishes them once this transaction is committed."""
    DATABASE.enter(moved)
    standings = [each.standing for each in moved]
    transaction.on_commit(partial(ranks().follow, standings), robust=True)
    for rules_key in sorted({standing.board.rules_key for standing in standings}):
        tell_of_board(rules_key)
