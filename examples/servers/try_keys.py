"""Clients of keys.occ: one of our own, and redis-cli when it is installed."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "test", "tools"))
from served import Served, say


class Client:
    def __init__(self, server):
        self.socket = server.connect()
        self.file = self.socket.makefile("rb")

    @staticmethod
    def command(*words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)

    def answer(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind in (b"+", b"-"):
            return rest.decode()
        if kind == b":":
            return int(rest)
        if kind == b"*":
            return [self.answer() for _ in range(int(rest))]
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        return "closed"

    def ask(self, *words):
        self.socket.sendall(self.command(*words))
        return self.answer()


with tempfile.TemporaryDirectory() as folder:
    snapshot = f"{folder}/snapshot"
    with Served(sys.argv[1], ":0", snapshot) as server:
        client = Client(server)
        ask = client.ask
        say("PING:", ask("PING"))
        say("SET GET:", ask("SET", "key", "value"), ask("GET", "key").decode())
        odd = bytes(range(256)) * 3000
        ask("SET", odd[:600], odd)
        say("bytes of all kinds:", "the same" if ask("get", odd[:600]) == odd else "others")
        ask("SET", "a", 1)
        ask("SET", "c", 3)
        say("MGET:", *ask("MGET", "a", "b", "c"))
        say("DEL EXISTS:", ask("DEL", "a", "b", "c"), ask("EXISTS", "a"))
        say("INCR:", ask("INCR", "n"), f"{ask('INCR', 'n')},", ask("INCR", "key"))
        ask("SET", "most", 2**63 - 1)
        say("at its end:", ask("INCR", "most"))
        ask("SET", "long", "x")
        say("EXPIRE:", ask("EXPIRE", "long", 100), f"{ask('EXPIRE', 'none', 100)},", "TTL", ask("TTL", "long"), ask("TTL", "key"), ask("TTL", "none"))
        ask("SET", "short", "x", "EX", 1)
        until = time.monotonic() + 20
        while ask("EXISTS", "short") == 1 and time.monotonic() < until:
            time.sleep(0.05)
        say("after its time:", "there" if ask("EXISTS", "short") else "gone")
        say("unknown:", ask("FLY"))
        say("too few words:", ask("GET"))
        client.socket.sendall(b"".join(client.command("INCR", "many") for _ in range(10_000)))
        say("10000 at once,", "in order" if [client.answer() for _ in range(10_000)] == list(range(1, 10_001)) else "in disorder")
        slow = Client(server)
        for byte in client.command("PING") + client.command("GET", "key"):
            slow.socket.sendall(bytes([byte]))
        say("byte by byte:", slow.answer(), slow.answer().decode())
        slow.socket.sendall(b"\r\n  ping \r\n")
        say("by hand:", slow.answer())
        ask("SET", "last", "x")
        ask("SET", "last", "y")
        ask("SET", "one more", "x")
        say("INFO:", ask("INFO").decode().rpartition("keys=")[2].strip(), "keys")
        bad = Client(server)
        bad.socket.sendall(b"*2\r\nGET\r\n")
        say("no protocol:", f"{bad.answer()},", bad.answer())
        if shutil.which("redis-cli"):
            host, port = server.place()
            cli = subprocess.run(["redis-cli", "-h", host, "-p", str(port), "GET", "key"], capture_output=True, text=True, timeout=30, check=False)
            say("redis-cli:", cli.stdout.strip().strip('"'))
        else:
            say("redis-cli: value (it is not installed)")
        server.process.send_signal(signal.SIGTERM)
        say("ended with", server.process.wait(timeout=20))
    with Served(sys.argv[1], ":0", snapshot) as server:
        client = Client(server)
        left = client.ask("TTL", "long")
        say("after the end:", client.ask("GET", "key").decode(), client.ask("GET", "n").decode(), "TTL", "99 or so" if 1 < left <= 101 else left)
