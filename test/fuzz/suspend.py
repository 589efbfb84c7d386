#!/usr/bin/env python3
"""Random mobile processes that suspend in PROCs they call, against a model of their activations.

Names made of the parameters of an activation end at SUSPEND. The model runs each program: one that uses an ended name must be
refused by `alias-suspended`, any other must be accepted, and what it writes must be where the model has it. --print N shows one."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

from verdict import errors_of

SIZE = 3
LEVELS = ("-O0", "-O2")


class Ended(Exception):
    """A name is used that stands for something of an earlier activation."""


class Routine:
    """A PROC with formals of arrays, outside of the mobile process or nested in it, or the mobile process itself."""

    def __init__(self, name, formals, is_nested):
        self.name, self.formals, self.is_nested, self.body, self.is_called = name, formals, is_nested, [], False


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names, self.values, self.routines = 0, 0, []
        for _ in range(self.random.randint(1, 2)):
            self.routine([f"w{k}" for k in range(self.random.randint(1, 2))], False)
        for _ in range(self.random.randint(0, 2)):
            self.routine([f"u{k}" for k in range(self.random.randint(0, 1))], True)
        self.main = Routine("process", ["v"], True)
        self.main.body = self.block(["v", "own"], 3, self.routines) + [
            self.call(routine, ["v", "own"]) for routine in self.routines if not routine.is_called]

    def routine(self, formals, is_nested):
        routine = Routine(f"p{len(self.routines)}", formals, is_nested)
        outside = [] if formals else ["v", "own"]  # with both, two names would be one array
        callable_here = [other for other in self.routines if is_nested or not other.is_nested]
        routine.body = self.block(formals + outside, 2, callable_here)
        self.routines.append(routine)

    def call(self, routine, arrays):
        routine.is_called = True
        return ("call", routine, self.random.sample(arrays, len(routine.formals)))

    def block(self, arrays, depth, routines):
        items = []
        for _ in range(self.random.randint(1, 4)):
            what = self.random.choice(["write", "write", "write", "suspend", "name", "loop", "call", "call"])
            if what == "write" or not arrays:
                self.values += 1
                items.append(("write", self.random.choice(arrays), self.values) if arrays else ("suspend",))
            elif what == "suspend":
                items.append(("suspend",))
            elif what == "call":
                fitting = [routine for routine in routines if len(routine.formals) <= len(arrays)]
                items += [self.call(self.random.choice(fitting), arrays)] if fitting else []
            elif what == "name" and depth > 0:
                self.names += 1
                name, array = f"y{self.names}", self.random.choice(arrays)
                inside = [name if other == array else other for other in arrays]  # the name is all that may be used of it
                items.append(("name", name, array, self.block(inside, depth - 1, [])))
            elif what == "loop" and depth > 0:
                items.append(("loop", self.block(arrays, depth - 1, routines)))
        return items or [("suspend",)]

    # ---- the text ----

    def lines_of(self, items, indent):
        lines = [" " * indent + "SEQ"]
        inner = " " * (indent + 2)
        for item in items:
            if item[0] == "write":
                lines.append(f"{inner}{item[1]}[{item[2] % SIZE}] := {item[2]}")
            elif item[0] == "suspend":
                lines.append(f"{inner}SUSPEND")
            elif item[0] == "call":
                lines.append(f"{inner}{item[1].name} ({', '.join(item[2])})")
            elif item[0] == "name":
                lines += [f"{inner}{item[1]} IS [{item[2]} FROM 0 FOR {SIZE}]:", *self.lines_of(item[3], indent + 2)]
            else:
                lines += [f"{inner}SEQ i = 0 FOR 2", *self.lines_of(item[1], indent + 4)]
        return lines

    def proc_lines(self, routine, indent):
        head = ", ".join(f"[]INT {name}" for name in routine.formals)
        return [" " * indent + f"PROC {routine.name} ({head})", *self.lines_of(routine.body, indent + 2), " " * indent + ":"]

    def lines(self, activations):
        lines = ['#USE "course.lib"', "PROC TYPE ACT ([]INT v):"]
        for routine in self.routines:
            lines += [] if routine.is_nested else self.proc_lines(routine, 0)
        lines += ["MOBILE PROC process ([]INT v) IMPLEMENTS ACT", f"  [{SIZE}]INT own:"]
        for routine in self.routines:
            lines += self.proc_lines(routine, 2) if routine.is_nested else []
        lines += [*self.lines_of(self.main.body, 2), ":", "PROC main (CHAN BYTE screen!)", "  MOBILE ACT p:", f"  [{activations}][{SIZE}]INT a:", "  SEQ",
                  f"    SEQ i = 0 FOR {activations}", f"      SEQ k = 0 FOR {SIZE}", "        a[i][k] := 0", "    p := MOBILE process",
                  f"    SEQ i = 0 FOR {activations}", "      p (a[i])",
                  f"    SEQ i = 0 FOR {activations}", f"      SEQ k = 0 FOR {SIZE}", "        SEQ", "          out.int (a[i][k], 0, screen!)", "          screen ! ' '",
                  "    screen ! '*n'", ":"]
        return lines

    # ---- the model: an array is (its name, the activation it came with or None) ----

    def run(self):
        self.activation, self.arrays, self.steps = 0, {}, 0
        self.run_block(self.main.body, {"own": ("own", None)})
        return self.activation + 1

    def find(self, names, name):
        if name == "v" and name not in names:
            return ("a", self.activation)
        array, activation = names[name]
        if activation is not None and activation != self.activation:
            raise Ended
        return (array, activation)

    def run_block(self, items, names):
        for item in items:
            if item[0] == "write":
                array, activation = self.find(names, item[1])
                self.arrays.setdefault((array, activation), [0] * SIZE)[item[2] % SIZE] = item[2]
            elif item[0] == "suspend":
                self.activation += 1
            elif item[0] == "name":
                self.run_block(item[3], {**names, item[1]: self.find(names, item[2])})
            elif item[0] == "loop":
                for _ in range(2):
                    self.run_block(item[1], names)
            else:
                given = dict(zip(item[1].formals, [self.find(names, actual) for actual in item[2]]))
                outside = {"own": ("own", None)} if item[1].is_nested else {}
                self.run_block(item[1].body, {**outside, **given})

    def printed(self, activations):
        rows = [self.arrays.get(("a", k), [0] * SIZE) for k in range(activations)]
        return " ".join(str(value) for row in rows for value in row)


def fault(maker, occc, folder):
    """What is wrong with one program, or None; and whether it was accepted."""
    try:
        activations, is_ended = maker.run(), False
    except Ended:
        activations, is_ended = 2, True
    path = os.path.join(folder, "suspend.occ")
    lines = maker.lines(activations)
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    errors = [identity for identity, _, _ in errors_of(occc, [lines])[0]]
    others = [error for error in errors if error != "alias-suspended"]
    if others:
        return None if all(error.startswith("alias-") for error in others) else f"refused: {others}", False
    if bool(errors) != is_ended:
        return ("accepted, but uses what has ended" if is_ended else "refused, but uses nothing that has ended"), not errors
    for level in () if is_ended else LEVELS:
        run = subprocess.run([occc, "run", "-w", level, path], capture_output=True, text=True, timeout=60)
        if run.stdout.split() != maker.printed(activations).split():
            return f"{level}: prints {run.stdout!r} {run.stderr!r}, not {maker.printed(activations)!r}", True
    return None, not is_ended


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--print", type=int, dest="show")
    words = parser.parse_args()
    if words.show is not None:
        print("\n".join(Maker(words.show).lines(2)))
        return 0
    wrong = accepted = 0
    with tempfile.TemporaryDirectory(prefix="occ-suspend-") as folder:
        for seed in range(words.seed, words.seed + words.count):
            found, is_accepted = fault(Maker(seed), words.occc, folder)
            accepted += is_accepted
            if found:
                wrong += 1
                print(f"program {seed}: {found}")
    print(f"{words.count} programs, {accepted} accepted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
