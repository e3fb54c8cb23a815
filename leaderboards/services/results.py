"""Results: entered when a ranked game ends, with all the boards that they stand on; and withdrawn.

A result and its standings are written in the transaction that ends the game, whose row is locked:
so it is entered once. Sorted sets, and those who watch a board, hear of it once it is committed.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from game.events import game_finished, player_leaves
from game.ledger import Ledger
from game.models import Game, Kind
from game.selectors import log_of
from leaderboards.days import Day, Span
from leaderboards.events import tell_of_board
from leaderboards.models import Board, DailyDeal, DailyResult, Standing
from leaderboards.ranking import Total
from leaderboards.ranks import DATABASE, Ladder, ranks
from leaderboards.ranks.database import Moved
from leaderboards.runs import best_moment


def enter_the_end(*, game: Game, ledger: Ledger, **_: Any) -> dict[str, Any] | None:
    """Receives `game_finished`: where the player stands among all so far. Nothing of a game that is
    not ranked, and of one in which nothing was played."""
    if not (game.kind == Kind.DAILY and game.counted and ledger.play.moves):
        return None
    if not game.player.is_active:
        return None
    daily = DailyDeal.objects.get(deal=game.deal)
    run = best_moment(game.start_ledger(), log_of(game), game.started_at)
    score = run.score
    DailyResult.objects.create(
        daily=daily,
        player=game.player,
        game=game,
        undos=run.undos,
        suspect=run.is_suspect,
        **{name: getattr(score, name) for name in DailyResult.SCORE},
    )
    moved = _moved(daily, game.player)
    _enter(moved)
    ladder = Ladder(moved[0].standing.board)
    return {"rank": DATABASE.above(ladder, score.key) + 1, "players": DATABASE.size(ladder)}


def withdraw(results: Iterable[DailyResult]) -> None:
    """Takes results off every board. The caller has a transaction open, and holds their players."""
    moved: list[Moved] = []
    for result in results:
        if not result.withdrawn:
            result.withdrawn = True
            result.save(update_fields=["withdrawn"])
            moved += _moved(result.daily, result.player)
    _enter(moved)


def forget(*, player: AbstractBaseUser, **_: Any) -> None:
    """Receives `player_leaves`: deleted accounts stand nowhere."""
    results = DailyResult.objects.filter(player_id=player.pk, withdrawn=False)
    withdraw(results.select_related("daily", "player").order_by("pk"))


def listen() -> None:
    game_finished.connect(enter_the_end, dispatch_uid="leaderboards.results")
    player_leaves.connect(forget, dispatch_uid="leaderboards.results")


def board(*, rules_key: str, span: Span, day: Day) -> Board:
    """That of the span which the day lies in."""
    found, _ = Board.objects.get_or_create(
        rules_key=rules_key, span=span, date=span.first(day).date
    )
    return found


def _moved(daily: DailyDeal, player: AbstractBaseUser) -> list[Moved]:
    """Brings the player's standings on the boards of the day, its week and its month in line with
    the results there are now."""
    moved = []
    for span in Span:
        standing = _held(board(rules_key=daily.rules_key, span=span, day=daily.day), player)
        before = standing.key
        standing.key, standing.assisted = _summed(standing)
        standing.changed_at = timezone.now()
        standing.save()
        moved.append(Moved(standing, before, standing.key))
    return moved


def _held(board: Board, player: AbstractBaseUser) -> Standing:
    """The player's, new if there was none, locked until the transaction ends."""
    standing, _ = Standing.objects.select_for_update().get_or_create(
        board=board, player_id=player.pk, defaults={"changed_at": timezone.now()}
    )
    standing.board = board
    return standing


def _summed(standing: Standing) -> tuple[int | None, bool | None]:
    """The key that the player's results of the board's days come to, None where there are none; and
    of a single day whether that was assisted. Read after the standing is locked: what has been
    entered meanwhile is among them."""
    board = standing.board
    days = (board.date, Span(board.span).last(Day(board.date)).date)
    results = DailyResult.objects.filter(
        player_id=standing.player_id,
        daily__rules_key=board.rules_key,
        daily__date__range=days,
        withdrawn=False,
    )
    scores = [result.score for result in results]
    if not scores:
        return None, None
    if board.span == Span.DAY:
        return scores[0].key, scores[0].assisted
    return Total.of_days(scores).key, None


def _enter(moved: Sequence[Moved]) -> None:
    """Counts them, and publishes them once this transaction is committed."""
    DATABASE.enter(moved)
    standings = [each.standing for each in moved]
    transaction.on_commit(partial(ranks().follow, standings), robust=True)
    for rules_key in sorted({standing.board.rules_key for standing in standings}):
        tell_of_board(rules_key)
