#!/usr/bin/env python3
"""Random programs with one mistake: each is refused with exactly one error on the right line, and accepted without the mistake.

A program is that of generate.py with a place for a few lines, filled once as they should be and once wrongly; or its own text
with one token or line damaged. The kinds of mistakes are in mistakes.py, those of damage in damage.py. A block or line that is moved may
leave another program: one that is accepted, or whose errors are not of its text (race, alias, name); else it has one error, too.
usage: mistake.py --occc build/bin/occc [--seed N] [--count N] [--each K] [--kind NAME] [--save DIR]
       mistake.py --print N                                                              show the wrong programs of a number"""

import argparse
import os
import re
import sys
import time
from collections import namedtuple

from damage import DAMAGES, MOVES
from generate import ProgramMaker
from machine import TooLong
from mistakes import MISTAKES
from statement import Stmt
from generate import run

PLACE = "@@mistake@@"
# `at`: lines where the error may be; `ids`: beginnings of what it may be named; `runs`: the place is reached
Wrong = namedtuple("Wrong", "kind sound lines at ids runs")
ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: (?:fatal )?error(?:\[([a-z0-9-]+)\])?: ([^\n]*)", re.M)


class MistakeMaker(ProgramMaker):
    """A program with a hole in it, at a place where much or little may be in scope."""

    def __init__(self, seed, only, each):
        super().__init__(seed)
        self.danger = False
        self.is_dressed = False  # the place is to be found
        self.made = []
        self.is_reached = False
        self.only, self.each = only, each
        self.wait = self.rng.randint(0, 12)

    def reach(self, _):
        """What never runs is not checked for parallel use."""
        self.is_reached = True
        return
        yield

    def statement(self, scope, depth):
        if not self.made and not self.pure:
            self.wait -= 1
            if self.wait < 0:
                kinds = [m for m in MISTAKES if m.__name__ == self.only] or MISTAKES  # or `only` is a damage
                for _ in range(self.each):
                    kind = self.rng.choice(kinds)
                    self.made.append((kind.__name__, *kind(self, scope)))
                return Stmt([PLACE], self.reach)
        return super().statement(scope, depth)


def filled(lines, parts):
    """`lines` with the place filled, and the number of the first filled line."""
    at = next(i for i, line in enumerate(lines) if line.strip() == PLACE)
    margin = lines[at][:-len(PLACE)]
    return lines[:at] + [margin + part for part in parts] + lines[at + 1:], at + 1


BRACKETS = 250  # as deep as they may be nested


def is_too_deep(line):
    depth = deepest = 0
    for letter in line:
        depth += (letter in "([") - (letter in ")]")
        deepest = max(deepest, depth)
    return deepest > BRACKETS


def make(seed, only, each=1):
    """Up to 2 * `each` times a Wrong."""
    maker = MistakeMaker(seed, only, each)
    try:
        lines = maker.program().text.rstrip("\n").split("\n")
    except (TooLong, RecursionError):
        return []
    if any(map(is_too_deep, lines)):
        return []
    found, has_place = [], any(line.strip() == PLACE for line in lines)
    for kind, sound, wrong, at, ids in maker.made if has_place else []:
        if not maker.is_reached and ids and ids[0].startswith(("usage", "alias")):
            continue
        whole, first = filled(lines, wrong)
        found.append(Wrong(kind, filled(lines, sound)[0], whole, {first + k for k in at}, ids, maker.is_reached))
    sound = found[0].sound if found else filled(lines, ["SKIP"])[0] if has_place else lines
    damages = [d for d in DAMAGES if not only or d.__name__ == only]
    if damages and only:
        found = []
    for _ in range(each if damages else 0):
        kind = maker.rng.choice(damages)
        made = kind(maker.rng, list(sound))
        if made is not None:
            found.append(Wrong(kind.__name__, sound, *made, (), True))
    return found if each > 1 else [maker.rng.choice(found)] if found else []


def compile_text(occc, lines, path, warnings="-w"):
    with open(path, "w", encoding="latin-1") as file:
        file.write("\n".join(lines) + "\n")
    status, _, err = run([occc, "-fsyntax-only", warnings, "-Wno-error=usage-unproved", path], 20)
    return status, err


def judge_moved(errors, at):
    """A program with a block or line at another column has another meaning, or one error of its text."""
    of_text = [(line, name, text) for line, name, text in errors if name.startswith(("syntax-", "layout-", "lexical-"))]
    if len(of_text) > 1:
        return f"{len(of_text)} errors: " + "; ".join(f"{line} {name} {text[:80]}" for line, name, text in of_text[:4])
    if of_text and of_text[0][0] not in at:
        return "error on line {}, not {}: {} {}".format(of_text[0][0], sorted(at)[:2], *of_text[0][1:])
    return None


def judge(kind, status, err, at, ids):
    errors = [(int(m.group(1)), m.group(2) or "", m.group(3)) for m in ERROR.finditer(err)]
    if status is None:
        return "does not end"
    if kind in MOVES and (status == 0 or (status == 1 and errors)):
        return judge_moved(errors, at)
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


def fault_of(occc, path, made, known):
    """What the compiler says of a program and its sound form, if that is wrong; `known`: texts that are sound."""
    if tuple(made.sound) not in known:
        status, err = compile_text(occc, made.sound, path)
        if status != 0:
            return f"sound form: status {status}: {err[:300]}"
        known.add(tuple(made.sound))
    fault = judge(made.kind, *compile_text(occc, made.lines, path), made.at, made.ids)
    if fault == "accepted" and not made.runs:  # a value that is wrong where nothing runs is worth a warning
        warned = re.findall(r":(\d+):\d+: warning\[unreachable-error\]", compile_text(occc, made.lines, path, "-Wall")[1])
        return None if warned and int(warned[0]) in made.at else fault
    return fault


def main():
    sys.setrecursionlimit(5000)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--each", type=int, default=1, metavar="K", help="K mistakes and K damages in each program, instead of one of either")
    parser.add_argument("--kind", default="", help="only this kind of mistake")
    parser.add_argument("--folder", default="/tmp", help="where programs are written")
    parser.add_argument("--save", help="where wrong verdicts are kept")
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    if words.print is not None:
        for made in make(words.print, words.kind, words.each):
            print("\n".join(made.lines) + f"\n-- {made.kind}: line {sorted(made.at)}")
        return 0
    os.makedirs(words.folder, exist_ok=True)
    tally, wrong, end = {}, 0, time.monotonic() + words.seconds
    path = f"{words.folder}/mistake{os.getpid()}.occ"
    for seed in range(words.seed, words.seed + words.count):
        known = set()  # what is sound
        for number, made in enumerate(make(seed, words.kind, words.each) if time.monotonic() < end else []):
            tally[made.kind] = tally.get(made.kind, 0) + 1
            fault = fault_of(words.occc, path, made, known)
            if fault:
                wrong += 1
                shown = made.lines[min(made.at) - 1].strip() if min(made.at) <= len(made.lines) else ""
                print(f"program {seed} {number} ({made.kind}): {fault} | {shown}", flush=True)
                keep(words.save, f"{made.kind}-{seed}-{number}", made.sound if fault.startswith("sound") else made.lines,
                     f"{fault}\nline {sorted(made.at)}\n")
    if os.path.exists(path):
        os.unlink(path)
    print(f"{sum(tally.values())} programs of {len(tally)} kinds, {wrong} wrong")
    return 1 if wrong else 0


def keep(folder, name, lines, words):
    if folder:
        os.makedirs(folder, exist_ok=True)
        for ending, text in ((".occ", "\n".join(lines) + "\n"), (".txt", words)):
            with open(f"{folder}/{name}{ending}", "w", encoding="latin-1") as file:
                file.write(text)


if __name__ == "__main__":
    sys.exit(main())
