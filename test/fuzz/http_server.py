#!/usr/bin/env python3
"""Random streams of requests, sound, damaged and hostile, to a real server of HTTP (test/net/Inputs/mirror.occ), over many
connections at once, in any pieces, slow, reset, or read late: its answers are those of a model of RFC 9112 (http_rfc.py),
it lives, and no descriptor and no memory is left.

    python3 test/fuzz/http_server.py --occc build/bin/occc --count 1000
    python3 test/fuzz/http_server.py --occc build/bin/occc --seconds 600 --seed 7
    python3 test/fuzz/http_server.py --one 1000004          # one stream again, with what was sent and what came back"""

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
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "test", "tools"))
from http_rfc import verdicts
from served import PATIENCE, Served

CLIENTS, SPARE_KB = 24, 4000


# ---- streams ----

TARGETS = [b"/", b"/parts", b"/none", b"/w?q=a%20b", b"/parts/x?y", b"http://a/w", b"/w;v=1", b"*", b"/\xc3\xa9", b"/a b", b"", b"a:80", b"/w#f"]
METHODS = [b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b"CONNECT", b"TRACE", b"PROPFIND", b"HUG", b"get", b"G@T", b"", b"GET\t"]
VERSIONS = [b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/0.9", b"HTTP/1", b"HTTP/1.10", b"http/1.1", b"HTTP/11", b"HTTP/1.1 ", b"HTTPS/1.1", b""]
FIELDS = [b"X: a", b"X:", b"X:\t b \t", b"X : a", b" X: a", b"X: a\xff", b"X: a\x01", b"X: a\0", b"X\0: a", b": a", b"X", b"X(: a", b"X: a\x7f",
          b"Connection: close", b"Connection: keep-alive", b"Connection: Keep-Alive, x", b"connection: x ,CLOSE", b"Connection: close, keep-alive",
          b"Connection: upgrade\r\nUpgrade: websocket", b"Upgrade: h2c", b"Host: b", b"Host:", b"Expect: 100-continue", b"Expect: x",
          b"X: a\r\n b", b"X: a\rb", b"X: a\nb", b"X: a\n", b"X: a\r", b"Keep-Alive: timeout=5", b"Proxy-Connection: close"]
LENGTHS = [b"+5", b"-5", b"5, 5", b"5 5", b"0x5", b"", b"5a", b"9223372036854775808", b"18446744073709551616", b"99999999999999999999999", b"5.0", b"5\t",
           b"\x0b5", b"005", b"200000", b"300000"]
CODINGS = [b"Chunked", b"gzip", b"gzip, chunked", b"chunked, chunked", b"identity", b"chunked;q=1", b"chunked,", b"", b"\x0bchunked", b"xchunked", b"chunked "]
EXTENSIONS = [b"", b"", b"", b";a=b", b" ;a", b"\t", b" ", b";a\x01", b";a\nb", b";a\rb", b"; \"\xff\"", b"x", b";", b";\0"]
SIZES = [b"", b"-5", b"+5", b"0x5", b"ffffffffffffffff", b"10000000000000000", b"7fffffffffffffff", b"5 5", b"g"]
TRAILERS = [b"Y: z\r\n", b"Y: z\r\nContent-Length: 5\r\n", b"Y\r\n", b" Y: z\r\n", b"Y: z\n", b"Y: z\rw\r\n", b"Y : z\r\n", b"Y: \0\r\n"]
BYTES = [b"\r", b"\n", b"\r\n", b"\0", b" ", b"\t", b":", b"0", b"\xff", b"\x0b", b"\x7f", b";", b",", b"\r\n\r\n", b"0\r\n\r\n"]


def mostly(rng, usual, others, chance=0.06):
    return rng.choice(others) if rng.random() < chance else usual


def content(rng):
    size = rng.choice([0, 1, 5, 10, 300, 2047, 2048, 5000]) if rng.random() < 0.97 else rng.choice([70_000, 99_999, 100_001, 270_000])
    return rng.choice([b"a" * size, rng.randbytes(size), (b"GET /w HTTP/1.1\r\nHost: a\r\n\r\n" * (size // 20 + 1))[:size]])


def chunks(rng, body):
    out, at = b"", 0
    while at < len(body):
        size = min(rng.choice([1, 7, 100, 3000, 100_000]), len(body) - at)
        digits = mostly(rng, rng.choice([b"%x", b"%X", b"0%x", b"000%x"]) % size, SIZES, 0.01)
        end = mostly(rng, b"\r\n", [b"\n", b"\r", b"", b"\r\r\n", b"X\r\n"], 0.01)
        out += digits + mostly(rng, b"", EXTENSIONS) + b"\r\n" + body[at:at + size] + end
        at += size
    return out + b"0" + mostly(rng, b"", EXTENSIONS) + b"\r\n" + mostly(rng, b"", TRAILERS, 0.1) + b"\r\n"


def framed(rng):
    """The fields of a body, and it."""
    kind, body = rng.random(), content(rng)
    if kind < 0.4:
        return [], b""
    if kind < 0.7:
        told = mostly(rng, b"%d" % len(body), LENGTHS)
        return [b"Content-Length: " + told] * (1 if rng.random() < 0.98 else 2), body
    fields = [b"Transfer-Encoding: " + mostly(rng, b"chunked", CODINGS)]
    if rng.random() < 0.04:
        fields.insert(rng.randrange(2), b"Content-Length: %d" % rng.choice([0, 5, len(body)]))
    return fields, chunks(rng, body)


def request(rng):
    fields, body = framed(rng)
    fields += [rng.choice(FIELDS) if rng.random() < 0.3 else b"X: %d" % rng.randrange(100) for _ in range(rng.choice([0, 0, 1, 1, 2, 5]))]
    if rng.random() < 0.97:
        fields.append(b"Host: a")
    if rng.random() < 0.01:
        fields += [b"Y: z"] * rng.choice([40, 64, 500])
    if rng.random() < 0.01:
        fields.append(b"Y: " + b"z" * rng.choice([10_000, 17_000, 100_000]))
    rng.shuffle(fields)
    method = mostly(rng, rng.choice([b"GET", b"POST", b"HEAD"]), METHODS)
    target = mostly(rng, rng.choice([b"/w", b"/w", b"/parts", b"/none"]), TARGETS)
    line = method + mostly(rng, b" ", [b"  ", b"\t"], 0.01) + target + mostly(rng, b" ", [b"  ", b"\t"], 0.01) + mostly(rng, b"HTTP/1.1", VERSIONS)
    end = mostly(rng, b"\r\n", [b"\n", b"\r", b"\r\r\n"], 0.01)
    return mostly(rng, b"", [b"\r\n", b"\r\n\r\n", b"\n", b" "], 0.04) + line + end + b"".join(name + b"\r\n" for name in fields) + b"\r\n" + body


def damage(rng, data):
    at = rng.randrange(len(data))
    other = rng.randrange(len(data))
    return rng.choice([data[:at], data[:at] + rng.choice(BYTES) + data[at:], data[:at] + rng.choice(BYTES) + data[at + 1:],
                       data[:at] + rng.randbytes(1) + data[at + 1:], data[:at] + data[at + rng.randint(1, 20):],
                       data[:at] + data[other:other + 200] + data[at:]])


def stream(rng):
    data = b"".join(request(rng) for _ in range(rng.choice([1, 1, 2, 3, 5, 20])))
    for _ in range(rng.choice([0, 0, 1, 3])):
        data = damage(rng, data) if data else data
    return data


# ---- the client ----

class Wrong(Exception):
    pass


class Answers:
    """What came back, taken apart strictly."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def line(self):
        end = self.data.find(b"\r\n", self.at)
        if end < 0:
            raise Wrong("an answer that is cut off")
        found, self.at = self.data[self.at:end], end + 2
        return found

    def head(self):
        """(status, fields); answers that only tell to go on are passed over."""
        status = 100
        while status == 100:
            version, status, _ = self.line().split(b" ", 2)
            status, fields = int(status), {}
            if version != b"HTTP/1.1":
                raise Wrong(f"an answer of {version}")
            while line := self.line():
                name, colon, value = line.partition(b": ")
                if not colon or name.lower() in fields:
                    raise Wrong(f"a field {line}")
                fields[name.lower()] = value
        return status, fields

    def take(self, size):
        if len(self.data) - self.at < size:
            raise Wrong("a body that is cut off")
        found, self.at = self.data[self.at:self.at + size], self.at + size
        return found

    def body(self, fields, wanted):
        """Of `wanted`, which may be cut."""
        if wanted.head_only:
            return b""
        if b"content-length" in fields:
            return self.take(int(fields[b"content-length"]))
        parts = []
        if b"transfer-encoding" not in fields:
            return self.take(len(self.data) - self.at)
        try:
            while size := int(self.line(), 16):
                parts.append(self.take(size))
                self.take(2)
            self.line()
        except Wrong:
            if not wanted.cut:
                raise
            self.at = len(self.data)
        return b"".join(parts)


def check(data, wanted):
    answers = Answers(data)
    for number, answer in enumerate(wanted):
        if answers.at == len(data):
            if number > 0 and wanted[number - 1].may_be_last:
                return
            raise Wrong(f"{number} answers, not {len(wanted)}")
        if answer.is_open:
            return
        status, fields = answers.head()
        if status in answer.doubts and status not in answer.statuses:
            break
        if status not in answer.statuses:
            raise Wrong(f"answer {number + 1} is {status}, not {sorted(answer.statuses)}")
        body = answers.body(fields, answer)
        if answer.body is not None and not answer.head_only and (
                not answer.body.startswith(body) if answer.cut else body != answer.body):
            raise Wrong(f"answer {number + 1} says {body[:100]}, not {answer.body[:100]}")
    else:
        if answers.at < len(data):
            raise Wrong(f"more than {len(wanted)} answers: {data[answers.at:answers.at + 50]}")
        return
    answers.body(fields, answer)
    if answers.at < len(data):
        raise Wrong(f"more answers behind {status}")


def send(rng, connection, data, step, pause):
    try:
        at = 0
        while at < len(data):
            size = rng.randint(1, step)
            connection.sendall(data[at:at + size])
            at += size
            if pause:
                time.sleep(rng.random() * pause)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # it has closed the connection before


def receive_all(connection):
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass  # it has closed the connection before it had read everything
    return b"".join(parts)


def leave(rng, connection, data):
    """Say a part of it, and be gone: at once, or with a reset."""
    try:
        connection.sendall(data[:rng.randrange(len(data) + 1)])
        if rng.random() < 0.3:
            connection.settimeout(0.05)  # there may be nothing
            connection.recv(rng.choice([1, 100, 10_000]))
    except OSError:
        pass
    if rng.random() < 0.7:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def try_one(server, seed, is_loud=False):
    """What is wrong; nothing: all is right."""
    rng = random.Random(seed)
    data, way = stream(rng), rng.random()
    step = rng.choice([1 << 20, 1 << 20, 1000, 7, 1]) if len(data) < 3000 else rng.choice([1 << 20, 1400])
    pause = rng.choice([0, 0, 0.002]) if len(data) / step < 100 else 0
    wanted = verdicts(data)
    with server.connect() as connection:
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if way < 0.15:
            leave(rng, connection, data)
            return ""
        sender = threading.Thread(target=send, args=(rng, connection, data, step, pause))
        sender.start()
        try:
            if way < 0.25:
                time.sleep(0.2)  # it has to hold what nobody reads
            got = receive_all(connection)
            if is_loud:
                print(f"sent {data}\nwanted {wanted}\ngot {got}")
            check(got, wanted)
        except (OSError, ValueError, Wrong) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            connection.close()
            sender.join()
    return ""


def try_many(server, options):
    """(how many, how many of them wrong)."""
    done, wrong, end = 0, 0, time.monotonic() + options.seconds
    with ThreadPoolExecutor(CLIENTS) as pool:
        while server.lives() and (time.monotonic() < end if options.seconds else done < options.count):
            count = 500 if options.seconds else min(500, options.count - done)
            seeds = [options.seed * 1_000_003 + done + i for i in range(count)]
            for seed, fault in zip(seeds, pool.map(lambda seed: try_one(server, seed), seeds)):
                if fault:
                    wrong += 1
                    print(f"stream {seed}: {fault}")
            done += count
    return done, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=0, help="as many as in this time")
    parser.add_argument("--one", type=int, help="the stream of this number alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "mirror")
        subprocess.run([options.occc, "-o", program, os.path.join(ROOT, "test/net/Inputs/mirror.occ")], check=True)
        with Served(program) as server:
            if options.one is not None:
                print(try_one(server, options.one, True))
                return 0
            try_one(server, 0)
            before = server.descriptors()
            with ThreadPoolExecutor(CLIENTS) as pool:  # then it holds what it ever needs
                list(pool.map(lambda seed: try_one(server, seed), range(100)))
            held = server.memory_kb()
            done, wrong = try_many(server, options)
            if not server.lives():
                print("the server has ended")
            elif not server.settles_at(before):
                print(f"{server.descriptors() - before} descriptors are left")
            elif server.memory_kb() > held + SPARE_KB:
                print(f"its memory has grown from {held} to {server.memory_kb()} KB")
            else:
                print(f"{done} streams, {wrong} wrong")
                return 1 if wrong else 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
