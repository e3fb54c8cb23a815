"""What the documents say is what the code does."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from game.rules.deals import numbered_deck
from game.rules.rulesets import RULE_SETS, Goal, RuleSet
from pyramid_site.problem import PROBLEMS
from tests.serving import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def read(name: str) -> str:
    return (ROOT / name).read_text()


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows, without their backquotes."""
    lines = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    return [[cell.strip().strip("`") for cell in line.split("|")] for line in lines]


def anchors(text: str) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    for link in (link for link in links if not link.startswith(("http://", "https://"))):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def test_every_environment_variable_is_explained() -> None:
    calls = (node for node in ast.walk(ast.parse(read("pyramid_site/settings.py"))) if is_env(node))
    wanted = {call.args[0].value for call in calls}
    table = read("docs/configuration.md").split("## Embedded")[0]
    assert {row[0] for row in rows(table) if row[0].isupper()} == wanted


def is_env(node: ast.AST) -> Any:
    """Whether it is a call such as `env.str("NAME", …)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="env")), args=[ast.Constant(value=str()), *_]
        ):
            return True
    return False


def test_every_problem_is_explained_with_its_status() -> None:
    table = read("docs/api.md").split("## Problems")[1]
    explained = {row[0]: int(row[1]) for row in rows(table) if row[1].isdigit()}
    assert explained == {code: problem.status for code, problem in PROBLEMS.items()}


def test_every_call_is_explained() -> None:
    paths = re.findall(r"^  /api/v1/(\S+):$", read("docs/openapi.yaml"), re.MULTILINE)
    assert paths
    explained = read("docs/api.md")
    missing = [path for path in paths if path.replace("game_id", "id") not in explained]
    assert not missing


@pytest.mark.parametrize("name", ["README.md", "docs/rules.md"])
def test_the_tables_of_rule_sets_are_the_records(name: str) -> None:
    shown = [row for row in rows(read(name)) if row[0] in RULE_SETS]
    assert [row[:5] for row in shown] == [described(rules) for rules in RULE_SETS.values()]
    for row, rules in zip(shown, RULE_SETS.values(), strict=True):
        assert ("52" in row[5]) == (rules.goal is Goal.ALL)
    if len(shown[0]) > 6:
        assert [row[6] for row in shown] == [yes(rules.daily) for rules in RULE_SETS.values()]


def described(rules: RuleSet) -> list[str]:
    return [
        rules.key,
        str(rules.passes),
        yes(rules.stock_top_playable),
        yes(rules.overlap_pairs),
        "face down" if rules.covered_face_down else "face up",
    ]


def yes(answer: bool) -> str:
    return "yes" if answer else "no"


@pytest.mark.parametrize("number", [1, 2, 3, 20000, 2**32 - 1])
def test_the_documented_way_from_number_to_deck_is_the_true_one(number: int) -> None:
    code = re.findall(r"```python\n(.*?)```", read("docs/rules.md"), re.DOTALL)
    defined: dict[str, Any] = {}
    exec(code[0], defined)  # noqa: S102  it is ours
    assert tuple(defined["deck"](number)) == numbered_deck(number)


def test_every_make_target_is_explained() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", read("Makefile"), re.MULTILINE)) - {"help"}
    explained = read("docs/development.md").split("## Tests")[0]
    assert {row[0].removeprefix("make ") for row in rows(explained)[2:]} == targets


def test_every_decision_is_in_their_index() -> None:
    pages = {page.name for page in (ROOT / "docs/decisions").glob("[0-9]*.md")}
    assert set(re.findall(r"\]\((\d\S+)\)", read("docs/decisions/README.md"))) == pages


@pytest.mark.parametrize("picture", ["table.png", "race.png"])
def test_the_pictures_of_the_readme_load_fast(picture: str) -> None:
    assert (ROOT / "docs/images" / picture).stat().st_size <= 300_000
