"""The HTTP side as a WSGI application; `pyramid_site.asgi` runs it in its own threads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

application = get_wsgi_application()
