"""`manage.py clearsessions`: as Django's, whose own goes with a table that is not ours."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.sessions import SessionStore


class Command(BaseCommand):
    help = "Removes sessions that have run out. A server does it by itself every hour."

    def handle(self, **options: Any) -> None:
        SessionStore.clear_expired()
