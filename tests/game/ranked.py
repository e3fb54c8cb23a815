"""Games of a secret deal, as a daily or a race will start them."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Session, User
from game.models import Deal, Kind
from game.rules.rulesets import RULE_SETS
from game.services import play
from tests.caller import Caller, Table

SEED = "0f" * 32


def player_of(caller: Caller) -> User:
    user = Session.objects.get(session_key=caller.token).user
    assert user is not None
    return user


def ranked_game(caller: Caller, kind: Kind = Kind.DAILY, rules: str = "classic") -> Table:
    deal, _ = Deal.objects.get_or_create(seed=SEED, attempt=0)
    closes_at = timezone.now() + timedelta(days=1) if kind is Kind.DAILY else None
    game = play.start(
        player=player_of(caller),
        deal=deal,
        rules=RULE_SETS[rules],
        kind=kind,
        closes_at=closes_at,
    )
    return Table(caller, str(game.pk))
