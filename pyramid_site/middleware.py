"""What is added to answers on their way out."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]


def no_store(get_response: Answer) -> Answer:
    """Keeps what one player is answered out of every cache; static files say for themselves."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return answer
