#!/usr/bin/env python3
"""Random recursive PROCs on parts of an array between bounds they pass on, against running them.

The compiler may accept only what has no race for any small bounds. What it refuses although no run has a race is counted; an
error that is not `usage-unproved` is shown then. --seed and --count choose the programs; --print N shows one."""

import argparse
import random
import sys

from verdict import errors_of

SIZE = 12
DEPTH = 9
WORK = 4000
BOUNDS = [(lo, hi) for lo in range(-1, 6) for hi in range(-1, 9)]


class Race(Exception):
    """Two branches of a PAR use one element, and one of them writes it."""


class Stop(Exception):
    """The process ends here with an error."""


def show(expr):
    if isinstance(expr, tuple):
        op, left, right = expr
        return f"({show(left)} {op} {show(right)})"
    return str(expr) if not isinstance(expr, int) or expr >= 0 else f"({expr})"


def evaluate(expr, names):
    if isinstance(expr, int):
        return expr
    if isinstance(expr, str):
        return names[expr]
    op, left, right = expr
    a, b = evaluate(left, names), evaluate(right, names)
    if op == "/":
        return int(a / b)
    return {"+": a + b, "-": a - b, "*": a * b, "<": a < b, "<=": a <= b, "=": a == b}[op]


class Access:
    """a[e] := 0 or reading it, in a loop perhaps, or by a segment."""

    def __init__(self, program, rng, names):
        self.array = rng.choice(program.arrays)
        self.is_write = rng.random() < 0.7
        self.loop = None
        self.at = rng.choice([*names, *names, ("-", "hi", 1), ("+", rng.choice(names), 1)])
        self.form = rng.choice(["element", "loop", "segment"])
        if self.form != "element":
            self.at = rng.choice(["lo", "lo", "lo", *names])
            self.count = program.length(rng)

    def lines(self):
        change = "%s := 0" if self.is_write else "v := %s"
        if self.form == "element":
            body = [change % f"{self.array}[{show(self.at)}]"]
        elif self.form == "loop":
            body = [f"SEQ i = {show(self.at)} FOR {show(self.count)}", "  " + change % f"{self.array}[i]"]
        else:
            body = [f"part IS [{self.array} FROM {show(self.at)} FOR {show(self.count)}]:", "SEQ i = 0 FOR SIZE part", "  " + change % "part[i]"]
        return (["INT v:"] if not self.is_write else []) + body

    def run(self, names, used):
        first = evaluate(self.at, names)
        count = 1 if self.form == "element" else evaluate(self.count, names)
        if count < 0 or (self.form == "segment" and not 0 <= first <= first + count <= SIZE):
            raise Stop
        for k in range(first, first + count):
            if not 0 <= k < SIZE:
                raise Stop
            used.add((names[self.array], k, self.is_write))


class Call:
    def __init__(self, program, rng, names):
        self.program = program
        self.arrays = rng.sample(program.arrays, len(program.arrays)) if rng.random() < 0.3 else program.arrays
        self.bounds = rng.choice(program.splits(rng))

    def lines(self):
        return [f"r{self.program.number} ({', '.join(self.arrays)}, {', '.join(map(show, self.bounds))})"]

    def run(self, names, used):
        inner = {name: names[actual] for name, actual in zip(self.program.arrays, self.arrays)}
        low, high = (evaluate(bound, names) for bound in self.bounds)
        self.program.run({**inner, "lo": low, "hi": high, "depth": names["depth"] + 1}, used)


class Program:
    def __init__(self, number):
        rng = random.Random(number)
        self.number = number
        self.kind = rng.choice(["half-open", "half-open", "inclusive", "count"])
        self.arrays = rng.choice([["a"], ["a"], ["a", "b"]])
        self.least = rng.choice([1, 1, 2, 2, 3, 0])
        middle = {"count": ("+", "lo", ("/", "hi", 2)), "half-open": ("/", ("+", "lo", "hi"), 2), "inclusive": ("/", ("+", "lo", "hi"), 2)}
        self.middle = rng.choice([middle[self.kind], middle[self.kind], ("+", "lo", 1)])
        self.base = [Access(self, rng, ["lo", "lo"]) for _ in range(rng.choice([1, 1, 2, 0]))]
        self.before = [Access(self, rng, ["lo", "m"]) for _ in range(rng.choice([0, 0, 1]))]
        self.after = [Access(self, rng, ["lo", "m"]) for _ in range(rng.choice([0, 1, 1]))]
        self.first, self.second = self.halves(rng)
        self.branches = [self.first, self.second]
        if rng.random() < 0.3:
            self.branches.append(Access(self, rng, ["m", "lo"]))

    def width(self):
        return {"half-open": ("-", "hi", "lo"), "inclusive": ("+", ("-", "hi", "lo"), 1), "count": "hi"}[self.kind]

    def length(self, rng):
        return rng.choice([self.width(), self.width(), self.width(), 1, 2, ("-", self.width(), 1), ("+", self.width(), 1)])

    def splits(self, rng):
        """The parts a call may be given: mostly the halves, one off sometimes."""
        off = rng.choice([0, 0, 0, 0, 1, -1])
        middle = ("+", "m", off) if off else "m"
        half = {"half-open": [("lo", middle), (middle, "hi")],
                "inclusive": [("lo", middle), (("+", middle, 1), "hi")],
                "count": [("lo", ("-", middle, "lo")), (middle, ("-", ("+", "lo", "hi"), middle))]}
        return half[self.kind]

    def halves(self, rng):
        first, second = Call(self, rng, []), Call(self, rng, [])
        first.bounds, second.bounds = self.splits(rng)[0], self.splits(rng)[1]
        return first, second

    def lines(self):
        formals = ", ".join(f"[]INT {name}" for name in self.arrays)
        body = [line for access in self.base for line in ["SEQ", *("  " + line for line in access.lines())]]
        text = [f"REC PROC r{self.number} ({formals}, VAL INT lo, hi)", "  IF", f"    {show(self.width())} <= {self.least}"]
        text += ["      SEQ", *("        " + line for line in body)] if body else ["      SKIP"]
        text += ["    TRUE", f"      VAL INT m IS {show(self.middle)}:", "      SEQ"]
        for access in self.before:
            text += ["        SEQ", *("          " + line for line in access.lines())]
        text.append("        PAR")
        for branch in self.branches:
            text += ["          SEQ", *("            " + line for line in branch.lines())]
        for access in self.after:
            text += ["        SEQ", *("          " + line for line in access.lines())]
        return [*text, ":"]

    def run(self, names, used):
        self.work -= 1
        if names["depth"] > DEPTH or self.work < 0:
            raise Stop
        if evaluate(self.width(), names) <= self.least:
            for access in self.base:
                access.run(names, used)
            return
        names = {**names, "m": evaluate(self.middle, names)}
        for access in self.before:
            access.run(names, used)
        self.run_branches(names, used)
        for access in self.after:
            access.run(names, used)

    def run_branches(self, names, used):
        sets, stops = [], False
        for branch in self.branches:
            own = set()
            try:
                branch.run(names, own)
            except Stop:
                stops = True
            sets.append(own)
        for i, one in enumerate(sets):
            for other in sets[:i]:
                writes = {(array, k) for array, k, is_write in one if is_write}
                if any((array, k) in writes for array, k, _ in other):
                    raise Race
                writes = {(array, k) for array, k, is_write in other if is_write}
                if any((array, k) in writes for array, k, _ in one):
                    raise Race
            used |= one
        if stops:
            raise Stop

    def races(self):
        for low, high in BOUNDS:
            self.work = WORK
            try:
                self.run({"a": "a", "b": "b", "lo": low, "hi": high, "depth": 0}, set())
            except Stop:
                continue
            except Race:
                return True
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--print", type=int, dest="show")
    parser.add_argument("--list-unproved", action="store_true")
    arguments = parser.parse_args()
    if arguments.show is not None:
        print("\n".join(Program(arguments.show).lines()))
        return 0
    wrong = 0
    counts = {}
    for start in range(arguments.seed, arguments.seed + arguments.count, 100):
        programs = [Program(number) for number in range(start, min(start + 100, arguments.seed + arguments.count))]
        for program, errors in zip(programs, errors_of(arguments.occc, [one.lines() for one in programs])):
            ids = {identity for identity, _, _ in errors}
            strange = {identity for identity in ids if not identity.startswith(("usage-", "alias-"))}
            if strange:
                sys.exit(f"unexpected {strange}\n" + "\n".join(program.lines()))
            races = program.races()
            verdict = "accepted" if not ids else "unproved" if ids == {"usage-unproved"} else "refused"
            counts[races, verdict] = counts.get((races, verdict), 0) + 1
            if races and not ids:
                wrong += 1
                print(f"program {program.number}: accepted, but branches meet", *program.lines(), sep="\n")
            elif arguments.list_unproved and verdict == "unproved" and not races:
                print(f"program {program.number}: unproved", *program.lines(), sep="\n")
    for (races, verdict), count in sorted(counts.items()):
        print(f"{'meets' if races else 'apart'}, {verdict}: {count}", end="; ")
    print(f"{arguments.count} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
