"""All that is kept of a player, as one JSON document for the player alone.

It is told what the player is told everywhere else: of a game its log, never the cards that lie
hidden; of a session where it was used, never its key. Games and logs are read a page at a time and
go out as they come, so that a long history takes no more memory than a short one; what happens
meanwhile is in it or not, but each log is as long as its game says.
"""

import json
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q
from django.utils import timezone

from accounts import presentation
from accounts.models import Session, User
from accounts.selectors import seats_of
from game.models import Game
from game.presentation import log_entry, summary
from game.selectors import log_page
from game.view import instant

PAGE = 500  # games, or entries of a log
PIECE = 32 * 1024  # letters, or a few more


def export_of(*, player: User) -> Iterator[str]:
    """The document, in pieces."""
    held: list[str] = []
    size = 0
    for part in _document(player):
        held.append(part)
        size += len(part)
        if size >= PIECE:
            yield "".join(held)
            held.clear()
            size = 0
    yield "".join(held)


def _document(player: User) -> Iterator[str]:
    head = _text({**_account(player), "games": []})
    yield head.removesuffix("]}")
    separator = "\n"
    for game in _games(player):
        yield separator
        yield from _game(game)
        separator = ",\n"
    yield "\n]}\n"


def _account(player: User) -> dict[str, Any]:
    me = presentation.me(player)
    return {
        "exported_at": instant(timezone.now()),
        "profile": {name: me[name] for name in ("name", "is_guest", "joined_at")},
        "settings": me["settings"],
        "email_addresses": [
            {"email": address.email, "verified": address.verified, "primary": address.primary}
            for address in EmailAddress.objects.filter(user=player).order_by("pk")
        ],
        "two_factor": [
            {"type": factor.type, "added_at": instant(factor.created_at)}
            for factor in Authenticator.objects.filter(user=player).order_by("pk")
        ],
        "sessions": [*_sessions(player)],
        **presentation.records(player),
        "seats": [presentation.seat(seat) for seat in seats_of(player)],
    }


def _sessions(player: User) -> Iterator[dict[str, Any]]:
    """Those that last, each with where it began and was last seen, where that is known."""
    seen = {session.session_key: session for session in UserSession.objects.filter(user=player)}
    for session in Session.objects.filter(user=player, expire_date__gt=timezone.now()):
        known = seen.get(session.session_key)
        yield {
            "expires_at": instant(session.expire_date),
            "started_at": known and instant(known.created_at),
            "last_seen_at": known and instant(known.last_seen_at),
            "address": known and known.ip,
            "user_agent": known and known.user_agent,
        }


def _games(player: User) -> Iterator[Game]:
    """All of them, oldest first."""
    games = Game.objects.select_related("deal").filter(player=player).order_by("started_at", "id")
    page = list(games[:PAGE])
    while page:
        yield from page
        last = page[-1]
        later = Q(started_at__gt=last.started_at) | Q(started_at=last.started_at, id__gt=last.id)
        page = list(games.filter(later)[:PAGE]) if len(page) == PAGE else []


def _game(game: Game) -> Iterator[str]:
    yield _text({**summary(game), "log": []}).removesuffix("]}")
    separator = ""
    for page in _log(game):
        yield separator + ",".join(page)
        separator = ","
    yield "]}"


def _log(game: Game) -> Iterator[list[str]]:
    """The entries up to the one that the game's row stands at, by pages."""
    after = 0
    while after < game.version:
        page = log_page(game, after=after, size=min(PAGE, game.version - after))
        if not page:  # the game has been deleted meanwhile
            return
        yield [_text(log_entry(entry)) for entry in page]
        after = page[-1].seq


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
