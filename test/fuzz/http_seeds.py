#!/usr/bin/env python3
"""Messages for http_fuzz.c to begin with, at several sizes of what comes at a time.

usage: http_seeds.py FOLDER"""

import sys

REQUEST = b"POST /length?q=a%20b HTTP/1.1\r\nHost: a\r\n"
MESSAGES = [
    (0, REQUEST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\nTrailer: z\r\n\r\n"),
    (0, REQUEST + b"Content-Length: 5\r\nRange: bytes=1-2\r\nExpect: 100-continue\r\n\r\nhelloGET"),
    (0, b"GET / HTTP/1.0\r\nConnection: keep-alive\r\nIf-Modified-Since: Mon, 23 Nov 2026 00:00:00 GMT\r\n\r\n"),
    (1, b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbody"),
    (2, b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n"),
]

for number, (kind, message) in enumerate(MESSAGES):
    for step in (0, 1, 4, 15):
        with open(f"{sys.argv[1]}/{number}-{step}", "wb") as file:
            file.write(bytes([kind + 3 * step]) + message)
