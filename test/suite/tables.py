#!/usr/bin/env python3
"""Writes the programs of the suite that check arithmetic by tables, one for each type.

The results come from Python's integers and from IEEE doubles, not from the compiler under test.
Every case is checked twice: calculated from a table while the program runs, and as a constant.
"""

import argparse
import math
import os
import random
import struct

INTEGERS = {  # name: (bits, signed)
    "BYTE": (8, False), "INT16": (16, True), "INT": (32, True), "INT32": (32, True),
    "INT64": (64, True), "UINT16": (16, False), "UINT": (32, False), "UINT32": (32, False),
    "UINT64": (64, False),
}
CONSTANT_CASES = 12


def limits(name):
    bits, signed = INTEGERS[name]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def wrap(name, value):
    bits, signed = INTEGERS[name]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def literal(name, value):
    """An operand of this type and value."""
    low, _ = limits(name)
    if value == low and low < 0:
        return "(MOSTNEG %s)" % name
    if value >> 63 > 0:
        return "(#%X (%s))" % (value, name)
    if value < 0:
        return "(-%d (%s))" % (-value, name)
    return "(%d (%s))" % (value, name)


def in_table(name, value):
    low, _ = limits(name)
    if value == low and low < 0:
        return "MOSTNEG %s" % name
    return "#%X" % value if value >> 63 > 0 else "%d" % value


def spelled(op):
    """The operator inside of a string."""
    return op.replace("*", "**")


def divide(left, right):
    quotient = abs(left) // abs(right)
    return -quotient if (left < 0) != (right < 0) else quotient


def interesting(name, chance):
    low, high = limits(name)
    values = {low, low + 1, high, high - 1, 0, 1, 2, 3, 7, 10, 100, high // 2, high // 3}
    if low < 0:
        values |= {-1, -2, -3, -7, -10, -100, low // 2, low // 3}
    root = math.isqrt(high)
    values |= {root, root + 1, root - 1}
    for _ in range(12):
        values.add(wrap(name, chance.getrandbits(64) >> chance.randrange(64)))
    return sorted(values)


def after(name, left, right):
    bits, _ = INTEGERS[name]
    difference = (left - right) & ((1 << bits) - 1)
    return 0 < difference < (1 << (bits - 1))


ARITHMETIC = {
    "+": lambda n, a, b: a + b, "-": lambda n, a, b: a - b, "*": lambda n, a, b: a * b,
    "/": lambda n, a, b: None if b == 0 else divide(a, b),
    "\\": lambda n, a, b: None if b == 0 else a - b * divide(a, b),
    "REM": lambda n, a, b: None if b == 0 else a - b * divide(a, b),
    "PLUS": lambda n, a, b: wrap(n, a + b), "MINUS": lambda n, a, b: wrap(n, a - b),
    "TIMES": lambda n, a, b: wrap(n, a * b), "/\\": lambda n, a, b: a & b,
    "\\/": lambda n, a, b: a | b, "><": lambda n, a, b: a ^ b, "BITAND": lambda n, a, b: a & b,
    "BITOR": lambda n, a, b: a | b,
}
COMPARISON = {
    "=": lambda n, a, b: a == b, "<>": lambda n, a, b: a != b, "<": lambda n, a, b: a < b,
    "<=": lambda n, a, b: a <= b, ">": lambda n, a, b: a > b, ">=": lambda n, a, b: a >= b,
    "AFTER": after,
}


class Program:
    """Lines of one program; `check` gathers them inside of its main SEQ."""

    def __init__(self, title):
        self.head = ["-- %s" % title, "-- Written by tables.py: do not edit.",
                     '#INCLUDE "course.module"', '#INCLUDE "check.inc"', ""]
        self.calls = []
        self.number = 0

    def procedure(self, lines):
        """A PROC of its own for some checks, so that no routine becomes very long."""
        self.number += 1
        name = "part.%d" % self.number
        self.head += ["PROC %s ([]INT tally, CHAN BYTE out!)" % name]
        self.head += ["  " + line for line in lines]
        self.head += [":", ""]
        self.calls.append("    %s (tally, screen!)" % name)

    def text(self):
        main = ["PROC main (CHAN BYTE screen!)", "  INITIAL [2]INT tally IS [0, 0]:", "  SEQ"]
        return "\n".join(self.head + main + self.calls + ["    report (tally, screen!)", ":", ""])


def table(name, kind, rows):
    shown = ["[%s]" % ", ".join(row) for row in rows]
    return ["VAL [][%d]%s %s IS" % (len(rows[0]), kind, name)] + \
        ["  %s%s%s" % ("[" if i == 0 else " ", row, "]:" if i + 1 == len(shown) else ",")
         for i, row in enumerate(shown)]


def add_dyadic(program, name, chance):
    low, high = limits(name)
    values = interesting(name, chance)
    for op, function in ARITHMETIC.items():
        cases = []
        for left in values:
            for right in values:
                result = function(name, left, right)
                if result is not None and low <= result <= high:
                    cases.append((left, right, result))
        cases = chance.sample(cases, min(len(cases), 120))
        rows = [[in_table(name, v) for v in case] for case in cases]
        lines = table("cases", name, rows)
        lines += ["SEQ", "  SEQ i = 0 FOR SIZE cases",
                  "    note ((cases[i][0] %s cases[i][1]) = cases[i][2], \"%s %s\", i, tally, out!)"
                  % (op, name, spelled(op))]
        for i, (left, right, result) in enumerate(chance.sample(cases, CONSTANT_CASES)):
            lines.append("  note ((%s %s %s) = %s, \"constant %s %s\", %d, tally, out!)" % (
                literal(name, left), op, literal(name, right), literal(name, result), name,
                spelled(op), i))
        program.procedure(lines)


def add_comparison(program, name, chance):
    values = interesting(name, chance)
    for op, function in COMPARISON.items():
        cases = [(a, b) for a in values for b in values]
        cases = chance.sample(cases, 100) + [(v, v) for v in values[:10]]
        rows = [[in_table(name, a), in_table(name, b)] for a, b in cases]
        lines = table("cases", name, rows)
        truths = ["TRUE" if function(name, a, b) else "FALSE" for a, b in cases]
        lines += ["VAL []BOOL truths IS [%s," % truths[0]]
        lines += ["                     %s%s" % (t, "]:" if i + 2 == len(truths) else ",")
                  for i, t in enumerate(truths[1:])]
        lines += ["SEQ", "  SEQ i = 0 FOR SIZE cases",
                  "    note ((cases[i][0] %s cases[i][1]) = truths[i], \"%s %s\", i, tally, out!)"
                  % (op, name, op),
                  "  SEQ i = 0 FOR SIZE cases",
                  "    IF",
                  "      cases[i][0] %s cases[i][1]" % op,
                  "        note (truths[i], \"IF %s %s\", i, tally, out!)" % (name, op),
                  "      TRUE",
                  "        note (NOT truths[i], \"IF %s %s\", i, tally, out!)" % (name, op)]
        for i in range(CONSTANT_CASES):
            left, right = chance.choice(cases)
            truth = "TRUE" if function(name, left, right) else "FALSE"
            lines.append("  note ((%s %s %s) = %s, \"constant %s %s\", %d, tally, out!)" % (
                literal(name, left), op, literal(name, right), truth, name, op, i))
        program.procedure(lines)


def add_shifts(program, name, chance):
    bits, _ = INTEGERS[name]
    mask = (1 << bits) - 1
    values = interesting(name, chance)
    for op in ("<<", ">>"):
        rows, counts, cases = [], [], []
        for _ in range(120):
            value, count = chance.choice(values), chance.choice([0, 1, bits - 1, bits,
                                                                 chance.randrange(bits + 1)])
            moved = (value & mask) << count if op == "<<" else (value & mask) >> count
            result = wrap(name, moved)
            cases.append((value, count, result))
            rows.append([in_table(name, value), in_table(name, result)])
            counts.append(str(count))
        lines = table("cases", name, rows)
        lines += ["VAL []INT counts IS [%s]:" % ", ".join(counts),
                  "SEQ", "  SEQ i = 0 FOR SIZE cases",
                  "    note ((cases[i][0] %s counts[i]) = cases[i][1], \"%s %s\", i, tally, out!)"
                  % (op, name, op)]
        for i, (value, count, result) in enumerate(cases[:CONSTANT_CASES]):
            lines.append("  note ((%s %s %d) = %s, \"constant %s %s\", %d, tally, out!)" % (
                literal(name, value), op, count, literal(name, result), name, op, i))
        program.procedure(lines)


def add_monadic(program, name, chance):
    low, high = limits(name)
    values = interesting(name, chance)
    operators = [("~", lambda v: wrap(name, ~v)), ("BITNOT", lambda v: wrap(name, ~v)),
                 ("MINUS", lambda v: wrap(name, -v))]
    if INTEGERS[name][1]:
        operators.append(("-", lambda v: -v))
    else:
        operators.pop()
    for op, function in operators:
        cases = [(v, function(v)) for v in values if low <= function(v) <= high]
        lines = table("cases", name, [[in_table(name, v) for v in case] for case in cases])
        lines += ["SEQ", "  SEQ i = 0 FOR SIZE cases",
                  "    note ((%s cases[i][0]) = cases[i][1], \"%s %s\", i, tally, out!)"
                  % (op, name, op)]
        program.procedure(lines)


def add_conversions(program, name, chance):
    low, high = limits(name)
    for other in INTEGERS:
        its_low, its_high = limits(other)
        values = [v for v in interesting(name, chance) + interesting(other, chance)
                  if max(low, its_low) <= v <= min(high, its_high)]
        values = sorted(set(values))
        lines = ["VAL []%s from IS [%s]:" % (name, ", ".join(in_table(name, v) for v in values)),
                 "VAL []%s to IS [%s]:" % (other, ", ".join(in_table(other, v) for v in values)),
                 "SEQ i = 0 FOR SIZE from",
                 "  note ((%s from[i]) = to[i], \"%s %s\", i, tally, out!)" % (other, other, name)]
        program.procedure(lines)
    for truth, value in (("TRUE", 1), ("FALSE", 0)):
        program.procedure([
            "BOOL b:", "%s x:" % name, "SEQ", "  b := %s" % truth, "  x := %s b" % name,
            "  note (x = %d, \"%s BOOL\", %d, tally, out!)" % (value, name, value),
            "  b := BOOL x", "  note (b = %s, \"BOOL %s\", %d, tally, out!)" % (truth, name, value)])


def add_limits(program, name):
    low, high = limits(name)
    program.procedure([
        "SEQ", "  note ((MOSTPOS %s) = %s, \"MOSTPOS %s\", 1, tally, out!)"
        % (name, literal(name, high), name),
        "  note (((MOSTNEG %s) PLUS %s) = %s, \"MOSTNEG %s\", 2, tally, out!)"
        % (name, literal(name, 1), literal(name, wrap(name, low + 1)), name),
        "  note ((BYTESIN (%s)) = %d, \"BYTESIN %s\", 3, tally, out!)"
        % (name, INTEGERS[name][0] // 8, name)])


# ---- reals ----

def short(value):
    """The nearest REAL32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def bits_of(name, value):
    if name == "REAL32":
        return struct.unpack("<i", struct.pack("<f", value))[0]
    return struct.unpack("<q", struct.pack("<d", value))[0]


def real_values(name, chance):
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 3.5, -2.5, -3.5, 3.0, 10.0, 0.1, -0.1, 1e10,
              123456.789, -98765.4321, 1e-10, 2.0 ** 31, 2.0 ** 31 - 1, -2.0 ** 31, 1e30, -1e30,
              2.0 ** -126, 2.0 ** -149, math.pi, math.e]
    if name == "REAL64":
        values += [1e300, -1e300, 2.0 ** -1022, 5e-324, 2.0 ** 53, 2.0 ** 53 + 2, 1 / 3]
    for _ in range(15):
        values.append(chance.uniform(-1, 1) * 2.0 ** chance.randrange(-30, 30))
    return [short(v) for v in values] if name == "REAL32" else values


def quotient(left, right):
    if right == 0:
        if left == 0:
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


REAL_OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": quotient,
    "\\": lambda a, b: math.nan if b == 0 else math.remainder(a, b),
}


def bits_table(name, word, values):
    low = -(1 << (31 if word == "INT32" else 63))
    shown = ["MOSTNEG %s" % word if v == low else str(v) for v in values]
    return ["VAL []%s %s IS [%s]:" % (word, name, ", ".join(shown))]


def add_reals(program, name, chance):
    word = "INT32" if name == "REAL32" else "INT64"
    values = real_values(name, chance)
    for op, function in REAL_OPERATORS.items():
        cases = []
        for _ in range(150):
            left, right = chance.choice(values), chance.choice(values)
            try:
                result = function(left, right)
            except OverflowError:
                continue
            result = short(result) if name == "REAL32" else result
            if not math.isnan(result):
                cases.append((left, right, result))
        lines = []
        for column, title in enumerate(("left", "right", "result")):
            lines += bits_table(title + ".bits", word, [bits_of(name, c[column]) for c in cases])
            lines.append("VAL []%s %s RETYPES %s.bits:" % (name, title, title))
        lines += ["SEQ i = 0 FOR SIZE left",
                  "  VAL %s got IS left[i] %s right[i]:" % (name, op),
                  "  VAL %s got.bits RETYPES got:" % word,
                  "  note (got.bits = result.bits[i], \"%s %s\", i, tally, out!)" % (name, spelled(op))]
        program.procedure(lines)
    for op in ("=", "<>", "<", "<=", ">", ">="):
        cases = [(chance.choice(values), chance.choice(values)) for _ in range(80)]
        truths = ["TRUE" if COMPARISON[op](name, a, b) else "FALSE" for a, b in cases]
        lines = []
        for column, title in enumerate(("left", "right")):
            lines += bits_table(title + ".bits", word, [bits_of(name, c[column]) for c in cases])
            lines.append("VAL []%s %s RETYPES %s.bits:" % (name, title, title))
        lines += ["VAL []BOOL truths IS [%s]:" % ", ".join(truths), "SEQ i = 0 FOR SIZE left",
                  "  note ((left[i] %s right[i]) = truths[i], \"%s %s\", i, tally, out!)"
                  % (op, name, op)]
        program.procedure(lines)


def round_even(value):
    return round(value)


def add_real_conversions(program, name, chance):
    word = "INT32" if name == "REAL32" else "INT64"
    for other in INTEGERS:
        low, high = limits(other)
        for mode, function in (("ROUND", round_even), ("TRUNC", math.trunc)):
            values = [v for v in real_values(name, chance) + [v + 0.5 for v in range(-9, 9)] +
                      [float(low), 254.5, 255.0, 32766.5, 0.49999997, 0.75]
                      if low <= function(v) <= high and
                      (name == "REAL64" or short(v) == v)]
            lines = bits_table("bits", word, [bits_of(name, v) for v in values])
            lines += ["VAL []%s from RETYPES bits:" % name,
                      "VAL []%s to IS [%s]:" % (other, ", ".join(
                          in_table(other, function(v)) for v in values)),
                      "SEQ i = 0 FOR SIZE from",
                      "  note ((%s %s from[i]) = to[i], \"%s %s %s\", i, tally, out!)"
                      % (other, mode, other, mode, name)]
            program.procedure(lines)
        values = interesting(other, chance)
        results = [bits_of(name, integer_to_real(name, v)) for v in values]
        lines = ["VAL []%s from IS [%s]:" % (other, ", ".join(in_table(other, v) for v in values))]
        lines += bits_table("to", word, results)
        lines += ["SEQ i = 0 FOR SIZE from",
                  "  VAL %s got IS %s ROUND from[i]:" % (name, name),
                  "  VAL %s got.bits RETYPES got:" % word,
                  "  note (got.bits = to[i], \"%s ROUND %s\", i, tally, out!)" % (name, other)]
        program.procedure(lines)


def integer_to_real(name, value):
    """Rounded once, to nearest even: Python's int to float is; to REAL32 by integers."""
    if name == "REAL64" or value == 0:
        return float(value)
    size = abs(value)
    surplus = max(0, size.bit_length() - 24)
    kept, rest = size >> surplus, size & ((1 << surplus) - 1)
    half = (1 << surplus) >> 1
    if surplus and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return math.copysign(float(kept) * 2.0 ** surplus, value)


def programs(chance, types):
    for name in [name for name in INTEGERS if name in types]:
        program = Program("Every operator on %s, from tables and as constants." % name)
        add_limits(program, name)
        add_dyadic(program, name, chance)
        add_comparison(program, name, chance)
        add_shifts(program, name, chance)
        add_monadic(program, name, chance)
        yield "arithmetic-of-%s" % name.lower(), program
        program = Program("Conversions from %s to every integer type." % name)
        add_conversions(program, name, chance)
        yield "conversions-of-%s" % name.lower(), program
    for name in [name for name in ("REAL32", "REAL64") if name in types]:
        program = Program("Arithmetic and comparison of %s, bit for bit." % name)
        add_reals(program, name, chance)
        yield "arithmetic-of-%s" % name.lower(), program
        program = Program("Conversions between %s and every integer type." % name)
        add_real_conversions(program, name, chance)
        yield "conversions-of-%s" % name.lower(), program


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--types", default=",".join(list(INTEGERS) + ["REAL32", "REAL64"]))
    parser.add_argument("directory")
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    for name, program in programs(random.Random(options.seed), options.types.split(",")):
        with open(os.path.join(options.directory, name + ".occ"), "w") as file:
            file.write(program.text())


if __name__ == "__main__":
    main()
