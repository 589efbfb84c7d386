#!/usr/bin/env python3
"""Servers under load, beside Go: the server on CPU 0, its clients (load.c) on CPU 1, the peers in turns, medians.

    make bench-net                     all of them
    python3 test/bench/net/run.py --occc build/bin/occc --rounds 1 --seconds 0.5

Messages a second and their time (p50, p99) mean something only when nothing else runs; processor time for each message and
memory for each connection always do. A peer that is missing is left out, and that is said."""

import argparse
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
LOADS = [("echo", 1), ("echo", 64), ("echo", 1000), ("open", 16)]
IDLE = 10000
TICKS = os.sysconf("SC_CLK_TCK")


def build(occc, cache):
    """The peers: name, command."""
    os.makedirs(cache, exist_ok=True)
    subprocess.run(["cc", "-O2", "-o", f"{cache}/load", f"{HERE}/load.c"], check=True)
    subprocess.run([occc, "-O2", "-o", f"{cache}/echo-occ", f"{ROOT}/examples/servers/echo.occ"], check=True)
    peers = {"occ": f"{cache}/echo-occ"}
    if shutil.which("go"):
        subprocess.run(["go", "build", "-o", f"{cache}/echo-go", f"{HERE}/echo.go"], check=True)
        peers["go"] = f"{cache}/echo-go"
    else:
        print("Go is missing: left out")
    return peers


class Server:
    def __init__(self, command):
        environment = dict(os.environ, GOMAXPROCS="1", OCC_WORKERS="1")
        self.process = subprocess.Popen(["taskset", "-c", "0", command], stdout=subprocess.PIPE, env=environment)
        self.port = self.process.stdout.readline().decode().strip().rpartition(":")[2]

    def cpu_us(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            return sum(int(word) for word in stat.read().split()[13:15]) * 1e6 / TICKS

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def end(self):
        self.process.kill()
        self.process.wait()


def load_once(command, cache, way, count, seconds):
    server = Server(command)
    words = ["taskset", "-c", "1", f"{cache}/load", way, server.port, str(count), str(seconds)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    rate, p50, p99, total = (float(word) for word in done.stdout.split())
    cpu = server.cpu_us() / total
    server.end()
    return rate, p50, p99, cpu


def idle_bytes(command, count):
    """Memory for each of so many connections that say a word, and no more."""
    server = Server(command)
    before = server.memory()
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", int(server.port)))
        client.sendall(b"x")
        client.recv(1)
        clients.append(client)
    used = server.memory() - before
    server.end()
    for client in clients:
        client.close()
    return used / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--cache", default="/tmp/occ-bench-net")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    peers = build(options.occc, options.cache)
    print(f"{'':12}{'':6}{'a second':>10}{'p50 us':>9}{'p99 us':>9}{'CPU us each':>13}")
    for way, count in LOADS:
        results = {name: [] for name in peers}
        for _ in range(options.rounds):
            for name, command in peers.items():
                results[name].append(load_once(command, options.cache, way, count, options.seconds))
        for name, rows in results.items():
            rate, p50, p99, cpu = (statistics.median(column) for column in zip(*rows))
            print(f"{way + ' ' + str(count):12}{name:6}{rate:10.0f}{p50:9.0f}{p99:9.0f}{cpu:13.2f}")
        sys.stdout.flush()
    count = min(IDLE, most - 100)
    for name, command in peers.items():
        print(f"{'idle ' + str(count):12}{name:6}{idle_bytes(command, count):10.0f} bytes a connection")


if __name__ == "__main__":
    main()
