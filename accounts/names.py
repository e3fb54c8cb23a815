"""Names: which may be taken, and which are too much alike for two players."""

import unicodedata

from confusable_homoglyphs.confusables import confusables_data

NAME_LENGTH = 20  # characters, once normal
KEY_LENGTH = 120

_LOOKALIKES = {"i": "l"}  # small letters whose capitals look like another's


def normal(name: str) -> str:
    """The one way in which the name is written: full-width letters and ligatures are spelt out."""
    return unicodedata.normalize("NFKC", name)


def key(name: str) -> str:
    """The same for names that differ in case only or look alike (Unicode's table of confusables,
    UTS #39): no two players have the same."""
    letters = normal(normal(name).casefold())
    return "".join(_prototype(letter) for letter in letters).casefold()


def _prototype(letter: str) -> str:
    """What stands for all letters that look like this one."""
    alike = confusables_data.get(letter, ())
    if len(alike) != 1:  # it stands for several itself, or none looks like it
        return _LOOKALIKES.get(letter, letter)
    other = str(alike[0]["c"])
    if len(confusables_data.get(other, ())) == 1:
        other = min(letter, other)
    return _LOOKALIKES.get(other, other)
