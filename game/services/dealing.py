"""Secret deals: of a fresh seed that nobody learns before all that depends on it is over."""

import secrets

from game.models import Deal, Tier
from game.rules.rulesets import RuleSet
from game.services.assist import ask
from solver.catalogue import Tier as SolvedTier
from solver.dealing import Sought, Wanted, dealt_attempt, look_through


def secret_deal(*, rules: RuleSet, tier: Tier) -> Deal:
    """A deal of the tier, not saved yet. Raises `SolverBusy`.

    The caller has no transaction open: easy and standard ones take the solver a moment.
    """
    seed = secrets.token_hex(32)
    attempt = dealt_attempt(seed, rules, Wanted(tier), look=_look)
    return Deal(seed=seed, attempt=attempt)


def _look(seed: str, rules: RuleSet, tier: SolvedTier, start: int) -> Sought:
    return ask(look_through, seed, rules, tier, start)
