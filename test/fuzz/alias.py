#!/usr/bin/env python3
"""Random names for parts of arrays, against comparing the parts.

A case has two or three names that live together - abbreviations, or parameters of a call - for elements, rows and segments with
constant and unknown subscripts, and perhaps a use of the array itself. Where two of them meet and one may be changed, the compiler
must refuse, or the program must stop with the error `overlap`; otherwise it must print what it should. A case of constants only
that is apart must not be refused. Many cases make one program, which is told the number of one.
usage: alias.py --occc build/bin/occc [--seed N] [--count N]; --print N shows a case"""

import argparse
import random
import re
import subprocess
import sys
import tempfile

VALUES = {"i": 0, "j": 1, "k": 2, "m": 1}
SEGMENT = re.compile(r"segment FROM|index -?\d+ out of range")


class Part:
    """Text, what it stands for as a list of cells, whether it is constant; None where it lies outside."""

    def __init__(self, rng):
        self.rng = rng
        self.is_constant = rng.random() < 0.35
        form = rng.choice(["element", "element", "segment", "segment", "row", "cell", "columns"])
        if form == "element":
            at, text = self.number(8)
            self.kind, self.text, self.cells = "INT", f"a[{text}]", [("a", at)]
        elif form == "segment":
            at, text = self.number(6)
            size = rng.randint(1, 3)
            count = str(size)
            if not self.is_constant and rng.random() < 0.4:
                size, count = VALUES["k"], "k"
            self.kind, self.text, self.cells = "[]INT", f"[a FROM {text} FOR {count}]", [("a", at + n) for n in range(size)]
        elif form == "row":
            at, text = self.number(3)
            self.kind, self.text, self.cells = "[]INT", f"g[{text}]", [("g", at, n) for n in range(4)]
        elif form == "cell":
            (at, text), (to, more) = self.number(3), self.number(4)
            self.kind, self.text, self.cells = "INT", f"g[{text}][{more}]", [("g", at, to)]
        else:
            (at, text), (to, more) = self.number(3), self.number(3)
            self.kind, self.text = "[]INT", f"[g[{text}] FROM {more} FOR 2]"
            self.cells = [("g", at, to), ("g", at, to + 1)]
        limit = {"a": (8,), "g": (3, 4)}[self.cells[0][0]]
        if any(not 0 <= x < top for cell in self.cells for x, top in zip(cell[1:], limit)):
            self.cells = None
        self.is_value = rng.random() < 0.35

    def number(self, limit):
        if self.is_constant:
            at = self.rng.randrange(limit)
            return at, str(at)
        name = self.rng.choice(list(VALUES))
        more = self.rng.choice([0, 0, 1, 2])
        if VALUES[name] + more >= limit:
            return VALUES[name], name
        return VALUES[name] + more, f"{name} + {more}" if more else name


class Case:
    def __init__(self, number):
        rng = random.Random(number)
        self.number = number
        self.parts = [Part(rng) for _ in range(rng.choice([2, 2, 3]))]
        self.form = rng.choice(["names", "names", "call", "direct"])
        self.cells = {("a", n): n for n in range(8)}
        self.cells.update({("g", y, x): 10 + y * 4 + x for y in range(3) for x in range(4)})

    @property
    def is_constant(self):
        return all(p.is_constant for p in self.parts)

    def is_outside(self):
        return any(p.cells is None for p in self.parts)

    def is_copied(self, n):
        """A scalar VAL is a copy, and not compared at run time (decision 0004)."""
        return self.parts[n].is_value and self.parts[n].kind == "INT" and not (self.form == "direct" and n == len(self.parts) - 1)

    def used(self, n):
        """Of a part that is used in place only the first cell."""
        in_place = self.form == "direct" and n == len(self.parts) - 1
        return self.parts[n].cells[:1] if in_place else self.parts[n].cells

    def meets(self, is_static=False):
        for n, one in enumerate(self.parts):
            for m, two in enumerate(self.parts[:n]):
                if set(self.used(n)) & set(self.used(m)) and not (one.is_value and two.is_value):
                    if is_static or not (self.is_copied(n) or self.is_copied(m)):
                        return True
        return False

    def lines(self):
        """The use adds up what is read into s and changes what may be changed."""
        names = [f"y{n}" for n in range(len(self.parts))]
        uses = []
        for name, part in zip(names, self.parts):
            one = name if part.kind == "INT" else f"{name}[0]"
            uses += [f"s := s + {one}"] if part.is_value else [f"{one} := {one} + 100", f"s := s + {one}"]
        head = [f"PROC case{self.number} (CHAN BYTE out!)", "  INITIAL INT s IS 0:", "  [8]INT a:", "  [3][4]INT g:"]
        fill = ["  a := [n = 0 FOR 8 | n]", "  g := [n = 0 FOR 3 | [x = 0 FOR 4 | (10 + (n * 4)) + x]]"]
        index = [f"  INITIAL INT {name} IS opaque ({value}):" for name, value in VALUES.items()]
        if self.form == "call":
            formals = ", ".join(f"{'VAL ' if p.is_value else ''}{p.kind} {n}" for n, p in zip(names, self.parts))
            body = [f"  PROC use ({formals}, INT s)", "    SEQ"] + ["      " + u for u in uses] + ["  :"]
            call = [f"    use ({', '.join(p.text for p in self.parts)}, s)"]
        else:
            body, call = [], []
            direct = self.form == "direct"
            for n, (name, part) in enumerate(zip(names, self.parts)):
                if direct and n == len(names) - 1:
                    continue
                call.append(f"    {'VAL ' if part.is_value else ''}{part.kind} {name} IS {part.text}:")
            if direct:
                part = self.parts[-1]
                one = part.text if part.kind == "INT" else f"{part.text}[0]"
                uses = [u.replace(names[-1] + "[0]", names[-1]).replace(names[-1], one) for u in uses]
            call += ["    SEQ"] + ["      " + u for u in uses]
        show = ["    show (s, out!)", "    SEQ n = 0 FOR 8", "      show (a[n], out!)", "    SEQ n = 0 FOR 12",
                "      show (g[n / 4][n \\ 4], out!)"]
        return head + index + body + ["  SEQ"] + ["  " + f for f in fill] + call + show + [":"]

    def expected(self):
        cells, total = dict(self.cells), 0
        for n, part in enumerate(self.parts):
            if not part.is_value:
                cells[part.cells[0]] += 100
            total += self.cells[part.cells[0]] if self.is_copied(n) else cells[part.cells[0]]
        return " ".join(str(v) for v in [total] + [cells["a", n] for n in range(8)] + [cells["g", n // 4, n % 4] for n in range(12)])


HEAD = """#INCLUDE "course.module"
INT FUNCTION opaque (VAL INT n)
  INT r:
  VALOF
    SEQ
      r := 0
      SEQ q = 0 FOR n
        r := r + 1
    RESULT r
:
PROC show (VAL INT n, CHAN BYTE out!)
  SEQ
    out.int (n, 0, out!)
    out ! ' '
:
""".splitlines()


def text_of(cases):
    lines, starts = list(HEAD), []
    for case in cases:
        starts.append(len(lines) + 1)
        lines += case.lines()
    starts.append(len(lines) + 1)
    lines += ["PROC main (CHAN BYTE kyb?, out!)", "  INT n:", "  BYTE ch:", "  SEQ", "    n := 0", "    kyb ? ch", "    WHILE ch >= '0'",
              "      SEQ", "        n := (n * 10) + (INT (ch - '0'))", "        kyb ? ch", "    CASE n"]
    for number, case in enumerate(cases):
        lines += [f"      {number}", f"        case{case.number} (out!)"]
    return lines + ["      ELSE", "        SKIP", ":"], starts


def compile_cases(occc, cases, folder):
    """{number: ids} of the cases that are refused; the rest is built."""
    refused = {}
    while True:
        rest = [c for c in cases if c.number not in refused]
        if not rest:
            return refused, rest
        lines, starts = text_of(rest)
        with open(f"{folder}/p.occ", "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        done = subprocess.run([occc, "-w", "-ferror-limit=0", "-O2", "-o", f"{folder}/p", f"{folder}/p.occ"], capture_output=True, text=True,
                              timeout=120, check=False)
        if done.returncode == 0:
            return refused, rest
        found = re.findall(r"^[^\n:]*:(\d+):\d+: error\[([a-z0-9-]+)\]", done.stderr, re.M)
        if not found:
            sys.exit(f"the compiler ended with {done.returncode}:\n{done.stderr[-2000:]}")
        for line, identity in found:
            which = next((n for n in range(len(rest)) if starts[n] <= int(line) < starts[n + 1]), None)
            if which is None:
                sys.exit(done.stderr[-2000:])
            refused.setdefault(rest[which].number, set()).add(identity)


def judge(case, ids, status, out, err):
    if ids is not None:
        if case.is_outside() or any(not i.startswith("alias") for i in ids):
            return None
        return "refused, but apart" if case.is_constant and not case.meets(True) else None
    if case.is_outside():
        return None if status == 1 and (SEGMENT.search(err) or "overlaps" in err) else f"outside, but status {status}: {err[:100]}"
    if case.meets():
        return None if status == 1 and "overlaps" in err else f"two names meet, but status {status}: {out[:100]}{err[:100]}"
    if status == 1 and case.form == "direct" and "overlaps" in err:
        return None
    if status != 0:
        return f"apart, but status {status}: {err[:200]}"
    return None if out.strip() == case.expected() else f"printed {out.strip()}, not {case.expected()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--print", type=int, dest="show")
    words = parser.parse_args()
    if words.show is not None:
        print("\n".join(Case(words.show).lines()))
        return 0
    wrong, tally = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for start in range(words.seed, words.seed + words.count, 50):
            cases = [Case(n) for n in range(start, min(start + 50, words.seed + words.count))]
            refused, rest = compile_cases(words.occc, cases, folder)
            place = {case.number: n for n, case in enumerate(rest)}
            for case in cases:
                ids = refused.get(case.number)
                status, out, err = None, "", ""
                if ids is None:
                    done = subprocess.run([f"{folder}/p"], input=f"{place[case.number]}\n", capture_output=True, text=True, timeout=20, check=False)
                    status, out, err = done.returncode, done.stdout, done.stderr
                fault = judge(case, ids, status, out, err)
                word = "refused" if ids is not None else "ran" if status == 0 else "stopped"
                tally[word] = tally.get(word, 0) + 1
                if fault:
                    wrong += 1
                    print(f"case {case.number}: {fault}", *case.lines(), sep="\n")
    print(", ".join(f"{n} {word}" for word, n in sorted(tally.items())))
    print(f"{words.count} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
