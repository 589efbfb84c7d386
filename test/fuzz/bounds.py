#!/usr/bin/env python3
"""Random loops over arrays whose subscripts and sums are often right and sometimes just not: a program without its
redundant checks (-O1 to -O3, -Os) does, prints and reports exactly what it does with all of them (-O0).

usage: bounds.py --occc build/bin/occc [--seed N] [--count N] [--save DIR]
       bounds.py --print N                                   show the program of a number"""

import random
import re
import sys

import twice

ROUTINES = 6
INNER = 4
PARAMETERS = ["a", "b", "c"]
NARROW = ["BYTE", "INT16", "INT32", "BYTE"]  # the type of g of each
CALLS = 8
NAMES = ["i", "j", "k", "n"]
SMALL = ["h", "b"]
RELATIONS = ["<", "<=", ">", ">=", "<", ">=", "<>", "="]
FUEL = 60


def indented(lines):
    return ["  " + line for line in lines]


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.fresh = 0

    def chance(self, probability):
        return self.rng.random() < probability

    # -- expressions: INT, without brackets around them

    def term(self, names):
        if self.chance(0.12):
            return "(SIZE v)"
        if self.chance(0.08):
            return self.rng.choice(["p", "q"])
        if self.chance(0.06):
            return self.rng.choice(["(INT h)", "(INT b)"])
        return self.rng.choice(names)

    def number(self):
        return str(self.rng.choice([0, 1, 1, 1, 2, 2, 3, 4, 7, 16, 255, 2147483647]) if self.chance(0.95) else 1 << self.rng.randint(0, 30))

    def expression(self, names):
        x = self.term(names)
        form = self.rng.randint(0, 11)
        if form < 2:
            return x
        if form < 4:
            return f"{x} + {self.number()}"
        if form < 6:
            return f"{x} - {self.number()}"
        if form == 6:
            return f"{x} {self.rng.choice('+-')} {self.term(names)}"
        if form == 7:
            return f"{x} {self.rng.choice(['PLUS', 'MINUS', 'TIMES'])} {self.rng.choice([self.term(names), self.number()])}"
        if form == 8:
            return f"{x} {self.rng.choice(['/', chr(92)])} {self.rng.choice(['2', '2', '3', '10', '(SIZE v)', self.term(names)])}"
        if form == 9:
            return f"{x} {self.rng.choice(['>>', '<<'])} {self.rng.randint(0, 3)}"
        if form == 10:
            return f"{x} /{chr(92)} {self.rng.choice(['1', '7', '15', '#FFFF', self.term(names)])}"
        return f"({x} + {self.term(names)}) / 2" if self.chance(0.6) else self.number()

    def subscript(self, names):
        return self.expression(names) if self.chance(0.4) else self.rng.choice([self.rng.choice(names)] * 3 + [f"{self.rng.choice(names)} {self.rng.choice('+-')} 1"])

    def condition(self, names, depth=2):
        if depth and self.chance(0.35):
            left, right = self.condition(names, depth - 1), self.condition(names, depth - 1)
            return f"({left}) {self.rng.choice(['AND', 'AND', 'AND', 'OR'])} ({right})"
        if depth and self.chance(0.1):
            return f"NOT ({self.condition(names, depth - 1)})"
        if self.chance(0.12):
            return f"v[{self.subscript(names)}] {self.rng.choice(RELATIONS)} ({self.expression(names)})"
        other = self.rng.choice(["0", "0", "(SIZE v)", "(SIZE v)", "((SIZE v) - 1)", "p", "q", f"({self.expression(names)})"])
        return f"{self.rng.choice(names)} {self.rng.choice(RELATIONS)} {other}"

    # -- processes: lists of lines

    def assignment(self, names):
        x = self.rng.choice([name for name in names if name in NAMES])
        if self.chance(0.08):
            return [f"h := INT16 (({self.expression(names)}) /{chr(92)} 127)"]
        if self.chance(0.05):
            return [self.rng.choice(["h := h + (1 (INT16))", "h := h PLUS (300 (INT16))", "b := b PLUS (1 (BYTE))", "b := b - (1 (BYTE))", "b := b + (1 (BYTE))"])]
        if self.chance(0.08):
            return [f"{x} := v[{self.subscript(names)}]"]
        if self.chance(0.5):
            return [f"{x} := {x} {self.rng.choice('+-')} {self.rng.choice(['1', '1', '1', '2', self.term(names)])}"]
        return [f"{x} := {self.expression(names)}"]

    def call(self, names):
        x = self.rng.choice([name for name in names if name in NAMES])
        return [self.rng.choice([f"bump ({x})", f"halve ({x})", f"c ! {x}" if False else f"swap ({x}, n)" if x != "n" else "bump (n)"])]

    def loop(self, names, depth):
        body = self.block(names, depth - 1, self.rng.randint(1, 3))
        x = self.rng.choice(NAMES)
        step = self.rng.choice(["+ 1", "- 1", "+ 2", "/ 2", "- 1", "+ 1"])
        steps = [f"{x} := {x} {step}"] if self.chance(0.8) else []
        fuel = ["fuel := fuel - 1", "IF", "  fuel < 0", "    STOP", "  TRUE", "    SKIP"]
        condition = self.condition(names)
        if self.chance(0.5):
            condition = f"{x} {'< (SIZE v)' if '+' in step else '> 0' if '/' in step else '>= 0'}"
        return [f"WHILE {condition}", *indented(["SEQ", *indented(fuel + body + steps)])]

    def near_miss(self, names, depth):
        """A loop that is right for its array, or misses by one, or wraps."""
        x, y = self.rng.sample(NAMES, 2)
        rises = self.chance(0.6)
        start = self.rng.choice(["0", "0", "1", "1", "p"]) if rises else self.rng.choice(["(SIZE v) - 1", "(SIZE v) - 1", "SIZE v", "q", "p"])
        limit = self.rng.choice(["(SIZE v)", "(SIZE v)", "((SIZE v) - 1)", y]) if rises else self.rng.choice(["0", "0", "1", "(-1)", y])
        relation = self.rng.choice(["<", "<", "<=", "<>"]) if rises else self.rng.choice([">=", ">=", ">", "<>"])
        step = self.rng.choice(["+ 1", "+ 1", "PLUS 1", "+ 2", "TIMES 3", "PLUS 2147483647", "PLUS 2147483647"]) if rises else self.rng.choice(["- 1", "- 1", "MINUS 1", "/ 2", "- 2"])
        offset = self.rng.choice(["", "", "", " + 1", " - 1"])
        use = self.rng.choice([f"v[{x}{offset}] := {y}", f"{y} := v[{x}{offset}]", f"v[{x}] := v[{x}{offset}]"])
        also = f"({x} {relation} {limit}) AND (v[{x}] {self.rng.choice(RELATIONS)} {self.number()})"
        condition = also if self.chance(0.3) else f"{x} {relation} {limit}"
        extra = self.block(names, 0, 1) if self.chance(0.3) else []
        body = [*self.spend(), use, *extra, f"{x} := {x} {step}"]
        after = [f"v[{x}{self.rng.choice(['', ' + 1', ' - 1'])}] := 5"] if self.chance(0.4) else []
        return [f"{x} := {start}", f"WHILE {condition}", *indented(["SEQ", *indented(body)]), *after]

    def counted(self, names, depth):
        self.fresh += 1
        index = f"r{self.fresh}"
        base = self.rng.choice(["0", "0", "1", self.rng.choice(names)])
        count = self.rng.choice(["SIZE v", "(SIZE v) - 1", f"(SIZE v) - {self.rng.choice(names)}", "p", "3"])
        step = self.rng.choice(["", "", "", " STEP -1", " STEP 2"])
        body = self.block([*names, index], depth - 1, self.rng.randint(1, 2))
        return [f"SEQ {index} = {base} FOR {count}{step}", *indented(["SEQ", *indented(self.spend() + body)])]

    def spend(self):
        return ["fuel := fuel - 1", "IF", "  fuel < 0", "    STOP", "  TRUE", "    SKIP"]

    def choice(self, names, depth):
        lines = ["IF"]
        for _ in range(self.rng.randint(1, 2)):
            lines += indented([self.condition(names), *indented(["SEQ", *indented(self.block(names, depth - 1, self.rng.randint(1, 2)))])])
        return lines + ["  TRUE", "    SKIP"]

    # -- routines that are called: what their callers know is true of the parameters

    def bound(self):
        return self.rng.choice([*PARAMETERS, *PARAMETERS, "(SIZE v)", "0"])

    def inner_loop(self):
        """A loop between parameters, right if they are in order and within the array."""
        start, end = self.rng.choice([("a", "b"), ("b", "c"), ("a", "c"), ("0", "c"), ("a", "(SIZE v)"), (self.bound(), self.bound())])
        use = self.rng.choice(["v[i] := v[i] PLUS 1", "v[i] := i", "j := v[i]", f"v[i {self.rng.choice('+-')} {self.rng.choice(['a', '1', 'b'])}] := 3", f"i := i + v[{self.bound()}]"])
        form = self.rng.randint(0, 4)
        if form == 0:
            return [f"SEQ r = {start} FOR {end} - {start}", *indented(["SEQ", *indented([*self.spend(), f"v[r{self.rng.choice(['', '', '', ' + 1', ' - 1'])}] := r + b"])])]
        if form == 1:
            return [f"i := {end}", f"WHILE i > {start}", *indented(["SEQ", *indented([*self.spend(), "i := i - 1", use])])]
        if form == 2:
            return [f"i, j := {start}, {end} - 1", f"WHILE i {self.rng.choice(['<', '<', '<='])} j", *indented(["SEQ", *indented([*self.spend(), "IF", "  v[i] < v[j]", "    i := i + 1", "  TRUE", "    j := j - 1"])])]
        middle = self.rng.choice(["(a + b) / 2", "(b + c) / 2", "a + ((c - a) / 2)", "(a + c) >> 1", "a PLUS 1", "b - 1"])
        if form == 3:
            return [f"i := {middle}", f"v[i{self.rng.choice(['', '', ' + 1', ' - 1'])}] := c - a"]
        return [f"i := {start}", f"WHILE i {self.rng.choice(['<', '<', '<', '<=', '<>'])} {end}", *indented(["SEQ", *indented([*self.spend(), use, f"i := i {self.rng.choice(['+ 1', '+ 1', '+ 2', 'PLUS 1'])}"])])]

    def again(self, number):
        """A recursive call on a part, mostly a right one."""
        part = lambda: self.rng.choice(["a, m, m", "m, m, c", "a, b, m", "m, b, c", "a, m, c", "a, m, c", "m, m, m", f"a, {self.rng.choice(PARAMETERS)}, m + 1", "m - 1, m, c", "b, a, c"])
        calls = [f"inner{number} (v, {part()}, g, fuel)" for _ in range(self.rng.randint(1, 2))]
        middle = self.rng.choice(["(a + c) / 2", "(a + c) / 2", "a + ((c - a) / 2)", "b", "(a PLUS c) / 2", "c - 1"])
        return [f"IF", f"  (c - a) > {self.rng.choice(['1', '1', '0', '2'])}", "    INT m:", "    SEQ", f"      m := {middle}", *["      " + line for line in [*self.spend(), *calls]], "  TRUE", "    SKIP"]

    def inner(self, number):
        self.recursive = self.chance(0.5)
        rec = "REC " if self.recursive else ""
        lines = [f"{rec}PROC inner{number} ([]INT v, VAL INT a, b, c, VAL {NARROW[number]} g, INT fuel)", "  INT i, j:", "  SEQ", "    i, j := 0, 0"]
        body = []
        for _ in range(self.rng.randint(1, 3)):
            body += self.inner_loop()
        if self.chance(0.4):
            body += [self.rng.choice([f"v[INT g] := {self.bound()}", "v[a + (INT g)] := b", "i := (INT g) - a", f"SEQ r = 0 FOR INT g\n  v[r] := {self.bound()}"])]
            body = [line for text in body for line in text.split("\n")]
        if number > 0 and self.chance(0.5):
            body += self.inner_call(PARAMETERS, self.rng.randrange(number))
        if self.recursive:
            more = self.again(number)
            body = more + body if self.chance(0.5) else body + more
        return lines + ["    " + line for line in body] + [":"]

    def narrow(self, number):
        kind = NARROW[number]
        return f"{self.rng.choice(['0', '0', '1', '1', '2', '200' if kind == 'BYTE' else '-1'])}({kind})"

    def inner_call(self, names, number=None):
        number = self.rng.randrange(INNER) if number is None else number
        x, y = self.rng.choice(names), self.rng.choice(names)
        actuals = self.rng.choice(["0, 0, SIZE v", "0, 1, SIZE v", f"0, {x}, {y}", f"{x}, {y}, SIZE v", f"{x}, {x}, {y}", "0, (SIZE v) / 2, SIZE v", "0, 0, (SIZE v) - 1", f"{x}, {y}, {self.rng.choice(names)}"])
        call = [f"inner{number} (v, {actuals}, {self.narrow(number)}, fuel)"]
        if self.chance(0.75):
            test = self.rng.choice([f"(0 <= {x}) AND (({x} <= {y}) AND ({y} <= (SIZE v)))", f"(0 < {x}) AND ({x} < {y})", f"({x} >= 0) AND ({y} < (SIZE v))", f"{x} <= {y}", self.condition(names)])
            call = ["IF", f"  {test}", "    SEQ", *["      " + line for line in call], "  TRUE", "    SKIP"]
        return call

    def process(self, names, depth):
        if self.chance(0.12):
            return self.inner_call(names)
        if depth > 0 and self.chance(0.4):
            return self.near_miss(names, depth)
        kind = self.rng.random()
        if depth > 0 and kind < 0.3:
            return self.loop(names, depth)
        if depth > 0 and kind < 0.42:
            return self.counted(names, depth)
        if depth > 0 and kind < 0.55:
            return self.choice(names, depth)
        if kind < 0.58:
            return self.call(names)
        if kind < 0.75:
            return [f"v[{self.subscript(names)}] := {self.rng.choice([self.rng.choice(names), self.number()])}"]
        return self.assignment(names)

    def block(self, names, depth, count):
        return [line for _ in range(count) for line in self.process(names, depth)]

    # -- the program

    def routine(self, number):
        lines = [f"PROC work{number} ([]INT v, VAL INT p, q, CHAN BYTE out!)", "  INT i, j, k, n, fuel:", "  INT16 h:", "  BYTE b:", "  SEQ"]
        start = [f"{name} := {self.rng.choice(['0', '0', '1', 'p', 'q', 'SIZE v', '(SIZE v) - 1', '-1'])}" for name in NAMES]
        body = self.block(NAMES, 3, self.rng.randint(2, 5))
        lines += ["    " + line for line in [*start, f"fuel := {FUEL}", "h := 0 (INT16)", "b := 0 (BYTE)", *body]]
        return lines + [f"    show (v, i, j, k, n, out!)", ":"]

    def program(self):
        lines = ['#INCLUDE "course.module"', *SUPPORT.strip("\n").split("\n")]
        for number in range(INNER):
            lines += self.inner(number)
        for number in range(ROUTINES):
            lines += self.routine(number)
        lines += ["PROC main (CHAN BYTE keyboard?, out!)", "  BYTE which, call:", "  SEQ", "    keyboard ? which", "    keyboard ? call", "    CASE which"]
        for number in range(ROUTINES):
            lines += [f"      '{number}'", "        CASE call"]
            for call in range(CALLS):
                size = self.rng.choice([1, 2, 3, 5, 8, 10])
                lines += [f"          '{call}'", f"            [{size}]INT v:", "            SEQ", "              fill (v)",
                          f"              work{number} (v, {self.argument(size)}, {self.argument(size)}, out!)"]
        return "\n".join(lines) + "\n:\n"

    def argument(self, size):
        value = self.rng.choice([0, 0, 1, 2, -1, size, size - 1, size + 1, size // 2, 5, 2147483647, -2147483648])
        return "(MOSTNEG INT)" if value == -2147483648 else str(value)


SUPPORT = """
PROC bump (INT x)
  x := x PLUS 1
:
PROC halve (INT x)
  x := x / 2
:
PROC swap (INT x, y)
  x, y := y, x
:
PROC fill ([]INT v)
  SEQ i = 0 FOR SIZE v
    v[i] := (i * 3) - 2
:
PROC show (VAL []INT v, VAL INT i, j, k, n, CHAN BYTE out!)
  SEQ
    SEQ x = 0 FOR SIZE v
      out.int (v[x], 12, out!)
    out.int (i, 12, out!)
    out.int (j, 12, out!)
    out.int (k, 12, out!)
    out.int (n, 12, out!)
    out ! '*n'
:
"""


def run(program, words):
    """Which of the callers are named depends on what has been put into its caller."""
    status, output, messages = twice.run(program, words)
    return status, output, re.sub(r", called from .*", "", messages)


def compare(occc, folder, seed):
    programs, refused = twice.build(occc, folder, twice.lengthen(Maker(seed).program(), seed), seed)
    if refused and refused[0].startswith("-O0") and refused[1] == 1:
        return None, 0, 0  # found wrong by the compiler already
    if refused:
        return "{}: status {}\n{}".format(*refused), 0, 0
    well = 0
    for which in range(ROUTINES):
        for call in range(CALLS):
            results = [run(program, f"{which}{call}") for program in programs]
            if results[0] != results[1]:
                return f"work{which}, call {call}: with all checks {results[0]}, optimised {results[1]}", 0, 0
            well += results[0][0] == 0
    return None, well, ROUTINES * CALLS - well


if __name__ == "__main__":
    sys.exit(twice.main("bounds", lambda seed: twice.lengthen(Maker(seed).program(), seed), compare, 20))
