"""Which renderer answers: what DRF says, though it is asked once for each header."""

from typing import Any

import pytest
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer, StaticHTMLRenderer
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from pyramid_site import negotiation
from pyramid_site.negotiation import ContentNegotiation

RENDERERS = ([JSONRenderer()], [JSONRenderer(), StaticHTMLRenderer()])


def chosen(by: Any, accept: str | None, renderers: list[Any]) -> Any:
    headers = {} if accept is None else {"HTTP_ACCEPT": accept}
    request = Request(APIRequestFactory().get("/", **headers))
    try:
        renderer, media_type = by().select_renderer(request, renderers)
    except NotAcceptable:
        return None
    return renderers.index(renderer), media_type


@pytest.mark.parametrize("renderers", RENDERERS)
@pytest.mark.parametrize(
    "accept",
    [
        None,
        "",
        "*/*",
        "application/json",
        "application/json; indent=4",
        "text/html, application/json;q=0.5",
        "application/problem+json, application/json",
        "image/png",
        ", ".join(["image/png"] * 50 + ["*/*"]),
    ],
)
def test_it_is_what_drf_chooses_each_time(accept: str | None, renderers: list[Any]) -> None:
    expected = chosen(DefaultContentNegotiation, accept, renderers)
    assert [chosen(ContentNegotiation, accept, renderers) for _ in range(2)] == [expected] * 2


def test_only_so_many_headers_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(negotiation, "MOST", 3)
    monkeypatch.setattr(ContentNegotiation, "known", {})
    for number in range(10):
        assert chosen(ContentNegotiation, f"*/*; n={number}", RENDERERS[0]) is not None
        assert len(ContentNegotiation.known) <= 3
    chosen(ContentNegotiation, "*/*; n=" + "1" * negotiation.LONGEST, RENDERERS[0])
    assert max(len(asked[-2]) for asked in ContentNegotiation.known) <= negotiation.LONGEST
