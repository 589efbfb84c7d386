#!/usr/bin/env python3
"""Random statements, well typed or not, against the rules of types as they are written: accepted exactly when they should be.

Each is a PROC of its own with variables of every scalar type, an array, a record and a named type, and one assignment, condition,
call or declaration whose expressions are made without regard to types. What a rule leaves open is not made. Those that are accepted
are compiled as well, together, at options that the seed draws.
usage: oracle.py --occc build/bin/occc [--seed N] [--count N]
       oracle.py --print N                                           show the statement of a number and what is expected"""

import argparse
import random
import sys

import options
from verdict import errors_of, fault_of_code

BATCH = 500
INTEGERS = {"BYTE": (0, 255), "INT": (-2**31, 2**31 - 1), "INT16": (-2**15, 2**15 - 1), "INT32": (-2**31, 2**31 - 1),
            "INT64": (-2**63, 2**63 - 1), "LEN": (-2**15, 2**15 - 1)}
REALS = ("REAL32", "REAL64")
VARIABLES = {"x": "INT", "y": "INT", "b": "BYTE", "h": "INT16", "w": "INT32", "l": "INT64", "n": "LEN", "m": "LEN", "r": "REAL32", "q": "REAL32",
             "d": "REAL64", "p": "BOOL", "z": "BOOL", "v[1]": "INT", "t[0]": "BYTE", "g[f]": "INT", "g[o]": "BOOL", "v": "[4]INT", "t": "[4]BYTE",
             "g": "REC2"}
SCALARS = list(INTEGERS) + list(REALS) + ["BOOL"]
PRELUDE = """DATA TYPE LEN IS INT16:
DATA TYPE REC2
  RECORD
    INT f:
    BOOL o:
:""".split("\n")
HEAD = ["  INT x, y:", "  BYTE b:", "  INT16 h:", "  INT32 w:", "  INT64 l:", "  LEN n, m:", "  REAL32 r, q:", "  REAL64 d:", "  BOOL p, z:",
        "  [4]INT v:", "  [4]BYTE t:", "  REC2 g:",
        "  INT FUNCTION fi (VAL INT a) IS a:", "  BOOL FUNCTION fb (VAL REAL32 a, VAL LEN c) IS TRUE:",
        "  LEN FUNCTION fl (VAL BOOL a, VAL BYTE c) IS 1:", "  PROC call (VAL INT a, VAL BYTE c, VAL REAL64 e, VAL BOOL i, VAL LEN j)", "    SKIP", "  :"]
# what a constant may have wrong with its value
VALUES = ("types-overflow", "types-zero-divide", "types-shift-range", "types-constant-range", "types-subscript-range", "types-subscript-negative")
FUNCTIONS = {"fi": ("INT", ["INT"]), "fb": ("BOOL", ["REAL32", "LEN"]), "fl": ("LEN", ["BOOL", "BYTE"])}


class Wrong(Exception):
    """No type fits."""


class Open(Exception):
    """The rules do not say, or another check would."""


# An expression is (text, check); `check (wanted)` gives its type, where `wanted` is a type or None, and `untyped` tells a literal
class Node:
    def __init__(self, text, check, untyped=None, atom=False):
        self.text, self.check, self.untyped, self.atom = text, check, untyped, atom

    @property
    def operand(self):
        return self.text if self.atom else f"({self.text})"


def fixed(kind):
    return lambda wanted: kind


def literal(rng):
    pick = rng.random()
    if pick < 0.5:
        value = rng.choice([0, 1, 2, 7, 100])

        def check(wanted):
            return wanted if wanted in INTEGERS else "INT"
        return Node(str(value), check, "integer", True)
    if pick < 0.65:
        def check_byte(wanted):
            return wanted if wanted in INTEGERS else "BYTE"
        return Node("'c'", check_byte, "byte", True)
    if pick < 0.8:
        def check_real(wanted):
            if wanted in REALS:
                return wanted
            raise Open() if wanted is None else Wrong()
        return Node("1.5", check_real, "real", True)
    kind = rng.choice(SCALARS)
    if kind == "BOOL":
        return Node(rng.choice(["TRUE", "FALSE"]), fixed("BOOL"), None, True)
    return Node(f"{'2.0' if kind in REALS else '3'} ({kind})", fixed(kind), None, True)


def alike(a, b, wanted):
    """The types of two operands, of which a literal takes that of the other."""
    if a.untyped and b.untyped:
        if wanted is None and {a.untyped, b.untyped} != {"integer"} and a.untyped != b.untyped:
            raise Open()
        if wanted is None and "real" in (a.untyped, b.untyped):
            raise Open()
        return a.check(wanted), b.check(wanted)
    if a.untyped:
        right = b.check(None)
        return a.check(right), right
    left = a.check(None)
    return left, b.check(left)


def dyadic(rng, a, b):
    operator = rng.choice(["+", "-", "*", "/", "\\", "PLUS", "MINUS", "TIMES", "/\\", "\\/", "><", "=", "<>", "<", ">=", "AFTER", "AND", "OR", "<<", ">>"])
    untyped = a.untyped if a.untyped and b.untyped and operator not in ("=", "<>", "<", ">=", "AFTER", "AND", "OR", "<<", ">>") else None
    if a.untyped and b.untyped and a.untyped != b.untyped:
        untyped = "mixed" if untyped else None

    def check(wanted):
        if operator in ("<<", ">>"):
            if a.untyped == "real":
                raise Wrong()
            left, count = a.check(wanted if a.untyped and wanted in INTEGERS else None), b.check("INT")
            if left not in INTEGERS or count != "INT":
                raise Wrong()
            return left
        if operator in ("AND", "OR"):
            if a.check("BOOL") != "BOOL" or b.check("BOOL") != "BOOL":
                raise Wrong()
            return "BOOL"
        gives_bool = operator in ("=", "<>", "<", ">=", "AFTER")
        left, right = alike(a, b, None if gives_bool else wanted)
        if left != right:
            raise Wrong()
        good = set(INTEGERS)
        if operator in ("+", "-", "*", "/", "\\", "<", ">=", "=", "<>"):
            good |= set(REALS)
        if operator in ("=", "<>"):
            good |= {"BOOL"}
        if left not in good:
            raise Wrong()
        return "BOOL" if gives_bool else left
    return Node(f"{a.operand} {operator} {b.operand}", check, untyped)


def monadic(rng, a):
    operator = rng.choice(["-", "~", "NOT", "-", "~"])

    def check(wanted):
        kind = a.check("BOOL" if operator == "NOT" else wanted)
        if a.untyped and operator == "-" and kind == "BYTE":
            raise Open()  # -0 is a literal, too
        good = {"BOOL"} if operator == "NOT" else set(INTEGERS) | (set(REALS) if operator == "-" else set())
        if kind not in good or (operator == "-" and kind == "BYTE"):
            raise Wrong()
        return kind
    return Node(f"{operator} {a.operand}", check, a.untyped if operator != "NOT" else None)


def conversion(rng, a):
    kind, rounding = rng.choice(SCALARS), rng.choice(["", "", " ROUND", " TRUNC"])

    def check(_):
        if a.untyped:
            raise Open()
        source = a.check(None)
        if source not in SCALARS:
            raise Wrong()
        if source == "BOOL" or kind == "BOOL":
            if source in REALS or kind in REALS or rounding:
                raise Wrong() if not rounding else Open()
            return kind
        needs = (source in REALS) != (kind in REALS) or (source == "REAL64" and kind == "REAL32")
        if rounding and not needs:
            raise Open()
        if needs and not rounding:
            raise Wrong()
        return kind
    text = f"{kind}{rounding} {a.operand}"
    return Node(text, check)


def call(rng, scope):
    name = rng.choice(list(FUNCTIONS))
    result, formals = FUNCTIONS[name]
    actuals = [scope(1) for _ in formals]

    def check(_):
        for actual, formal in zip(actuals, formals):
            if actual.check(formal) != formal:
                raise Wrong()
        return result
    return Node(f"{name} ({', '.join(a.text for a in actuals)})", check, None, True)


def element(rng, scope):
    array, kind = rng.choice([("v", "INT"), ("t", "BYTE"), ("x", None)])
    at = scope(1)

    def check(_):
        if kind is None:
            raise Wrong()
        if at.untyped == "real" or at.check("INT") != "INT":
            raise Wrong()
        if at.untyped or not at.atom:
            raise Open()  # a constant may lie outside
        return kind
    return Node(f"{array}[{at.text}]", check, None, True)


def expression(rng, depth):
    def smaller(less):
        return expression(rng, depth - less)
    pick = rng.random()
    if depth <= 0 or pick < 0.25:
        if rng.random() < 0.7:
            name = rng.choice(list(VARIABLES))
            return Node(name, fixed(VARIABLES[name]), None, True)
        return literal(rng)
    if pick < 0.65:
        return dyadic(rng, smaller(1), smaller(1))
    if pick < 0.75:
        return monadic(rng, smaller(1))
    if pick < 0.87:
        return conversion(rng, smaller(1))
    if pick < 0.93:
        return call(rng, smaller)
    if pick < 0.96:
        return element(rng, smaller)
    name = rng.choice(["v", "t", "g", "x", "p"])

    def check(_):
        if name not in ("v", "t"):
            raise Wrong()
        return "INT"
    return Node(f"SIZE {name}", check)


def guided(rng, depth, kind):
    """One that fits, rather; else few would."""
    for _ in range(12):
        made = expression(rng, depth)
        try:
            if made.check(kind) == kind:
                return made
        except (Wrong, Open):
            pass
    return expression(rng, depth)


def statement(rng):
    """(lines, check)"""
    depth, pick = rng.randint(1, 3), rng.random()

    def some(kind):
        return guided(rng, depth, kind) if rng.random() < 0.6 else expression(rng, depth)

    def fits(*pairs):
        def check():
            for node, kind in pairs:
                if node.check(kind) != kind:
                    raise Wrong()
        return check
    if pick < 0.5:
        name = rng.choice(list(VARIABLES))
        e = some(VARIABLES[name])
        return [f"  {name} := {e.text}"], fits((e, VARIABLES[name]))
    if pick < 0.6:
        one, two = rng.sample(["x", "h", "l", "n", "r", "p", "b"], 2)
        e, f = some(VARIABLES[one]), some(VARIABLES[two])
        return [f"  {one}, {two} := {e.text}, {f.text}"], fits((e, VARIABLES[one]), (f, VARIABLES[two]))
    if pick < 0.72:
        e = some("BOOL")
        head = rng.choice(["WHILE", "IF", "ASSERT"])
        if head == "ASSERT":
            return [f"  ASSERT ({e.text})"], fits((e, "BOOL"))
        return ([f"  WHILE {e.text}", "    x := 1"] if head == "WHILE" else ["  IF", f"    {e.text}", "      SKIP"]), fits((e, "BOOL"))
    if pick < 0.82:
        formals = ["INT", "BYTE", "REAL64", "BOOL", "LEN"]
        actuals = [guided(rng, 2, k) if rng.random() < 0.9 else expression(rng, 2) for k in formals]
        return [f"  call ({', '.join(a.text for a in actuals)})"], fits(*zip(actuals, formals))
    if pick < 0.92:
        kind = rng.choice(SCALARS)
        e = some(kind)
        return [f"  {rng.choice(['VAL', 'INITIAL'])} {kind} new IS {e.text}:", "  SKIP"], fits((e, kind))
    kind = rng.choice(SCALARS)
    e = some(kind)
    return [f"  CHAN {kind} c:", "  PAR", f"    c ! {e.text}", f"    {kind} new:", "    c ? new"], fits((e, kind))


def made(number):
    """(lines, whether it is accepted), or None when the rules leave it open."""
    rng = random.Random(number)
    lines, check = statement(rng)
    try:
        check()
        good = True
    except Wrong:
        good = False
    except Open:
        return None
    return ["PROC p ()"] + HEAD + lines + [":"], good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    if words.print is not None:
        found = made(words.print)
        print("\n".join(found[0] + [f"-- {'accepted' if found[1] else 'refused'}"]) if found else "the rules leave it open")
        return 0
    accepted = refused = wrong = 0
    for first in range(words.seed, words.seed + words.count, BATCH):
        programs = [(n, made(n)) for n in range(first, min(first + BATCH, words.seed + words.count))]
        programs, accepted_here = [(n, found) for n, found in programs if found], []
        for (number, (lines, good)), errors in zip(programs, errors_of(words.occc, [lines for _, (lines, _) in programs], PRELUDE)):
            accepted, refused = accepted + good, refused + (not good)
            if not errors:
                accepted_here.append(lines)
            if good and errors and errors[0][0] in VALUES:
                continue
            if bool(errors) == good:
                wrong += 1
                print(f"statement {number}: {'refused' if good else 'accepted'}: {lines[len(HEAD) + 1:-1]} {errors[:1]}", flush=True)
        fault = fault_of_code(words.occc, accepted_here, PRELUDE, options.any_of_all(f"oracle {first}"))
        if fault:
            wrong += 1
            print(f"statements {first} to {first + BATCH - 1}: compiled with {fault}", flush=True)
    print(f"{accepted} to be accepted, {refused} to be refused, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
