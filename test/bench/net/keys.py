#!/usr/bin/env python3
"""examples/servers/keys.occ beside redis-server: each on CPU 0, redis-benchmark on CPU 1, the peers in turns, medians.

    python3 test/bench/net/keys.py --occc build/bin/occc --rounds 1

Requests a second mean something only when nothing else runs; processor time for each always does. A peer that is missing is left
out, and that is said."""

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start(words):
    server = subprocess.Popen(["taskset", "-c", "0", *words], stdout=subprocess.DEVNULL, env=dict(os.environ, OCC_WORKERS="1"))
    return server


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit("the server does not listen")


def cpu_us(server):
    with open(f"/proc/{server.pid}/stat") as stat:
        return sum(int(word) for word in stat.read().split()[13:15]) * 1e6 / TICKS


def once(words, port, test, count):
    """Requests a second, processor time for each in us."""
    server = start(words)
    wait_for(port)
    said = subprocess.run(["taskset", "-c", "1", "redis-benchmark", "-p", str(port), "-P", "16", "-n", str(count), "-t", test, "-q"],
                          capture_output=True, text=True, check=True).stdout
    cpu = cpu_us(server) / count
    server.terminate()
    server.wait()
    return float(re.findall(r"([\d.]+) requests per second", said)[-1]), cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--cache", default="/tmp/occ-bench-net")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000)
    options = parser.parse_args()
    if not shutil.which("redis-benchmark"):
        print("redis-benchmark is missing: keys are left out")
        return
    os.makedirs(options.cache, exist_ok=True)
    subprocess.run([options.occc, "-O2", "-o", f"{options.cache}/keys-occ", f"{ROOT}/examples/servers/keys.occ"], check=True)
    port = free_port()
    peers = {"occ": [f"{options.cache}/keys-occ", f"127.0.0.1:{port}"]}
    if shutil.which("redis-server"):
        peers["redis"] = ["redis-server", "--port", str(port), "--save", "", "--appendonly", "no"]
    else:
        print("redis-server is missing: left out")
    print(f"{'':20}{'':6}{'a second':>10}{'CPU us each':>13}")
    for test in ("get", "set"):
        results = {name: [] for name in peers}
        for _ in range(options.rounds):
            for name, words in peers.items():
                results[name].append(once(words, port, test, options.count))
        for name, rows in results.items():
            rate, cpu = (statistics.median(column) for column in zip(*rows))
            print(f"{test + ', 16 at once':20}{name:6}{rate:10.0f}{cpu:13.2f}")


if __name__ == "__main__":
    main()
