"""Hostile and odd clients of an HTTP server: what is sent, and the statuses that come back until it closes or falls silent.

usage: try_http.py SERVER"""

import os
import re
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, say

PATIENCE, SILENCE = 20, 4  # seconds: for the first answer, and behind the last

HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /length HTTP/1.1\r\nHost: a\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n"

TRIED = [
    ("plain", HEAD + b"\r\n"),
    ("two, the second closes", HEAD + b"\r\n" + HEAD + b"Connection: close\r\n\r\n"),
    ("version 1.0", b"GET / HTTP/1.0\r\n\r\n"),
    ("version 1.0 that keeps", b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
    ("empty lines before", b"\r\n\r\n" + HEAD + b"\r\n"),
    ("the target as a URL", b"GET http://a/greet?name=x HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a URL of a host alone", b"GET HTTP://a HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a URL that climbs", b"GET http://a/../greet HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a body that is not read", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + HEAD + b"\r\n"),
    ("chunks", CHUNKED + b"\r\n5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\nTrailer: z\r\n\r\n" + HEAD + b"\r\n"),
    ("no host", b"GET / HTTP/1.1\r\n\r\n"),
    ("two hosts", HEAD + b"Host: b\r\n\r\n"),
    ("version 2.0", b"GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
    ("an unknown method", b"HUG / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("no request", b"hello\r\n\r\n"),
    ("lines without CR", b"GET / HTTP/1.1\nHost: a\n\n"),
    ("a greeting of TLS", b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + b"r" * 100),
    ("one line without CR", HEAD + b"X: 1\nY: 2\r\n\r\n"),
    ("a bare CR", HEAD + b"X: 1\rY: 2\r\n\r\n"),
    ("a folded line", HEAD + b"X: 1\r\n 2\r\n\r\n"),
    ("a tab in a target", b"GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("two spaces", b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a version with another point", b"GET / HTTP/1:1\r\nHost: a\r\n\r\n"),
    ("a body behind CONNECT", b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"),
    ("version 1.0 that keeps and closes", b"GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n"),
    ("an empty line behind", HEAD + b"\r\n\r\n"),
    ("a space in a name behind chunks", CHUNKED + b"\r\n0\r\nX : y\r\n\r\n"),
    ("a NUL behind chunks", CHUNKED + b"\r\n0\r\nX: \0\r\n\r\n"),
    ("a NUL", HEAD + b"X: 1\0\r\n\r\n"),
    ("a space before the colon", HEAD + b"X : 1\r\n\r\n"),
    ("no name", HEAD + b": 1\r\n\r\n"),
    ("two lengths", POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
    ("a length with a sign", POST + b"Content-Length: +5\r\n\r\nhello"),
    ("a list of lengths", POST + b"Content-Length: 5, 5\r\n\r\nhello"),
    ("a huge length", POST + b"Content-Length: 99999999999999999999999\r\n\r\nhello"),
    ("length and chunks", CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n"),
    ("chunks, then length", POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("another coding", POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    ("chunked twice", CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("chunks in version 1.0", b"POST /length HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("a chunk without a size", CHUNKED + b"\r\nxyz\r\nhello\r\n0\r\n\r\n"),
    ("a chunk size without CR", CHUNKED + b"\r\n5\nhello\r\n0\r\n\r\n"),
    ("a chunk that ends without CR LF", CHUNKED + b"\r\n5\r\nhelloXX0\r\n\r\n"),
    ("a bare CR in a chunk's words", CHUNKED + b"\r\n5;a\rb\r\nhello\r\n0\r\n\r\n"),
    ("a chunk size of no digits", CHUNKED + b"\r\n\xb2\r\n\r\n"),
    ("a huge chunk", CHUNKED + b"\r\nfffffffffffffffff\r\n"),
    ("100 continue", POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", b"hello"),
    ("100 continue, not wanted", b"POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"),
    ("too large a body", POST + b"Content-Length: 2000000\r\n\r\n"),
    ("a path that climbs", b"GET /a/../../b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a path that climbs, encoded", b"GET /%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a path with a NUL", b"GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("65 fields", HEAD + b"X: y\r\n" * 64 + b"\r\n"),
    ("64 fields", HEAD + b"X: y\r\n" * 63 + b"\r\n"),
    ("a head of 10 MB", HEAD + b"X: " + b"y" * 10_000_000 + b"\r\n\r\n"),
]


def statuses(server, first, second=b"", step=0):
    """What comes back; "closed" when the server ends it. step: so many bytes at a time."""
    client = server.connect()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send():
        try:
            for at in range(0, len(first), step or len(first)):
                client.sendall(first[at:at + (step or len(first))])
        except OSError:
            pass

    thread = threading.Thread(target=send)
    thread.start()
    client.settimeout(PATIENCE)
    got, ended = b"", ""
    while not ended:
        try:
            part = client.recv(65536)
            got += part
            client.settimeout(SILENCE)
            ended = "" if part else " closed"
            if second and b"100 Continue" in got:
                client.sendall(second)
                second = b""
        except TimeoutError:
            ended = " open"
        except ConnectionError:
            ended = " closed"
    client.close()
    thread.join()
    return " ".join(re.findall(r"HTTP/1\.1 (\d+)", got.decode(errors="replace"))) + ended


with Served(sys.argv[1]) as server, ThreadPoolExecutor(15) as pool:
    whole = [pool.submit(statuses, server, *sent) for _, *sent in TRIED]
    small = [len(sent) == 1 and len(sent[0]) < 1000 and pool.submit(statuses, server, *sent, step=1) for _, *sent in TRIED]
    for (name, *_), once in zip(TRIED, whole):
        say(f"{name}: {once.result()}")
    for (name, *_), once, parts in zip(TRIED, whole, small):
        if parts and parts.result() != once.result():
            say(f"{name}: otherwise when it comes byte by byte")
    say("the server", "lives" if server.lives() else "is gone")
