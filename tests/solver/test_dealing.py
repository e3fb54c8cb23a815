"""Which of a seed's decks is dealt: tiers as in the catalogue, and the same for everybody."""

from collections.abc import Iterator
from itertools import count

import pytest

from game.rules.deals import CATALOGUE, numbered_deck, seeded_deck
from game.rules.playthrough import Playthrough
from game.rules.position import Position
from game.rules.rulesets import DEFAULT, RULE_SETS, RuleSet
from solver import dealing
from solver.catalogue import NOT_WINNABLE, Tier, load, numbers
from solver.dealing import Sought, Wanted, dealt_attempt, look_through, tier_of
from solver.difficulty import difficulty
from solver.search import Verdict, decide
from tests.solver.command import INTERPRETED, SOLVER, run

SEEDS = ["00112233445566778899aabbccddeeff" * 2, "0f" * 32]


def borderline(rules: RuleSet) -> Iterator[int]:
    """The catalogue's deals won as often as some easy and some standard deal."""
    won = load()[rules.key].won
    least = min(won[number - 1] for number in numbers(rules, Tier.EASY))
    most = max(won[number - 1] for number in numbers(rules, Tier.STANDARD))
    for number in CATALOGUE:
        if won[number - 1] != NOT_WINNABLE and most <= won[number - 1] <= least:
            yield number


@pytest.mark.compiled
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_deck_of_the_catalogue_has_its_tier_there(key: str) -> None:
    rules = RULE_SETS[key]
    sample = [number for tier in Tier for number in numbers(rules, tier)[::100][:20]]
    for number in [*sample, *borderline(rules)]:
        there = next(tier for tier in Tier if number in numbers(rules, tier))
        assert tier_of(numbered_deck(number), rules) is there, number


@pytest.mark.compiled
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_two_deals_that_tie_in_everything_are_of_different_tiers(key: str) -> None:
    rules = RULE_SETS[key]
    tiers: dict[tuple[int, int], set[Tier]] = {}
    for number in borderline(rules):
        there = next(tier for tier in Tier if number in numbers(rules, tier))
        tiers.setdefault(difficulty(numbered_deck(number), rules).ease, set()).add(there)
    assert all(len(of_equals) == 1 for of_equals in tiers.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("tier", Tier)
def test_the_first_winnable_deck_of_the_tier_is_dealt(seed: str, tier: Tier) -> None:
    chosen = dealt_attempt(seed, DEFAULT, Wanted(tier))
    for attempt in range(chosen + 1):
        deck = seeded_deck(seed, attempt)
        winnable = decide(Position.deal(deck, DEFAULT)).verdict is Verdict.WINNABLE
        wanted = winnable and tier_of(deck, DEFAULT) is tier
        assert wanted is (attempt == chosen)


def test_at_random_the_first_deck_without_a_locked_card_is_dealt() -> None:
    attempts = {dealt_attempt(f"{n:064x}", DEFAULT, Wanted.RANDOM) for n in range(40)}
    assert {0, 1} <= attempts  # some seeds begin with a locked one
    for n in range(40):
        chosen = dealt_attempt(f"{n:064x}", DEFAULT, Wanted.RANDOM)
        for attempt in range(chosen + 1):
            deck = seeded_deck(f"{n:064x}", attempt)
            assert bool(Playthrough.start(deck, DEFAULT).locks()) is (attempt < chosen)


def test_what_one_question_does_not_find_the_next_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (seed, rules) = SEEDS[0], RULE_SETS["blind"]
    at_once = dealt_attempt(seed, rules, Wanted.STANDARD)
    monkeypatch.setattr(dealing, "NODES", 1)
    starts = []

    def look(seed: str, rules: RuleSet, tier: Tier, start: int) -> Sought:
        starts.append(start)
        return look_through(seed, rules, tier, start)

    assert dealt_attempt(seed, rules, Wanted.STANDARD, look) == at_once > 0
    assert starts == list(range(at_once + 1))  # a try each, none twice


def test_a_deck_that_the_nodes_do_not_decide_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealing, "DECK_NODES", 30)
    seed, rules = SEEDS[0], RULE_SETS["classic"]
    chosen = dealt_attempt(seed, rules, Wanted.EASY)
    decided = (
        attempt
        for attempt in count()
        if decide(Position.deal(seeded_deck(seed, attempt), rules), 30).verdict is Verdict.WINNABLE
        and tier_of(seeded_deck(seed, attempt), rules) is Tier.EASY
    )
    assert chosen == next(decided)


@pytest.mark.compiled
@pytest.mark.parametrize("tier", Wanted)
def test_compiled_and_interpreted_the_same_deck_is_dealt(tier: Wanted) -> None:
    asked = ("deal", "--seed", SEEDS[1], "--tier", tier, "--rules", "open")
    compiled, interpreted = run(*asked, program=SOLVER), run(*asked, program=INTERPRETED)
    assert compiled.stdout == interpreted.stdout
    assert compiled.stderr == interpreted.stderr
