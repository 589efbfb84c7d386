#!/usr/bin/env python3
"""Constants at the ends of their types in every place where a constant may stand: results are those of exact arithmetic, what
does not fit is an error on its line, and a compiler built with UBSan has nothing to report.

    python3 extremes.py --occc build/asan/bin/occc --linker build/bin/occc --seed 1 --count 2000
"""

import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

from machine import RANGE, WIDTH

ARITHMETIC = ["+", "-", "*", "/", "\\", "PLUS", "MINUS", "TIMES", "/\\", "\\/", "><", "<<", ">>"]
COMPARE = ["=", "<>", "<", "<=", ">", ">=", "AFTER"]

# {a} {b} {c} are INT constants, {B} a BYTE, {L} an INT64, {U} a UINT64, {R} a REAL32; the declarations are HEAD
PLACES = """
SEQ i = {a} FOR {b} | x := i
SEQ i = {a} FOR {b} STEP {c} | x := i
SEQ i = {a} FOR x STEP {c} | x := i
SEQ i = {a} FOR {b} STEP {c} | v[i] := 1
SEQ i = {a} FOR 3 | v[i TIMES {b}] := i PLUS {c}
SEQ i = {a} FOR {b} | x := t[i]
PAR i = {a} FOR {b} | SKIP
PAR i = {a} FOR {b} STEP {c} | v[i] := 1
PAR i = {a} FOR 3 STEP {c} | v[i] := 1
PAR i = {a} FOR 3 | v[i + {b}] := 1
PAR i = {a} FOR 3 | v[i - {b}] := 1
PAR i = {a} FOR 3 | v[{b} - i] := 1
PAR i = {a} FOR 3 | v[i * {b}] := 1
PAR i = {a} FOR 3 | v[(i * {b}) + {c}] := 1
PAR i = {a} FOR 3 | v[(i * {b}) - (i * {c})] := 1
PAR i = {a} FOR 3 | v[(i PLUS {b}) TIMES {c}] := 1
PAR i = {a} FOR 3 | v[i / {b}] := 1
PAR i = {a} FOR 3 | v[i \\ {b}] := 1
PAR i = {a} FOR 3 | v[(i + {c}) \\ {b}] := 1
PAR i = {a} FOR 3 | v[i /\\ {b}] := 1
PAR i = {a} FOR 3 | v[i >< {b}] := 1
PAR i = {a} FOR 3 | v[i << {b}] := 1
PAR i = {a} FOR 3 | v[i >> {b}] := 1
PAR i = {a} FOR 3 | v[(x + {b}) + i] := 1
PAR i = {a} FOR x | v[(i * {b}) + {c}] := 1
PAR i = 0 FOR 3 | [v FROM i * {a} FOR {b}] := [1, 2]
PAR i = 0 FOR 3 | [v FROM i + {a} FOR {b}][{c}] := 1
PAR i = {a} FOR {b} | PAR j = {c} FOR 2 | v[(i * 2) + j] := 1
PAR i = {a} FOR 2 | PAR j = {c} FOR {b} | m[i][j] := 1
PAR i = 0 FOR 2 | IF | i = {a} | v[i] := 1 | (i + {b}) > {c} | SKIP | TRUE | SKIP
PAR | v[{a}] := 1 | v[{b}] := 2
PAR | v[x + {a}] := 1 | v[x + {b}] := 2
PAR | v[x * {a}] := 1 | v[(x * {b}) + {c}] := 2
PAR | [v FROM {a} FOR {b}] := [1] | v[{c}] := 2
ALT i = {a} FOR {b} | cs[i] ? x | SKIP
ALT i = {a} FOR 2 STEP {b} | cs[i] ? x | SKIP
IF i = {a} FOR {b} | x = i | SKIP
IF i = {a} FOR {b} STEP {c} | x = i | SKIP
v[{a}] := 1
m[{a}][{b}] := 1
x := t[{a}]
x := [1, 2, 3][{a}]
x := [t FROM {a} FOR {b}][{c}]
x := [[1, 2], [3, 4]][{a}][{b}]
x := SIZE [t FROM {a} FOR {b}]
x := SIZE [v FROM {a}]
x := SIZE [v FOR {a}]
[v FROM {a} FOR {b}] := [t FROM {b} FOR {a}]
[v FROM {a}] := [1, 2]
CASE x | {a} | SKIP | {b} | SKIP | {c} | SKIP | ELSE | SKIP
CASE {a} | {b} | x := 1 | {c} | x := 2
CASE (BYTE x) | {B} | SKIP | ELSE | SKIP
CASE (INT64 x) | {L} | SKIP | ELSE | SKIP
[{a}]INT w: | SKIP
[{a}][{b}]INT w: | SKIP
[{a}][{b}][{c}]BYTE w: | x := SIZE w[0]
[{a}][{b}]CHAN INT w: | SKIP
[{a}]MOBILE []INT w: | SKIP
[INT {L}]INT w: | SKIP
[INT {B}]INT w: | w[{a}] := 1
VAL [{a}]INT w IS t: | SKIP
VAL []INT w IS [t FROM {a} FOR {b}]: | x := w[{c}]
w IS [v FROM {a} FOR {b}]: | w[{c}] := 1
w IS v[{a}]: | w := 1
[{a}]INT w RETYPES v: | SKIP
[{a}][{b}]BYTE w RETYPES v: | SKIP
[][{a}]BYTE w RETYPES v: | SKIP
[{a}][{b}]INT w RESHAPES v: | SKIP
[][{a}]INT w RESHAPES v: | SKIP
VAL [2]INT w RETYPES {L}: | x := w[1]
VAL INT w RETYPES {R}: | x := w
VAL [4]BYTE w RETYPES {a}: | x := INT w[{b}]
PORT OF BYTE p: | PLACE p AT {a}: | SKIP
[{b}]PORT OF BYTE p: | PLACE p AT {a}: | SKIP
[4]INT p: | PLACE p AT {a}: | SKIP
[4]INT p: | PLACE p IN WORKSPACE: | p[{a}] := 1
DATA TYPE CELL | RECORD | [{a}]INT p: | [{b}]BYTE q: | : | CELL r: | SKIP
DATA TYPE ROW IS [{a}]INT: | x := BYTESIN (ROW)
x := BYTESIN ([{a}]INT)
x := BYTESIN ([{a}][{b}]REAL64)
PROTOCOL P IS [{a}]INT: | CHAN P d: | SKIP
PROTOCOL P IS [{a}]INT; BYTE::[]INT: | CHAN P d: | SKIP
c8 ! {B}::v
c8 ! {B}::[v FROM {a} FOR {b}]
c32 ! {a}::v
c64 ! {L}::v
tim ? AFTER {a}
tim ? AFTER x PLUS {a}
tim ? AFTER x + {a}
x := {a} << {b}
x := {a} >> {b}
x := x << {a}
x := x >> {a}
x := x * {a}
x := x / {a}
x := x \\ {a}
x := (x * {a}) + {b}
x := ((x + {a}) + {b}) - {c}
x := ({a} * {b}) / {c}
x := ({a} TIMES {b}) \\ {c}
x := -{a}
x := ~{a}
x := INT {L}
x := INT {U}
x := INT ROUND {R}
x := INT TRUNC {R}
x := INT (INT16 {a})
x := INT (BYTE {a})
l := {L} * (INT64 {a})
l := INT64 {U}
l := INT64 ROUND {R}
l := ({L} << {a}) PLUS ({L} >> {b})
l := ({L} / {L}) + ({L} \\ {L})
x := ASHIFTLEFT ({a}, {b})
x := ASHIFTRIGHT ({a}, {b})
x := ROTATELEFT ({a}, {b})
x := ROTATERIGHT ({a}, {b})
x := BITREVNBITS ({a}, {b})
x := BITREVWORD ({a})
x := BITCOUNT ({a}, {b})
x := CRCWORD ({a}, {b}, {c})
x := CRCBYTE ({a}, {b}, {c})
x := LONGADD ({a}, {b}, {c})
x := LONGSUB ({a}, {b}, {c})
x := FRACMUL ({a}, {b})
x, y := LONGSUM ({a}, {b}, {c})
x, y := LONGDIFF ({a}, {b}, {c})
x, y := LONGPROD ({a}, {b}, {c})
x, y := LONGDIV ({a}, {b}, {c})
x, y := SHIFTLEFT ({a}, {b}, {c})
x, y := SHIFTRIGHT ({a}, {b}, {c})
VAL []INT w IS [i = {a} FOR {b} | i]: | x := w[{c}]
VAL []INT w IS [i = {a} FOR 3 | i * {b}]: | x := w[{c}]
VAL []INT w IS [i = {a} FOR 3 STEP {b} | i + {c}]: | SKIP
mv := MOBILE [{a}]INT
RESIZE.MOBILE.ARRAY.1D (mv, {a})
SETPRI ({a})
WHILE {a} > ({b} + {c}) | SKIP
SEQ i = 0 FOR {a} | SEQ j = i FOR {b} | v[(i * {c}) + j] := 1
SEQ i = 0 FOR 4 | [v FROM i * {a} FOR {b}] := [t FROM i + {c} FOR {b}]
"""

HEAD = ["VAL []INT t IS [1, 2, 3, 4]:", "[8]INT v:", "[4][4]INT m:", "[4]CHAN INT cs:", "CHAN BYTE::[]INT c8:", "CHAN INT::[]INT c32:",
        "CHAN INT64::[]INT c64:", "TIMER tim:", "MOBILE []INT mv:", "INT64 l:", "INT x, y:"]


def extremes(kind):
    low, high = RANGE[kind]
    near = {low, low + 1, 0, 1, 2, 3, 7, WIDTH[kind] - 1, WIDTH[kind], WIDTH[kind] + 1, high // 2 + 1, high // 2, high - 1, high}
    return sorted(value for value in near | ({-1, -2} if low else set()) if low <= value <= high)


def literal(kind, value):
    low, high = RANGE[kind]
    if value in (low, high) and not (low == value == 0):
        return f"(MOST{'NEG' if value == low else 'POS'} {kind})"
    suffix = "" if kind == "INT" else f"({kind})"
    return f"{value}{suffix}" if value >= 0 else f"(-{-value}{suffix})"


REALS = ["0.0(REAL32)", "(-0.5(REAL32))", "2147483647.0(REAL32)", "2147483520.0(REAL32)", "(-2147483648.0(REAL32))", "3.4E+38(REAL32)",
         "1.0E-45(REAL32)", "9.2233720E+18(REAL32)"]


# -- exact arithmetic

def wrapped(kind, value):
    low, high = RANGE[kind]
    return (value - low) % (high - low + 1) + low


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def meaning(kind, operator, a, b):
    """The value, or None: it is an error."""
    low, high = RANGE[kind]
    width, mask = WIDTH[kind], 2 ** WIDTH[kind] - 1
    if operator in ("/", "\\") and b == 0 or operator in ("<<", ">>") and not 0 <= b <= width:
        return None
    if operator in COMPARE:
        later = 0 < wrapped(kind, a - b) if low else 0 < (a - b) % (high + 1) <= high // 2
        return {"=": a == b, "<>": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "AFTER": later}[operator]
    exact = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: quotient(a, b), "\\": lambda: a - b * quotient(a, b)}
    bits = {"PLUS": lambda: a + b, "MINUS": lambda: a - b, "TIMES": lambda: a * b, "/\\": lambda: a & b, "\\/": lambda: a | b,
            "><": lambda: a ^ b, "<<": lambda: a << b, ">>": lambda: (a & mask) >> b}
    if operator in bits:
        return wrapped(kind, bits[operator]())
    value = exact[operator]()
    return value if low <= value <= high and (operator != "\\" or low <= quotient(a, b) <= high or b == -1) else None


# -- the compiler

class Judge:
    def __init__(self, options):
        self.options, self.folder, self.wrong, self.tried = options, tempfile.mkdtemp(), 0, 0

    def compile(self, text, words):
        path = os.path.join(self.folder, "p.occ")
        with open(path, "w") as file:
            file.write(text)
        return subprocess.run([self.options.occc, "-w", "-ferror-limit=0", "-fdiagnostics-color=never", *words, path, "-o", os.path.join(self.folder, "p")],
                              capture_output=True, text=True, timeout=300, errors="replace",
                              env={**os.environ, "OCC_BACKTRACE": "0", "UBSAN_OPTIONS": "print_stacktrace=1", "TMPDIR": self.folder})

    def run(self):
        """The program whose object has just been made."""
        made, program = os.path.join(self.folder, "p.o"), os.path.join(self.folder, "program")
        os.rename(os.path.join(self.folder, "p"), made)
        subprocess.run([self.options.linker or self.options.occc, made, "-o", program], check=True)
        return subprocess.run([program], capture_output=True, text=True, timeout=60)

    def complain(self, words, text):
        self.wrong += 1
        print(f"--- {words}\n{text}")

    def is_sane(self, done):
        return done.returncode in (0, 1) and "runtime error" not in done.stderr and "occc: bug" not in done.stderr


def lines_with_errors(stderr):
    return {int(line) for line in re.findall(r"^[^ :]*p\.occ:(\d+):\d+: error", stderr, re.M)}


def case_text(place, number):
    """A PROC for the place: the parts between bars are lines, each one deeper unless it stands beside others."""
    lines = [f"PROC case{number} ()"] + ["  " + line for line in HEAD]
    parts = [part.strip() for part in re.split(r" \| (?![^\[]*\]:)", place)]  # not the bar of a constructor
    depth = 1
    beside, record = parts[0] == "PAR", False
    choice = parts[0].split(" ")[0] in ("CASE", "ALT") or parts[0].startswith("IF i")
    for index, part in enumerate(parts):
        lines.append("  " * depth + part)
        if record:
            if part.endswith(":") and index + 1 < len(parts) and parts[index + 1] == ":":
                depth, record = 1, False
        elif part.startswith("DATA TYPE CELL"):
            depth += 1
        elif part == "RECORD":
            depth, record = depth + 1, True
        elif part.endswith(":"):
            pass
        elif beside:
            depth = 2
        elif choice and index:
            depth = 2 if depth == 3 else 3
        elif part == "IF":
            base = depth + 1
            for k, rest in enumerate(parts[index + 1:]):
                lines.append("  " * (base + k % 2) + rest)
            break
        elif part.startswith(("SEQ", "PAR", "WHILE", "CASE", "IF", "ALT")):
            depth += 1
    return lines + [":"]


def draw(rng, place):
    def constant(match):
        key = match.group(1)
        if key == "R":
            return rng.choice(REALS)
        kind = {"B": "BYTE", "L": "INT64", "U": "UINT64"}.get(key, "INT")
        return literal(kind, rng.choice(extremes(kind) if rng.randrange(5) < 3 else range(5)))
    return re.sub(r"\{(\w)\}", constant, place)


def try_places(judge, cases):
    """The checks of all at once; then the code of those that have passed them."""
    judge.tried += len(cases)
    texts = [case_text(place, number) for number, place in enumerate(cases)]
    done = judge.compile("\n".join(itertools.chain(*texts)) + "\n", ["-fsyntax-only"])
    starts = list(itertools.accumulate(map(len, texts), initial=1))
    wrong = lines_with_errors(done.stderr)
    good = [text for text, start in zip(texts, starts) if not wrong & set(range(start, start + len(text)))]
    faults = [(done, texts)] if not judge.is_sane(done) else []
    for level in [] if faults else ["-O0", "-O2"]:
        done = judge.compile("\n".join(itertools.chain(*good)) + "\n", ["-c", level])
        if not judge.is_sane(done):
            faults.append((done, good))
            break
    if faults and len(cases) > 1:
        middle = len(cases) // 2
        judge.tried -= len(cases)
        before = judge.wrong
        try_places(judge, cases[:middle])
        try_places(judge, cases[middle:])
        if judge.wrong > before:
            return
    for done, said in faults:
        judge.complain(f"status {done.returncode}: {done.stderr[:1500]}", "\n".join(itertools.chain(*said[:3])))


def try_arithmetic(judge, rng, kind, count):
    """Constants whose values fit are printed; the others are each one error on its line."""
    pairs = [(op, a, b) for op in ARITHMETIC + COMPARE for a in extremes(kind) for b in (extremes(kind) if op not in ("<<", ">>") else range(-1, 66))]
    pairs = rng.sample(pairs, min(count, len(pairs)))
    judge.tried += len(pairs)
    good, bad = [], []
    for op, a, b in pairs:
        shown = literal("INT" if op in ("<<", ">>") else kind, b)
        value = meaning(kind, op, a, b)
        if op == "AFTER" and abs(a - b) * 2 == 2 ** WIDTH[kind]:
            continue  # half way round: neither is later, or both
        name = "BOOL" if op in COMPARE else kind
        (good if value is not None else bad).append((f"{name} k{{n}} IS {literal(kind, a)} {op} {shown}:", value))
    text = [f"VAL {line.format(n=n)}" for n, (line, _) in enumerate(bad)] + ["PROC main (CHAN BYTE screen!)", "  SKIP", ":"]
    done = judge.compile("\n".join(text) + "\n", ["-fsyntax-only"])
    missing = set(range(1, len(bad) + 1)) ^ lines_with_errors(done.stderr)
    if not judge.is_sane(done) or missing:
        judge.complain(f"{kind}: status {done.returncode}", "\n".join([text[n - 1] for n in sorted(missing)] or [done.stderr[:1500]]))
    text = ["PROC main (CHAN BYTE screen!)"]
    for n, (line, value) in enumerate(good):
        shown = ("TRUE" if value else "FALSE") if isinstance(value, bool) else literal(kind, value)
        text += [f"  VAL {line.format(n=n)}", f"  VAL BOOL ok{n} IS k{n} = {shown}:"]
    text += ["  SEQ"] + [f"    ASSERT (ok{n})" for n in range(len(good))] + ["    screen ! '*n'", ":"]
    done = judge.compile("\n".join(text) + "\n", ["-c", "-O0"])
    lines = [text[number - 1] for number in sorted(lines_with_errors(done.stderr))]
    if judge.is_sane(done) and done.returncode == 0:
        done = judge.run()
        lines = [line for name in re.findall(r"ok\d+", done.stderr) for line in text if f" {name[1:]} IS" in line or f" k{name[2:]} IS" in line]
    if done.returncode != 0:
        judge.complain(f"{kind}: status {done.returncode}", "\n".join(lines) + "\n" + done.stderr[:1500])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000, help="constants in places; and as many in arithmetic")
    parser.add_argument("--linker", help="the compiler that links, where that one has no runtime")
    options = parser.parse_args()
    judge, rng = Judge(options), random.Random(options.seed)
    for kind in RANGE:
        try_arithmetic(judge, rng, kind, options.count // len(RANGE))
    places = [place for place in PLACES.replace("\\\\", "\\").strip().split("\n")]
    cases = [draw(rng, places[n % len(places)]) for n in range(options.count)]
    for start in range(0, len(cases), 60):
        try_places(judge, cases[start:start + 60])
    print(f"{judge.tried} constants, {judge.wrong} wrong")
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
