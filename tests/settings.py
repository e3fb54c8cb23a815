"""The project's settings, without what only slows a test down or outlives it."""

import os

from tests.workers import redis_url

os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("DAILY_SECRET", "only-for-tests-either")
os.environ["REDIS_URL"] = redis_url()

from pyramid_site.settings import *  # noqa: F403
from pyramid_site.settings import DATABASES

DATABASES["default"]["OPTIONS"].pop("pool", None)  # a pool would keep the test database open
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
RATE_LIMITS: dict[str, str] = {}  # a test that is about them sets them
ACCOUNT_RATE_LIMITS = False
SOCKET_FRAMES = None
WHITENOISE_AUTOREFRESH = True  # looks for a file when it is asked for, not for all with each client
