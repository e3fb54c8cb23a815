"""JSON bodies, strictly: what is accepted here can be stored and sent back."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """Answers 400 also to nesting that overflows the stack and to text that is no text (half of
    a surrogate pair)."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            body = super().parse(stream, media_type, parser_context)
            json.dumps(body, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError("JSON parse error") from error
        return body


def read_json(text: str) -> Any:
    """A socket's frame, as strictly; it may be sent back, so that a number too large for a double
    is none either. Raises `ParseError`."""
    try:
        body = json.loads(text)
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:  # UnicodeEncodeError is a ValueError
        raise ParseError("JSON parse error") from error
    return body
