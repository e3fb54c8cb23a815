"""Names: which may be taken, and which are too much alike for two players."""

import re
import unicodedata

from confusable_homoglyphs import categories
from confusable_homoglyphs.confusables import confusables_data

SHORTEST = 2  # characters, once normal
NAME_LENGTH = 20
KEY_LENGTH = 120

_BETWEEN = "_.-"
# No more marks on a letter than scripts need: a heap of them covers the lines above.
_SPELLING = re.compile("letter (mark ){,2}((between )*letter (mark ){,2})*")
# Unicode calls them letters and marks; there is nothing to see.
_BLANK = frozenset(
    chr(code)
    for first, last in (
        *((0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164)),
        *((0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF)),
    )
    for code in range(first, last + 1)
)
# Scripts that are written together; any other goes alone (UTS #39, "highly restrictive").
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
_OF_NO_SCRIPT = {"COMMON", "INHERITED"}
_DOTTED = re.compile("([lj][\u0300-\u0306\u0308-\u036f]*)\u0307")  # l stands for i as well


def normal(name: str) -> str:
    """The one way in which the name is written: full-width letters and ligatures are spelt out."""
    return unicodedata.normalize("NFKC", name)


def key(name: str) -> str:
    """The same for names that differ in case only or look alike (Unicode's table of confusables,
    UTS #39): no two players have the same."""
    letters = normal(normal(name).casefold())
    while (likeness := _likeness(letters)) != letters:  # what looks like them has its own alike
        letters = likeness
    return letters


def _likeness(letters: str) -> str:
    """A dot upon a letter that has one is not seen."""
    return _DOTTED.sub(r"\1", normal("".join(map(_prototype, letters)).casefold()))


def fault(name: str) -> str | None:
    """The code of what stands against the name, whoever asks for it; None where nothing does."""
    name = normal(name)
    if len(name) < SHORTEST:
        return "name_too_short"
    if len(name) > NAME_LENGTH:
        return "name_too_long"
    if not _is_spelt(name):
        return "name_letters"
    if not any(unicodedata.category(letter)[0] == "L" for letter in name):
        return "name_no_letter"
    if not _is_of_one_script(name):
        return "name_mixed_scripts"
    if _is_reserved(name):
        return "name_reserved"
    return None


def _is_spelt(name: str) -> bool:
    """Letters and digits, their marks, and what may stand between them."""
    return not _BLANK.intersection(name) and bool(_SPELLING.fullmatch("".join(map(_kind, name))))


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "L" or category == "Nd":
        return "letter "
    if category in ("Mn", "Mc"):
        return "mark "
    return "between " if character in _BETWEEN else "other "


def _is_of_one_script(name: str) -> bool:
    scripts = {categories.alias(letter) for letter in name} - _OF_NO_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _TOGETHER)


def _is_reserved(name: str) -> bool:
    """Also where it only looks like one of them."""
    parts = {key(part.rstrip("0123456789")) for part in re.split(f"[{_BETWEEN}]", name)}
    whole = {key(name), key(name.rstrip("0123456789" + _BETWEEN))}
    return not parts.isdisjoint(_OFFICES) or not whole.isdisjoint(_RESERVED)


def _keys(*words: str) -> frozenset[str]:
    return frozenset(key(word) for line in words for word in line.split())


def _prototype(letter: str) -> str:
    """What stands for all letters that look like this one, small or as capitals."""
    likeness = _in_table(letter)
    return _LIKE_IN_CAPITALS.get(likeness, likeness)


def _in_table(letter: str) -> str:
    alike = confusables_data.get(letter, ())
    if len(alike) != 1:  # it stands for several itself, or none looks like it
        return letter
    other = str(alike[0]["c"])
    return min(letter, other) if len(confusables_data.get(other, ())) == 1 else other


def _like_in_capitals() -> dict[str, str]:
    """Small letters that look like none of ours, but whose capitals do: ТОМ is Cyrillic."""
    pairs = {"i": "l"}
    for letter in filter(str.islower, confusables_data):
        small, capital = _in_table(letter), _in_table(letter.upper()).casefold()
        is_ours = len(capital) == len(small) == 1 and capital.isascii() and capital.isalnum()
        if is_ours and small.isalpha() and not small.isascii() and small == small.casefold():
            pairs[small] = capital
    return pairs


_LIKE_IN_CAPITALS = _like_in_capitals()

# No part of a name may claim to be one of these; `guest-…` and `gone-…` are given by the server.
_OFFICES = _keys(
    "guest gone admin administrator mod moderator operator official root staff support system",
    "админ администратор модератор гость",
    "管理员 管理員 管理者 管理人 版主 客服 官方 運営 游客 遊客 ゲスト",
)
# No name may be one of these.
_RESERVED = _keys(
    "me you player players account accounts api help server owner pyramid solitaire",
    "anonymous nobody somebody everyone all here deleted unknown none null undefined nan",
)
