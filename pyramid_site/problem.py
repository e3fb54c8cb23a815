"""Every error becomes one body: RFC 9457 problem details with a stable `code` and `params`.

Errors travel inside as a code with params. Here, at the edge, and only here they get a status
and a text in the reader's language. `PROBLEMS` is the list of all there are; the page
/api/v1/problems/ prints it.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from game.rules.cards import DECK
from game.rules.errors import RuleError
from game.rules.position import FACE_DOWN

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
PAGE = "/api/v1/problems/"
WHOLE = "non_field_errors"  # the field of what is said of the request as a whole

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    status: int
    title: str | Promise
    detail: Callable[[Params], str] | None = None  # for this occurrence; the title, if None


def _card(card: str) -> str:
    """`TD` as players write it."""
    if len(card) != 2 or card[1] not in _SUITS:
        return _("a face-down card") if card == FACE_DOWN else card
    return {"T": "10"}.get(card[0], card[0]) + _SUITS[card[1]]


_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def _bad_card(params: Params) -> str:
    unknown = [card for card in params["cards"] if card not in DECK]
    if unknown:
        return _("There is no card “%(card)s”.") % {"card": unknown[0]}
    return _("Name one king or two different cards to remove, and none to draw or redeal.")


def _not_playable(params: Params) -> str:
    texts = {
        "removed": _("%(card)s has already been removed."),
        "waste": _("%(card)s is not on top of the waste."),
        "stock": _("%(card)s is still in the stock."),
    }
    text = texts.get(params.get("place", ""), _("%(card)s cannot be played now."))
    return text % {"card": _card(params["card"])}


def _card_covered(params: Params) -> str:
    card, coverers = _card(params["card"]), [_card(coverer) for coverer in params["coverers"]]
    if params["coverers"] == [FACE_DOWN, FACE_DOWN]:
        return _("%(card)s is covered by two face-down cards.") % {"card": card}
    if len(coverers) == 2:
        return _("%(card)s is covered by %(first)s and %(second)s.") % {
            "card": card,
            "first": coverers[0],
            "second": coverers[1],
        }
    return _("%(card)s is covered by %(coverer)s.") % {"card": card, "coverer": coverers[0]}


def _pair_covers_itself(params: Params) -> str:
    covered, coverer = map(_card, params["cards"])
    return _("%(coverer)s lies on %(covered)s: these rules do not let the two go together.") % {
        "covered": covered,
        "coverer": coverer,
    }


def _king_alone(params: Params) -> str:
    return _("%(card)s goes alone: a king is 13 by itself.") % {"card": _card(params["card"])}


def _not_thirteen(params: Params) -> str:
    terms = [
        f"{_card(card)}({value})" if card[0] in "AJQK" else _card(card)
        for card, value in zip(params["cards"], params["values"], strict=True)
    ]
    if len(terms) == 1:
        return _("%(card)s needs a partner: only a king goes alone.") % {
            "card": _card(params["cards"][0])
        }
    return _("%(first)s + %(second)s = %(sum)s, not 13.") % {
        "first": terms[0],
        "second": terms[1],
        "sum": params["sum"],
    }


def _stock_not_empty(params: Params) -> str:
    return ngettext(
        "There is still %(count)s card in the stock to draw.",
        "There are still %(count)s cards in the stock to draw.",
        params["count"],
    ) % {"count": params["count"]}


def _no_redeals_left(params: Params) -> str:
    return ngettext(
        "No pass is left: these rules have %(count)s pass.",
        "No pass is left: these rules have %(count)s passes.",
        params["passes"],
    ) % {"count": params["passes"]}


def _game_over(params: Params) -> str:
    if params["status"] == "won":
        return _("This game is won; it cannot be changed any more.")
    return _("This game has ended; it cannot be changed any more.")


def _unknown_rules(params: Params) -> str:
    return _("There is no rule set “%(rules)s”.") % params


def _unknown_deal(params: Params) -> str:
    return _("There is no deal %(number)s: deals are numbered 1 to 4294967295.") % params


def _nothing_to_rewind(params: Params) -> str:
    if params.get("to") == "winnable":
        return _("No earlier position is known that would win where this one does not.")
    return _("No move has locked a card.")


def _race_full(params: Params) -> str:
    return ngettext(
        "The %(count)s seat of this race is taken.",
        "All %(count)s seats of this race are taken.",
        params["seats"],
    ) % {"count": params["seats"]}


def _throttled(params: Params) -> str:
    return ngettext(
        "Too many requests. Try again in %(count)s second.",
        "Too many requests. Try again in %(count)s seconds.",
        params["retry_after_s"],
    ) % {"count": params["retry_after_s"]}


PROBLEMS: Mapping[str, Problem] = {
    # the cards
    "bad_card": Problem(400, gettext_lazy("This is not a card."), _bad_card),
    "not_playable": Problem(422, gettext_lazy("The card cannot be played now."), _not_playable),
    "card_covered": Problem(422, gettext_lazy("The card is covered."), _card_covered),
    "pair_covers_itself": Problem(
        422, gettext_lazy("One card of the pair lies on the other."), _pair_covers_itself
    ),
    "king_alone": Problem(422, gettext_lazy("A king goes alone."), _king_alone),
    "not_thirteen": Problem(422, gettext_lazy("The sum is not 13."), _not_thirteen),
    "stock_empty": Problem(422, gettext_lazy("The stock is empty.")),
    "stock_not_empty": Problem(422, gettext_lazy("The stock is not empty."), _stock_not_empty),
    "waste_empty": Problem(422, gettext_lazy("The waste is empty.")),
    "no_redeals_left": Problem(422, gettext_lazy("No pass is left."), _no_redeals_left),
    "nothing_to_undo": Problem(422, gettext_lazy("There is no move to take back.")),
    "nothing_to_rewind": Problem(
        422, gettext_lazy("There is no position to go back to."), _nothing_to_rewind
    ),
    "unknown_rules": Problem(400, gettext_lazy("There is no such rule set."), _unknown_rules),
    "unknown_deal": Problem(404, gettext_lazy("There is no such deal."), _unknown_deal),
    # the game
    "game_over": Problem(409, gettext_lazy("The game has ended."), _game_over),
    "stale_version": Problem(
        409, gettext_lazy("The game has moved on meanwhile; here is how it stands.")
    ),
    "id_reused": Problem(
        409, gettext_lazy("This client_move_id already stands for another change.")
    ),
    "not_in_ranked": Problem(403, gettext_lazy("Not in a daily or a race.")),
    "still_running": Problem(
        409, gettext_lazy("Only once the game, the race or the day has ended.")
    ),
    "solver_busy": Problem(429, gettext_lazy("The solver is busy; try again in a moment.")),
    # dailies
    "daily_already_played": Problem(
        409,
        gettext_lazy("You have played this daily deal already, and everybody has one game of it."),
    ),
    "daily_closed": Problem(409, gettext_lazy("The day of this daily deal is over.")),
    # races
    "race_full": Problem(409, gettext_lazy("Every seat of this race is taken."), _race_full),
    "race_started": Problem(409, gettext_lazy("This race has begun already.")),
    "race_too_few": Problem(409, gettext_lazy("A race needs two players or more.")),
    "not_host": Problem(403, gettext_lazy("Only the host starts the race.")),
    "not_seated": Problem(403, gettext_lazy("You have no seat in this race.")),
    "not_started": Problem(409, gettext_lazy("The race has not been run yet.")),
    # coming in
    "login_failed": Problem(401, gettext_lazy("There is no account of this name and password.")),
    "mfa_required": Problem(401, gettext_lazy("Send a code of your authenticator app, too.")),
    "mfa_code_wrong": Problem(401, gettext_lazy("This code is wrong, or has been used already.")),
    "already_registered": Problem(409, gettext_lazy("You have an account already.")),
    # the request
    "invalid": Problem(400, gettext_lazy("Some fields of the request are not valid.")),
    "bad_request": Problem(400, gettext_lazy("The request cannot be understood.")),
    "parse_error": Problem(400, gettext_lazy("The request is not valid JSON.")),
    "not_authenticated": Problem(401, gettext_lazy("Start as a guest or log in first.")),
    "authentication_failed": Problem(401, gettext_lazy("This token is not valid any more.")),
    "permission_denied": Problem(403, gettext_lazy("You may not do this.")),
    "password_wrong": Problem(403, gettext_lazy("This is not the password.")),
    "csrf_failed": Problem(
        403, gettext_lazy("Send the CSRF token with a request that a cookie authenticates.")
    ),
    "not_found": Problem(404, gettext_lazy("It is not there, or not yours to see.")),
    "method_not_allowed": Problem(405, gettext_lazy("This address does not take that method.")),
    "not_acceptable": Problem(406, gettext_lazy("Answers are JSON only.")),
    "body_too_large": Problem(413, gettext_lazy("The request is too large.")),
    "unsupported_media_type": Problem(415, gettext_lazy("Send the request as JSON.")),
    "throttled": Problem(429, gettext_lazy("Too many requests."), _throttled),
    "server_error": Problem(500, gettext_lazy("Something went wrong here; it has been logged.")),
}


# What is wrong with one field of a request.
FIELD_PROBLEMS: Mapping[str, str | Promise] = {
    "required": gettext_lazy("This field is missing."),
    "null": gettext_lazy("This field may not be null."),
    "blank": gettext_lazy("This field may not be empty."),
    "invalid": gettext_lazy("This is not of the form that the field takes."),
    "not_a_list": gettext_lazy("This is not a list."),
    "invalid_choice": gettext_lazy("This is none of the values that the field takes."),
    "min_value": gettext_lazy("This number is too small."),
    "max_value": gettext_lazy("This number is too large."),
    "max_string_length": gettext_lazy("This number is too large."),
    "max_length": gettext_lazy("This is too long."),
    "unknown_field": gettext_lazy("There is no such field to set here."),
    "number_or_tier": gettext_lazy("Give a number or a tier."),
    "null_characters_not_allowed": gettext_lazy("This contains a null character."),
    # of a name
    "name_too_short": gettext_lazy("A name has 2 characters or more."),
    "name_too_long": gettext_lazy("A name has 20 characters at most."),
    "name_letters": gettext_lazy(
        "A name is made of letters and digits, with “_”, “-” or “.” between them."
    ),
    "name_no_letter": gettext_lazy("A name needs a letter."),
    "name_mixed_scripts": gettext_lazy("A name keeps to the letters of one script."),
    "name_reserved": gettext_lazy("This name is kept back."),
    "name_taken": gettext_lazy("Somebody has this name, or one that looks like it."),
    # of a password, as Django calls it
    "password_too_short": gettext_lazy("A password has 8 characters or more."),
    "password_too_common": gettext_lazy("This password is among those that are tried first."),
    "password_too_similar": gettext_lazy("This password is too much like the name or the address."),
    "password_entirely_numeric": gettext_lazy("A password needs more than digits."),
}


def problem_body(
    code: str, params: Params | None = None, errors: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The body for a code of `PROBLEMS`, in the active language."""
    problem = PROBLEMS[code]
    body = {
        "type": f"{PAGE}#{code}",
        "title": str(problem.title),
        "status": problem.status,
        "detail": str(problem.title) if problem.detail is None else problem.detail(params or {}),
        "code": code,
        "params": dict(params or {}),
    }
    if errors is not None:
        body["errors"] = errors
    return body


def problem_of(exc: Exception) -> dict[str, Any] | None:
    """The body for an exception of ours or of the framework's, in the active language; None for a
    fault."""
    match exc:
        case RuleError():
            return problem_body(exc.code, exc.params)
        case Http404():
            return problem_body("not_found")
        case PermissionDenied():
            return problem_body("permission_denied")
        case exceptions.ValidationError():
            errors = _field_errors(exc.get_full_details())
            return problem_body(
                "invalid", errors=errors if isinstance(errors, dict) else {WHOLE: errors}
            )
        case exceptions.Throttled():
            return problem_body(
                "throttled", {"retry_after_s": int(getattr(exc, "wait", None) or 1)}
            )
        case exceptions.APIException():
            code = str(exc.get_codes())
            return problem_body(code if code in PROBLEMS else "server_error")
    return None


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's hook: an exception as a problem, None for a fault."""
    body = problem_of(exc)
    if isinstance(exc, IntegrityError) and has_gone(context["request"].user):
        body = problem_body("authentication_failed")
    if body is None:
        return None
    headers: dict[str, str] = {}
    if "retry_after_s" in body["params"]:
        headers["Retry-After"] = str(body["params"]["retry_after_s"])
    if header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if body["status"] == 401:
        headers.setdefault("WWW-Authenticate", "Bearer")
    set_rollback()
    context["request"].accepted_renderer = JSONRenderer()  # also where a page or YAML is asked for
    context["request"].accepted_media_type = MEDIA_TYPE
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def has_gone(user: Any) -> bool:
    """Whether the caller's row was deleted while the call was answered: what would have been theirs
    is refused by the database."""
    return user.is_authenticated and not type(user).objects.filter(pk=user.pk).exists()


def problem_response(code: str) -> HttpResponse:
    """A problem outside of DRF: an unknown address, a fault."""
    body = problem_body(code)
    return HttpResponse(JSONRenderer().render(body), status=body["status"], content_type=MEDIA_TYPE)


def _field_errors(details: Any) -> Any:
    """DRF's details as `{field: [{"code", "detail"}]}`, nested where the request is.

    Its own texts are not there in all languages: the code says what is meant.
    """
    match details:
        case {"message": message, "code": code}:
            return {"code": code, "detail": str(FIELD_PROBLEMS.get(code, message))}
        case Mapping():
            return {str(field): _field_errors(inner) for field, inner in details.items()}
        case Sequence() if not isinstance(details, str):
            return [_field_errors(inner) for inner in details]
    return details
