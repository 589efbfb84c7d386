"""A client of websocket.occ that does what no client should."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from served import Served, say
from websocket_client import BYTES, CLOSE, PING, PONG, TEXT, Client

MORE = 0

with Served(sys.argv[1]) as server:
    server.connect().close()
    time.sleep(0.2)
    before = server.descriptors() + 1  # several workers: one to ring a bell with

    def refused(what, **fields):
        with server.connect() as connection:
            client = Client(connection, **fields)
            say(f"{what}: {client.status} {client.answer.get('sec-websocket-version', '')}".rstrip())
            client.input.close()

    def closed(what, *frames):
        """These frames of a client; how the server closes."""
        with server.connect() as connection:
            client = Client(connection)
            for op, data, words in frames:
                client.send(op, data, **words)
            say(f"{what}: {client.closed()}")
            client.input.close()

    def answered(what, *frames, byte_by_byte=False):
        with server.connect() as connection:
            client = Client(connection)
            sent = b"".join(client.frame(op, data, **words) for op, data, words in frames)
            for i in range(0, len(sent), 1 if byte_by_byte else len(sent)):
                connection.sendall(sent[i:i + 1] if byte_by_byte else sent)
            got = []
            while not got or got[-1][0] in (PONG,):
                got.append(client.receive())
            client.send(CLOSE, b"\x03\xe8done")
            say(f"{what}: {' '.join(f'{op}:{data.decode()}' if len(data) < 99 else f'{op}:{len(data)}' for op, data in got)}, {client.closed()}")
            client.input.close()

    none = {}
    part = {"last": False}
    refused("no key", Sec_WebSocket_Key=None)
    refused("a short key", Sec_WebSocket_Key="AAAA")
    refused("version 8", Sec_WebSocket_Version="8")
    refused("another protocol", Upgrade="h2c")
    refused("no upgrade", Connection="keep-alive")
    refused("several words", Connection="keep-alive, Upgrade")
    with server.connect() as connection:
        client = Client(connection, Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==")
        say("the key of the standard:", client.answer["sec-websocket-accept"])
        client.input.close()

    answered("a text", (TEXT, "größer".encode(), none))
    answered("nothing", (BYTES, b"", none))
    answered("125 bytes", (BYTES, b"x" * 125, none))
    answered("126 bytes", (BYTES, b"x" * 126, none))
    answered("65536 bytes", (BYTES, b"x" * 65536, none))
    answered("parts with a ping between", (TEXT, b"a", part), (PING, b"?", none), (MORE, b"b", part), (MORE, b"c", none))
    answered("byte by byte", (TEXT, b"a" * 200, part), (PING, b"?", none), (MORE, b"b", none), byte_by_byte=True)
    answered("a pong that nobody asked for", (PONG, b"!", none), (TEXT, b"x", none))
    answered("a character in two parts", (TEXT, b"\xc3", part), (MORE, b"\xa9", none))
    answered("the longest", (BYTES, b"x" * 100000, none))

    closed("without a mask", (TEXT, b"x", {"masked": False}))
    closed("a reserved bit", (TEXT, b"x", {"reserved": 64}))
    closed("an unknown kind", (3, b"x", none))
    closed("an unknown word", (11, b"x", none))
    closed("a part of nothing", (MORE, b"x", none))
    closed("a message within another", (TEXT, b"x", part), (TEXT, b"y", none))
    closed("a ping in parts", (PING, b"x", part))
    closed("a ping of 126 bytes", (PING, b"x" * 126, none))
    closed("a length that is too wide", (TEXT, b"x" * 125, {"length": 126}))
    closed("a length of eight bytes for two", (TEXT, b"x" * 300, {"length": 127}))
    closed("no UTF-8", (TEXT, b"\xff", none))
    closed("no UTF-8, in parts", (TEXT, b"\xc3", part), (MORE, b"x", none))
    closed("too long", (BYTES, b"x" * 100001, none))
    closed("too long, in parts", (BYTES, b"x" * 60000, part), (MORE, b"x" * 60000, none))
    closed("closed without a code", (CLOSE, b"", none))
    closed("closed with half a code", (CLOSE, b"\x03", none))
    closed("closed with 1005", (CLOSE, b"\x03\xed", none))
    closed("closed with 4000", (CLOSE, b"\x0f\xa0bye", none))
    closed("closed with words that are none", (CLOSE, b"\x03\xe8\xff", none))
    with server.connect() as connection:
        client = Client(connection)
        connection.sendall(b"\x82\xff" + b"\xff" * 8)
        say("2^64 bytes:", client.closed())
        client.input.close()
    for cut in range(1, 8):  # gone in the midst of a frame
        with server.connect() as connection:
            client = Client(connection)
            connection.sendall(client.frame(TEXT, b"xyz")[:cut])
            client.input.close()
    say("gone in the midst: no descriptor is left" if server.settles_at(before) else "gone in the midst: descriptors are left")
    say("our own client:", subprocess.run([sys.argv[1], "%s:%d" % server.place()], capture_output=True, text=True, timeout=60, check=False).stdout.strip())
