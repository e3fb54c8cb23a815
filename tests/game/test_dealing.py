"""Secret deals: of a fresh seed, of the tier, found by the worker."""

import pytest
from pytest_django import DjangoAssertNumQueries

from game.errors import SolverBusy
from game.models import Tier
from game.rules.playthrough import Playthrough
from game.rules.position import Position
from game.rules.rulesets import DEFAULT, RULE_SETS
from game.services import assist
from game.services.dealing import secret_deal
from solver.dealing import tier_of
from solver.search import Verdict, decide
from solver.worker import Worker

NOTHING_WAITS = Worker(waiting=-1)


@pytest.mark.parametrize("tier", [Tier.EASY, Tier.STANDARD])
def test_a_secret_deal_is_winnable_and_of_the_tier(tier: Tier) -> None:
    for rules in (DEFAULT, RULE_SETS["strict"]):
        deal = secret_deal(rules=rules, tier=tier)
        assert decide(Position.deal(deal.deck, rules)).verdict is Verdict.WINNABLE
        assert tier_of(deal.deck, rules) == tier


def test_a_random_secret_deal_does_not_lie_there_locked() -> None:
    for _ in range(20):
        deal = secret_deal(rules=DEFAULT, tier=Tier.RANDOM)
        assert not Playthrough.start(deal.deck, DEFAULT).locks()


def test_every_secret_deal_has_a_seed_of_its_own() -> None:
    seeds = {secret_deal(rules=DEFAULT, tier=Tier.RANDOM).seed for _ in range(20)}
    assert len(seeds) == 20


@pytest.mark.django_db
def test_the_database_is_not_asked_and_nothing_saved(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        deal = secret_deal(rules=DEFAULT, tier=Tier.EASY)
    assert deal.pk is None


def test_when_the_solver_has_no_time_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assist, "worker", NOTHING_WAITS)
    with pytest.raises(SolverBusy):
        secret_deal(rules=DEFAULT, tier=Tier.EASY)
    assert secret_deal(rules=DEFAULT, tier=Tier.RANDOM).number is None  # it needs no solver
