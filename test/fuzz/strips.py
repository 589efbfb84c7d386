#!/usr/bin/env python3
"""Random loops over arrays of integers of every width, most of whose sums and products are in range, and one element
that may not be: what a program prints or reports is what exact arithmetic says, optimised and not.

usage: strips.py --occc build/bin/occc [--seed N] [--count N] [--save DIR]
       strips.py --print N                                   show the program of a number"""

import random
import re
import sys

import twice

ROUTINES = 6
CALLS = 8
WIDTHS = {"BYTE": (8, False), "INT16": (16, True), "INT32": (32, True), "INT": (32, True), "INT64": (64, True)}
COUNTS = [16, 17, 20, 31, 62, 64, 100, 1000, 1025, 2046, 2048, 2049]
HALVES = [8191, 8192, 16384, 32767, 32768, 65535, -32768, -32769]  # products of numbers of 16 bits have a form of their own
SIZES = [3, 17, 40, 100, 1000, 2048, 2050, 2100, 4200, 8200]


def limits(name):
    bits, signed = WIDTHS[name]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def literal(value, name):
    low, _ = limits(name)
    if value == low and low < 0:
        return f"(MOSTNEG {name})"
    return str(value) if name == "INT" else f"({value} ({name}))" if value >= 0 else f"(-({-value} ({name})))"


class Failure(Exception):
    """A check failed: what the report must say."""


def quotient(a, b):
    return abs(a) // b * (1 if a >= 0 else -1)


class Maker:
    """Expressions are (text, function of the state and of the counter); the function raises Failure."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.element = self.type = "INT"
        self.is_narrowing = False

    def chance(self, probability):
        return self.rng.random() < probability

    # -- expressions of self.type

    def load(self, arrays):
        name = self.rng.choice(arrays)
        if self.chance(0.1):
            return self.converted(name, f"{name}[((SIZE {name}) - 1) - i]"), lambda s, i: s[name][len(s[name]) - 1 - i]
        if self.chance(0.03) and not self.is_narrowing:
            return "x[2 * i]", lambda s, i: s["x"][2 * i]
        distance = self.rng.choice([0, 0, 0, 1, -1])
        return self.element_at(name, distance)

    def element_at(self, name, distance):
        index = {0: "i", 1: "i + 1", -1: "i - 1"}[distance]
        return self.converted(name, f"{name}[{index}]"), lambda s, i: s[name][i + distance]

    def converted(self, name, text):
        return f"({self.type} {text})" if self.type != self.element and name in ("a", "b") else text

    def constant(self, most=20):
        value = self.rng.choice([1, 2, 3, 4, self.rng.randint(1, most)])
        return literal(value, self.type), lambda s, i: value

    def leaf(self, arrays):
        kind = self.rng.random()
        if kind < 0.75:
            return self.load(arrays)
        if kind < 0.85 and not self.is_narrowing:
            return "w", lambda s, i: s["w"]
        return self.constant()

    def checked(self, op, left, right):
        low, high = limits(self.type)

        def value(s, i):
            a, b = left[1](s, i), right[1](s, i)
            result = a + b if op == "+" else a - b if op == "-" else a * b
            if not low <= result <= high:
                raise Failure(f"overflow in {a} {op} {b}")
            return result

        return f"({left[0]} {op} {right[0]})", value

    def halved(self, inner):
        number = self.rng.choice([2, 3, 4, 16])
        op = self.rng.choice(["/", "\\", "/"])

        def value(s, i):
            a = inner[1](s, i)
            return quotient(a, number) if op == "/" else a - quotient(a, number) * number

        return f"({inner[0]} {op} {literal(number, self.type)})", value

    def masked(self, inner):
        mask = self.rng.choice([1, 15, 127])
        return f"({inner[0]} /\\ {literal(mask, self.type)})", lambda s, i: inner[1](s, i) & mask

    def wrapped(self, left, right):
        low, high = limits(self.type)
        return f"({left[0]} PLUS {right[0]})", lambda s, i: (left[1](s, i) + right[1](s, i) - low) % (high - low + 1) + low

    def expression(self, arrays, depth):
        if depth == 0 or self.chance(0.15):
            return self.leaf(arrays)
        kind = self.rng.random()
        left = self.expression(arrays, depth - 1)
        if kind < 0.08:
            return self.halved(left)
        if kind < 0.14:
            return self.masked(left)
        right = self.expression(arrays, depth - 1)
        if not any(mark in left[0] + right[0] for mark in "[w"):
            right = self.load(arrays)  # the compiler would find what is wrong with constants
        if kind < 0.2:
            return self.wrapped(left, right)
        return self.checked(self.rng.choice("++++++--*" if self.type != "INT64" else "++++++--"), left, right)

    # -- statements: lines, and a function of state and counter

    def store(self, name, distance, made):
        index = {0: "i", 1: "i + 1", -1: "i - 1"}[distance]

        def do(s, i):
            s[name][i + distance] = made[1](s, i)

        return [f"{name}[{index}] := {made[0]}"], do

    def store_either_way(self, inputs):
        x, distance = self.load(inputs), self.rng.choice([0, 0, 1])
        (yes, do), (no, do_else) = (self.store("c", distance, self.expression(inputs, self.rng.randint(0, 2))) for _ in range(2))

        def either(s, i):
            (do if x[1](s, i) > s["w"] else do_else)(s, i)

        return ["IF", f"  {x[0]} > w", f"    {yes[0]}", "  TRUE", f"    {no[0]}"], either

    def negated(self, inner):
        low, _ = limits(self.type)

        def value(s, i):
            a = inner[1](s, i)
            if a == low:
                raise Failure(f"overflow in - {a}")
            return -a

        return f"(-{inner[0]})", value

    def store_difference(self, inputs):
        """A distance, what one is above the other, or the size of a number: the loop has asked which side is greater."""
        x = self.load(inputs)
        sides = [x, self.rng.choice([self.load(inputs), self.load(inputs), self.constant()])]
        relation = self.rng.choice([">", ">=", "<", "<="])
        if limits(self.type)[0] < 0 and self.chance(0.3):
            zero = (literal(0, self.type), lambda s, i: 0)
            condition, difference = [x, zero], self.negated(x)
            others = [x, x, zero, self.checked("+", x, sides[1])]
            relation = self.rng.choice(["<", "<", "<=", ">", ">="])
        else:
            self.rng.shuffle(sides)
            condition, difference = sides, self.checked("-", *self.rng.choice([sides, sides, sides[::-1]]))
            others = [self.checked("-", sides[1], sides[0]), self.checked("-", sides[1], sides[0]), x, (literal(0, self.type), lambda s, i: 0)]
        other = self.rng.choice(others)
        if self.chance(0.3):
            total = ("t", lambda s, i: s["t"])
            (yes, do), (no, do_else) = (([f"t := {made[0]}"], made[1]) for made in (self.checked("+", total, made) for made in (difference, other)))

            def either(s, i):
                s["t"] = (do if self.holds(relation, condition, s, i) else do_else)(s, i)
        else:
            (yes, do), (no, do_else) = (self.store("c", 0, made) for made in (difference, other))

            def either(s, i):
                (do if self.holds(relation, condition, s, i) else do_else)(s, i)

        return ["IF", f"  {condition[0][0]} {relation} {condition[1][0]}", f"    {yes[0]}", "  TRUE", f"    {no[0]}"], either

    @staticmethod
    def holds(relation, sides, s, i):
        a, b = sides[0][1](s, i), sides[1][1](s, i)
        return {">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b}[relation]

    def narrowing(self, to):
        """c[i] := BYTE of an expression of INTs, say."""
        made = self.expression(["a", "b"], self.rng.randint(0, 2))
        low, high = limits(to)

        def narrow(s, i):
            value = made[1](s, i)
            if not low <= value <= high:
                raise Failure(f"value {value} does not fit in {to}")
            s["c"][i] = value

        return [f"c[i] := {to} {made[0]}"], narrow

    def statement(self):
        kind = self.rng.random()
        inputs = ["a", "b"]
        if kind < 0.08:
            return self.store_either_way(inputs)
        if kind < 0.2:
            return self.store_difference(inputs)
        if kind < 0.35:
            return self.store("c", 0, self.expression(inputs, self.rng.randint(1, 4)))
        if kind < 0.5:
            c = self.element_at("c", self.rng.choice([0, 0, 0, 0, 1, -1]))
            made = self.checked(self.rng.choice("++-"), c, self.expression(inputs, self.rng.randint(0, 2)))
            return self.store("c", 0, made)
        if kind < 0.6:
            return self.store("c", 0, self.expression([*inputs, "c"], self.rng.randint(1, 3)))
        if kind < 0.68:
            made = self.expression(inputs, 2)
            shifted = "x[i + p]", lambda s, i: s["x"][i + s["p"]]
            lines, _ = [f"x[i + q] := {self.checked('+', shifted, made)[0]}"], None
            total = self.checked("+", shifted, made)

            def do(s, i):
                s["x"][i + s["q"]] = total[1](s, i)

            return lines, do
        total = self.checked(self.rng.choice("+++-"), ("t", lambda s, i: s["t"]), self.expression(inputs, self.rng.randint(0, 2)))

        def add(s, i):
            s["t"] = total[1](s, i)

        if kind < 0.85:
            return [f"t := {total[0]}"], add
        x = self.load(inputs)
        if kind < 0.93:
            def add_some(s, i):
                if x[1](s, i) > s["w"]:
                    add(s, i)

            return ["IF", f"  {x[0]} > w", f"    t := {total[0]}", "  TRUE", "    SKIP"], add_some

        def greatest(s, i):
            s["m"] = max(s["m"], x[1](s, i))

        return ["IF", f"  {x[0]} > m", f"    m := {x[0]}", "  TRUE", "    SKIP"], greatest

    # -- rows: a short loop within another

    def row_load(self, k):
        """An element for i and j, which the state knows; of the array, of its rows, of the row to come, of weights."""
        name = self.rng.choice("aab")
        kind = self.rng.random()
        index, at = ("j", lambda i, j: j) if kind < 0.2 else ("i + j", lambda i, j: i + j) if kind < 0.4 else (f"(i * {k}) + j", lambda i, j: i * k + j)
        text = "r[i][j]" if kind > 0.7 and name == "a" else f"{name}[{index}]"
        return self.converted(name, text), lambda s, i: s[name][at(i, s["j"])]

    def rows_routine(self, number):
        t, e = self.type, self.element
        k = self.rng.choice([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16])
        first = self.rng.choice([0, 0, 0, 1])
        made = self.row_load(k)
        if self.chance(0.4):
            made = self.checked(self.rng.choice("+-*" if t != "INT64" else "+-"), made, self.rng.choice([self.row_load(k), self.constant()]))
        total = self.checked(self.rng.choice("+++-"), ("s", lambda s, i: s["s"]), made)
        begin = self.rng.choice(["0", "w", "t"])
        into = self.rng.choice(["c", "t"])

        def step(s, i):
            s["s"] = 0 if begin == "0" else s[begin]
            for j in range(k):
                s["j"] = j
                s["s"] = total[1](s, i)
            if into == "c":
                s["c"][i] = s["s"]
            else:
                s["t"] = s["s"]

        lines = [f"PROC work{number} (VAL []{e} a, b, []{t} c, x, {t} total, most, VAL {t} w, VAL INT p, q)", f"  VAL INT rows IS (SIZE a) / {k}:",
                 f"  VAL [][{k}]{e} r RETYPES [a FROM 0 FOR rows * {k}]:", f"  {t} t:", "  SEQ", "    t := total", f"    SEQ i = {first} FOR rows - {first}",
                 f"      {t} s:", "      SEQ", f"        s := {literal(0, t) if begin == '0' else begin}", f"        SEQ j = 0 FOR {k}", f"          s := {total[0]}",
                 f"        {'c[i]' if into == 'c' else 't'} := s", "    total, most := t, t", ":"]
        return lines, {"type": t, "element": e, "count": None, "rows": k, "first": first, "steps": [step]}

    # -- routines

    def routine(self, number):
        self.type = self.rng.choice(["INT", "INT", "INT32", "INT16", "BYTE", "INT64"])
        wider = {"BYTE": ["BYTE"], "INT16": ["INT16", "BYTE"], "INT32": ["INT32", "INT16"], "INT": ["INT", "INT", "INT16", "BYTE"], "INT64": ["INT64", "INT"]}
        self.element = self.rng.choice(wider[self.type])
        t, e = self.type, self.element
        if self.chance(0.15):
            t, self.type = self.rng.choice(["BYTE", "INT16"]), e
            self.is_narrowing = t != e and e != "BYTE"
        if self.is_narrowing:
            statements = [self.narrowing(t)]
        else:
            self.type = t
            if self.chance(0.2):
                return self.rows_routine(number)
            statements = [self.statement() for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        self.is_narrowing = False
        by_name = self.chance(0.4)
        names = "t, m" if by_name else "total, most"
        lines = [f"PROC work{number} (VAL []{e} a, b, []{t} c, x, {t} {names}, VAL {t} w, VAL INT p, q)"]
        lines += ["  SEQ"] if by_name else [f"  {t} t, m:", "  SEQ", "    t, m := total, most"]
        count = self.rng.choice(COUNTS) if self.chance(0.25) else None
        body = ["  SEQ", *["    " + line for part, _ in statements for line in part]]
        falls = False
        if self.chance(0.2):
            loop, falls = self.while_loop(f"{count}" if count else "((SIZE a) - 2)", body)
        else:
            loop = [f"SEQ i = 1 FOR {count or '(SIZE a) - 2'}", *body]
        lines += ["    " + line for line in loop]
        lines += [] if by_name else ["    total, most := t, m"]
        return [*lines, ":"], {"type": t, "element": e, "count": count, "falls": falls, "steps": [step for _, step in statements]}

    def while_loop(self, last, body):
        """From 1 to the last or back: (lines, does it go back?)"""
        falls = self.chance(0.4)
        named = self.rng.choice(["last", last])
        if falls:
            start, step = last, "i - 1"
            condition = self.rng.choice(["i > 0", "i >= 1", "0 < i", "1 <= i"])
        else:
            start, step = "1", "i + 1"
            condition = self.rng.choice([f"i <= {named}", f"{named} >= i", f"i < ({named} + 1)", f"({named} + 1) > i"])
        return ["INT i:", f"VAL INT last IS {last}:", "SEQ", f"  i := {start}", f"  WHILE {condition}", *["  " + line for line in body], f"      i := {step}"], falls

    def pattern(self, name):
        """Elements ((i * step) + base) \\ size + low, most of them small; and one that is not."""
        low, high = limits(name)
        size = self.rng.choice([5, 11, 100, 1000, 32768, high // 4096, high // 40, high // 4, high])
        size = max(2, min(size, high))
        lowest = self.rng.choice([0, 0, 0, -(size // 2)]) if low < 0 else 0
        return {"step": self.rng.randint(1, 97), "base": self.rng.randint(0, 50), "size": min(size, 1 << 30), "low": lowest}

    def place(self, size, count):
        return self.rng.choice([count or 0, (count or 0) + 1, (count or 1) - 1, 0, 1, 2, 15, 16, 17, 18, 2032, 2033, 2047, 2048, 2049, 2050, size // 2, size - 1, size - 2, size - 3, self.rng.randrange(size), size])

    def spike(self, name):
        low, high = limits(name)
        halves = [value for value in HALVES if low <= value <= high]
        return self.rng.choice([high, high, low, high - 1, low + 1, high // 2, high // 2 + 1, low // 2, high // 4, high // 3, 0, *halves])

    def call(self, of):
        size = self.rng.choice([size for size in SIZES if size > (of["count"] or of.get("rows") or 0) + 1])
        t, e = of["type"], of["element"]
        low, high = limits(t)
        return {"size": size, "a": (self.pattern(e), self.place(size, of["count"]), self.spike(e)), "b": (self.pattern(e), self.place(size, of["count"]), self.spike(e)),
                "c": (self.pattern(t), size, 0), "x": (self.pattern(t), size, 0),
                "w": self.rng.choice([0, 1, 2, 3, 5, 10, min(high, 32768), min(high, 32767), high // 100, high] + ([-1, -3, low] if low < 0 else [])), "t": self.rng.choice([0, 0, 0, 1, high // 2, high - 100]),
                "p": self.rng.choice([0, 0, 1, size, 5, 16, size]), "q": self.rng.choice([0, 0, 0, 1, 16, size])}

    def program(self):
        lines = ['#INCLUDE "course.module"']
        kinds = []
        for name in WIDTHS:
            lines += support(name)
        for number in range(ROUTINES):
            made, of = self.routine(number)
            lines += made
            of["calls"] = [self.call(of) for _ in range(CALLS)]
            kinds.append(of)
        lines += ["PROC main (CHAN BYTE keyboard?, out!)", "  BYTE which, call:", "  SEQ", "    keyboard ? which", "    keyboard ? call", "    CASE which"]
        for number, of in enumerate(kinds):
            lines += [f"      '{number}'", "        CASE call"]
            for number_of_call, call in enumerate(of["calls"]):
                lines += [f"          '{number_of_call}'", *["            " + line for line in self.call_lines(number, of, call)]]
        return "\n".join(lines) + "\n:\n", kinds

    def call_lines(self, number, of, call):
        t, e, size = of["type"], of["element"], call["size"]
        fills = [f"fill.{e if name in 'ab' else t} ({name}, {p['step']}, {p['base']}, {p['size']}, {literal(p['low'], 'INT64')}, {place}, {literal(value, e if name in 'ab' else t)})"
                 for name, (p, place, value) in ((name, call[name]) for name in "abcx")]
        return [f"[{size}]{e} a, b:", f"[{size}]{t} c:", f"[{2 * size + 20}]{t} x:", f"{t} t, m:", "SEQ",
                *["  " + line for line in fills], f"  t, m := {literal(call['t'], t)}, {literal(0, t)}",
                f"  work{number} (a, b, c, x, t, m, {literal(call['w'], t)}, {call['p']}, {call['q']})",
                f"  show.{t} (c, out!)", f"  show.{t} (x, out!)", f"  show.{t} ([t, m], out!)"]


def support(name):
    bits, signed = WIDTHS[name]
    return [f"PROC fill.{name} ([]{name} v, VAL INT step, base, size, VAL INT64 low, VAL INT place, VAL {name} value)", "  SEQ",
            "    SEQ i = 0 FOR SIZE v", f"      v[i] := {name} ((INT64 (((i TIMES step) + base) \\ size)) + low)",
            "    IF", "      place < (SIZE v)", "        v[place] := value", "      TRUE", "        SKIP", ":",
            f"PROC show.{name} (VAL []{name} v, CHAN BYTE out!)", "  INT64 sum:", "  SEQ", "    sum := 0 (INT64)", "    SEQ i = 0 FOR SIZE v",
            "      sum := ((sum TIMES 31 (INT64)) PLUS (INT64 v[i])) /\\ #FFFFFFFFFFF (INT64)",
            "    out.int (INT (sum /\\ #FFFFFF (INT64)), 0, out!)", "    out ! ' '", "    out.int (INT (sum >> 24), 0, out!)", "    out ! '*n'", ":"]


# -- the model


def filled(size, pattern, place, value):
    made = [(i * pattern["step"] + pattern["base"]) % pattern["size"] + pattern["low"] for i in range(size)]
    if place < size:
        made[place] = value
    return made


def shown(values):
    total = 0
    for value in values:
        total = (total * 31 + value) & 0xFFFFFFFFFFF
    return f"{total & 0xFFFFFF} {total >> 24}\n"


def expected(of, call):
    """(what is printed, what the report says or None)"""
    size = call["size"]
    state = {name: filled(2 * size + 20 if name == "x" else size, *call[name]) for name in "abcx"}
    state.update(t=call["t"], m=0, w=call["w"], p=call["p"], q=call["q"])
    try:
        numbers = range(of["first"], size // of["rows"]) if "rows" in of else range(1, (of["count"] or size - 2) + 1)
        for i in reversed(numbers) if of.get("falls") else numbers:
            for step in of["steps"]:
                step(state, i)
    except Failure as failure:
        return "", str(failure)
    return shown(state["c"]) + shown(state["x"]) + shown([state["t"], state["t" if "rows" in of else "m"]]), None


def compare(occc, folder, seed):
    text, kinds = Maker(seed).program()
    programs, refused = twice.build(occc, folder, twice.lengthen(text, seed), seed)
    if refused:
        return "{}: status {}\n{}".format(*refused), 0, 0
    well = bad = 0
    for which, of in enumerate(kinds):
        for number, call in enumerate(of["calls"]):
            printed, report = expected(of, call)
            results = [twice.run(program, f"{which}{number}") for program in programs]
            if results[0] != results[1]:
                return f"work{which}, call {number}: with all checks {results[0]}, optimised {results[1]}", 0, 0
            status, output, messages = results[1]
            first = messages.split("\n")[0]
            if output != printed or (report is None) != (status == 0) or not (report is None or re.search(rf": error: {re.escape(report)}$", first)):
                return f"work{which}, call {number}: {results[1]}, expected {printed!r} {report}", 0, 0
            well += report is None
            bad += report is not None
    return None, well, bad


if __name__ == "__main__":
    sys.exit(twice.main("strips", lambda seed: twice.lengthen(Maker(seed).program()[0], seed), compare, 5))
