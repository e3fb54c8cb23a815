"""`manage.py serve`: bring the database up to date and serve, in one process."""

from argparse import ArgumentParser
from threading import Event
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

from game.live.duties import keeper, timekeeper
from pyramid_site.housekeeping import keep_house
from pyramid_site.server import Server


class Command(BaseCommand):
    help = "Serves the game with daphne, after bringing the database up to date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="0 takes any free one")
        parser.add_argument("--no-migrate", action="store_true", help="leave the database as it is")

    def handle(self, *, host: str, port: int, no_migrate: bool, **options: Any) -> None:
        if not no_migrate:
            call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
        server: Server = Server(
            application=import_string("pyramid_site.asgi.application"),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            server_name="",
            ready_callable=lambda: self._say_where(server),
        )
        stop = Event()
        keep_house(stop)
        keeper.start(stop)
        timekeeper.start(stop)
        server.run()
        stop.set()
        if server.abort_start:
            raise CommandError(f"cannot listen on {host}:{port}; is it in use? (PORT changes it)")

    def _say_where(self, server: Server) -> None:
        for address in server.listening_addresses:
            self.stdout.write(f"Pyramid is at http://{address[0]}:{address[1]}/  (Ctrl-C stops it)")
            self.stdout.flush()  # also where it goes to a file
