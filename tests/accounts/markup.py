"""What every page of ours keeps to, whatever stands on it."""

import re
from html.parser import HTMLParser
from typing import Any

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path"}


class Page(HTMLParser):
    """The elements of an answer, in order, with their attributes."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.text = answer.content.decode()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == value for key, value in wanted.items())
        ]

    @property
    def ids(self) -> list[str | None]:
        return [attrs["id"] for _, attrs in self.elements if "id" in attrs]


def assert_ours(answer: Any) -> Page:
    """A whole page in our look, which the content security policy lets be as it is."""
    assert answer["Content-Type"].startswith("text/html"), answer
    page = Page(answer)
    assert len(page.all("h1")) == 1
    assert page.all("header", **{"class": "site-header"})
    assert len(page.all("main")) == 1
    sheets = [sheet["href"] or "" for sheet in page.all("link", rel="stylesheet")]
    assert any("accounts/css/accounts" in sheet for sheet in sheets), sheets
    assert_no_inline(page)
    assert len(page.ids) == len(set(page.ids)), page.ids
    assert_labelled(page)
    assert re.search(r"<title>\s*\S[^<]*· Pyramid</title>", page.text)
    return page


def assert_no_inline(page: Page) -> None:
    assert page.all("style") == []
    data = ("application/json",)
    assert [s for s in page.all("script") if "src" not in s and s.get("type") not in data] == []
    for tag, attrs in page.elements:
        assert not [name for name in attrs if name == "style" or name.startswith("on")], (
            tag,
            attrs,
        )
    for source in (attrs["src"] or "" for _, attrs in page.elements if "src" in attrs):
        assert source.startswith(("/", "data:image/")), source


def assert_labelled(page: Page) -> None:
    """Each control that is seen has a label, or stands in one."""
    inside = re.findall(r"<label\b(?:(?!</label>).)*", page.text, re.DOTALL)
    labels = {label["for"] for label in page.all("label") if "for" in label}
    for tag in ("input", "select", "textarea"):
        for control in page.all(tag):
            if control.get("type") == "hidden":
                continue
            name = f'name="{control.get("name")}"'
            assert control.get("id") in labels or any(name in label for label in inside), control
