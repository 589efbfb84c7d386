#!/usr/bin/env python3
"""Two names at once for parts of nested mobiles, as actuals, abbreviations and through RETYPES, with subscripts known
only when the program runs: where one leads to the other the program stops with `overlap`; else it does what a model of
the storage says. Every kind of name against every other, at every level."""

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

ROWS, COLUMNS, LENGTH = 3, 2, 4
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]


class Kind:
    """One way to name a part of row `i` of d: the text of the element, the formal that takes it, what it reaches, and
    what is done through the name."""

    def __init__(self, name, element, formal, cells, is_written, action, effect, retypes=None):
        self.name, self.element, self.formal, self.cells, self.is_written = name, element, formal, cells, is_written
        self.action, self.effect, self.retypes = action, effect, retypes


def below(i, columns=range(COLUMNS), positions=range(LENGTH), slots=True):
    found = {("slot", i, k) for k in columns if slots}
    return found | {("element", i, k, at) for k in columns for at in positions}


def fresh_row(model, i):
    model[i] = [[0] * LENGTH for _ in range(COLUMNS)]


def kinds():
    row = ["{n} := MOBILE [2]MOBILE []INT", "SEQ k = 0 FOR 2", "  {n}[k] := MOBILE [4]INT"]
    yield Kind("a row", "d[{i}]", "MOBILE []MOBILE []INT {n}", lambda i: {("row", i)} | below(i), True, row, fresh_row)
    yield Kind("what a row holds", "d[{i}]", "[]MOBILE []INT {n}", below, True, ["{n}[1] := MOBILE [4]INT"],
               lambda model, i: model[i].__setitem__(1, [0] * LENGTH))
    yield Kind("a mobile of a row", "d[{i}][1]", "MOBILE []INT {n}", lambda i: below(i, [1]), True, ["{n} := MOBILE [4]INT"],
               lambda model, i: model[i].__setitem__(1, [0] * LENGTH))
    yield Kind("what it holds", "d[{i}][1]", "[]INT {n}", lambda i: below(i, [1], slots=False), True, ["{n}[2] := 72"],
               lambda model, i: model[i][1].__setitem__(2, 72))
    yield Kind("what it holds, read", "d[{i}][1]", "VAL []INT {n}", lambda i: below(i, [1], slots=False), False, ["sum := sum + {n}[3]"],
               lambda model, i: None)
    yield Kind("a segment", "[d[{i}][1] FROM 1 FOR 2]", "[]INT {n}", lambda i: below(i, [1], [1, 2], False), True, ["{n}[0] := 73"],
               lambda model, i: model[i][1].__setitem__(1, 73))
    yield Kind("bytes", "[d[{i}][1] FROM 0 FOR 1]", "[]INT {n}", lambda i: below(i, [1], [0], False), True, ["{n}[0] := 74"],
               lambda model, i: model[i][1].__setitem__(0, 74), "[1]INT {n} RETYPES [d[{i}][1] FROM 0 FOR 1]:")
    yield Kind("an element", "d[{i}][1][3]", "INT {n}", lambda i: below(i, [1], [3], False), True, ["{n} := 75"],
               lambda model, i: model[i][1].__setitem__(3, 75))
    yield Kind("another mobile of the row", "d[{i}][0]", "MOBILE []INT {n}", lambda i: below(i, [0]), True, ["{n} := MOBILE [4]INT"],
               lambda model, i: model[i].__setitem__(0, [0] * LENGTH))
    yield Kind("an element of another", "d[{i}][0][2]", "INT {n}", lambda i: below(i, [0], [2], False), True, ["{n} := 76"],
               lambda model, i: model[i][0].__setitem__(2, 76))


def is_nameable(kind):
    """As an abbreviation: mobile arrays and plain ones are told apart by the formal only."""
    return kind.retypes or kind.formal.startswith(("MOBILE", "INT")) or kind.element.startswith("[")


def program(first, second, form, i, j):
    action = [line.format(n="a") for line in first.action] + [line.format(n="b") for line in second.action]
    head, body = [], []
    if form == "call":
        head = [f"PROC both ({first.formal.format(n='a')}, {second.formal.format(n='b')}, INT sum)", "  SEQ"]
        head += ["    " + line for line in action] + ["    sum := sum + 0", ":"]
        body = [f"both ({first.element.format(i='i')}, {second.element.format(i='j')}, sum)"]
    else:
        for kind, name, index in ((first, "a", "i"), (second, "b", "j")):
            body.append((kind.retypes or "{n} IS " + kind.element + ":").format(n=name, i=index))
        body += ["SEQ"] + ["  " + line for line in action]
    lines = ['#INCLUDE "course.module"', *head, "PROC main (CHAN BYTE screen!)", "  MOBILE []MOBILE []MOBILE []INT d:", "  INT i, j, sum:", "  SEQ",
             f"    i, j, sum := {i}, {j}, 0", f"    d := MOBILE [{ROWS}]MOBILE []MOBILE []INT", f"    SEQ r = 0 FOR {ROWS}", "      SEQ",
             f"        d[r] := MOBILE [{COLUMNS}]MOBILE []INT", f"        SEQ k = 0 FOR {COLUMNS}", "          SEQ",
             f"            d[r][k] := MOBILE [{LENGTH}]INT", f"            SEQ at = 0 FOR {LENGTH}", "              d[r][k][at] := ((r * 100) + (k * 10)) + at",
             *("    " + line for line in body), f"    SEQ r = 0 FOR {ROWS}", f"      SEQ k = 0 FOR {COLUMNS}", f"        SEQ at = 0 FOR {LENGTH}",
             "          SEQ", "            out.int (d[r][k][at], 0, screen!)", "            out.string (\" \", 0, screen!)", ":"]
    return "\n".join(lines) + "\n"


def wanted(first, second, i, j):
    """What the program prints, or None: it stops."""
    if (first.is_written or second.is_written) and first.cells(i) & second.cells(j):
        return None
    model = [[[r * 100 + k * 10 + at for at in range(LENGTH)] for k in range(COLUMNS)] for r in range(ROWS)]
    first.effect(model, i)
    second.effect(model, j)
    return "".join(f"{value} " for row in model for column in row for value in column)


def cases():
    for first, second in itertools.product(kinds(), repeat=2):
        for form in ("call", "names"):
            if form == "call" or (is_nameable(first) and is_nameable(second) and first.name != "what it holds, read" != second.name):
                for i, j in ((1, 1), (1, 2)):
                    yield first, second, form, i, j


def try_one(case, level, options, folder):
    first, second, form, i, j = case
    source, binary = os.path.join(folder, "p.occ"), os.path.join(folder, "p")
    text = program(*case)
    with open(source, "w") as file:
        file.write(text)
    done = subprocess.run([options.occc, "-w", level, source, "-o", binary], capture_output=True, text=True)
    if done.returncode != 0:
        return f"refused:\n{done.stderr}\n{text}"
    run = subprocess.run([binary], capture_output=True, text=True, timeout=60)
    expected = wanted(first, second, i, j)
    if expected is None:
        is_right = run.returncode == 1 and "overlaps another name" in run.stderr
    else:
        is_right = run.returncode == 0 and run.stdout == expected
    words = f"{first.name}, {second.name}, {form}, {i} {j}, {level}"
    return None if is_right else f"{words}: status {run.returncode}\n{run.stdout}{run.stderr}\nwanted: {expected}\n{text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="a sample of so many; 0: all, at all levels")
    options = parser.parse_args()
    options.occc = os.path.abspath(options.occc)
    everything = [(case, level) for case in cases() for level in LEVELS]
    chosen = random.Random(options.seed).sample(everything, options.count) if options.count else everything
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for case, level in chosen:
            complaint = try_one(case, level, options, folder)
            if complaint:
                wrong += 1
                print(complaint)
    print(f"{len(chosen)} programs, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
