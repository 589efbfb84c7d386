#!/usr/bin/env python3
"""What a communication costs beside a server under load: a network of commstime and an HTTP server in one program, on CPU 0, and
wrk on CPU 1 (beside.occ), against the network alone, in turns, medians.

    python3 test/bench/net/beside.py --occc build/bin/occc --rounds 1

All is processor time, so that it says something on a busy machine, too: of the program beside a server, what as many requests cost
a server alone is taken away."""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
COMMUNICATIONS = 4 * 250_000  # between two lines


class Running:
    """The program, the lines that it has written."""

    def __init__(self, program, what):
        self.process = subprocess.Popen(["taskset", "-c", "0", program, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=dict(os.environ, OCC_WORKERS="1"))
        self.port = self.process.stdout.readline().decode().strip().rpartition(":")[2] if what != "alone" else ""
        self.lines = 0
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        for _ in self.process.stderr:
            self.lines += 1

    def cpu_ns(self):
        with open(f"/proc/{self.process.pid}/schedstat") as stat:
            return int(stat.read().split()[0])

    def load(self, connections, seconds):
        """Requests answered in that time."""
        if not connections:
            time.sleep(seconds)
            return 0
        said = subprocess.run(["taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", f"http://127.0.0.1:{self.port}/"],
                              capture_output=True, text=True, check=True).stdout
        return int(re.search(r"(\d+) requests in", said)[1])


def measure(program, what, connections, seconds):
    """Processor time, communications, requests."""
    running = Running(program, what)
    time.sleep(0.3)
    cpu, lines = running.cpu_ns(), running.lines
    requests = running.load(connections, seconds)
    cpu, lines = running.cpu_ns() - cpu, running.lines - lines
    running.process.kill()
    running.process.wait()
    return cpu, lines * COMMUNICATIONS, requests


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--cache", default="/tmp/occ-bench-net")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        print("wrk is missing: what a server costs its neighbours is left out")
        return
    os.makedirs(options.cache, exist_ok=True)
    program = f"{options.cache}/beside"
    subprocess.run([options.occc, "-O2", "-o", program, f"{HERE}/beside.occ"], check=True)
    results = {"alone": [], "beside an idle server": [], "under load": [], "under load, all of it": []}
    rates = []
    for _ in range(options.rounds):
        cpu, count, _ = measure(program, "alone", 0, options.seconds)
        results["alone"].append(cpu / count)
        cpu, count, _ = measure(program, "both", 0, options.seconds)
        results["beside an idle server"].append(cpu / count)
        cpu, _, requests = measure(program, "server", 64, options.seconds)
        each = cpu / requests
        cpu, count, requests = measure(program, "both", 64, options.seconds)
        results["under load"].append((cpu - requests * each) / count)
        results["under load, all of it"].append(cpu / count)
        rates.append(requests / options.seconds)
    for name, each in results.items():
        print(f"{'commstime ' + name:40}{statistics.median(each):8.2f} ns a communication")
    print(f"{'the server beside it':40}{statistics.median(rates):8.0f} requests a second")


if __name__ == "__main__":
    main()
