"""One app, no middleware, no authentication; Channels' layers as its documentation sets them up.

The best sane way for it to its database is psycopg's pool: under ASGI each request has a new
thread, so that CONN_MAX_AGE leaks connections and without either each request connects anew.
"""

import environ

env = environ.Env()

SECRET_KEY = "benchmark"  # noqa: S105
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["benchmarks.minimal"]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "benchmarks.minimal.urls"
DATABASES = {"default": env.db_url("DATABASE_URL")}
DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 8, "max_size": 20}}
REDIS_URL = env.str("REDIS_URL", default="")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "UNAUTHENTICATED_USER": None,
}
