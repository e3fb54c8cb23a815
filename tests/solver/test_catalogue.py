"""The catalogue's data file: what it says is right, and making it goes on where it stopped."""

from itertools import islice
from pathlib import Path

import pytest

from game.rules.deals import CATALOGUE, numbered_deck
from game.rules.rulesets import RULE_SETS
from solver import catalogue
from solver.catalogue import BadCatalogue, Tier, entry, numbers
from solver.difficulty import difficulty
from solver.making import Solved, columns_of, differences, kept, make
from solver.search import Verdict
from solver.winnability import Share, shares, table
from tests.serving import ROOT
from tests.solver.command import run

PAGE = Path(ROOT, "docs", "winnability.md")


def test_it_takes_less_than_a_mebibyte() -> None:
    assert catalogue.FILE.stat().st_size <= 2**20


def test_as_many_are_winnable_as_in_an_independent_count() -> None:
    found = shares(catalogue.load())
    assert found["classic"].won == 13_182
    assert found["open"].won == 13_373


@pytest.mark.compiled
def test_a_sample_solved_again_agrees() -> None:
    sample = [*range(7, 20_000, 2_500), 20_000]
    assert [*differences(catalogue.FILE, sample, 2)] == [None] * len(sample)


@pytest.mark.parametrize("key", RULE_SETS)
def test_what_is_easier_by_some_rules_is_winnable_by_them(key: str) -> None:
    """More passes, a playable stock and overlap pairs only add moves; fewer cards to clear help."""
    rules = RULE_SETS[key]
    for number in CATALOGUE:
        if won(number, key):
            for other, record in RULE_SETS.items():
                if (
                    record.passes >= rules.passes
                    and record.stock_top_playable >= rules.stock_top_playable
                    and record.overlap_pairs >= rules.overlap_pairs
                    and record.goal == "pyramid"
                ):
                    assert won(number, other), (number, other)


def won(number: int, key: str) -> bool:
    found = entry(number, RULE_SETS[key])
    assert found is not None
    assert found.verdict is not Verdict.UNKNOWN
    return found.verdict is Verdict.WINNABLE


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_easiest_third_of_the_winnable_is_easy(key: str) -> None:
    rules = RULE_SETS[key]
    easy, standard = (numbers(rules, tier) for tier in (Tier.EASY, Tier.STANDARD))
    winnable = [number for number in CATALOGUE if won(number, key)]
    assert sorted([*easy, *standard]) == winnable
    assert len(easy) == -(-len(winnable) // 3)
    hardest = min(entry(number, rules).difficulty for number in easy)  # type: ignore[union-attr]
    assert all(entry(number, rules).difficulty <= hardest for number in standard)  # type: ignore[union-attr]


def test_ties_at_the_edge_of_the_easy_are_broken_by_cards_removed_then_number() -> None:
    rules = RULE_SETS["open"]
    easy, standard = (numbers(rules, tier) for tier in (Tier.EASY, Tier.STANDARD))
    edge = min(entry(number, rules).difficulty for number in easy)  # type: ignore[union-attr]
    keys = [
        [
            (-difficulty(numbered_deck(number), rules).removed, number)
            for number in tier
            if entry(number, rules).difficulty == edge  # type: ignore[union-attr]
        ]
        for tier in (easy, standard)
    ]
    assert all(keys)
    assert max(keys[0]) < min(keys[1])


def test_a_par_stands_where_it_should() -> None:
    for key in RULE_SETS:
        for number in range(1, 200):
            found = entry(number, RULE_SETS[key])
            assert found is not None
            has_par = key in catalogue.WITH_PAR and found.verdict is Verdict.WINNABLE
            assert (found.par is not None) == has_par
            assert (found.tier is None) == (found.verdict is Verdict.UNWINNABLE)


def test_past_the_catalogue_nothing_is_known() -> None:
    rules = RULE_SETS["classic"]
    assert [entry(number, rules) for number in (0, -1, 20_001)] == [None] * 3


def test_the_page_shows_the_table_of_the_file() -> None:
    assert "\n".join(table(catalogue.load())) in PAGE.read_text()


def test_the_command_prints_it() -> None:
    assert run("catalogue", "--table").stdout.splitlines() == [*table(catalogue.load())]


def test_wilsons_interval_is_the_published_one() -> None:
    """Newcombe 1998, table I, example (a): 81 of 263."""
    low, high = Share(81, 263).interval
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_making_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    partial = tmp_path / "catalogue.partial"
    counts = [*islice(make(partial, 1), 3)]
    assert counts == [0, 1, 2]
    with partial.open("a") as file:
        file.write("[17,[nu")  # killed while it wrote
    done = dict(kept(partial))
    assert len(done) >= 2
    assert partial.read_text().endswith("\n")
    counts = [*islice(make(partial, 1), 2)]
    assert counts == [len(done), len(done) + 1]


def test_a_file_reads_back_as_it_was_written(tmp_path: Path) -> None:
    answers = tuple(Solved(True, 400, 20_000, 40) for _ in RULE_SETS)
    lost = tuple(Solved(False) for _ in RULE_SETS)
    columns = columns_of([(n, answers if n % 3 else lost) for n in CATALOGUE])
    path = tmp_path / "catalogue.gz"
    catalogue.write(path, columns)
    assert catalogue.read(path) == columns


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "flipped", "other rules"])
def test_a_damaged_file_is_refused_in_words(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "catalogue.gz"
    whole = catalogue.FILE.read_bytes()
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(whole[: len(whole) // 2])
        case "flipped":
            path.write_bytes(whole[:500] + bytes([whole[500] ^ 255]) + whole[501:])
        case "other rules":
            import gzip

            path.write_bytes(gzip.compress(b'{"format": 0}\n'))
    with pytest.raises(BadCatalogue, match="catalogue"):
        catalogue.read(path)
    told = run("catalogue", "--table", "--file", str(path))
    assert told.returncode == 1
    assert "catalogue" in told.stderr
    assert "Traceback" not in told.stderr
