"""Settings. Without any environment variable: SQLite and in-memory, for one process on loopback.

Every variable that is read here is listed in docs/configuration.md.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import environ  # type: ignore[import-untyped]
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"  # what a run leaves behind: the SQLite file, the generated key

env = environ.Env()

# HTTP requests that run at once, and what sockets ask of the database at once. More threads than it
# takes to keep one core busy only hand the interpreter's lock to and fro.
WEB_THREADS = env.int("WEB_THREADS", default=3)
SOCKET_THREADS = env.int("SOCKET_THREADS", default=3)
OTHER_CONNECTIONS = 14  # to the database, of one process: of threads that give theirs back

DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")


def _kept_secret(path: Path) -> str:
    """The secret in the file, made on the first run: sessions survive a restart."""
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(draft, path)  # the first of several processes wins
        draft.unlink()
    return path.read_text()


SECRET_KEY = env.str("SECRET_KEY", default="") or _kept_secret(VAR_DIR / "secret_key")
# Of it come the seeds of all daily deals to come: whoever has it knows them.
DAILY_SECRET = env.str("DAILY_SECRET", default="") or _kept_secret(VAR_DIR / "daily_secret")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)  # proxies in front, each adding its hop

INSTALLED_APPS = [
    "daphne",
    "pyramid_site",
    "accounts",
    "game",
    "leaderboards",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",  # for allauth's list of sessions
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "allauth.mfa",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "pyramid_site.middleware.no_store",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pyramid_site.middleware.ContentSecurityPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.language.follow_settings",
    "accounts.middleware.SetGuestsAside",
]

ROOT_URLCONF = "pyramid_site.urls"
ASGI_APPLICATION = "pyramid_site.asgi.application"
WSGI_APPLICATION = "pyramid_site.wsgi.application"
APPEND_SLASH = False  # a redirect would lose the body of a POST: what is not there is a 404

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Data

_SQLITE_OPTIONS: dict[str, Any] = {
    # A transaction takes the write lock when it begins, and others wait for it: no "database is
    # locked" between a read and the write that follows.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
_POSTGRESQL_OPTIONS: dict[str, Any] = {
    "pool": {
        "min_size": 1,
        "max_size": WEB_THREADS + SOCKET_THREADS + OTHER_CONNECTIONS,
        "timeout": 3,
    },
    # A database that has gone without a word is given up after some ten seconds, not after minutes.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url_config(DATABASE_URL or f"sqlite:///{VAR_DIR / 'pyramid.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    _OPTIONS = _SQLITE_OPTIONS
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
else:
    _OPTIONS = _POSTGRESQL_OPTIONS
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # of one that the pool hands out
# What stands behind the `?` of the address, such as sslmode=require, goes on top.
DATABASES["default"]["OPTIONS"] = {**_OPTIONS, **DATABASES["default"].get("OPTIONS", {})}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def _redis_database(url: str) -> int:
    from redis.connection import parse_url

    return int(parse_url(url).get("db", 0))


CACHE_ENTRIES = 100_000  # in memory; a flood of names must not push out how often others were tried
REDIS_PATIENCE = {"socket_timeout": 1, "socket_connect_timeout": 1}  # seconds
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "pyramid_site.cache.SharedCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": REDIS_PATIENCE,
        }
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            # What is published is heard in all databases of a Redis: so it names its own.
            "CONFIG": {"hosts": [REDIS_URL], "prefix": f"pyramid.{_redis_database(REDIS_URL)}"},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": CACHE_ENTRIES},
        }
    }
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# Accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.passwords.PasswordBackend"]
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a guest has nothing but the cookie to come back with
SESSION_EXTENDED_BELOW = 335 * 24 * 3600  # left of that year; so not with every request
SESSION_COOKIE_SAMESITE = "Lax"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.signup.SignupForm"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]  # whoever reads the mails is not enough
ACCOUNT_PREVENT_ENUMERATION = "strict"  # also at sign-up: an address may wait for proof with two
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of changes that its owner should know of
ACCOUNT_SESSION_REMEMBER = True
HEADLESS_ADAPTER = "accounts.adapter.HeadlessAdapter"
HEADLESS_TOKEN_STRATEGY = "accounts.tokens.TokenStrategy"  # noqa: S105
HEADLESS_SERVE_SPECIFICATION = True
HEADLESS_SPECIFICATION_TEMPLATE_NAME = None  # its page comes from elsewhere; the document is here
HEADLESS_FRONTEND_URLS = {
    "account_confirm_email": "/accounts/confirm-email/{key}/",
    "account_reset_password": "/accounts/password/reset/",
    "account_signup": "/accounts/signup/",
}
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Pyramid"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "home"

# E-mail: to the console, or where EMAIL_URL says

globals().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", default="Pyramid <pyramid@localhost>")

# The API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "accounts.api.authentication.CookieAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["pyramid_site.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "pyramid_site.negotiation.ContentNegotiation",
    "DEFAULT_THROTTLE_CLASSES": ["pyramid_site.throttling.RateLimit"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "pyramid_site.problem.exception_handler",
    "DEFAULT_METADATA_CLASS": None,  # the schema says it all, and says it once
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "NUM_PROXIES": TRUSTED_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SOLVER_THREADS = 12  # besides: one question answered, eight that wait, and room to refuse more
REQUEST_BODY_LIMIT = 64 * 1024  # bytes; no call needs more

LIMITED = env.bool("RATE_LIMITS", default=True)
# Per player, or per address where there is none yet; `limits` notation, several joined by ";".
RATE_LIMITS: dict[str, str] = (
    {
        "guests": "60/minute;600/hour",
        "deal": "30/second;120/minute;2000/hour",
        "race": "20/minute;120/hour",
        "change": "60/second;1200/minute",
        "read": "60/second;1200/minute",
        "solver": "30/minute;600/hour",
        "password": "10/minute;60/hour",
        "export": "6/hour",
        "document": "60/minute",
    }
    if LIMITED
    else {}
)
# Frames that one socket may send: at once, and a second after that.
SOCKET_FRAMES: tuple[int, int] | None = (120, 60) if LIMITED else None
SOCKETS_AT_ONCE: int | None = 100 if LIMITED else None  # of one player, at one process
# Of coming in, by whichever door: allauth's pages and API, and ours. In its notation.
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = (
    {
        "signup": "20/m/ip,100/h/ip",
        "login": "30/m/ip",
        "login_failed": "10/m/ip,5/300s/key",  # key: the name or address that was tried
        "reset_password": "20/m/ip,5/m/key",
    }
    if LIMITED
    else False
)

SPECTACULAR_SETTINGS = {
    "TITLE": "Pyramid",
    "DESCRIPTION": (
        "Pyramid Solitaire, with the server as the authority: it deals, checks each move, undoes "
        "without limit and keeps the log.\n\n"
        "Start with `POST /api/v1/guests/` and send its token as `Authorization: Bearer <token>`. "
        "Errors are RFC 9457 problem details with a stable `code`; texts follow `Accept-Language` "
        "(en, zh-hans, zh-hant, ru, ja).\n\n"
        "What else an account wants (reset of the password, e-mail addresses, two-factor "
        "authentication, the list of sessions) is django-allauth's API below `/_allauth/`; its "
        "document is at [/_allauth/openapi.yaml](/_allauth/openapi.yaml)."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
}

# Languages

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("zh-hans", "简体中文"),
    ("zh-hant", "繁體中文"),
    ("ru", "Русский"),
    ("ja", "日本語"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"  # where `collectstatic` puts them; not needed to serve
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# Security

CONTENT_SECURITY_POLICY = {
    # Moves are JSON, which nosniff keeps from being a page; the header costs each 3 % of its time.
    "EXCLUDE_URL_PREFIXES": ["/api/v1/games/"],
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "pyramid_site.errors.csrf_failure"

# Behind a proxy that speaks TLS to the outside and says so.
if env.bool("HTTPS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # A refused request is no fault of the server's.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "daphne": {"level": "WARNING"},
        # Of a Redis that is away it logs a traceback a second; the hub says so, in a line.
        "channels_redis.pubsub": {"level": "CRITICAL"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
