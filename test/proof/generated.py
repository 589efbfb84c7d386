#!/usr/bin/env python3
"""generated.py OCCC FIRST LAST: programs made by those seeds are proved free of deadlock, or not, and explored: none that is proved has a
deadlock, and all that have none are proved.

First a row of messages between processes is made, with data, loops and choices, and each process gets its part: so it ends. Then in
half of the programs one statement is left out, moved, or done more often."""

import os
import random
import re
import subprocess
import sys
import tempfile

NAMES = "xyz"


class Maker:
    """Statements: a line, ("loop", count, statements), ("if", condition, two lists of statements), ("alt", [(guard, statements)])."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.count = self.chance.randint(2, 4)
        self.channels = {}
        self.processes = [[] for _ in range(self.count)]
        self.block(0)
        if self.chance.random() < 0.55:
            self.spoil(self.chance.choice(self.processes))

    def channel(self, p, q):
        return self.channels.setdefault((p, q), len(self.channels))

    def name(self):
        return self.chance.choice(NAMES)

    def expression(self):
        forms = [str(self.chance.randint(0, 3)), self.name(), f"({self.name()} + 1) \\ 4", f"({self.name()} + {self.name()}) \\ 5"]
        return self.chance.choice(forms)

    def condition(self):
        return f"{self.name()} {self.chance.choice(['<', '>', '=', '<>'])} {self.chance.choice(['0', '1', '2', self.name()])}"

    def output(self, c):
        return f"c[{c}] ! {self.expression()}"

    def input(self, c):
        return f"c[{c}] ? {self.name()}"

    def message(self, p, q):
        for one in p, q:
            if self.chance.random() < 0.3:
                self.processes[one].append(f"{self.name()} := {self.expression()}")
        self.processes[p].append(self.output(self.channel(p, q)))
        self.processes[q].append(self.input(self.channel(p, q)))

    def loop(self, depth):
        before, self.processes = self.processes, [[] for _ in range(self.count)]
        self.block(depth + 1)
        turns, inside, self.processes = self.chance.randint(0, 3), self.processes, before
        for process, statements in zip(before, inside):
            if statements:
                process.append(("loop", turns, statements))

    def either_way(self, p, q):
        c = self.channel(p, q)
        self.processes[p].append(("if", self.condition(), [self.output(c)], [self.output(c)]))
        self.processes[q].append(self.input(c))

    def in_any_order(self, p, q, r):
        a, b = self.channel(p, r), self.channel(q, r)
        self.processes[p].append(self.output(a))
        self.processes[q].append(self.output(b))
        one, other = self.input(a), self.input(b)
        if self.chance.random() < 0.5:
            self.processes[r].append(("loop", 2, [("alt", [(one, []), (other, [])])]))
        else:
            self.processes[r].append(("alt", [(one, [self.input(b)]), (other, [self.input(a)])]))

    def told_before(self, p, q):
        c = self.channel(p, q)
        self.processes[p].append(("if", self.condition(), ["f := 1", f"c[{c}] ! 1"], ["f := 0", f"c[{c}] ! 0"]))
        self.processes[p].append(("if", "f = 1", [self.output(c)], []))
        self.processes[q] += [f"c[{c}] ? f", ("if", "f = 1", [self.input(c)], [])]

    def block(self, depth):
        for _ in range(self.chance.randint(1, 4)):
            kind = self.chance.random()
            p, q = self.chance.sample(range(self.count), 2)
            others = [r for r in range(self.count) if r not in (p, q)]
            if kind < 0.5 or depth > 1:
                self.message(p, q)
            elif kind < 0.65:
                self.loop(depth)
            elif kind < 0.8:
                self.either_way(p, q)
            elif kind < 0.9 and others:
                self.in_any_order(p, q, self.chance.choice(others))
            else:
                self.told_before(p, q)

    def spoil(self, statements):
        if not statements:
            return
        i = self.chance.randrange(len(statements))
        statement, kind = statements[i], self.chance.random()
        if statement[0] == "loop" and kind < 0.35:
            statements[i] = ("loop", self.chance.randint(0, 3), statement[2])
        elif statement[0] in ("loop", "if") and kind < 0.7:
            self.spoil(statement[2])
        elif kind < 0.4:
            del statements[i]
        elif i + 1 < len(statements):
            statements[i], statements[i + 1] = statements[i + 1], statement
        else:
            statements.append(self.chance.choice(statements))


def text(maker):
    lines = ["PROC main ()", f"  [{max(len(maker.channels), 1)}]CHAN INT c:", "  PAR"]

    def put(statements, depth):
        pad = "  " * depth
        lines.append(pad + ("SEQ" if statements else "SKIP"))
        for what in statements:
            if isinstance(what, str):
                lines.append(f"{pad}  {what}")
            elif what[0] == "loop":
                lines.append(f"{pad}  SEQ k{len(lines)} = 0 FOR {what[1]}")
                put(what[2], depth + 2)
            elif what[0] == "if":
                for condition, branch in (what[1], what[2]), ("TRUE", what[3]):
                    lines.extend([f"{pad}  IF"] * (condition != "TRUE") + [f"{pad}    {condition}"])
                    put(branch, depth + 3)
            else:
                lines.append(f"{pad}  ALT")
                for guard, process in what[1]:
                    lines.append(f"{pad}    {guard}")
                    put(process, depth + 3)

    for statements in maker.processes:
        lines.extend(f"    INITIAL INT {name} IS {value}:" for name, value in zip("xyzf", "0120"))
        put(statements, 2)
    return "\n".join(lines + [":"]) + "\n"


def of_program(occc, program, judge):
    """What `judge` finds by asking `run (words of a command)` of the program."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "p.occ"), "w", encoding="ascii") as file:
            file.write(program)

        def run(*words):
            return subprocess.run([occc, *words, "p.occ"], cwd=folder, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)

        return judge(run)


def verdicts(run):
    proof, explored = run("check", "-w", "--deadlock"), run("explore", "-w")
    if proof.returncode not in (0, 5) or "all there are" not in explored.stdout:
        return proof.stdout + proof.stderr + explored.stdout + explored.stderr
    return proof.returncode == 0, not re.search(r"^ +\d+  deadlock", explored.stdout, re.M)


def main():
    occc, first, last = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    free = 0
    for seed in range(first, last + 1):
        program = text(Maker(seed))
        found = of_program(occc, program, verdicts)
        if found not in ((True, True), (False, False)):
            sys.exit(f"seed {seed}: proved and free: {found}\n{program}")
        free += found[0]
    print(f"{last - first + 1} programs, {free} without deadlock: proved, and no others")


if __name__ == "__main__":
    main()
