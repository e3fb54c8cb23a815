"""Closing a socket at the door."""

from game.live.frames import Close
from pyramid_site.pool import Receive, Send


async def refuse(receive: Receive, send: Send, code: Close) -> None:
    """Accepts first: a browser shows its page no code of a socket that was never open."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": int(code)})
