#!/usr/bin/env python3
"""Random streams of frames, sound and not, to a server of WebSockets that sends back what comes (test/net/Inputs/websocket.occ):
its answers are those of a model of RFC 6455, whatever pieces the stream comes in, and it lives.

    python3 test/fuzz/websocket.py --occc build/bin/occc --count 1000
    python3 test/fuzz/websocket.py --occc build/bin/occc --seconds 600 --seed 7"""

import argparse
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "test", "tools"))
from served import PATIENCE, Served
from websocket_client import BYTES, CLOSE, PING, PONG, TEXT

MORE, LONGEST = 0, 100_000
DONE, WRONG, NO_CODE, NO_TEXT, TOO_LONG = 1000, 1002, 1005, 1007, 1009
SIZES = [0, 1, 2, 3, 10, 60, 124, 125, 126, 127, 300, 1000]
WIDE = [2048, 16384, 65535, 65536, 70000, 99999, 100000, 100001]
REQUEST = (b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


def is_text(data):
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


# ---- streams ----

def content(rng, op):
    if op == CLOSE and rng.random() < 0.8:
        code = rng.choice([999, 1000, 1001, 1003, 1004, 1005, 1006, 1007, 1011, 1014, 1015, 1016, 2999, 3000, 4999, 5000, 65535])
        return struct.pack(">H", code) + rng.choice([b"", b"bye", "größer".encode(), b"\xff"])
    size = rng.choice(SIZES if rng.random() < 0.9 else WIDE)
    size = min(size, 125) if op >= CLOSE and rng.random() < 0.9 else size
    return rng.choice([b"a" * size, ("é€𝄞" * size).encode()[:size], rng.randbytes(size)])


def frame(rng, op, data, last):
    told = len(data) if len(data) < 126 else 126 if len(data) < 65536 else 127
    if rng.random() < 0.02:
        told = rng.choice([126, 127])
    width = {126: 2, 127: 8}.get(told, 0)
    if len(data) >= 1 << (8 * width) and width:
        width, told = 8, 127
    masked = rng.random() >= 0.02
    mask = rng.randbytes(4) if masked else b""
    body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)) if masked else data
    reserved = rng.choice([16, 32, 64]) if rng.random() < 0.02 else 0
    length = len(data).to_bytes(width, "big") if width else b""
    return bytes([(128 if last else 0) | reserved | op, (128 if masked else 0) | told]) + length + mask + body


def stream(rng):
    """What a client sends; most of it is sound for a while."""
    sent, inside = b"", False
    for _ in range(rng.randint(1, 8)):
        op = rng.choice([MORE] * 4 + [PING, PONG] if inside else [TEXT, TEXT, BYTES, BYTES, PING, PONG, CLOSE])
        if rng.random() < 0.05:
            op = rng.randrange(16)
        last = rng.random() < 0.6 or (op >= CLOSE and rng.random() < 0.97)
        inside = not last if op < CLOSE else inside
        sent += frame(rng, op, content(rng, op), last)
    if rng.random() < 0.2:
        at = rng.randrange(len(sent))
        sent = rng.choice([sent[:at], sent[:at] + rng.randbytes(1) + sent[at:], sent[:at] + rng.randbytes(1) + sent[at + 1:]])
    return sent


# ---- the model ----

class Closed(Exception):
    """With one of these codes."""


def take_frame(data, at, room):
    """(first byte, contents, behind it); None: it is not whole."""
    if len(data) - at < 2:
        return None
    first, second = data[at], data[at + 1]
    length, size = second & 127, 2
    if first & 112 or second < 128 or (first & 8 and (length > 125 or first < 128)):
        raise Closed({WRONG})
    if length >= 126:
        size = 4 if length == 126 else 10
        if len(data) - at < size:
            return None
        length = int.from_bytes(data[at + 2:at + size], "big")
        if length < 126 or (size == 10 and (length < 65536 or length >> 63)):
            raise Closed({WRONG})
    if not first & 8 and length > room:
        raise Closed({TOO_LONG, WRONG} if first & 15 > BYTES or (first & 15 == MORE) == (room == LONGEST) else {TOO_LONG})
    size += 4
    if len(data) - at < size + length:
        return None
    mask = data[at + size - 4:at + size]
    body = data[at + size:at + size + length]
    return first, bytes(byte ^ mask[i % 4] for i, byte in enumerate(body)), at + size + length


def close_code(body):
    if not body:
        return NO_CODE
    code = int.from_bytes(body[:2], "big")
    if len(body) == 1 or (is_text(body[2:]) and not (1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code < 5000)):
        raise Closed({WRONG})
    if not is_text(body[2:]):
        raise Closed({NO_TEXT, WRONG})
    return code


def answers(data):
    """What the server sends: frames, and the codes with which it may close."""
    out, at, kind, message = [], 0, None, b""
    try:
        while True:
            found = take_frame(data, at, LONGEST - len(message))
            if found is None:
                return out, {DONE}
            first, body, at = found
            op = first & 15
            if op == PING:
                out.append((PONG, body))
            elif op == CLOSE:
                return out, {close_code(body)}
            elif op > CLOSE + 2 or BYTES < op < CLOSE or (op < CLOSE and (op == MORE) == (kind is None)):
                raise Closed({WRONG})
            elif op < CLOSE:
                kind, message = (kind, message + body) if op == MORE else (op, body)
                if first >= 128:
                    if kind == TEXT and not is_text(message):
                        raise Closed({NO_TEXT})
                    out.append((kind, message))
                    kind, message = None, b""
    except Closed as closed:
        return out, closed.args[0]


# ---- the server ----

def send(rng, connection, data, step):
    try:
        at = 0
        while at < len(data):
            size = rng.randint(1, step)
            connection.sendall(data[at:at + size])
            at += size
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # it has closed the connection before


def receive_all(connection):
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def said(data):
    """The frames of a server, which are minimal, whole and without a mask."""
    out, at = [], data.index(b"\r\n\r\n") + 4
    while at < len(data):
        first, length = data[at], data[at + 1]
        size = {126: 4, 127: 10}.get(length, 2)
        length = int.from_bytes(data[at + 2:at + size], "big") if size > 2 else length
        if first & 112 or not first & 128 or length > len(data) - at - size or (size == 4 and length < 126) or (size == 10 and length < 65536):
            raise ValueError("a frame that is not sound")
        out.append((first & 15, data[at + size:at + size + length]))
        at += size + length
    return out


def try_one(server, seed):
    """What is wrong; nothing: all is right."""
    rng = random.Random(seed)
    data = stream(rng)
    step = rng.choice([1 << 20, 1 << 20, 1000, 7]) if len(data) < 2000 else 1 << 20
    wanted, codes = answers(data)
    with server.connect() as connection:
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sender = threading.Thread(target=send, args=(rng, connection, REQUEST + data, step))
        sender.start()
        try:
            got = said(receive_all(connection))
        except (OSError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            sender.join()
    if not got or got[-1][0] != CLOSE:
        return "it has not been closed"
    code = int.from_bytes(got[-1][1], "big") if got[-1][1] else NO_CODE
    if got[:-1] != wanted:
        return f"{len(got) - 1} frames, {len(wanted)} are right"
    return "" if code in codes else f"closed with {code}, not {sorted(codes)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=0, help="as many as in this time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "websocket")
        subprocess.run([options.occc, "-o", program, os.path.join(ROOT, "test/net/Inputs/websocket.occ")], check=True)
        wrong, done, end = 0, 0, time.monotonic() + options.seconds
        with Served(program) as server:
            try_one(server, options.seed)
            before = server.descriptors()
            while time.monotonic() < end if options.seconds else done < options.count:
                seed = options.seed * 1_000_003 + done
                fault = try_one(server, seed) if server.process.poll() is None else "the server has ended"
                if fault:
                    wrong += 1
                    print(f"stream {seed}: {fault}")
                if fault == "the server has ended":
                    break
                done += 1
            if not server.settles_at(before):
                wrong += 1
                print("descriptors are left")
    print(f"{done} streams, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
