"""The lock files: all hashed, no addresses, one set inside the other."""

import re
import tomllib
from itertools import chain

import pytest

from tests.serving import ROOT

LOCKS = ("requirements/runtime.txt", "requirements/dev.txt")


def entries(name: str) -> list[tuple[str, str]]:
    """Package, and what follows it: version, marker, hashes."""
    text = re.sub(r"^ *#.*\n", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    return re.findall(r"^([a-z0-9._-]+)(?:\[[^]]*\])?==(.*(?:\n .*)*)", text, re.MULTILINE)


def names(name: str) -> set[str]:
    return {package for package, _ in entries(name)}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|^-|^\s*--(?!hash=)", text, re.MULTILINE)


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_of_a_lock_has_its_hashes(name: str) -> None:
    assert entries(name)
    assert [package for package, rest in entries(name) if "--hash=sha256:" not in rest] == []


def test_the_tools_lock_has_all_of_the_runtimes_in_the_same_versions() -> None:
    runtime, dev = map(entries, LOCKS)
    assert [entry for entry in runtime if entry not in dev] == []


def test_what_pyproject_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    runtime, tools = project["project"]["dependencies"], project["dependency-groups"].values()
    asked = {
        "requirements/runtime.txt": runtime,
        "requirements/dev.txt": [*runtime, *filter(is_text, chain.from_iterable(tools))],
    }
    for lock, lines in asked.items():
        assert {re.split(r"[\[~<>=! ]", line)[0].lower() for line in lines} <= names(lock), lock


def is_text(line: object) -> bool:
    return isinstance(line, str)
