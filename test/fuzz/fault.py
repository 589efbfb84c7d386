#!/usr/bin/env python3
"""Random programs that end with one error at run time: the message, its line, the status and what was output before must be right.

The error stands where the reference machine says it is reached, bare or in a PROC, a FUNCTION, a loop, a branch of a PAR.
usage: fault.py --occc build/bin/occc [--seed N] [--count N] [--kind NAME] [--save DIR]
       fault.py --print N                                                              show the program of a number"""

import argparse
import os
import re
import sys
import tempfile
import time

import options
from expression import INTS
from generate import ProgramMaker, run
from machine import RANGE, OccamError, TooLong
from statement import Stmt, indent

PLACE = "@@fault@@"
WAYS = [(["-O2"], {}), (["-O0"], {}), (["-O2"], {"OCC_WORKERS": "4"})]


def operation(maker):
    kind = maker.rng.choice(INTS)
    low, high = RANGE[kind]
    a, b = maker.fresh("z"), maker.fresh("z")
    k = maker.rng.randint(1, 9)
    left, op, right, words = maker.rng.choice([
        (high, "+", k, f"overflow in {high} \\+ {k}"), (high - 1, "*", 2, f"overflow in {high - 1} \\* 2"),
        (low, "-", k, f"overflow in {low} - {k}"), (k, "/", 0, f"division of {k} by zero"), (k, "\\", 0, f"division of {k} by zero")]
        + ([(low, "/", -1, f"overflow in {low} / -1")] if low < 0 else [])
        + ([] if kind != "BYTE" else [(3, "-", 4, "overflow in 3 - 4")]))
    return [f"{kind} {a}, {b}:", "SEQ", f"  {a}, {b} := {maker.constant(kind, left).text}, {maker.constant(kind, right).text}",
            f"  {a} := {a} {op} {b}"], 3, words


def nested_operation(maker):
    a = maker.fresh("z")
    deep = maker.rng.choice([f"(({a} /\\ 255) + ({a} - 5)) PLUS 1", f"1 + (2 * ({a} - 5))", f"INT (INT64 ({a} - 5))", f"- ({a} - 5)"])
    return [f"INT {a}:", "SEQ", f"  {a} := MOSTNEG INT", f"  {a} := {deep}"], 3, "overflow in -2147483648 - 5"


def negation(maker):
    kind = maker.rng.choice(["INT", "INT16", "INT64"])
    a = maker.fresh("z")
    return [f"{kind} {a}:", "SEQ", f"  {a} := MOSTNEG {kind}", f"  {a} := - {a}"], 3, f"overflow in - {RANGE[kind][0]}"


def shift(maker):
    kind, width = maker.rng.choice([("INT", 32), ("BYTE", 8), ("INT16", 16), ("INT64", 64)])
    a, n, count = maker.fresh("z"), maker.fresh("z"), maker.rng.choice([width + 1, -1, 1000])
    return [f"{kind} {a}:", f"INT {n}:", "SEQ", f"  {a}, {n} := 1 ({kind}), {maker.constant('INT', count).text}",
            f"  {a} := {a} {maker.rng.choice(['<<', '>>'])} {n}"], 4, f"shift count {count} out of range 0\\.\\.{width}"


def subscript(maker):
    size, a, i, kind = maker.rng.randint(1, 9), maker.fresh("z"), maker.fresh("z"), maker.rng.choice(INTS + ["BOOL", "REAL64"])
    at = maker.rng.choice([size, -1, size + 7, 2**31 - 1])
    zero = {"BOOL": "TRUE", "REAL64": "1.0"}.get(kind, f"1 ({kind})")
    use = maker.rng.choice([f"  {a}[{i}] := {zero}", f"  {a}[0] := {a}[{i}]", f"  {a}[0], {i} := {a}[{i}], 1"])
    return [f"[{size}]{kind} {a}:", f"INT {i}:", "SEQ", f"  {i} := {maker.constant('INT', at).text}",
            f"  SEQ k = 0 FOR {size}", f"    {a}[k] := {zero}", use], 6, f"index {at} out of range 0\\.\\.{size - 1} for '{a}'"


def subscript_of_rows(maker):
    a, i = maker.fresh("z"), maker.fresh("z")
    one = maker.chance(0.5)
    use = f"  {a}[{i}][1] := 0" if one else f"  {a}[1][{i}] := 0"
    if maker.chance(0.3):
        use = f"  {a}[{i}] := {a}[0]" if one else f"  {i} := {a}[0][{i}]"
    return [f"[3][4]INT {a}:", f"INT {i}:", "SEQ", f"  {i}, {a} := 5, [x = 0 FOR 3 | [y = 0 FOR 4 | x + y]]", use], 4, \
        f"index 5 out of range 0\\.\\.{2 if one else 3} for '{a}'"


def segment(maker):
    a, b, i, n = (maker.fresh("z") for _ in range(4))
    start, count = maker.rng.choice([(3, 4), (-1, 2), (2, -1), (7, 0), (0, 7), (6, 1)])
    whole = [f"[6]INT {a}, {b}:", f"INT {i}, {n}:", "SEQ", f"  {i}, {n} := {start}, {count}", f"  {a} := [x = 0 FOR 6 | x]"]
    whole[3] = f"  {i}, {n} := {maker.constant('INT', start).text}, {maker.constant('INT', count).text}"
    use = maker.rng.choice([[f"  VAL []INT y IS [{a} FROM {i} FOR {n}]:", f"  {b}[0] := SIZE y"],
                            [f"  []INT y IS [{a} FROM {i} FOR {n}]:", f"  {b}[0] := SIZE y"],
                            [f"  [{b} FROM {i} FOR {n}] := [{a} FROM {i} FOR {n}]"]])
    name = a if "IS" in use[0] else f"(?:{a}|{b})"
    return whole + use, 5, f"segment FROM {start} FOR {count} does not lie in 0\\.\\.\\d+ of '{name}'"


def narrowing(maker):
    source, target, value = maker.rng.choice([("INT", "BYTE", 256), ("INT", "BYTE", -1), ("INT", "INT16", 32768), ("INT64", "INT", -2**31 - 1),
                                              ("INT", "BOOL", 2), ("INT16", "BYTE", 300), ("INT64", "INT16", 2**40), ("BYTE", "BOOL", 7)])
    a, b = maker.fresh("z"), maker.fresh("z")
    return [f"{source} {a}:", f"{target} {b}:", "SEQ", f"  {a} := {maker.constant(source, value).text}", f"  {b} := {target} {a}"], 4, \
        f"value {value} does not fit in {target}"


def real_to_integer(maker):
    kind, value = maker.rng.choice([("INT", "3.0E+9"), ("BYTE", "256.0"), ("INT16", "-1.0E+5"), ("INT64", "1.0E+19"), ("BYTE", "-1.0")])
    a, b = maker.fresh("z"), maker.fresh("z")
    sign, digits = ("- ", value[1:]) if value[0] == "-" else ("", value)
    return [f"REAL64 {a}:", f"{kind} {b}:", "SEQ", f"  {a} := {sign}{digits} (REAL64)",
            f"  {b} := {kind} {maker.rng.choice(['ROUND', 'TRUNC'])} {a}"], 4, f"real value does not fit in {kind}"


def replicator(maker):
    n, count, i = maker.fresh("z"), -maker.rng.randint(1, 9), maker.fresh("i")
    head, body = maker.rng.choice([("SEQ", ["    SKIP"]), ("PAR", ["    SKIP"]), ("SEQ", [f"    ASSERT ({i} = {i})"])])
    return [f"INT {n}:", "SEQ", f"  {n} := {count}", f"  {head} {i} = 0 FOR {n}"] + body, 3, f"replicator count {count} is negative"


def no_choice(maker):
    n = maker.fresh("z")
    if maker.chance(0.5):
        return [f"INT {n}:", "SEQ", f"  {n} := 3", "  IF", f"    {n} > 4", "      SKIP", f"    {n} = 2", "      SKIP"], 3, \
            "no condition of this IF is TRUE"
    return [f"INT {n}:", "SEQ", f"  {n} := 3", f"  IF i = 0 FOR {n}", f"    i = {n}", "      SKIP"], 3, "no condition of this IF is TRUE"


def no_option(maker):
    n, value = maker.fresh("z"), maker.rng.randint(5, 200)
    kind = maker.rng.choice(INTS)
    value = min(value, RANGE[kind][1])
    return [f"{kind} {n}:", "SEQ", f"  {n} := {maker.constant(kind, value).text}", f"  CASE {n}", "    1, 2", "      SKIP", "    3", "      SKIP"], 3, \
        f"no option of this CASE matches {value}"


def stops(maker):
    n = maker.fresh("z")
    line, words = maker.rng.choice([("STOP", "STOP"), ("CAUSEERROR ()", "CAUSEERROR was called"), (f"ASSERT ({n} = 4)", "ASSERT failed")])
    return [f"INT {n}:", "SEQ", f"  {n} := 3", f"  {line}"], 3, words


def guards_off(maker):
    n, c = maker.fresh("z"), maker.fresh("c")
    return [f"INT {n}:", f"CHAN INT {c}:", "SEQ", f"  {n} := 0", f"  {maker.rng.choice(['', 'PRI '])}ALT", f"    ({n} > 0) & {c} ? {n}", "      SKIP",
            f"    ({n} > 1) & SKIP", "      SKIP"], 4, "every guard of this ALT is off"


def overlap(maker):
    p, a, i, j = maker.fresh("proc"), maker.fresh("z"), maker.fresh("z"), maker.fresh("z")
    kind = maker.rng.choice(["elements", "names", "segments"])
    head = [f"PROC {p} (INT x, y)", "  x := y", ":", f"[6]INT {a}:", f"INT {i}, {j}:", "SEQ", f"  {i}, {j}, {a} := 3, 3, [x = 0 FOR 6 | x]"]
    if kind == "elements":
        return head + [f"  {p} ({a}[{i}], {a}[{j}])"], 7, f"'{a}' overlaps another name of the same array"
    if kind == "names":
        return head + [f"  x IS {a}[{i}]:", f"  y IS {a}[{j}]:", "  x := y"], 8, f"'{a}' overlaps another name of the same array"
    return head + [f"  x IS [{a} FROM {i} FOR 2]:", f"  y IS [{a} FROM {j} - 1 FOR 2]:", "  x[0] := y[0]"], 8, \
        f"'{a}' overlaps another name of the same array"


def sizes_differ(maker):
    a, b, n = maker.fresh("z"), maker.fresh("z"), maker.fresh("z")
    return [f"[6]INT {a}, {b}:", f"INT {n}:", "SEQ", f"  {n}, {a} := 3, [x = 0 FOR 6 | x]", f"  [{b} FROM 0 FOR {n}] := [{a} FROM 2 FOR {n} + 1]"], 4, \
        "array of 4 elements where 3 are needed"


def mobile_gone(maker):
    a, b = maker.fresh("mo"), maker.fresh("mo")
    return [f"MOBILE []INT {a}, {b}:", "SEQ", f"  {a} := [1, 2, 3]", f"  {b} := {a}", f"  {a}[1] := 4"], 4, f"'{a}' is not defined"


def closed(maker):
    c = maker.fresh("c")
    return [f"CHAN INT {c}:", "PAR", "  SEQ", f"    CLOSE {c}!", "  INT x:", f"  {c} ? x"], 5, f"channel '{c}' is closed"


def counted(maker):
    c, n, count = maker.fresh("c"), maker.fresh("z"), maker.rng.choice([5, -1, 100])
    return [f"CHAN INT::[]BYTE {c}:", f"INT {n}:", "[9]BYTE got:", "INT m:", "SEQ", f"  {n} := {maker.constant('INT', count).text}", "  PAR",
            f"    {c} ! {n}::\"abcd\"", f"    {c} ? m::got"], 7, f"count {count} out of range 0\\.\\.4"


KINDS = [operation, operation, nested_operation, negation, shift, subscript, subscript, subscript_of_rows, segment, narrowing, real_to_integer,
         replicator, no_choice, no_option, stops, guards_off, overlap, sizes_differ, mobile_gone, closed, counted]
PURE = (operation, nested_operation, negation, shift, subscript, subscript_of_rows, segment, narrowing, real_to_integer, no_choice, no_option, stops,
        overlap, sizes_differ)


def wrapped(maker, kind, lines, at):
    """The lines as they are, or inside of something."""
    pick = maker.rng.randrange(6)
    if pick == 0:
        name = maker.fresh("proc")
        return [f"PROC {name} (VAL INT level)"] + indent(lines) + [":", f"{name} ({maker.rng.randint(0, 9)})"], at + 1
    if pick == 1 and kind in PURE:
        name, result = maker.fresh("fun"), maker.fresh("z")
        return [f"INT FUNCTION {name} (VAL INT level)", "  VALOF"] + indent(indent(lines)) + ["    RESULT level", ":", f"INT {result}:",
                                                                                              f"{result} := {name} (3)"], at + 2
    if pick == 2:
        index = maker.fresh("i")
        head = [f"SEQ {index} = 0 FOR 5", "  IF", f"    {index} = {maker.rng.randint(0, 4)}"]
        return head + indent(indent(indent(lines))) + ["    TRUE", "      SKIP"], at + 3
    if pick == 3:
        return ["PAR", "  SKIP"] + indent(lines) + ["  SKIP"], at + 2
    if pick == 4:
        return ["SEQ", "  SKIP"] + indent(lines) + ["  SKIP"], at + 2
    return lines, at


class FaultMaker(ProgramMaker):
    def __init__(self, seed, only):
        super().__init__(seed)
        self.danger = False
        self.is_dressed = False  # messages name variables
        self.only = only
        self.hole = None
        self.reached = None
        self.wait = self.rng.randint(0, 10)

    def statement(self, scope, depth):
        if self.hole is None and not self.pure:
            self.wait -= 1
            if self.wait < 0:
                kind = self.rng.choice([k for k in KINDS if not self.only or k.__name__ == self.only])
                self.hole = kind.__name__
                lines, at, self.words = kind(self)
                self.lines_of_fault, self.at = wrapped(self, kind, lines, at)

                def fail(_):
                    self.reached = (len(self.output), self.machine.alone)
                    raise OccamError("fault")
                    yield
                return Stmt([PLACE], fail)
        return super().statement(scope, depth)


def make(seed, only):
    """(kind, lines, line of the error, words, output, whether that is all), or None."""
    maker = FaultMaker(seed, only)
    try:
        program = maker.program()
    except (TooLong, RecursionError):
        return None
    if program.error != "fault" or maker.hole is None:
        return None
    lines = program.text.rstrip("\n").split("\n")
    at = next(i for i, line in enumerate(lines) if line.strip() == PLACE)
    margin = lines[at][:-len(PLACE)]
    lines[at:at + 1] = [margin + line for line in maker.lines_of_fault]
    return maker.hole, lines, at + 1 + maker.at, maker.words, program.output, program.certain


def judge(made, status, out, err):
    _, _, line, words, output, certain = made
    if status is None:
        return "does not end"
    if status != 1:
        return f"status {status}: {err.strip()[:200]}"
    found = re.search(r"^\S*:(\d+):\d+: error: (.*)$", err, re.M)
    if not found:
        return f"no place: {err.strip()[:200]}"
    if int(found.group(1)) != line:
        return f"error on line {found.group(1)}, not {line}: {found.group(2)}"
    if not re.fullmatch(words, found.group(2).strip()) and not re.match(words, found.group(2)):
        return f"'{found.group(2)}', not '{words}'"
    return "wrong output before" if certain and out != output else None


def main():
    sys.setrecursionlimit(5000)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--kind", default="", help="only this kind of error")
    parser.add_argument("--quick", action="store_true", help="-O2 only")
    parser.add_argument("--save", help="where wrong programs are kept")
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    if words.print is not None:
        made = make(words.print, words.kind)
        print("\n".join(made[1]) + f"\n-- line {made[2]}: {made[3]}" if made else "no program")
        return 0
    ran = wrong = 0
    end = time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        source, binary = f"{folder}/p.occ", f"{folder}/p"
        for seed in range(words.seed, words.seed + words.count):
            made = make(seed, words.kind) if time.monotonic() < end else None
            if made is None:
                continue
            ran += 1
            with open(source, "w", encoding="ascii") as file:
                file.write("\n".join(made[1]) + "\n")
            built = fault = None
            ways = WAYS[:1] if words.quick else WAYS + options.ways(f"fault {seed}", 2, 1)
            for flags, environment in ways:
                if flags != built:
                    status, _, err = run([words.occc, "-w", "-Wno-error=usage-unproved", *flags, "-o", binary, source], 60)
                    built = flags
                    if status != 0:
                        fault = f"compiling: status {status}: {err[:300]}"
                        break
                fault = judge(made, *run([binary], 10, environment))
                if fault:
                    fault = f"{' '.join(flags)} {environment}: {fault}"
                    break
            if fault:
                wrong += 1
                print(f"program {seed} ({made[0]}): {fault}", flush=True)
                if words.save:
                    os.makedirs(words.save, exist_ok=True)
                    os.replace(source, f"{words.save}/{made[0]}-{seed}.occ")
                    with open(f"{words.save}/{made[0]}-{seed}.txt", "w", encoding="ascii") as file:
                        file.write(f"{fault}\nline {made[2]}: {made[3]}\n")
    print(f"{ran} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
