"""The peer of a race's room: the least with which Channels tells a group what one of it says."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.minimal.settings")
django.setup()

from typing import Any  # noqa: E402

from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from benchmarks.minimal.models import step  # noqa: E402


class Echo(AsyncJsonWebsocketConsumer):
    async def connect(self) -> None:
        self.group = "-".join(map(str, self.scope["url_route"]["kwargs"].values()))
        self.group = f"group-{self.group}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: Any) -> None:
        await self.channel_layer.group_send(self.group, {"type": "told", "content": content})

    async def told(self, event: dict[str, Any]) -> None:
        await self.send_json(event["content"])


class CommittingEcho(Echo):
    """Writes before it tells, as the view of this project does."""

    async def receive_json(self, content: Any) -> None:
        await database_sync_to_async(step)(self.scope["url_route"]["kwargs"]["counter"])
        await super().receive_json(content)


application = ProtocolTypeRouter(
    {
        "websocket": URLRouter(
            [
                path("<int:group>/", Echo.as_asgi()),
                path("<int:group>/<int:counter>/", CommittingEcho.as_asgi()),
            ]
        )
    }
)
