"""The doors: HTTP runs in a bounded pool of threads, sockets in the event loop."""

import os
import re
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

http = get_wsgi_application()  # first: it sets Django up

from django.conf import settings  # noqa: E402

from accounts.live import Authenticated  # noqa: E402
from game.live.routing import addresses as game_rooms  # noqa: E402
from game.live.routing import no_room  # noqa: E402
from leaderboards.live import addresses as daily_rooms  # noqa: E402
from pyramid_site.connections import leave_to_threads  # noqa: E402
from pyramid_site.errors import body_too_large, fault  # noqa: E402
from pyramid_site.pool import PooledHTTP  # noqa: E402

TAKES_LONG = re.compile(
    r"/api/v1/(games/[^/]+/(hints|checks|rewinds|analysis)|races(/[^/]+/rematches)?|me/export"
    r"|daily/[^/]+/([^/]+/)?games)/"
    r"|/settings/export"
)

rooms: Any = URLRouter([*game_rooms, *daily_rooms, no_room])

leave_to_threads()

application = ProtocolTypeRouter(
    {
        "http": PooledHTTP(
            http,
            threads=settings.WEB_THREADS,
            slow=TAKES_LONG,
            slow_threads=settings.SOLVER_THREADS,
            body_limit=settings.REQUEST_BODY_LIMIT,
            too_large=body_too_large,
            fault=fault,
        ),
        "websocket": Authenticated(rooms),
    }
)
