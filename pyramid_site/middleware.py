"""What is added to answers on their way out."""

from collections.abc import Callable

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]
EXCLUDED = tuple(settings.CONTENT_SECURITY_POLICY["EXCLUDE_URL_PREFIXES"])


def no_store(get_response: Answer) -> Answer:
    """Keeps what one player is answered out of every cache; static files say for themselves."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return answer


class ContentSecurityPolicy(CSPMiddleware):
    """Does not even put the policy together where the settings exclude the address."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path_info.startswith(EXCLUDED):
            return response
        return super().process_response(request, response)
