"""Who plays: players, guests among them, and their sessions."""

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class User(AbstractUser):
    """A player. A guest is one too, without a password, and becomes an account by registering."""

    is_guest = models.BooleanField(default=False)

    class Meta:
        verbose_name = "player"


class Session(AbstractBaseSession):
    """A session, whose key is also the player's token. Its player stands in a column, so that
    both are read by one query."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions")

    @classmethod
    def get_session_store_class(cls) -> type:
        from accounts.sessions import SessionStore

        return SessionStore
