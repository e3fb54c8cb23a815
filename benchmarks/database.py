"""A PostgreSQL database that is there for one benchmark."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

LOCAL = "postgres://postgres@127.0.0.1:5432/postgres"
HOW = (
    "no PostgreSQL answers at {place}: install and start it (Debian: apt-get install postgresql) "
    "and set DATABASE_URL=postgres://USER:PASSWORD@HOST:PORT/DATABASE of a user who may create "
    "databases"
)


class NoPostgreSQL(Exception):
    """Says in one line what is missing and how to get it."""


@contextmanager
def scratch_database() -> Iterator[str]:
    """The address of a new, empty database, dropped afterwards.

    On the server of DATABASE_URL; without that on the local one. Raises `NoPostgreSQL`.
    """
    url = os.environ.get("DATABASE_URL", "") or LOCAL
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise NoPostgreSQL(HOW.format(place="DATABASE_URL (which names another database)"))
    name = f"pyramid_bench_{os.getpid()}_{secrets.token_hex(3)}"
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    except psycopg.Error as error:
        place = f"{parts.hostname}:{parts.port or 5432}"
        reason = str(error).strip().splitlines()[0]
        raise NoPostgreSQL(f"{HOW.format(place=place)} ({reason})") from error
    try:
        yield parts._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            server.execute(drop.format(sql.Identifier(name)))
