#!/usr/bin/env python3
"""Every unit of the library, example and program of test/programs is compiled in every way, and what programs print is compared.

A way is a level with and without -g, --no-checks, -fstop-mode, -fcheck-reals, -march=native and -fverify-each. The short form gives
each file one way of a set in which every two options meet every two values (twelve ways): which one depends on the
seed, so that with twelve of them each file has had all; `make check` is the same every day. --full takes all ways of each file.
usage: check_levels.py --occc build/bin/occc [--full] [--ways N] [--seed N] [--jobs N] [--xml FILE] [FILE ...]"""

import argparse
import concurrent.futures
import glob
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from report import write_report

COMPILE_SECONDS = 120
RUN_SECONDS = 30
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
SWITCHES = ["-g", "--no-checks", "-fstop-mode", "-fcheck-reals", "-march=native", "-fverify-each"]
# What a run depends on beside its text: these are compiled, and what they print is not compared.
UNSTEADY = re.compile(r"\bTIMER\b|random|EXTERNAL|WALL\.TIME|file\.|sock\.|proc\.|time\.|#PRAGMA SHARED")
ENVIRONMENT = dict(os.environ, OCC_TIME="virtual", OCC_WORKERS="1", OCC_SEED="1", NO_COLOR="1")
ERROR = re.compile(r"^\S*?(\d+:\d+: error: .*)$", re.M)


def all_ways():
    return [tuple([level] + [switch for switch, on in zip(SWITCHES, values) if on])
            for level in LEVELS for values in itertools.product([False, True], repeat=len(SWITCHES))]


def pairs_of(way):
    values = [(way[0], True)] + [(switch, switch in way) for switch in SWITCHES]
    return set(itertools.combinations(values, 2))


def covering_ways(rng):
    """Few ways in which every two values of two options meet."""
    ways, missing, chosen = all_ways(), set(), []
    for way in ways:
        missing |= pairs_of(way)
    while missing:
        rng.shuffle(ways)
        best = max(ways[:80], key=lambda way: len(pairs_of(way) & missing))
        chosen.append(best)
        missing -= pairs_of(best)
    return chosen


class Subject:
    """A file: how it is compiled plainly, and what it does then."""

    def __init__(self, path):
        self.path, self.failed, self.plain = path, [], None
        with open(path, encoding="latin-1") as file:
            text = file.read()
        # C that is linked with it: compiled alone
        self.is_unit = path.startswith("stdlib/") or "EXTERNAL" in text
        self.is_steady = not UNSTEADY.search(text)
        self.directory = os.path.dirname(path)


def occc_of(words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=COMPILE_SECONDS, check=False)


def behaviour(program):
    """(status, output, error), or None when it does not end. It is run in its folder, for programs that write files."""
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, timeout=RUN_SECONDS, env=ENVIRONMENT, check=False,
                              cwd=os.path.dirname(program))
    except subprocess.TimeoutExpired:
        return None
    found = ERROR.search(done.stderr.decode("latin-1"))
    return done.returncode, done.stdout, found.group(1) if found else ""


def compiled(occc, subject, way, target):
    """None, or what is wrong."""
    words = [occc, "-w", *way, "-I", subject.directory, subject.path, "-o", target]
    if subject.is_unit:
        words.insert(1, "-c")
    try:
        done = occc_of(words)
    except subprocess.TimeoutExpired:
        return f"compiling takes more than {COMPILE_SECONDS} s"
    return f"status {done.returncode}: {done.stderr[-600:]}" if done.returncode else None


def try_way(occc, subject, way, folder):
    target = os.path.join(folder, "out")
    complaint = compiled(occc, subject, way, target)
    if complaint or subject.is_unit or not subject.is_steady or subject.plain is None:
        return complaint
    status, _, error = subject.plain
    # without checks an error has no effect that is defined; with -fstop-mode it stops another part of the program
    if (status != 0 or error) and ("--no-checks" in way or "-fstop-mode" in way):
        return None
    found = behaviour(target)
    if found != subject.plain and not ("-fcheck-reals" in way and found and "real" in found[2]):
        return f"does {str(found)[-300:]} instead of {str(subject.plain)[-300:]}"
    return None


def look_at(occc, subject, ways):
    """(file, seconds, complaints, ways tried)"""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "plain")
        if compiled(occc, subject, ("-O0",), target):
            subject.failed.append(f"-O0 {subject.path} does not compile")
            ways = []
        elif not subject.is_unit and subject.is_steady:
            subject.plain = behaviour(target)
        for way in ways:
            complaint = try_way(occc, subject, way, folder)
            if complaint:
                subject.failed.append(f"{' '.join(way)} {subject.path}: {complaint}")
    return subject, time.monotonic() - started, subject.failed, len(ways)


def files():
    return sorted(glob.glob("stdlib/*.occ") + glob.glob("examples/*.occ") + glob.glob("test/programs/*.occ"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", required=True)
    parser.add_argument("--full", action="store_true", help="all ways of each file")
    parser.add_argument("--ways", type=int, default=1, help="of each file in the short form")
    parser.add_argument("--seed", type=int, default=1, help="which of the ways each file gets")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--xml")
    parser.add_argument("files", nargs="*")
    words = parser.parse_args()
    occc = os.path.abspath(words.occc)
    cover = covering_ways(random.Random(1))
    started, tried, cases = time.monotonic(), 0, []
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        jobs = []
        for number, path in enumerate(words.files or files()):
            ways = [cover[(words.seed * words.ways + number + turn) % len(cover)] for turn in range(words.ways)]
            jobs.append(pool.submit(look_at, occc, Subject(path), all_ways() if words.full else ways))
        for job in concurrent.futures.as_completed(jobs):
            subject, seconds, complaints, count = job.result()
            tried += count
            for complaint in complaints:
                print(f"WRONG: {complaint}", flush=True)
            cases.append((subject.path, seconds, "\n".join(complaints) or None))
    if words.xml:
        write_report(words.xml, "levels", cases)
    wrong = sum(1 for case in cases if case[2])
    print(f"levels: {len(cases)} files, {tried} ways of {len(all_ways()) if words.full else len(cover)}, seed {words.seed}, "
          f"{time.monotonic() - started:.0f} s, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
