#!/usr/bin/env python3
"""Random programs on clocks: RESUME, NEXT, DROP, nested PARs whose branches are enrolled, guards, on several workers.

Every NEXT waits on all clocks of its process, named or not, also by way of a PROC, and a PAR lends all of them, so no program
can deadlock. PHASE counts the NEXTs of a process and of those it comes from: so what a program prints is known while it is
made. With MOBILE the same programs use MOBILE CLOCKs. --seed and --count choose the programs; --print N shows one."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import options

ACTIVE, RESUMED, DROPPED = "active", "resumed", "dropped"


class Clock:
    """What a process knows of a clock: its state, its phase (None: which branch ended last decides)."""

    def __init__(self, state, phase):
        self.state = state
        self.phase = phase

    def cross(self, times=1):
        self.state = ACTIVE
        if self.phase is not None:
            self.phase += times


class Maker:
    def __init__(self, seed, is_mobile):
        self.random = random.Random(seed)
        self.is_mobile = is_mobile
        self.lines = []
        self.logged = []

    def line(self, indent, text):
        self.lines.append(" " * indent + text)

    def live(self, clocks):
        return [name for name in clocks if clocks[name].state != DROPPED]

    def log(self, indent, name, phase):
        self.line(indent, f"log[{len(self.logged)}] := PHASE {name}")
        self.logged.append(phase)

    def next(self, indent, clocks):
        names = self.live(clocks)
        self.random.shuffle(names)
        if self.random.random() < 0.1:
            names.append(self.random.choice(names))  # twice: waited for once
        self.line(indent, self.random.choice(["NEXT", "all ()", "NEXT " + ", ".join(names), "NEXT " + ", ".join(names)]))
        for name in set(names):
            clocks[name].cross()

    def resume(self, indent, clocks):
        active = [name for name in self.live(clocks) if clocks[name].state == ACTIVE]
        if active:
            names = self.random.sample(active, self.random.randint(1, len(active)))
            self.line(indent, "RESUME " + ", ".join(names))
            for name in names:
                clocks[name].state = RESUMED

    def guard(self, indent, clocks):
        live = self.live(clocks)
        if live and all(clocks[name].state == RESUMED for name in live):
            names = self.random.sample(live, len(live))
            plain = not self.is_mobile and self.random.random() < 0.3
            self.line(indent, self.random.choice(["ALT", "PRI ALT"]))
            self.line(indent + 2, "NEXT" if plain else "NEXT " + ", ".join(names))
            self.line(indent + 4, "SKIP")
            for name in live:
                clocks[name].cross()

    def loop(self, indent, clocks, count):
        self.line(indent, f"SEQ i = 0 FOR {count}")
        self.line(indent + 2, "NEXT " + ", ".join(self.live(clocks)))

    def statement(self, indent, clocks, depth):
        live = self.live(clocks)
        what = self.random.random()
        if live and what < 0.3:
            self.next(indent, clocks)
        elif live and what < 0.45:
            self.resume(indent, clocks)
        elif live and what < 0.6:
            name = self.random.choice(live)
            if clocks[name].phase is not None:
                self.log(indent, name, clocks[name].phase)
        elif live and what < 0.66 and all(clocks[name].state == ACTIVE for name in live):
            count = self.random.randint(0, 4)
            self.loop(indent, clocks, count)
            for name in live:
                clocks[name].cross(count)
        elif what < 0.72:
            self.line(indent, "RESCHEDULE ()")
        elif live and what < 0.78:
            self.guard(indent, clocks)
        elif depth > 0:
            if any(clocks[name].state == RESUMED for name in live):
                self.next(indent, clocks)
            if live and self.random.random() < 0.25:
                self.replicated(indent, clocks, live)
            else:
                self.par(indent, clocks, live, depth)

    def replicated(self, indent, clocks, live):
        branches, count = self.random.randint(1, 4), self.random.randint(0, 3)
        differs = self.random.random() < 0.5
        self.line(indent, f"PAR j = 0 FOR {branches} ENROLL " + ", ".join(live))
        self.loop(indent + 2, clocks, f"{count} + j" if differs else count)
        for name in live:
            if differs and branches > 1:
                clocks[name].phase = None
            else:
                clocks[name].cross(count)

    def branch(self, indent, clocks, depth):
        self.sequence(indent, clocks, depth, self.random.randint(1, 5))
        live = self.live(clocks)
        if any(clocks[name].state == RESUMED for name in live) and self.random.random() < 0.5:
            self.next(indent + 2, clocks)
        dropped = [name for name in live if clocks[name].state == RESUMED or self.random.random() < 0.06]
        if dropped:
            self.line(indent + 2, "DROP " + ", ".join(dropped))
        for name in dropped:
            clocks[name].state = DROPPED

    def par(self, indent, clocks, live, depth):
        branches = self.random.randint(1, 3)
        whole = self.random.random() < 0.4
        chosen = [k for k in range(branches) if whole or self.random.random() < 0.6] or [0]
        enrol = "ENROLL " + ", ".join(live) if live else ""
        self.line(indent, f"PAR {enrol if whole else ''}".rstrip())
        ends = []
        for k in range(branches):
            at = indent + 2
            own = {}
            if live and k in chosen:
                own = {name: Clock(ACTIVE, clocks[name].phase) for name in live}
                ends.append(own)
                if not whole:
                    self.line(at, enrol)
                    at += 2
            self.branch(at, own, depth - 1)
        for name in live:
            phases = {own[name].phase for own in ends}
            if any(own[name].state == DROPPED for own in ends):
                clocks[name].state = DROPPED
            else:
                clocks[name].phase = phases.pop() if len(phases) == 1 else None

    def sequence(self, indent, clocks, depth, count):
        self.line(indent, "SEQ")
        self.line(indent + 2, "SKIP")
        for _ in range(count):
            self.statement(indent + 2, clocks, depth)

    def program(self):
        names = ["a", "b", "c"][: self.random.randint(1, 3)]
        self.sequence(4, {name: Clock(ACTIVE, 0) for name in names}, 3, self.random.randint(2, 8))
        head = [
            '#INCLUDE "course.module"',
            "PROC all ()",
            "  NEXT",
            ":",
            "PROC main (CHAN BYTE out!)",
            f"  {'MOBILE ' if self.is_mobile else ''}CLOCK {', '.join(names)}:",
            f"  [{max(len(self.logged), 1)}]INT log:",
            "  #PRAGMA SHARED log",
            "  SEQ",
        ]
        made = [f"    {name} := MOBILE CLOCK" for name in names if self.is_mobile]
        tail = [f"    SEQ i = 0 FOR {len(self.logged)}", "      out.int (log[i], 4, out!)", "    out ! '*n'", ":", ""]
        return "\n".join(head + made + self.lines + tail)


def make(seed):
    maker = Maker(seed, seed % 4 == 3)
    return maker.program(), maker.logged


def failure_of(occc, folder, seed):
    """None when the program of the seed does what it must."""
    text, expected = make(seed)
    source, program = os.path.join(folder, "clock.occ"), os.path.join(folder, "clock")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    flags = options.draw(f"clock {seed}", stop=True, reals=True)
    done = subprocess.run([occc, "-w", *flags, "-o", program, source], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"{' '.join(flags)}: rejected: {done.stderr[:300]}"
    for workers, order in ((1, 1), (2, seed), (10, seed + 1)):
        environment = dict(os.environ, OCC_WORKERS=str(workers), OCC_SEED=str(order), OCC_COUNT_MOBILES="1")
        try:
            done = subprocess.run([program], capture_output=True, text=True, timeout=20, env=environment, check=False)
        except subprocess.TimeoutExpired:
            return f"{' '.join(flags)}, {workers} workers: no end"
        if done.returncode != 0 or [int(word) for word in done.stdout.split()] != expected:
            return f"{' '.join(flags)}, {workers} workers: {done.stdout.split()} instead of {expected}\n{done.stderr[:600]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--print", type=int, dest="shown")
    arguments = parser.parse_args()
    if arguments.shown is not None:
        print(make(arguments.shown)[0])
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            failure = failure_of(arguments.occc, folder, seed)
            if failure:
                failed += 1
                print(f"seed {seed}: {failure}")
    print(f"{arguments.count} programs on clocks, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
