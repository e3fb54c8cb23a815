"""What a daily refuses.

RuleError (game.rules.errors)
└── DailyError
    ├── NoDaily              the rule set has no daily deal, or the day none yet
    └── DailyAlreadyPlayed   the player's game of it has ended
"""

from game.rules.errors import RuleError


class DailyError(RuleError):
    pass


class NoDaily(DailyError):
    code = "not_found"


class DailyAlreadyPlayed(DailyError):
    code = "daily_already_played"
