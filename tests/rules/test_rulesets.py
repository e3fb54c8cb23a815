import ast
import dataclasses
from pathlib import Path

import pytest

from game.rules.errors import UnknownRules
from game.rules.rulesets import RULE_SETS, Goal, rule_set
from tests.rules import naive

ROOT = Path(__file__).parents[2]
PACKAGES = ["game", "solver", "leaderboards", "accounts", "pyramid_site"]


def test_there_are_the_eight_rule_sets_of_the_table():
    assert list(RULE_SETS) == list(naive.TABLE)


@pytest.mark.parametrize("key", naive.TABLE)
def test_a_record_holds_the_values_of_the_table(key):
    rules = rule_set(key)
    assert rules is RULE_SETS[key]
    assert {
        "passes": rules.passes,
        "stock top": rules.stock_top_playable,
        "overlap": rules.overlap_pairs,
        "face down": rules.covered_face_down,
        "goal": rules.goal.value,
        "daily": rules.daily,
        "featured": rules.featured,
    } == naive.RULE_SETS[key]
    assert rules.key == key


def test_a_goal_is_the_pyramid_or_all_cards():
    assert [goal.value for goal in Goal] == ["pyramid", "all"]


def test_the_records_and_their_table_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RULE_SETS["classic"].passes = 4
    with pytest.raises(TypeError):
        RULE_SETS["mine"] = RULE_SETS["classic"]


@pytest.mark.parametrize("key", ["", "Classic", "classic ", "open-3", "pyramid", "all"])
def test_any_other_key_is_an_unknown_rule_set(key):
    with pytest.raises(UnknownRules) as refused:
        rule_set(key)
    assert refused.value.code == "unknown_rules"


def key_comparisons(source: str) -> list[int]:
    """The lines where a value is compared or matched with a rule set's key."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare | ast.MatchValue):
            constants = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
            if any(isinstance(value, str) and value in naive.TABLE for value in constants):
                lines.append(node.lineno)
    return lines


@pytest.mark.parametrize(
    "source",
    [
        "if rules.key == 'classic': pass",
        "if 'blind' != rules.key: pass",
        "x = rules.key in {'open-1', 'open-2'}",
        "match rules.key:\n    case 'strict': pass",
    ],
)
def test_a_comparison_with_a_key_is_found(source):
    assert key_comparisons(source)


def test_naming_a_key_is_no_comparison():
    assert not key_comparisons("rules = RULE_SETS['classic']\ndefault = 'blind'")


def test_no_code_compares_the_key_of_a_rule_set():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in key_comparisons(path.read_text(encoding="utf-8"))
    ]
    assert found == []
