#!/usr/bin/env python3
"""Run the benchmarks that have work for several workers on one CPU and on two, beside their Go twins, in turns.

    make bench-scaling                 all of them
    make bench-scaling BENCH=lines     one
    make bench-scaling RT=1            with real-time priority (root): what else runs on the machine does not disturb

Wall-clock medians of ROUNDS runs; the last column is the processor time of all threads on two CPUs over that of one: what
being spread costs. On a machine that does something else only that column means anything."""

import argparse
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import run

NAMES = ["lines", "neighbours", "farm", "nets", "commstime", "ring", "rings", "start", "skynet", "sieve", "triangle"]
ROUNDS = 5
LIMIT_SECONDS = 120


def run_once(command, count, environment):
    """({name: milliseconds}, processor milliseconds)"""
    environment = dict(environment, OCC_WORKERS=str(count), GOMAXPROCS=str(count))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    times = {name: int(us) / 1000 for name, us, _ in re.findall(r"^RESULT (\S+) (\d+) (\d+)$", done.stdout, re.M)}
    cpu = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return times, cpu


def measure(peers, name, before):
    programs = {column: program for column, program in peers.programs(name).items() if column in ("occ", "go")}
    walls, cpus = {}, {}
    for _ in range(ROUNDS):
        for column, program in programs.items():
            for count in (1, 2):
                times, cpu = run_once([*before, program], count, peers.environment)
                cpus.setdefault((column, count), []).append(cpu)
                for result, milliseconds in times.items():
                    walls.setdefault((result, column, count), []).append(milliseconds)
    median = lambda table, key: statistics.median(table[key]) if key in table else None
    text = lambda value: f"{value:10.1f} ms" if value is not None else "-"
    for result in dict.fromkeys(key[0] for key in walls):
        cells = [median(walls, (result, column, count)) for column in ("occ", "go") for count in (1, 2)]
        gain = f"{cells[0] / cells[1]:.2f}" if cells[0] and cells[1] else "-"
        spread = f"{median(cpus, ('occ', 2)) / median(cpus, ('occ', 1)):.2f}" if ("occ", 2) in cpus else "-"
        print(f"{result:16}" + "".join(f"{text(cell):>16}" for cell in cells) + f"{gain:>9}{spread:>9}", flush=True)
    return not walls


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--cache", required=True, help="where Go keeps what it has compiled")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--realtime", action="store_true", help="run with real-time priority")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failed = False
    before = ["chrt", "-f", "1"] if arguments.realtime else []
    with tempfile.TemporaryDirectory(prefix="occ-scaling-") as folder:
        peers = run.Peers(arguments, folder)
        heads = ["occam, 1", "occam, 2", "Go, 1", "Go, 2"]
        print(f"{'benchmark':16}" + "".join(f"{head:>16}" for head in heads) + f"{'1 / 2':>9}{'CPU 2/1':>9}")
        for name in arguments.names or NAMES:
            failed |= measure(peers, name, before)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
