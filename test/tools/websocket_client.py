"""A client of WebSockets (RFC 6455) that can also do what no client should; for the clients of lit tests."""

import base64
import os
import socket
import struct

TEXT, BYTES, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Client:
    """Over a socket that is connected; `answer` is the head of the server's answer."""

    def __init__(self, connection, target="/", **fields):
        self.connection = connection
        fields = {"Host": "here", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()} | {name.replace("_", "-"): text for name, text in fields.items()}
        lines = [f"GET {target} HTTP/1.1"] + [f"{name}: {text}" for name, text in fields.items() if text is not None]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.input = connection.makefile("rb")
        self.answer = {}
        self.status = int(self.input.readline().split()[1])
        for line in iter(self.input.readline, b"\r\n"):
            name, _, text = line.decode().partition(":")
            self.answer[name.lower()] = text.strip()

    def frame(self, op, data=b"", last=True, masked=True, reserved=0, length=None):
        """A frame; length: what is told of it in the second byte."""
        told = length if length is not None else len(data) if len(data) < 126 else 126 if len(data) < 65536 else 127
        more = b"" if told < 126 else struct.pack(">H", len(data)) if told == 126 else struct.pack(">Q", len(data))
        mask = os.urandom(4) if masked else b""
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)) if masked else data
        return bytes([(128 if last else 0) | reserved | op, (128 if masked else 0) | told]) + more + mask + body

    def send(self, op, data=b"", **words):
        self.connection.sendall(self.frame(op, data, **words))

    def receive(self):
        """(op, data) of the next frame; (None, b"") at the end."""
        head = self.input.read(2)
        if len(head) < 2:
            return None, b""
        length = head[1]
        if length == 126:
            length = struct.unpack(">H", self.input.read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.input.read(8))[0]
        return head[0] & 15, self.input.read(length)

    def closed(self):
        """The code with which the server closes, and that it lets go then; pictures and the like are passed over."""
        code = None
        try:
            op, data = self.receive()
            while op is not None:
                if op == CLOSE:
                    code = struct.unpack(">H", data[:2])[0] if data else 1005
                op, data = self.receive()
        except (ConnectionResetError, socket.timeout) as error:
            return f"{code}, {type(error).__name__}"
        return f"{code}"
