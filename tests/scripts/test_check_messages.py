"""The check of the translations finds each thing that can be wrong with one."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from tests.serving import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import check_messages
from messages import LOCALES

pytestmark = pytest.mark.skipif(
    shutil.which("xgettext") is None, reason="GNU gettext (install gettext)"
)

SOURCE = """
from django.utils.translation import gettext, ngettext, pgettext

def texts(count, name):
    yield gettext("Hello, %(name)s.") % {"name": name}
    yield pgettext("of a card", "ten")
    yield ngettext("%(count)s card", "%(count)s cards", count) % {"count": count}
"""
PLURALS = {"ru": ("nplurals=3; plural=(n%10==1 ? 0 : n%10<5 ? 1 : 2);", 3)}
ONE_FORM = ("nplurals=1; plural=0;", 1)

Change = Callable[[polib.POFile], object]


def write(root: Path, locale: str, change: Change | None = None) -> None:
    """A whole catalogue, compiled, and then changed and compiled again."""
    rule, forms = PLURALS.get(locale, ONE_FORM)
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": rule,
    }
    catalogue.append(polib.POEntry(msgid="Hello, %(name)s.", msgstr="%(name)s!"))
    catalogue.append(polib.POEntry(msgid="ten", msgctxt="of a card", msgstr="10"))
    catalogue.append(
        polib.POEntry(
            msgid="%(count)s card",
            msgid_plural="%(count)s cards",
            msgstr_plural=dict.fromkeys(range(forms), "%(count)s ×"),
        )
    )
    if change is not None:
        change(catalogue)
    folder = root / "locale" / locale / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(folder / "django.po"))
    catalogue.save_as_mofile(str(folder / "django.mo"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "texts.py").write_text(SOURCE)
    for locale in LOCALES:
        write(tmp_path, locale)
    return tmp_path


def faults(root: Path) -> list[str]:
    return list(check_messages.catalogue_faults(root))


def test_whole_catalogues_have_no_faults(root: Path) -> None:
    assert faults(root) == []


def no_plural(catalogue: polib.POFile) -> None:
    catalogue[2].msgstr_plural[2] = ""


def other_placeholder(catalogue: polib.POFile) -> None:
    catalogue[0].msgstr = "%(nаme)s!"  # a Cyrillic letter


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda po: po.remove(po[1]), "does not have “ten” (of a card)"),
        (lambda po: setattr(po[0], "msgstr", ""), "does not translate “Hello, %(name)s.”"),
        (no_plural, "does not translate “%(count)s card”"),
        (lambda po: po[1].flags.append("fuzzy"), "has “ten” (of a card) fuzzy"),
        (other_placeholder, "has other placeholders in “%(nаme)s!” than “Hello, %(name)s.”"),
        (
            lambda po: po.append(polib.POEntry(msgid="Bye", msgstr="…")),
            "keeps “Bye”, which no source says any more",
        ),
        (
            lambda po: po.append(polib.POEntry(msgid="Old", msgstr="…", obsolete=True)),
            "keeps “Old”, which no source says any more",
        ),
    ],
)
def test_each_fault_is_told(root: Path, change: Change, fault: str) -> None:
    write(root, "ru", change)
    assert faults(root) == [f"locale/ru/LC_MESSAGES/django.po: {fault}"]


def test_a_missing_catalogue_is_told(root: Path) -> None:
    shutil.rmtree(root / "locale" / "ja")
    assert faults(root) == ["locale/ja/LC_MESSAGES/django.po: is missing; the sources have 3 texts"]


def test_a_compiled_file_that_is_not_there_or_behind_is_told(root: Path) -> None:
    folder = root / "locale" / "ru" / "LC_MESSAGES"
    behind = ["locale/ru/LC_MESSAGES/django.po: is not what its .mo file holds"]
    (folder / "django.mo").unlink()
    assert faults(root) == behind
    write(root, "ru", lambda po: setattr(po[1], "msgstr", "десять"))
    shutil.copy(root / "locale" / "ja" / "LC_MESSAGES" / "django.mo", folder / "django.mo")
    assert faults(root) == behind


def test_the_sources_and_the_catalogues_are_left_as_they_are(root: Path) -> None:
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    faults(root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
