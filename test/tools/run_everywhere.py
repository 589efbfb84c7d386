#!/usr/bin/env python3
"""run_everywhere.py OCCC SOURCE: build a program, run it with 1, 2 and 10 workers and several seeds, print what it
prints. The output and the exit status are the same every time, or this fails and says where they were not.

--status=N: the exit status. --seeds=N: how many; EVERYWHERE_SEEDS in the environment goes first. --machines=1,3: on so
many virtual machines each time (OCC_RANKS), with 1 and 2 workers."""

import argparse
import os
import subprocess
import sys
import tempfile

WORKERS = (1, 2, 10)
LIMIT_SECONDS = 20


def run(program, machines, workers, seed):
    """(status, output, what it said on standard error)"""
    environment = dict(os.environ, OCC_WORKERS=str(workers), OCC_SEED=str(seed), OCC_RANKS=str(machines))
    try:
        done = subprocess.run([program], capture_output=True, env=environment, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired as late:
        return "no end", late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr


def check(program, ways, status, seeds):
    """The output of all runs, or None."""
    expected = None
    for seed in range(1, seeds + 1):
        for machines, workers in ways:
            got, output, complaint = run(program, machines, workers, seed)
            if expected is None:
                expected = output
            if got != status or output != expected:
                print(f"OCC_RANKS={machines} OCC_WORKERS={workers} OCC_SEED={seed}: status {got} for {status}", file=sys.stderr)
                print(f"output {output[-400:]!r} for {expected[-400:]!r}", file=sys.stderr)
                print(complaint.decode("utf-8", "replace")[-2000:], file=sys.stderr)
                return None
    return expected


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("occc")
    parser.add_argument("source")
    parser.add_argument("--status", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--machines")
    arguments = parser.parse_args()
    ways = [(1, workers) for workers in WORKERS]
    if arguments.machines:
        ways = [(int(machines), workers) for machines in arguments.machines.split(",") for workers in WORKERS[:2]]
    seeds = int(os.environ.get("EVERYWHERE_SEEDS", arguments.seeds))
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run([arguments.occc, "-w", "-O2", "-o", program, arguments.source], check=True)
        output = check(program, ways, arguments.status, seeds)
    if output is None:
        return 1
    sys.stdout.buffer.write(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
