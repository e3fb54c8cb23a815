"""What the solver tells a player: a hint, whether it can still be won, the way back to there.

The solver is asked outside of any transaction, of the position as it is then. Its answer becomes
an entry of the log, unless the position has changed meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from game.answers import CheckAnswer, HintAnswer, Label
from game.errors import NotInRanked, SolverBusy
from game.ledger import EntryType, Ledger, Rewind
from game.models import Game
from game.rules.errors import NothingToRewind
from game.rules.position import Position
from game.selectors import label_of, own_game
from game.services.change import Change, made_before, make, refuse
from game.services.log import Made
from game.view import View
from solver import estimate, questions
from solver.worker import Busy, worker

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hinted:
    answer: HintAnswer
    view: View


@dataclass(frozen=True, slots=True)
class Checked:
    answer: CheckAnswer
    view: View


def hint(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> Hinted:
    """A move to make, from what the player has seen; counted. Not in a race.

    Raises `GameNotFound`, `GameOver`, `StaleVersion`, also when the position changed meanwhile,
    `NotInRanked`, `IdReused` and `SolverBusy`.
    """
    change = Change(game_id, player, EntryType.HINT, "", version, client_move_id)
    made = _make_by_solver(change, _hint)
    return Hinted(HintAnswer.parse(made.entry.detail), made.view)


def check(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> Checked:
    """Whether the position can still be won, with the cards as they lie; counted. Casual only.

    Raises what `hint` raises.
    """
    change = Change(game_id, player, EntryType.CHECK, "", version, client_move_id)
    made = _make_by_solver(change, _check)
    return Checked(CheckAnswer.parse(made.entry.detail), made.view)


def rewind_to_winnable(
    *,
    game_id: UUID,
    player: AbstractBaseUser,
    version: int | None = None,
    client_move_id: str | None = None,
) -> View:
    """Back to the last position that can still be won: one undo, and a check. Casual only.

    Raises `NothingToRewind` when that is the present one or none is known, and what `hint` raises.
    """
    asked = Rewind.WINNABLE
    change = Change(game_id, player, EntryType.REWIND, asked, version, client_move_id)
    return _make_by_solver(change, _kept_moves).view


def with_label(view: View) -> View:
    """A game as it is looked at, with the deal's label where its end has made that due.

    The solver finds it, if it has time now; otherwise whoever looks next will ask.
    """
    game = view.game
    if game.is_ranked or not view.ledger.status.is_over or label_of(view) is not None:
        return view
    try:
        verdict = worker.ask_soon(questions.label, _deal(view.ledger))
    except Busy:
        return view
    game.label_after = Label(verdict)
    Game.objects.filter(pk=game.pk).update(label_after=game.label_after)
    return view


def ask(question: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> T:
    """Raises `SolverBusy`. The caller has no transaction open."""
    try:
        return worker.ask(question, *arguments, **more)
    except Busy as busy:
        raise SolverBusy() from busy


def _make_by_solver(change: Change, find: Callable[[Ledger], str]) -> Made:
    again = made_before(change)
    if again is not None:
        return again
    game = own_game(change.game_id, change.player)
    ledger = game.ledger()
    refuse(change, game, ledger, timezone.now())
    found = find(ledger)
    return make(replace(change, version=ledger.version), lambda _: found)


def _hint(ledger: Ledger) -> str:
    found = ask(estimate.hint, ledger.play.position, ledger.play.seen)
    return str(HintAnswer(found.move, found.reason, found.certainty, found.win_chance))


def _check(ledger: Ledger) -> str:
    standing = ask(questions.standing, _deal(ledger), ledger.play.line)
    moves_back = None if standing.kept is None else len(ledger.play.line) - standing.kept
    return str(CheckAnswer(Label(standing.verdict), moves_back, Label(standing.deal)))


def _kept_moves(ledger: Ledger) -> str:
    if ledger.ranked:
        raise NotInRanked()
    standing = ask(questions.standing, _deal(ledger), ledger.play.line)
    if standing.kept is None or standing.kept == len(ledger.play.line):
        raise NothingToRewind(to=Rewind.WINNABLE)
    return str(standing.kept)


def _deal(ledger: Ledger) -> Position:
    return Position.deal(ledger.play.deck, ledger.play.rules)
