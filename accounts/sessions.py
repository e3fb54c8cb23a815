"""The session engine: Django's database engine, over sessions that know their player.

A player's session lasts a year, and is extended by use. So that not every request writes, that is
done once a month of it is gone.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Session, User
from pyramid_site.prepared import Given, Select

_ALIVE = Select(
    lambda: Session.objects.select_related("user").filter(
        session_key=Given("key", Session._meta.get_field("session_key")),
        expire_date__gt=Given("now", Session._meta.get_field("expire_date")),
    )
)


class SessionStore(db.SessionStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    @classmethod
    def clear_expired(cls) -> None:
        """Also what allauth noted of where they were used: nobody's address is kept for longer."""
        super().clear_expired()
        kept = Session.objects.filter(session_key=OuterRef("session_key"))
        UserSession.objects.exclude(Exists(kept)).delete()

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = super().create_model_instance(data)
        assert isinstance(session, Session)
        session.user_id = data.get(SESSION_KEY)
        return session

    def player(self) -> User | None:
        """Who is logged in by this session: one query for both."""
        user = self._row_user() if self.session_key else None
        return user if _is_of(user, self) else None

    @classmethod
    def alive(cls, keys: Collection[str]) -> set[str]:
        """Those of the keys by whose sessions somebody still is logged in."""
        sessions = Session.objects.select_related("user").filter(
            session_key__in=keys, expire_date__gt=timezone.now()
        )
        return {
            session.session_key
            for session in sessions
            if _is_of(session.user, session.get_decoded())
        }

    def _get_session_from_db(self) -> Session | None:
        session = _ALIVE.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
            return None
        self._user = session.user
        left = session.expire_date - timezone.now()
        if self._user is not None and left < timedelta(seconds=settings.SESSION_EXTENDED_BELOW):
            self.modified = True  # whoever answers the request saves it, the cookie as well
        return session

    def extend(self) -> None:
        """Lets an unchanged session last for its whole time again; one that has ended is not."""
        sessions = Session.objects.filter(session_key=self.session_key)
        sessions.update(expire_date=self.get_expiry_date())
        self.modified = False

    def _row_user(self) -> User | None:
        self._get_session()  # type: ignore[attr-defined]  # loads once
        return getattr(self, "_user", None)


def _is_of(user: User | None, session: Any) -> bool:
    """Whether the content of a session logs this player in, by the password that holds now."""
    if user is None or not user.is_active or str(user.pk) != session.get(SESSION_KEY):
        return False
    signed = session.get(HASH_SESSION_KEY, "")
    return constant_time_compare(signed, user.get_session_auth_hash())
