"""Which names may be taken, and which are one and the same."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import names
from accounts.models import User
from tests.accounts.doors import PASSWORD, Door, Rest, account
from tests.caller import Caller, assert_problem

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LETTERS = st.text(
    st.characters(categories=["L", "Mn", "Nd"], include_characters="_.-"), max_size=20
)


@pytest.mark.parametrize(
    "name",
    [
        *("ab", "Alice", "x" * 20, "l33t", "a.b-c_d", "José", "Straße", "a__b", "7of9"),
        *("Ёлка", "Привет", "Νίκος", "太郎", "李小龍", "たろう", "タロー", "太郎Taro", "ひとり1"),
        *("한국abc", "ㄅㄆㄇ漢", "สมชาย", "عمر", "नमस्ते", "שלום", "Goneril", "Guestavo", "Adminka"),
        "Me-and-you",
    ],
)
def test_names_of_all_the_world_may_be_taken(name: str) -> None:
    assert names.fault(name) is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_too_short"),
        ("a", "name_too_short"),
        ("e\u0301", "name_too_short"),  # one character, once normal
        ("x" * 21, "name_too_long"),
        ("ﷺﷺ", "name_too_long"),  # 36, once normal
        ("12", "name_no_letter"),
        ("1_2", "name_no_letter"),
        ("a b", "name_letters"),
        (" ab", "name_letters"),
        ("_ab", "name_letters"),
        ("ab.", "name_letters"),
        ("a@b", "name_letters"),
        ("a/b", "name_letters"),
        ("..", "name_letters"),
        ("ab\n", "name_letters"),
        ("ab\x00", "name_letters"),
        ("a\u200bb", "name_letters"),  # of no width
        ("a\u200db", "name_letters"),
        ("ab\u202e", "name_letters"),  # turns the reading
        ("ab\ufe0f", "name_letters"),
        ("ㅤㅤ", "name_letters"),  # letters that are blank
        ("a\u034fb", "name_letters"),
        ("a\u0323\u0301\u0302\u0303b", "name_letters"),  # a heap of marks
        ("\u0301ab", "name_letters"),
        ("a🙂", "name_letters"),
        ("⠀⠀", "name_letters"),
        ("аlice", "name_mixed_scripts"),  # the first letter is Cyrillic
        ("αlpha", "name_mixed_scripts"),
        ("Aлиса", "name_mixed_scripts"),
        ("たろう한국", "name_mixed_scripts"),
        ("guest", "name_reserved"),
        ("Guest-1", "name_reserved"),
        ("guest-abcdefghjk", "name_reserved"),
        ("gone-12", "name_reserved"),
        ("Admin", "name_reserved"),
        ("ＡＤＭＩＮ", "name_reserved"),
        ("adm1n", "name_reserved"),
        ("admin_bob", "name_reserved"),
        ("the.moderator", "name_reserved"),
        ("m0d", "name_reserved"),
        ("me", "name_reserved"),
        ("ME2", "name_reserved"),
        ("Pyramid", "name_reserved"),
        ("管理员", "name_reserved"),
    ],
)
def test_names_that_deceive_may_not(name: str, code: str) -> None:
    assert names.fault(name) == code


@given(ANY_TEXT)
def test_every_text_is_a_name_or_has_a_fault(name: str) -> None:
    fault = names.fault(name)
    assert fault is None or fault.startswith("name_")
    if fault is None:
        kept = names.normal(name)
        assert 2 <= len(kept) <= 20
        assert unicodedata.is_normalized("NFKC", kept)
        assert kept.isprintable()
        assert not kept.isspace()
        assert len(names.key(kept)) <= names.KEY_LENGTH


@given(ANY_TEXT)
def test_a_name_that_is_normal_stays_as_it_is(name: str) -> None:
    assert names.normal(names.normal(name)) == names.normal(name)
    assert names.fault(names.normal(name)) == names.fault(name)


@given(LETTERS)
def test_the_key_of_a_key_is_the_key(name: str) -> None:
    assert names.key(names.key(name)) == names.key(name)


@given(LETTERS)
def test_the_key_knows_no_case(name: str) -> None:
    assert names.key(name.casefold()) == names.key(name)
    if name.upper().lower() == name.lower():  # not so where letters have no partner of their own
        assert names.key(name.upper()) == names.key(name)


@given(LETTERS)
def test_the_key_is_of_the_normal_form(name: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert names.key(unicodedata.normalize(form, name)) == names.key(name)  # type: ignore[arg-type]


def test_each_letter_of_unicode_has_a_key_that_is_its_own() -> None:
    for letter in map(chr, range(0x110000)):
        if unicodedata.category(letter)[0] in "LN" and (likeness := names.key(letter)) != letter:
            assert names.key(likeness) == likeness
            assert names.key(letter.casefold()) == likeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"),
        ("Alice", "Ａｌｉｃｅ"),
        ("Alice", "AIice"),  # a capital i
        ("Alice", "A1ice"),
        ("Bob", "B0b"),
        ("Straße", "STRASSE"),
        ("José", "Jose\u0301"),
        ("Ёлка", "ЁЛКА"),
        ("ﬁn", "fin"),
        ("coco", "сосо"),  # all Cyrillic
        ("TOM", "ТОМ"),
        ("Max", "МАХ"),
        ("KATE", "КАТЕ"),
        ("TAK", "ΤΑΚ"),  # all Greek
        ("tom", "ᴛᴏᴍ"),  # small capitals
        ("Alice", "Ali\u0307ce"),  # a second dot upon the i
        ("istanbul", "İstanbul"),
        ("Jan", "j\u0307an"),
    ],
)
def test_who_has_a_name_has_all_that_look_like_it(one: str, other: str) -> None:
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "Alicia"), ("José", "Jose"), ("太郎", "大郎"), ("Van", "Nan"), ("Тим", "Том")],
)
def test_names_that_differ_are_two(one: str, other: str) -> None:
    assert names.key(one) != names.key(other)


# At the doors


def codes(answer: Any) -> list[str]:
    errors = assert_problem(answer, 400, "invalid")["errors"]
    return [error["code"] for error in errors["username"]]


def register(name: str, caller: Caller | None = None) -> Any:
    return (caller or Caller()).post("accounts/", {"username": name, "password": PASSWORD})


@pytest.mark.django_db
def test_a_name_is_taken_by_whatever_looks_like_it(door: Door) -> None:
    account("Alice")
    assert not door.is_in(door.register("A1ice"))
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["alice", "ALICE", "Ａlice", "A1ice", "AIice"])
def test_whose_name_is_taken_is_told(name: str) -> None:
    account("Alice")
    assert codes(register(name)) == ["name_taken"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["guest-7", "a b", "x" * 21])
def test_no_door_takes_a_name_that_deceives(name: str, door: Door) -> None:
    assert not door.is_in(door.register(name))
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_name_is_kept_as_it_is_written_once_normal(door: Door) -> None:
    assert door.is_in(door.register("Ｊose\u0301"))
    assert User.objects.get().username == "José"


@pytest.mark.django_db
def test_a_name_of_decomposed_letters_is_counted_once_normal() -> None:
    assert register("e\u0301x" * 10).json()["player"]["name"] == "éx" * 10
    assert codes(register("e\u0301x" * 10 + "y")) == ["name_too_long"]


@pytest.mark.django_db
def test_guests_have_names_that_nobody_can_take() -> None:
    Caller.guest()
    assert names.fault(User.objects.get().username) == "name_reserved"


@pytest.mark.django_db
def test_the_database_knows_what_looks_alike() -> None:
    account("Alice")
    door = Rest()
    door.guest()
    assert User.objects.get(username="Alice").name_key == names.key("A1ICE")
