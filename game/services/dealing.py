"""Secret deals: of a seed that nobody learns before all that depends on it is over."""

import secrets

from game.models import Deal, Tier
from game.rules.rulesets import RuleSet
from game.services.assist import ask
from solver.catalogue import Tier as SolvedTier
from solver.dealing import Sought, Wanted, dealt_attempt, look_through


def secret_deal(*, rules: RuleSet, tier: Tier) -> Deal:
    """A deal of the tier, of a fresh seed, not saved yet. Raises `SolverBusy`.

    The caller has no transaction open: all but random ones take the solver a moment.
    """
    return deal_of_seed(secrets.token_hex(32), rules=rules, wanted=Wanted(tier))


def deal_of_seed(seed: str, *, rules: RuleSet, wanted: Wanted) -> Deal:
    """As `secret_deal`, of a given seed."""
    return Deal(seed=seed, attempt=dealt_attempt(seed, rules, wanted, look=_look))


def _look(seed: str, rules: RuleSet, tier: SolvedTier | None, start: int) -> Sought:
    return ask(look_through, seed, rules, tier, start)
