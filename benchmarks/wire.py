"""A client's end of a WebSocket that costs little: text in frames made beforehand, nothing else."""

import os
import socket
from base64 import b64encode
from collections.abc import Mapping

from benchmarks.servers import Address

PATIENCE_S = 10  # how long the server may take to let one in

_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA  # RFC 6455, 5.2


class Closed(Exception):
    """The server has closed the socket, or does not let it in: with what it said."""


def frame(text: bytes, opcode: int = _TEXT) -> bytes:
    """A whole frame as it goes over the wire. A client has to mask what it sends."""
    mask, length = os.urandom(4), len(text)
    if length < 126:
        head = bytes((0x80 | opcode, 0x80 | length))
    else:
        head = bytes((0x80 | opcode, 0x80 | 126)) + length.to_bytes(2, "big")
    keys = (mask * (length // 4 + 1))[:length]
    masked = int.from_bytes(text, "big") ^ int.from_bytes(keys, "big")
    return head + mask + masked.to_bytes(length, "big")


class Wire:
    def __init__(
        self, address: Address, path: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Raises `Closed` where the server does not open it."""
        self.socket = socket.create_connection(address, PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {address[0]}:{address[1]}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        )
        self.socket.sendall("\r\n".join((*lines, "", "")).encode())
        head, found, self.unread = b"", b"", b""
        while not found:
            arrived = self.socket.recv(65536)
            head, found, self.unread = (head + arrived).partition(b"\r\n\r\n")
            if not arrived or (found and not head.startswith(b"HTTP/1.1 101 ")):
                raise Closed(head.decode(errors="replace"))

    def send(self, content: bytes) -> None:
        """`content`: a `frame`."""
        self.socket.sendall(content)

    def receive(self) -> list[bytes]:
        """The texts that have come in, after waiting for some bytes if there are none. Raises
        `Closed`."""
        arrived = self.socket.recv(1 << 18)
        if not arrived:
            raise Closed("without a closing frame")
        return self._texts(self.unread + arrived if self.unread else arrived)

    def first(self) -> list[bytes]:
        """At least one text: what the server says by itself. Raises `Closed`."""
        texts = self._texts(self.unread)
        while not texts:
            texts = self.receive()
        return texts

    def close(self) -> None:
        self.socket.close()

    def _texts(self, content: bytes) -> list[bytes]:
        texts: list[bytes] = []
        start, end = 0, len(content)
        while end - start >= 2:
            length, body = content[start + 1], start + 2
            if length == 126:
                length, body = int.from_bytes(content[body : body + 2], "big"), body + 2
            elif length == 127:
                length, body = int.from_bytes(content[body : body + 8], "big"), body + 8
            if body + length > end:
                break
            self._take(content[start] & 0x0F, content[body : body + length], texts)
            start = body + length
        self.unread = content[start:]
        return texts

    def _take(self, opcode: int, payload: bytes, texts: list[bytes]) -> None:
        if opcode == _TEXT:
            texts.append(payload)
        elif opcode == _PING:
            self.send(frame(payload, _PONG))
        elif opcode == _CLOSE:
            code, reason = int.from_bytes(payload[:2], "big"), payload[2:]
            raise Closed(f"{code} {reason.decode(errors='replace')}")
