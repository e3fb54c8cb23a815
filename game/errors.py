"""What a game refuses beyond the rules of the cards.

RuleError (game.rules.errors)
└── GameError
    ├── GameNotFound   no such game, or not this caller's to see
    ├── StaleVersion   the position has changed since; carries the present state
    ├── IdReused       this client_move_id already stands for another change
    └── NotInRanked    not in a daily or a race
"""

from game.rules.errors import RuleError
from game.view import View


class GameError(RuleError):
    pass


class GameNotFound(GameError):
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
