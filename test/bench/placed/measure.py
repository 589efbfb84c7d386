"""Placements over MPI beside C with MPI: each measure in turn, so that all see the same load; medians.

    measure.py --occc build/bin/occc --cache DIR [--rounds 7]"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
PINNED = ["--bind-to", "core", "-x", "OCC_WORKERS=1"]
CROWDED = ["--oversubscribe", "--bind-to", "none", "-x", "OCC_WORKERS=1"]

# name -> ranks, options, program
RUNS = {
    "occc": (2, PINNED, "links.occ.bin"),
    "c": (2, PINNED, "links.c.bin"),
    "occc life": (2, PINNED, "life.occ.bin"),
    "occc life of 1": (1, PINNED, "life.occ.bin"),
    "c life": (2, PINNED, "life.c.bin"),
    "occc local": (2, PINNED, "local.occ.bin"),
    "plain local": (2, PINNED, "plain.occ.bin"),
    "occc start": (8, CROWDED, "nothing.occ.bin"),
    "c start": (8, CROWDED, "links.c.bin start"),
}

# what, measured, peer, is the peer's divided by it (as much work a second), goal
TABLE = [
    ("an INT there and back", "occc ping", "c ping", False, "at most 1.3"),
    ("1 MB mobiles", "occc megabyte", "c megabyte", True, "at least 0.9"),
    ("messages of 1 000 channels", "occc many", "c many", True, "at least 2"),
    ("ALT of 16, and an answer", "occc alt16", "occc ping", False, "at most 2"),
    ("life 4096 x 4096, 2 ranks", "occc life life", "c life life", True, "at least 0.9"),
    ("the same, of 1 rank", "occc life life", "occc life of 1 life", True, "at least 1.9"),
    ("local, beside placements", "occc local local", "plain local local", False, "1"),
    ("start of 8 ranks", "occc start", "c start", False, "at most 1.2"),
]


def build(occc, cache):
    def make(name, *flags):
        command = [occc, "-w", "-O2", "--mpi", "-I", os.path.join(HERE, ".."), *flags, os.path.join(HERE, name + ".occ")]
        subprocess.run(command + ["-o", os.path.join(cache, ("plain" if flags else name) + ".occ.bin")], check=True)

    for name in ("links", "life", "local", "nothing"):
        make(name)
    make("local", "-DPLAIN")
    for name in ("links", "life"):
        source = os.path.join(HERE, name + ".c")
        subprocess.run(["mpicc", "-O2", "-o", os.path.join(cache, name + ".c.bin"), source], check=True)


def run(cache, name):
    """Nanoseconds of one of each that the program measures; of its whole run where it measures nothing."""
    ranks, options, program = RUNS[name]
    path, *words = program.split()
    command = ["timeout", "120", "mpirun", "-n", str(ranks), *options, os.path.join(cache, path), *words]
    before = time.monotonic()
    text = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"RESULT (\S+) (\d+) (\d+)", text)
    if not found:
        return {name: (time.monotonic() - before) * 1e9}
    return {f"{name} {what}": int(micros) * 1000 / (1 if what == "life" else int(count)) for what, micros, count in found}


def say(samples):
    def show(ns):
        return f"{ns / 1e6:.1f} ms" if ns >= 1e6 else f"{ns / 1e3:.2f} us" if ns >= 1e3 else f"{ns:.1f} ns"

    print("| what | measured | peer | ratio | goal |\n|---|---|---|---|---|")
    for what, measured, peer, is_rate, goal in TABLE:
        ratios = [b / a if is_rate else a / b for a, b in zip(samples[measured], samples[peer])]
        middle, least, most = statistics.median(ratios), min(ratios), max(ratios)
        print(f"| {what} | {show(statistics.median(samples[measured]))} | {show(statistics.median(samples[peer]))} | "
              f"{middle:.2f} ({least:.2f} to {most:.2f}) | {goal} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    os.makedirs(arguments.cache, exist_ok=True)
    build(arguments.occc, arguments.cache)
    samples = {}
    for _ in range(arguments.rounds):
        for name in RUNS:
            for what, ns in run(arguments.cache, name).items():
                samples.setdefault(what, []).append(ns)
    load = os.getloadavg()[0]
    print(f"{arguments.rounds} rounds; load {load:.1f} on {os.cpu_count()} processors\n")
    say(samples)
    return 0


if __name__ == "__main__":
    sys.exit(main())
