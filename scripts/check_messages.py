"""Whether every text is there in every language, and nothing else; `make check` runs it.

The texts of the sources, found anew in a temporary copy, are held against the catalogues: each
must be translated, in all plural forms, with the placeholders of the original, not fuzzy; the
catalogues hold nothing that the sources do not, and what is compiled is what is written.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib  # type: ignore[import-untyped]
from messages import DOMAINS, IGNORED, LOCALES, ROOT, GettextMissing, make_messages

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}")


def main() -> int:
    try:
        faults = list(catalogue_faults(ROOT))
    except GettextMissing as missing:
        print(missing)
        return 1
    except subprocess.CalledProcessError as error:
        print(error.stdout)
        return 1
    for fault in faults:
        print(fault)
    if faults:
        print(f"{len(faults)} faults. `make messages` takes in new texts and compiles.")
    return 1 if faults else 0


def catalogue_faults(root: Path) -> Iterator[str]:
    """What is wrong with the catalogues below `root`, a line each. Raises as `make_messages`."""
    for domain, texts in source_texts(root).items():
        for locale in LOCALES:
            path = root / "locale" / locale / "LC_MESSAGES" / f"{domain}.po"
            for fault in file_faults(path, texts):
                yield f"{path.relative_to(root)}: {fault}"


def source_texts(root: Path) -> dict[str, polib.POFile]:
    """What the sources say, by domain; empty where they say nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        skipped = shutil.ignore_patterns(".*", "*.po", "*.mo", "__pycache__", *IGNORED)
        shutil.copytree(root, copy, ignore=skipped)
        make_messages(copy, keep_pot=True)
        pots = {domain: copy / "locale" / f"{domain}.pot" for domain in DOMAINS}
        return {
            domain: polib.pofile(str(pot)) if pot.exists() else polib.POFile()
            for domain, pot in pots.items()
        }


def file_faults(path: Path, texts: polib.POFile) -> Iterator[str]:
    if not path.exists():
        if texts:
            yield f"is missing; the sources have {len(texts)} texts"
        return
    catalogue = polib.pofile(str(path))
    wanted = {key(entry): entry for entry in texts}
    current = {key(entry): entry for entry in catalogue if not entry.obsolete}
    for missing in wanted.keys() - current.keys():
        yield f"does not have {shown(wanted[missing])}"
    for entry in catalogue:
        if entry.obsolete or key(entry) not in wanted:
            yield f"keeps {shown(entry)}, which no source says any more"
        else:
            yield from entry_faults(entry, plural_forms(catalogue))
    if compiled(path.with_suffix(".mo")) != written(catalogue):
        yield "is not what its .mo file holds"


def entry_faults(entry: polib.POEntry, forms: int) -> Iterator[str]:
    if entry.fuzzy:
        yield f"has {shown(entry)} fuzzy"
    if entry.msgid_plural:
        translations = [entry.msgstr_plural.get(form, "") for form in range(forms)]
        allowed = [placeholders(entry.msgid), placeholders(entry.msgid_plural)]
    else:
        translations = [entry.msgstr]
        allowed = [placeholders(entry.msgid)]
    if not all(translations):
        yield f"does not translate {shown(entry)}"
    for translation in filter(None, translations):
        if placeholders(translation) not in allowed:
            yield f"has other placeholders in “{translation}” than {shown(entry)}"


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def plural_forms(catalogue: polib.POFile) -> int:
    found = re.search(r"nplurals\s*=\s*(\d+)", catalogue.metadata.get("Plural-Forms", ""))
    return int(found[1]) if found else 1


def compiled(path: Path) -> object:
    return content(polib.mofile(str(path))) if path.exists() else None


def written(catalogue: polib.POFile) -> object:
    return content(catalogue, [entry for entry in catalogue if entry.translated()])


def content(
    catalogue: polib.POFile | polib.MOFile, entries: list[polib.POEntry] | None = None
) -> object:
    """The translations, and the rule that chooses among plural forms."""
    return catalogue.metadata.get("Plural-Forms"), {
        key(entry): entry.msgstr_plural or entry.msgstr
        for entry in (catalogue if entries is None else entries)
    }


def key(entry: polib.POEntry) -> tuple[str, str, str]:
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural or ""


def shown(entry: polib.POEntry) -> str:
    context = f" ({entry.msgctxt})" if entry.msgctxt else ""
    return f"“{entry.msgid}”{context}"


if __name__ == "__main__":
    sys.exit(main())
