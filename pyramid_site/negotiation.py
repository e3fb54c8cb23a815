"""Which renderer answers, found once for each Accept header."""

from collections.abc import Iterable
from typing import Any, ClassVar

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

MOST = 1000  # headers that are known at a time
LONGEST = 200  # characters of one that is


class ContentNegotiation(DefaultContentNegotiation):
    """DRF's own; it would take the header apart for each request anew."""

    known: ClassVar[dict[Any, tuple[int, str]]] = {}  # place among the renderers, media type

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderers = list(renderers)
        accept = request.META.get("HTTP_ACCEPT", "*/*")
        asked = (*map(type, renderers), accept, format_suffix)
        known = self.known.get(asked)
        if known is not None:
            return renderers[known[0]], known[1]
        renderer, media_type = super().select_renderer(request, renderers, format_suffix)
        if len(accept) <= LONGEST:
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[asked] = renderers.index(renderer), media_type
        return renderer, media_type
