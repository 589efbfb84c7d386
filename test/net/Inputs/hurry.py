"""Slow and sly clients of hurried.occ: hurry.py SERVER"""

import os
import re
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import PATIENCE, Served, say

HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /body HTTP/1.1\r\nHost: a\r\n"


def statuses(server, first, slowly=b"", pause=0.0):
    """What comes back, and whether the server ended it before the client had said all."""
    with server.connect() as client:
        client.settimeout(0.01)
        client.sendall(first)
        got, end, at = b"", time.monotonic() + PATIENCE, 0
        while time.monotonic() < end:
            try:
                part = client.recv(65536)
                got += part
                if not part:
                    break
            except TimeoutError:
                pass
            except ConnectionError:
                break
            if at < len(slowly):
                time.sleep(pause)
                try:
                    client.sendall(slowly[at:at + 1])
                except OSError:
                    pass
                at += 1
        return " ".join(re.findall(r"HTTP/1\.1 (\d+)", got.decode())), got, at < len(slowly)


with Served(sys.argv[1]) as server:
    say("listens on", server.place()[0])
    status, _, is_before = statuses(server, b"", HEAD * 10, 0.02)
    say("a slow head:", status, "before its end" if is_before else "at its end")
    say("a head that stays half:", statuses(server, HEAD)[0])
    say("nothing:", statuses(server, b"")[0] or "closed")
    say("nothing behind an answer:", statuses(server, HEAD + b"\r\n")[0], "then", server.says())
    say("a body that stays half:", statuses(server, POST + b"Content-Length: 10\r\n\r\n12345")[0], "then", server.says())
    say("chunks that stay half:", statuses(server, POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n123")[0], "then", server.says())
    with server.connect() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
        say("who does not read:", server.says())
    for name, query in (("a line end in a field", b"x=a%0d%0aSet-Cookie:%20b"), ("a CR", b"x=a%0dY:%20b"), ("a NUL", b"x=a%00"), ("text", b"x=%c3%a9")):
        status, got, _ = statuses(server, b"GET /?" + query + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        say(f"{name}: {status},", "two fields" if b"Set-Cookie" in got or b"Y:" in got else "no field more", server.says())
    status, got, _ = statuses(server, b"GET /?t=a%0d%0aSet-Cookie:%20b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    say("a line end in a type:", status or "no answer,", server.says())
    say("descriptors", "settle" if server.settles_at(6) else "stay", "and the server", "lives" if server.lives() else "is gone")
