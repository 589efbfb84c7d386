#!/usr/bin/env python3
"""Random programs with one mistake: each is refused with exactly one error on the right line, and accepted without the mistake.

A program is that of generate.py with a place for a few lines, filled once as they should be and once wrongly; or its own text
with one token or line damaged. The kinds of mistakes are in mistakes.py.
usage: mistake.py --occc build/bin/occc [--seed N] [--count N] [--kind NAME] [--save DIR]
       mistake.py --print N                                                              show the wrong program of a number"""

import argparse
import os
import re
import sys
import time

from generate import ProgramMaker
from machine import TooLong
from mistakes import DAMAGES, MISTAKES
from statement import Stmt
from generate import run

PLACE = "@@mistake@@"
ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: (?:fatal )?error(?:\[([a-z0-9-]+)\])?: ([^\n]*)", re.M)


class MistakeMaker(ProgramMaker):
    """A program with a hole in it, at a place where much or little may be in scope."""

    def __init__(self, seed, only):
        super().__init__(seed)
        self.danger = False
        self.is_dressed = False  # the place is to be found
        self.hole = None
        self.is_reached = False
        self.only = only
        self.wait = self.rng.randint(0, 12)

    def reach(self, _):
        """What never runs is not checked for parallel use."""
        self.is_reached = True
        return
        yield

    def statement(self, scope, depth):
        if self.hole is None and not self.pure:
            self.wait -= 1
            if self.wait < 0:
                kinds = [m for m in MISTAKES if m.__name__ == self.only] or MISTAKES  # or `only` is a damage
                made = None
                while made is None:
                    kind = self.rng.choice(kinds)
                    self.hole = kind.__name__
                    made = kind(self, scope)
                self.sound, self.wrong, self.at, self.ids = made
                return Stmt([PLACE], self.reach)
        return super().statement(scope, depth)


def filled(lines, parts):
    """`lines` with the place filled, and the number of the first filled line."""
    at = next(i for i, line in enumerate(lines) if line.strip() == PLACE)
    margin = lines[at][:-len(PLACE)]
    return lines[:at] + [margin + part for part in parts] + lines[at + 1:], at + 1


def make(seed, only):
    """(kind, sound text, wrong text, lines where the error may be, ids), or None."""
    maker = MistakeMaker(seed, only)
    try:
        lines = maker.program().text.rstrip("\n").split("\n")
    except (TooLong, RecursionError):
        return None
    damage = maker.rng.random() < 0.4 if not only else only in [d.__name__ for d in DAMAGES]
    if not any(line.strip() == PLACE for line in lines) and not damage:
        return None
    sound = lines
    if any(line.strip() == PLACE for line in lines):
        sound, first = filled(lines, maker.sound)
    if damage:
        kind = maker.rng.choice([d for d in DAMAGES if not only or d.__name__ == only])
        made = kind(maker.rng, list(sound))
        if made is None:
            return None
        wrong, at = made
        return kind.__name__, sound, wrong, at, ()
    if not maker.is_reached and maker.ids and maker.ids[0].startswith(("usage", "alias")):
        return None
    wrong, first = filled(lines, maker.wrong)
    return maker.hole, sound, wrong, {first + k for k in maker.at}, maker.ids


def compile_text(occc, lines, path):
    with open(path, "w", encoding="latin-1") as file:
        file.write("\n".join(lines) + "\n")
    status, _, err = run([occc, "-fsyntax-only", "-w", "-Wno-error=usage-unproved", path], 20)
    return status, err


def judge(status, err, at, ids):
    errors = [(int(m.group(1)), m.group(2) or "", m.group(3)) for m in ERROR.finditer(err)]
    if status is None:
        return "does not end"
    if status == 0:
        return "accepted"
    if status != 1 or not errors:
        return f"status {status}: {err[:200]}"
    if len(errors) > 1:
        return f"{len(errors)} errors: " + "; ".join(f"{line} {name} {text[:80]}" for line, name, text in errors[:4])
    line, name, text = errors[0]
    if line not in at:
        return f"error on line {line}, not {sorted(at)}: {name} {text[:120]}"
    if ids and not any(name.startswith(prefix) for prefix in ids):
        return f"{name}, not {', '.join(ids)}: {text[:120]}"
    return None


def main():
    sys.setrecursionlimit(5000)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--kind", default="", help="only this kind of mistake")
    parser.add_argument("--folder", default="/tmp", help="where programs are written")
    parser.add_argument("--save", help="where wrong verdicts are kept")
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    if words.print is not None:
        made = make(words.print, words.kind)
        print("\n".join(made[2]) + f"\n-- {made[0]}: line {sorted(made[3])}" if made else "no program")
        return 0
    os.makedirs(words.folder, exist_ok=True)
    tally, wrong, ran = {}, 0, 0
    end = time.monotonic() + words.seconds
    path = f"{words.folder}/mistake{os.getpid()}.occ"
    for seed in range(words.seed, words.seed + words.count):
        made = make(seed, words.kind) if time.monotonic() < end else None
        if made is None:
            continue
        ran += 1
        kind, sound, damaged, at, ids = made
        tally[kind] = tally.get(kind, 0) + 1
        status, err = compile_text(words.occc, sound, path)
        fault = f"sound form: status {status}: {err[:300]}" if status != 0 else None
        if fault is None:
            fault = judge(*compile_text(words.occc, damaged, path), at, ids)
        if fault:
            wrong += 1
            line = min(at)
            print(f"program {seed} ({kind}): {fault} | {damaged[line - 1].strip() if line <= len(damaged) else ''}", flush=True)
            if words.save:
                os.makedirs(words.save, exist_ok=True)
                with open(f"{words.save}/{kind}-{seed}.occ", "w", encoding="latin-1") as file:
                    file.write("\n".join(sound if fault.startswith("sound") else damaged) + "\n")
                with open(f"{words.save}/{kind}-{seed}.txt", "w", encoding="latin-1") as file:
                    file.write(f"{fault}\nline {sorted(at)}\n")
    if os.path.exists(path):
        os.unlink(path)
    print(f"{ran} programs of {len(tally)} kinds, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
