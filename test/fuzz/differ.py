#!/usr/bin/env python3
"""Damaged programs that still compile must do the same at -O0 and at options that optimise: output, status, error and its place.

Each is a real program with one or two changes of token, number, name or line; one that reads what is not defined, or does not end,
is left out. Time is virtual, there is one worker, and input is empty, so that what a program does depends on nothing else.
usage: differ.py --occc build/bin/occc [--seed N] [--count N] [--save DIR] [FILE or FOLDER ...]"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import options
from mutate import Mutator, read_seeds

SECONDS = 5
ENVIRONMENT = dict(os.environ, OCC_TIME="virtual", OCC_WORKERS="1", OCC_SEED="1")
FLAGS = ["-Wno-error=usage-unproved"]
UNDEFINED = re.compile(r"flow-(maybe-)?undefined|flow-moved")
REPORT = re.compile(r"^\S*?(\d+:\d+: error: .*)$", re.M)
OUTSIDE = re.compile(r"EXTERNAL|WALL\.TIME|ADDROF|file\.|sock\.|proc\.|GETAFF|SETAFF|TIMER|#PRAGMA SHARED")


class Changes(Mutator):
    """Only what may leave a program that compiles."""

    def __init__(self, rng, texts):
        super().__init__(rng, texts)
        self.kinds = [self.delete_token, self.swap_tokens, self.change_number, self.change_number, self.change_name, self.change_name,
                      self.delete_line, self.double_line, self.swap_lines, self.swap_operator, self.swap_operator]

    def swap_operator(self, text):
        return self.replace(text, re.compile(r" (\+|-|\*|/|\\|PLUS|MINUS|TIMES|<|>|<=|>=|=|<>|/\\|\\/|><) "),
                            [f" {o} " for o in "+ - * / \\ PLUS MINUS TIMES < > <= >= = <> /\\ \\/ ><".split()])


def compiled(occc, flags, source, target, include):
    done = subprocess.run([occc, *flags, *FLAGS, "-I", include, "-o", target, source], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False)
    return done.returncode, done.stderr.decode("latin-1")


def behaviour(program):
    """(status, output, error without the path), or None when it does not end."""
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, env=ENVIRONMENT, check=False)
    except subprocess.TimeoutExpired:
        return None
    found = REPORT.search(done.stderr.decode("latin-1"))
    return done.returncode, done.stdout, found.group(1) if found else ""


def verdict_of(occc, source, folder, include, flags):
    plain, fast = f"{folder}/plain", f"{folder}/fast"
    status, words = compiled(occc, ["-O0"], source, plain, include)
    if status != 0:
        return "refused" if status == 1 else f"compiling: status {status}"
    if UNDEFINED.search(words):
        return "undefined"
    one = behaviour(plain)
    if one is None:
        return "endless"
    status, words = compiled(occc, [*flags, "-w"], source, fast, include)
    if status != 0:
        return f"{' '.join(flags)}: status {status}: {words[:200]}"
    two = behaviour(fast)
    if one[0] < 0:
        return f"-O0: signal {-one[0]}"
    if two is None:
        return f"{' '.join(flags)}: does not end"
    return "same" if one == two else f"-O0 {one[0]} {one[1][-80:]} {one[2]}; {' '.join(flags)} {two[0]} {two[1][-80:]} {two[2]}"


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--save", help="where programs that differ are kept")
    parser.add_argument("seeds", nargs="*", default=[f"{root}/{d}" for d in ("test/programs", "test/suite", "test/run", "test/errors", "examples")])
    words = parser.parse_args()
    texts = {path: text for path, text in read_seeds(words.seeds).items() if path.endswith(".occ") and not OUTSIDE.search(text)}
    tally, wrong, end = {}, 0, time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        for number in range(words.seed, words.seed + words.count):
            if time.monotonic() > end:
                break
            rng = random.Random(number)
            origin = rng.choice(list(texts))
            changes, text = Changes(rng, texts), texts[origin]
            for _ in range(rng.choice([1, 1, 2])):
                text = rng.choice(changes.kinds)(text) or "\n"
            source = f"{folder}/differ{number}.occ"
            with open(source, "w", encoding="latin-1") as file:
                file.write(text)
            verdict = verdict_of(words.occc, source, folder, os.path.dirname(origin), options.draw(f"differ {number}", levels=options.FAST))
            key = verdict if verdict in ("refused", "undefined", "endless", "same") else "wrong"
            tally[key] = tally.get(key, 0) + 1
            if key == "wrong":
                wrong += 1
                print(f"program {number} of {os.path.relpath(origin, root)}: {verdict}", flush=True)
                if words.save:
                    os.makedirs(words.save, exist_ok=True)
                    with open(f"{words.save}/differ{number}.occ", "w", encoding="latin-1") as file:
                        file.write(text)
            os.unlink(source)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
