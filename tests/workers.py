"""What each of the processes that test side by side has for itself."""

import os
from urllib.parse import urlsplit

DATABASES = 16  # of a Redis server, if nobody has set another number


def redis_url() -> str:
    """A Redis database of one's own: what one process clears, another still counts on. Empty where
    there is no Redis."""
    url, worker = os.environ.get("REDIS_URL", ""), os.environ.get("PYTEST_XDIST_WORKER", "")
    if not url or not worker:
        return url
    address = urlsplit(url)
    number = int(address.path.strip("/") or 0) + 1 + int(worker.removeprefix("gw"))
    return address._replace(path=f"/{number % DATABASES}").geturl()
