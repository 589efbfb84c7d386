#!/usr/bin/env python3
"""Random PARs whose counts are variables, then the same with constants in their place.

What is accepted with a variable is accepted with each constant. Errors that the constant itself brings (a subscript
beyond its array) are not of usage and do not count. --seed and --count choose the programs of usage.py."""

import argparse
import sys

import usage

CONSTANTS = [(1, 1), (2, 3), (4, 4), (5, 2), (8, 3)]


class Fixed:
    """A program with its parameters as constants."""

    def __init__(self, program, values):
        self.program = program
        self.values = dict(zip(["n", "w"], values))

    def lines(self):
        lines = self.program.lines()
        formals = "".join(f"VAL INT {name}, " for name in self.program.parameters)
        named = [f"  VAL INT {name} IS {self.values[name]}:" for name in self.program.parameters]
        return [lines[0].replace(formals, "", 1), *named, *lines[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    arguments = parser.parse_args()
    wrong = accepted = 0
    for start in range(arguments.seed, arguments.seed + arguments.count, 200):
        last = min(start + 200, arguments.seed + arguments.count)
        programs = [program for program in map(usage.Program, range(start, last)) if program.parameters]
        verdicts = usage.verdicts(arguments.occc, programs)
        kept = [program for program, verdict in zip(programs, verdicts) if verdict is None]
        accepted += len(kept)
        fixed = [Fixed(program, values) for program in kept for values in CONSTANTS]
        for one, verdict in zip(fixed, usage.verdicts(arguments.occc, fixed)):
            if verdict not in (None, "skip"):
                wrong += 1
                print(f"program {one.program.number}: accepted with variables, {verdict} with constants", *one.lines(), sep="\n")
    print(f"{accepted} accepted with variables, {wrong} wrong with constants")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
