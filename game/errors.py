"""What a game refuses beyond the rules of the cards.

RuleError (game.rules.errors)
└── GameError
    ├── GameNotFound   no such game, or not this caller's to see
    ├── RaceNotFound   no race of that code
    ├── StaleVersion   the position has changed since; carries the present state
    ├── IdReused       this client_move_id already stands for another change
    ├── NotInRanked    not in a daily or a race
    ├── DailyClosed    the day that the game is of is over
    ├── StillRunning   only once the game has ended
    ├── PlayerGone     the caller's account has been deleted meanwhile
    └── SolverBusy     the solver has no time now
"""

from game.rules.errors import RuleError
from game.view import View


class GameError(RuleError):
    pass


class GameNotFound(GameError):
    code = "not_found"


class RaceNotFound(GameError):
    code = "not_found"


class StaleVersion(GameError):
    """`version`: the game's own. `view`: the game as it stands, for the answer."""

    code = "stale_version"

    def __init__(self, view: View) -> None:
        super().__init__(version=view.ledger.version)
        self.view = view


class IdReused(GameError):
    code = "id_reused"

    def __init__(self, client_move_id: str) -> None:
        super().__init__(client_move_id=client_move_id)


class NotInRanked(GameError):
    code = "not_in_ranked"


class DailyClosed(GameError):
    code = "daily_closed"


class StillRunning(GameError):
    code = "still_running"


class PlayerGone(GameError):
    """Told as what it is from then on: a token that is not good any more."""

    code = "authentication_failed"


class SolverBusy(GameError):
    """`retry_after_s`: when it is worth asking again."""

    code = "solver_busy"

    def __init__(self) -> None:
        super().__init__(retry_after_s=2)
