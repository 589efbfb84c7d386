#!/usr/bin/env python3
"""Random PARs with subscripts made by arithmetic, against trying every pair of accesses.

The compiler may accept only what has no overlap: a PAR over constants is run in Python; one whose counts are
parameters is run for every small value of them. An error that is not `usage-unproved` needs an overlap. What is apart
but unproved is counted. --seed and --count choose the programs; --print N shows one."""

import argparse
import random
import sys

from verdict import errors_of

SMALL = [-2, 0, 1, 2, 3, 4, 5, 8, 11]  # values tried for each parameter
LARGE = [-5, 1, 17, 40]  # tried as well when the compiler says that branches meet
LIMIT = 2**31
# contents tried of an array that the compiler does not know, nor that it is one of these
CONTENTS = [list(range(12)), [0] * 12, [1] * 12, [k % 3 for k in range(12)], [k // 2 for k in range(12)], [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]]


class Stop(Exception):
    """The program would end here with an error."""


def checked(value):
    if not -LIMIT <= value < LIMIT:
        raise Stop
    return value


def truncate(left, right):
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def wrapped(value):
    return (value + LIMIT) % (2 * LIMIT) - LIMIT


def apply(op, left, right):
    if op in ("/", "\\"):
        if right == 0:
            raise Stop
        quotient = truncate(left, right)
        return checked(quotient if op == "/" else left - quotient * right)
    if op in ("<<", ">>"):
        if not 0 <= right <= 32:
            raise Stop
        bits = left % 2**32
        return wrapped(bits << right if op == "<<" else bits >> right)
    if op in ("/\\", "><", "\\/"):
        return left & right if op == "/\\" else left ^ right if op == "><" else left | right
    if op == "PLUS":
        return wrapped(left + right)
    if op == "MINUS":
        return wrapped(left - right)
    return checked({"+": left + right, "-": left - right, "*": left * right}[op])


def evaluate(expr, names):
    if isinstance(expr, int):
        return expr
    if isinstance(expr, str):
        return names[expr]
    op, left, right = expr
    if op == "reversed":
        return turned(evaluate(left, names), evaluate(right, names))
    if op == "table":
        return element(left, evaluate(right, names))
    if op == "held":
        return held_at(names["held"], evaluate(left, names) + (2 * evaluate(right, names)))
    if op == "made":
        return checked(MADE[left][1](evaluate(right, names)))
    return apply(op, evaluate(left, names), evaluate(right, names))


TABLES = {"order": [3, 0, 2, 1], "start": [0, 2, 3, 7, 11], "marks": [1, 0, 2, 1], "edge": [[0, 4], [2, 6], [1, 5]]}


POINTS = [[3, 1], [0, 5], [4, 2], [7, 6]]


def point(at, field):
    if not 0 <= at < len(POINTS):
        raise Stop
    return POINTS[at][field]


# What only evaluating it tells: how it is written, and what it is.
MADE = {
    "reversed": ("BITREVNBITS (%s, 3)", lambda x: int(f"{x % 8:03b}"[::-1], 2)),
    "ones": ("BITCOUNT (%s, 0)", lambda x: (x % 2**32).bit_count()),
    "wide": ("(INT ((INT64 %s) * 3))", lambda x: 3 * x),
    "half": ("(INT TRUNC ((REAL64 ROUND %s) * 0.5))", lambda x: truncate(x, 2)),
    "other": ("(~%s)", lambda x: ~x),
    "back": ("((MINUS %s) /\\ 7)", lambda x: -x % 8),
    "first": ("points[%s][first]", lambda x: point(x, 0)),
    "second": ("points[%s][second]", lambda x: point(x, 1)),
    "user": ("(%s %%%% 3)", lambda x: 3 * x + 1),
    "square": ("square (%s)", lambda x: x * x),
    # of what follows the compiler knows the range only
    "masked": ("(mixed (%s) /\\ 3)", lambda x: mixed(x) & 3),
    "left": ("(mixed (%s) \\ 4)", lambda x: mixed(x) - 4 * truncate(mixed(x), 4)),
    "high": ("(mixed (%s) >> 30)", lambda x: (mixed(x) % 2**32) >> 30),
    "byte": ("(INT small (%s))", lambda x: mixed(x) & 3),
    "bytes": ("(INT (small (%s) /\\ 3))", lambda x: mixed(x) & 3),
}


def mixed(x):
    return wrapped(wrapped(x * 7) + 5) ^ -(x % 3 == 1)


MADE |= {
}


def element(table, at):
    """Of all rows, one after the other."""
    items = TABLES[table]
    if isinstance(items[0], list):
        items = [item for row in items for item in row]
    if not 0 <= at < len(items):
        raise Stop
    return items[at]


def turned(value, bits):
    if not 0 <= bits <= 32:
        raise Stop
    word = f"{value % 2**bits:0{bits}b}"[::-1] if bits else "0"
    return int(word, 2) - (2**32 if bits == 32 and word[0] == "1" else 0)


def held_at(items, at):
    if not 0 <= at < len(items):
        raise Stop
    return items[at]


def declared(name, items):
    if isinstance(items[0], list):
        rows = ", ".join("[" + ", ".join(map(str, row)) + "]" for row in items)
        return f"VAL [{len(items)}][{len(items[0])}]INT {name} IS [{rows}]:"
    return f"VAL [{len(items)}]INT {name} IS [{', '.join(map(str, items))}]:"


def show(expr):
    if isinstance(expr, int):
        return str(expr) if expr >= 0 else f"({expr})"
    if isinstance(expr, str):
        return expr
    op, left, right = expr
    if op == "reversed":
        return f"BITREVNBITS ({show(left)}, {show(right)})"
    if op == "held":
        return f"held[{show(left)}]" if right == 0 else f"held[{show(left)} + (2 * {show(right)})]"
    if op == "made":
        return MADE[left][0] % show(right)
    if op == "table" and left == "edge":
        return f"edge[({show(right)}) / 2][({show(right)}) \\ 2]"
    if op == "table":
        return f"{left}[{show(right)}]"
    return f"({show(left)} {op} {show(right)})"


def compare(op, left, right):
    return {
        "even": left % 2 == 0,
        "=": left == right,
        "<>": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[op]


class Condition:
    def __init__(self, rng, names):
        self.join = rng.choice(["", "", "AND", "OR"])
        self.parts = [self.part(rng, names) for _ in range(2 if self.join else 1)]
        self.negated = rng.random() < 0.2

    @staticmethod
    def part(rng, names):
        left = rng.choice(names)
        if rng.random() < 0.15:
            made = rng.choice(["reversed", "ones", "half", "second"])
            return rng.choice([("even", left, 0), ("=", ("made", made, left), rng.choice([0, 1, 2]))])
        if rng.holds and rng.random() < 0.6:
            value = ("held", left, rng.choice([0, 0, 0, 1, rng.choice(names)]))
            value = rng.choice([value, value, ("\\", value, rng.choice([2, 3, *names])), ("/", value, 2)])
            return rng.choice(["=", "=", "<", ">="]), value, rng.choice([1, 2, *names])
        if rng.random() < 0.4:
            left = ("\\", left, rng.choice([2, 3, 4]))
        right = rng.choice([0, 1, 2, 3, rng.choice(names)])
        return rng.choice(["=", "<>", "<", "<=", ">", ">="]), left, right

    def text(self):
        parts = [f"even ({show(left)})" if op == "even" else f"({show(left)} {op} {show(right)})" for op, left, right in self.parts]
        whole = f" {self.join} ".join(parts)
        return f"NOT ({whole})" if self.negated else whole

    def holds(self, names):
        values = [compare(op, evaluate(left, names), evaluate(right, names)) for op, left, right in self.parts]
        result = any(values) if self.join == "OR" else all(values)
        return result != self.negated


class Access:
    """x[e] := 0, reading x[e], a PROC on a segment, or by an abbreviation; each dimension is (from, length)."""

    def __init__(self, program, rng, names):
        self.is_write = rng.random() < 0.7
        self.parts = [(program.index(rng, names), None) for _ in range(program.dimensions)]
        self.form = "element"
        if program.dimensions == 1 and rng.random() < 0.25:
            self.form = rng.choice(["segment", "set", "name", "part"])
            length = rng.choice([1, 2, 3, rng.choice(names)])
            self.parts = [(self.parts[0][0], length if self.form == "segment" else None)]

    def lines(self):
        subscripts = "".join(f"[{show(at)}]" for at, _ in self.parts)
        if self.form == "segment":
            at, length = self.parts[0]
            proc = "fill" if self.is_write else "look"
            return [f"{proc} ([x FROM {show(at)} FOR {show(length)}])"]
        if self.form == "name":
            change = "e := 0" if self.is_write else "v := e"
            return ["INT v:", f"e IS x{subscripts}:", change]
        if self.form == "part":
            change = "e[2] := 0" if self.is_write else "v := e[2]"
            return ["INT v:", f"e IS [x FROM {show(self.parts[0][0])} FOR 3]:", change]
        if self.form == "set":
            return [f"{'set' if self.is_write else 'get'} (x, {show(self.parts[0][0])})"]
        if self.is_write:
            return [f"x{subscripts} := 0"]
        return ["INT v:", f"v := x{subscripts}"]

    def run(self, names):
        cells = [()]
        for at, length in self.parts:
            first = evaluate(at, names)
            if self.form == "part" and first >= 0:
                first += 2
            count = 1 if length is None else evaluate(length, names)
            if first < 0 or count < 0:
                return
            cells = [cell + (first + k,) for cell in cells for k in range(count)]
        for cell in cells:
            yield self.is_write, cell


class Loop:
    ROUNDS = 70

    def __init__(self, program, rng, name, names, inner):
        self.name = name
        self.base = rng.choice([0, 0, 0, 1, 2])
        self.step = rng.choice([None, None, None, 2, 3, -1]) if rng.random() < 0.5 else None
        self.count = rng.choice(program.parameters) if program.parameters and rng.random() < 0.8 else rng.randint(1, 5)
        if inner and rng.random() < 0.2:
            self.count = rng.choice(names)
        if program.shifts and rng.random() < 0.6:
            by = rng.choice(program.shifts)
            self.count = rng.choice([("<<", 1, by), ("<<", 1, by), (">>", rng.choice([20, *program.parameters]), by)])
        if self.step == -1:
            self.base = rng.randint(3, 6)

    def head(self, word):
        step = "" if self.step is None else f" STEP {show(self.step)}"
        return f"{word} {self.name} = {show(self.base)} FOR {show(self.count)}{step}"

    def run(self, names):
        try:
            count = evaluate(self.count, names)
        except Stop:
            return
        for k in range(min(count, self.ROUNDS)):
            yield {**names, self.name: evaluate(self.base, names) + k * (self.step or 1)}


class While:
    """INT j: SEQ j := base WHILE j < limit, with the step before or after the body."""

    ROUNDS = 40

    def __init__(self, program, rng, name, names):
        self.name = name
        usable = names + program.parameters
        self.start = program.index(rng, usable) if usable else rng.randint(0, 3)
        self.limit = rng.choice([5, 9, *usable])
        self.step = rng.choice([1, 2, 3, -1, *usable])
        self.is_first = rng.random() < 0.25
        self.strays = rng.random() < 0.15  # another assignment, on some ways

    def wrap(self, body):
        step = [f"{self.name} := {self.name} + {show(self.step)}"]
        body = ["SEQ"] + ["  " + line for line in body]
        if self.strays:
            step += ["IF", f"  {self.name} = 4", f"    {self.name} := 6", "  TRUE", "    SKIP"]
        body = ["SEQ"] + ["  " + line for line in (step + body if self.is_first else body + step)]
        loop = [f"WHILE {self.name} < {show(self.limit)}"] + ["  " + line for line in body]
        return [f"INT {self.name}:", "SEQ", f"  {self.name} := {show(self.start)}"] + ["  " + line for line in loop]

    def next(self, value, names):
        value = checked(value + evaluate(self.step, names))
        return 6 if self.strays and value == 4 else value

    def run(self, names):
        try:
            value = evaluate(self.start, names)
            for _ in range(self.ROUNDS):
                if value >= evaluate(self.limit, names):
                    return
                after = self.next(value, names)
                yield {**names, self.name: after if self.is_first else value}
                value = after
        except Stop:
            return


class Branch:
    """Accesses, perhaps under a SEQ replicator and a condition."""

    def __init__(self, program, rng, names):
        self.loop = Loop(program, rng, "j", names, bool(names)) if rng.random() < 0.4 else None
        if self.loop and rng.random() < 0.3:
            self.loop = While(program, rng, "j", names)
        inner = names + (["j"] if self.loop else [])
        self.ways = None
        if inner and rng.random() < 0.15:
            made = [program.index(rng, inner + program.parameters) for _ in range(rng.choice([2, 2, 3]))]
            self.ways = [(Condition(rng, inner + program.parameters), value) for value in made[1:]] + [(None, made[0])]
            self.first, self.more = None, None
            if rng.random() < 0.5:
                self.leave_some(program, rng, inner + program.parameters)
                self.more = rng.choice([None, 0, 1, 2])
            inner = inner + ["k", "k"] + ([] if self.more is None else ["m"])
        inner = inner or program.parameters
        usable = inner + program.parameters
        self.condition = Condition(rng, usable) if usable and rng.random() < 0.4 else None
        self.accesses = [Access(program, rng, usable or [rng.randint(0, 5)]) for _ in range(rng.choice([1, 1, 2, 3]))]

    def leave_some(self, program, rng, names):
        """k has a value before; a way leaves it. Mostly a limit is kept to: k > n, k := n. A second variable, m, may go before it."""
        self.first = program.index(rng, names)
        self.ways[rng.randrange(len(self.ways))] = (None, None)
        self.ways = [(condition or Condition(rng, [*names, "k"]), value) for condition, value in self.ways[:-1]] + [(None, self.ways[-1][1])]
        if rng.random() < 0.5:
            limit = rng.choice([0, 4, *names])
            clamp = Condition(rng, ["k"])
            clamp.parts = [(rng.choice(["<", ">", "<=", ">="]), "k", limit)]
            self.ways = [(clamp, limit), (None, None)]

    def lines(self):
        body = []
        for access in self.accesses:
            body += access.lines() if len(access.lines()) == 1 else access.lines()
        body = ["SEQ"] + ["  " + line for line in body]
        if self.condition:
            body = ["IF", "  " + self.condition.text()] + ["    " + line for line in body] + ["  TRUE", "    SKIP"]
        if self.ways:
            first = [] if self.first is None else [f"  k := {show(self.first)}"]
            first += [] if self.more is None else ["  m := k"]
            body = ["INT k:", *([] if self.more is None else ["INT m:"]), "SEQ"] + first + ["  IF"] + [line for way in self.ways for line in self.way_lines(*way)] + ["  " + line for line in body]
        if isinstance(self.loop, While):
            return self.loop.wrap(body)
        if self.loop:
            body = [self.loop.head("SEQ")] + ["  " + line for line in body]
        return body

    def way_lines(self, condition, value):
        head = "    " + (condition.text() if condition else "TRUE")
        if value is None or self.more is None:
            return [head, "      SKIP" if value is None else f"      k := {show(value)}"]
        return [head, "      SEQ", f"        m := {show(value)}", f"        k := m + {self.more}"]

    def chosen(self, names):
        if self.first is not None:
            names = {**names, "k": evaluate(self.first, names)}
            names["m"] = names["k"]
        for condition, value in self.ways:
            if condition is None or condition.holds(names):
                if value is None:
                    return names
                made = evaluate(value, names)
                return {**names, "m": made, "k": checked(made + (self.more or 0))}
        return names

    def run(self, names):
        for inner in self.loop.run(names) if self.loop else [names]:
            try:
                inner = self.chosen(inner) if self.ways else inner
                if self.condition and not self.condition.holds(inner):
                    continue
            except Stop:
                continue
            for access in self.accesses:
                try:
                    yield from access.run(inner)
                except Stop:
                    continue


class Program:
    def __init__(self, number):
        rng = random.Random(number)
        self.number = number
        rng.holds = self.holds = rng.random() < 0.2
        self.is_held_by_value = rng.random() < 0.5
        self.parameters = rng.choice([[], [], ["n"], ["n", "w"]])
        self.shifts = []  # numbers that what is not known is shifted by
        if self.parameters and rng.random() < 0.2:
            by = self.parameters[-1]
            self.shifts = [by, by, ("+", by, 1)]
        self.dimensions = rng.choice([1, 1, 1, 2])
        self.replicator = None
        if rng.random() < 0.75:
            self.replicator = Loop(self, rng, "i", [], False)
            self.branches = [Branch(self, rng, ["i"])]
        else:
            self.branches = [Branch(self, rng, []) for _ in range(rng.choice([2, 3]))]
        self.in_proc = self.replicator is not None and rng.random() < 0.25

    def index(self, rng, names):
        """Mostly what people write: sums and multiples of indices."""
        one = rng.choice(names)
        if rng.holds and rng.random() < 0.35:
            value = ("held", one, rng.choice([0, 0, 0, 1, rng.choice(names)]))
            return rng.choice([value, value, ("+", value, rng.choice([1, 4, *names])), ("+", ("*", rng.choice(names), 4), value)])
        kind = rng.random()
        if self.shifts and kind < 0.5:
            by = rng.choice(self.shifts)
            shifted = rng.choice([("<<", one, by), ("<<", one, by), ("reversed", one, by)])
            other = rng.choice([*names, ("<<", 1, by), 1])
            return rng.choice([shifted, (rng.choice(["+", "+", "\\/"]), shifted, other)])
        if kind < 0.3:
            return one
        if kind < 0.34:
            by = rng.choice([1, 2, 4, 5, rng.choice(names)])
            if rng.random() < 0.3:
                share = ("/", ("*", one, rng.choice(names)), rng.choice([2, 3, *self.parameters]))
                return rng.choice([share, ("*", ("/", one, 2), by)])
            return (rng.choice(["><", "><", "/\\", "\\/"]), one, by)
        if kind < 0.5:
            return (rng.choice(["+", "-"]), one, rng.choice([1, 2, 3, 7]))
        if kind < 0.52 and len(self.parameters) == 2:
            # planes of rows: (one * (n * w)) + (other * w)
            rows, width = rng.choice([("n", "w"), ("w", "n")])
            plane = rng.choice([("*", rows, width), ("*", width, rows)])
            return ("+", ("*", one, plane), ("*", rng.choice(names), rng.choice([width, width, rows])))
        if kind < 0.65:
            return ("+", ("*", one, rng.choice([2, 3, 4, rng.choice(names)])), rng.choice([0, 1, 2, rng.choice(names)]))
        if kind < 0.8:
            return (rng.choice(["+", "-"]), one, rng.choice(names))
        if kind < 0.82:
            op, by = rng.choice([("/", 1), ("/", 2), (">>", 1)])
            half = (op, ("*", one, ("+", one, rng.choice([0, 1, 1, -1]))), by)
            name = rng.choice(list(TABLES))
            part = ("table", name, rng.choice([one, one, ("+", one, 1), ("*", one, 2)]))
            other = rng.choice(names)
            return rng.choice([("+", half, other), part, part, ("+", ("*", other, rng.choice([4, 8, *names])), part)])
        if kind < 0.84 and self.parameters:
            return ("\\", ("+", one, rng.choice([1, 2, rng.choice(names)])), rng.choice(self.parameters))
        if kind < 0.9:
            return (rng.choice(["/", "\\"]), (rng.choice(["+", "-"]), one, rng.choice([0, 1, 3])), rng.choice([2, 3, 4]))
        if kind < 0.925:
            if rng.random() < 0.4:
                made = ("made", rng.choice(["masked", "masked", "left", "high", "byte", "bytes"]), rng.choice(names))
                return ("+", ("*", one, rng.choice([4, 4, 4, 3, 256])), made)
            made = ("made", rng.choice(list(MADE)), one)
            return rng.choice([made, made, ("+", made, rng.choice([1, 8, rng.choice(names)])), ("+", ("*", one, 4), made)])
        if kind < 0.95:
            # bits shifted out make far elements meet: far beyond the values tried
            return (rng.choice([">>", "/\\"] if self.parameters else ["<<", ">>", "/\\"]), one, rng.choice([1, 3]))
        return (rng.choice(["PLUS", "MINUS"]), one, rng.choice([1, 2]))

    def lines(self):
        brackets = "[]" * self.dimensions
        formals = "".join(f"VAL INT {name}, " for name in self.parameters)
        formals += ("VAL []INT held, " if self.is_held_by_value else "[]INT held, ") if self.holds else ""
        head = f"PROC p{self.number} ({formals}{brackets}INT x)"
        body = [line for branch in self.branches for line in ["SEQ"] + ["  " + each for each in branch.lines()]]
        par = self.replicator.head("PAR") if self.replicator else "PAR"
        if self.in_proc:
            inner = [f"  PROC branch (VAL INT i, {formals}{brackets}INT x)", *("    " + line for line in body), "  :"]
            actuals = "".join(f"{name}, " for name in self.parameters) + ("held, " if self.holds else "")
            return [head, *inner, f"  {par}", f"    branch (i, {actuals}x)", ":"]
        return [head, f"  {par}"] + ["    " + line for line in body] + [":"]

    def overlaps_with(self, names):
        used = {}
        if self.replicator:
            runs = [self.branches[0].run(inner) for inner in self.replicator.run(names)]
        else:
            runs = [branch.run(names) for branch in self.branches]
        for number, run in enumerate(runs):
            for is_write, cell in run:
                for other, other_write in used.get(cell, ()):
                    if other != number and (is_write or other_write):
                        return True
                used.setdefault(cell, set()).add((number, is_write))
        return False

    def overlaps(self, tried=SMALL):
        values = [{}]
        for name in self.parameters:
            values = [{**names, name: value} for names in values for value in tried]
        if self.holds:
            values = [{**names, "held": items} for names in values for items in CONTENTS]
        return any(self.overlaps_with(names) for names in values)


HELPERS = """PROC fill ([]INT a)
  SEQ k = 0 FOR SIZE a
    a[k] := 0
:
PROC look ([]INT a)
  INT v:
  SEQ k = 0 FOR SIZE a
    v := a[k]
:
PROC set ([]INT a, VAL INT k)
  a[k] := 0
:
PROC get ([]INT a, VAL INT k)
  INT v:
  v := a[k]
:
DATA TYPE POINT
  RECORD
    INT first, second:
:
VAL []POINT points IS [POINTS]:
INT FUNCTION "%%" (VAL INT a, b) IS (a * b) + 1:
INT FUNCTION square (VAL INT a) IS a * a:
INT FUNCTION mixed (VAL INT a)
  INT r:
  VALOF
    SEQ
      r := (a TIMES 7) PLUS 5
      IF
        ((a \\ 3) = 1) OR ((a \\ 3) = (-2))
          r := ~r
        TRUE
          SKIP
    RESULT r
:
BYTE FUNCTION small (VAL INT a) IS BYTE (mixed (a) /\\ 3):
BOOL FUNCTION even (VAL INT a) IS (a \\ 2) = 0:
""".replace("[POINTS]", str(POINTS)).splitlines() + [declared(name, items) for name, items in TABLES.items()]


def verdicts(occc, programs):
    """The id of the first usage error of each, None where it was accepted."""
    found = [None] * len(programs)
    for which, errors in enumerate(errors_of(occc, [program.lines() for program in programs], HELPERS)):
        for identity, _, words in errors:
            if not identity.startswith("usage-"):
                if not identity.startswith(("types-segment", "types-range", "types-subscript", "types-constant")):
                    sys.exit(f"unexpected {identity}: {words}\n" + "\n".join(programs[which].lines()))
                found[which] = "skip"
            elif found[which] in (None, "usage-unproved"):
                found[which] = identity
    return found


def judge(program, verdict, counts):
    overlap = program.overlaps()
    # an error that calls it proved takes a variable for any number, and a process that stops for one that does not
    is_loose = program.in_proc or program.shifts or any(word in line for line in program.lines() for word in ("WHILE", "INT k:", "mixed", "small", "BITREVNBITS", "BITCOUNT", "REAL64", "points", "held", *TABLES))
    constant = "constant" if not program.parameters else "parameters"
    if verdict is None and overlap:
        return "accepted, but branches meet"
    if verdict not in (None, "usage-unproved", "skip") and not is_loose and not overlap and not program.overlaps(LARGE):
        return f"{verdict}, but branches are apart"
    if verdict != "skip" and not overlap:
        counts[constant, "unproved" if verdict else "proved"] = counts.get((constant, "unproved" if verdict else "proved"), 0) + 1
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--print", type=int, dest="show")
    parser.add_argument("--list-unproved", action="store_true")
    arguments = parser.parse_args()
    if arguments.show is not None:
        print("\n".join(HELPERS + Program(arguments.show).lines()))
        return 0
    counts = {}
    wrong = 0
    for start in range(arguments.seed, arguments.seed + arguments.count, 200):
        last = min(start + 200, arguments.seed + arguments.count)
        programs = [Program(number) for number in range(start, last)]
        for program, verdict in zip(programs, verdicts(arguments.occc, programs)):
            complaint = judge(program, verdict, counts)
            if complaint:
                wrong += 1
                print(f"program {program.number}: {complaint}", *program.lines(), sep="\n")
            elif arguments.list_unproved and verdict == "usage-unproved" and not program.overlaps():
                print(f"program {program.number}: unproved", *program.lines(), sep="\n")
    for kind in ("constant", "parameters"):
        proved, unproved = (counts.get((kind, word), 0) for word in ("proved", "unproved"))
        share = 100 * unproved / max(1, proved + unproved)
        print(f"{kind}: {proved + unproved} apart, {unproved} of them unproved ({share:.1f} %)")
    print(f"{arguments.count} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
