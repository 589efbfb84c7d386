#!/usr/bin/env python3
"""Random loops whose counter rises or falls by one between two numbers, most of them near the ends of an array or of
INT, with every form of index, also of a variable that goes by the same each time beside it: checks asked before the loop (-O2) must change nothing of what it prints or reports (-O0).

usage: ends.py --occc build/bin/occc [--seed N] [--count N] [--save DIR]
       ends.py --print N                                     show the program of a number"""

import random
import sys

import twice

ROUTINES = 24
RUNS = 200
FIRST = 33  # of the characters that stand for numbers
NUMBERS = ["0", "1", "2", "-1", "-2", "7", "8", "9", "10", "11", "100", "MOSTPOS INT", "MOSTNEG INT", "2147483646",
           "-2147483647", "1073741824", "5", "3", "99", "1000"]
NEAR = [NUMBERS.index(text) for text in ("0", "1", "2", "7", "8", "9", "10", "5", "3", "11")]
TURNED = {">=": "<=", ">": "<", "<": ">", "<=": ">=", "<>": "<>"}
STEPS = [(">=", "w - 1"), (">", "w - 1"), ("<", "w + 1"), ("<=", "w + 1"), (">=", "w MINUS 1"), ("<=", "w PLUS 1"),
         (">", "w MINUS 1"), ("<", "w PLUS 1"), ("<>", "w + 1")]
FORMS = ["w", "w - {}", "w + {}", "{} - w", "w PLUS {}", "w * 2", "(w * 2) + {}", "(w * {}) - m", "{} + w",
         "(w - k) - m", "w MINUS {}", "w * {}"]
FOLLOWER_STEPS = ["f + {}", "f - {}", "{} + f", "f PLUS {}", "f MINUS {}"]


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.follows = False

    def chance(self, probability):
        return self.rng.random() < probability

    def index(self):
        form = self.rng.choice(FORMS).format(self.rng.choice(["k", "1", "2", "(-1)", "m"]))
        return form.replace("w", "f") if self.follows and self.chance(0.6) else form

    def body(self):
        at = self.index()
        lines = [f"v[{at}] := " + (f"v[{at}] + d[left /\\ 15]" if self.chance(0.6) else "left")]
        if self.chance(0.5):
            lines.append(f"sum := sum + v[{self.index()}]")
        if self.chance(0.3):
            lines.append(f"sum := sum PLUS ({self.index()})")
        if self.chance(0.3):
            lines += ["IF", f"  v[{self.index()}] > 5", "    sum := sum + 1", "  TRUE", "    SKIP"]
        return lines

    def loop(self):
        fuel = ["left := left - 1", "IF", "  left = 0", "    STOP", "  TRUE", "    SKIP"]
        self.follows = self.chance(0.6)
        body = self.body()
        follower = []
        if self.follows:
            step = self.rng.choice(FOLLOWER_STEPS).format(self.rng.choice(["1", "2", "3", "4", "k", "m", "(-2)"]))
            body.insert(self.rng.choice([0, len(body)]), f"f := {step}")
            follower = [f"f := {self.rng.choice(['0', 'k', 'm', 'a', 'f'])}"]
        if self.chance(0.25):
            return [], [*follower, "SEQ w = a FOR b", "  SEQ", *["    " + line for line in fuel + body]]
        relation, step = self.rng.choice(STEPS)
        condition = self.rng.choice([f"w {relation} b", f"b {TURNED[relation]} w", f"w {relation} t[k /\\ 15]"])
        step = [f"w := {step}"]
        body = step + body if self.chance(0.3) else body + step
        loop = [*follower, "w := a", f"WHILE {condition}", "  SEQ", *["    " + line for line in fuel + body]]
        return ["  INT w:"], loop

    def routine(self, number):
        variables, loop = self.loop()
        return [f"PROC work{number} ([]INT v, VAL []INT t, d, VAL INT a, b, k, m, INT sum)", *variables, "  INT left, f:",
                "  SEQ", "    left, f := 40, m", *["    " + line for line in loop], ":"]

    def program(self):
        lines = ['#INCLUDE "course.module"', f"VAL []INT number IS [{', '.join(NUMBERS)}]:"]
        for number in range(ROUTINES):
            lines += self.routine(number)
        lines += MAIN.strip("\n").split("\n")
        for number in range(ROUTINES):
            lines += [f"      {number}", f"        work{number} (v, t, d, p[0], p[1], p[2], p[3], sum)"]
        return "\n".join(lines + END.strip("\n").split("\n")) + "\n"

    def words(self):
        """The routine and its numbers, a character each."""
        choose = lambda: self.rng.randrange(len(NUMBERS)) if self.chance(0.5) else self.rng.choice(NEAR)
        return "".join(chr(FIRST + code) for code in [self.rng.randrange(ROUTINES), *(choose() for _ in range(5))])


MAIN = f"""
PROC main (CHAN BYTE in?, out!)
  [10]INT v:
  [16]INT t, d:
  [5]INT p:
  BYTE c:
  INT which, sum:
  SEQ
    in ? c
    which := (INT c) - {FIRST}
    SEQ i = 0 FOR SIZE p
      SEQ
        in ? c
        p[i] := number[(INT c) - {FIRST}]
    SEQ i = 0 FOR SIZE v
      v[i] := i
    SEQ i = 0 FOR SIZE t
      t[i], d[i] := i, i - 3
    t[p[2] /\\ 15] := p[1]
    d[7] := p[4]
    sum := 0
    CASE which
"""
END = """
    SEQ i = 0 FOR SIZE v
      SEQ
        out.int (v[i], 0, out!)
        out ! ' '
    out.int (sum, 0, out!)
    out ! '*n'
:
"""


def compare(occc, folder, seed):
    maker = Maker(seed)
    programs, refused = twice.build(occc, folder, twice.lengthen(maker.program(), seed), seed)
    if refused:
        return "{}: status {}\n{}".format(*refused), 0, 0
    well = 0
    for _ in range(RUNS):
        words = maker.words()
        results = [twice.run(program, words) for program in programs]
        if results[0] != results[1]:
            return f"input {words!r}: with all checks {results[0]}, optimised {results[1]}", 0, 0
        well += results[0][0] == 0
    return None, well, RUNS - well


if __name__ == "__main__":
    sys.exit(twice.main("ends", lambda seed: twice.lengthen(Maker(seed).program(), seed), compare, 10))
