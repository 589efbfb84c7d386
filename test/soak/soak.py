#!/usr/bin/env python3
"""Run programs for a long time: they must go on, say nothing else, and hold no more memory at the end than early on.

Each program prints a count now and then, of messages, processes or phases; their sum is the figure. A program is wrong when it ends,
prints nothing for a minute, says anything on standard error, or holds more memory in its last tenth of the time than in its second
tenth, by more than 1 %.
usage: soak.py --occc build/bin/occc [--minutes 30] [--workers N] [--cpu N] [PROGRAM ...]"""

import argparse
import os
import select
import subprocess
import sys
import tempfile
import time

SILENCE = 60
ALLOWED = 1.01
WARMING = 1 << 20  # bytes that a program of a few seconds may still take
HERE = os.path.dirname(os.path.abspath(__file__))


def resident(pid):
    """Bytes of memory that the process holds."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def watch(process, seconds):
    """(complaint or None, sum of what was printed, [(seconds, bytes)])"""
    began = last = time.monotonic()
    total, rest, samples = 0, b"", []
    while time.monotonic() - began < seconds:
        ready, _, _ = select.select([process.stdout], [], [], min(1.0, seconds / 100))
        now = time.monotonic()
        if ready:
            text = os.read(process.stdout.fileno(), 65536)
            if not text:
                return f"ended after {now - began:.0f} s with status {process.wait()}", total, samples
            *lines, rest = (rest + text).split(b"\n")
            total, last = total + sum(map(int, lines)), now
        elif now - last > SILENCE:
            return f"printed nothing for {SILENCE} s", total, samples
        if not samples or now - began - samples[-1][0] > seconds / 1000:
            samples.append((now - began, resident(process.pid)))
    return None, total, samples


def most(samples, begin, end):
    return max([size for second, size in samples if begin <= second <= end] or [0])


def soak(words, program, folder):
    """Runs one program; True when nothing was wrong."""
    name, binary = os.path.splitext(os.path.basename(program))[0], f"{folder}/program"
    subprocess.run([words.occc, "-w", "-O2", program, "-o", binary], check=True)
    seconds = 60 * words.minutes
    environment = dict(os.environ, **({"OCC_WORKERS": str(words.workers)} if words.workers else {}))
    command = (["taskset", "-c", str(words.cpu)] if words.cpu is not None else []) + [binary]
    with open(f"{folder}/said", "w+", encoding="utf-8") as said:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, env=environment) as process:
            complaint, total, samples = watch(process, seconds)
            process.kill()
        said.seek(0)
        messages = said.read()
    early, late = most(samples, 0.1 * seconds, 0.2 * seconds), most(samples, 0.9 * seconds, seconds)
    if complaint is None and messages:
        complaint = f"said {messages[:500]}"
    if complaint is None and (total == 0 or early == 0 or late > early * ALLOWED + (WARMING if words.minutes < 3 else 0)):
        complaint = "no count" if total == 0 else "memory grows"
    print(f"{'WRONG: ' if complaint else ''}{name}: {complaint or 'runs on'}, {words.minutes:g} minutes, {total} counted, memory {early >> 10} kB, "
          f"then {late >> 10} kB", flush=True)
    return complaint is None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", required=True)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--workers", type=int, help="OCC_WORKERS")
    parser.add_argument("--cpu", type=int, help="run on this CPU only")
    parser.add_argument("programs", nargs="*", default=[f"{HERE}/{name}.occ" for name in ("exchange", "births", "phases")])
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = [soak(words, program, folder) for program in words.programs]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
