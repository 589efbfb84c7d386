#!/usr/bin/env python3
"""Programs that are large for the usage check, one by name: python3 large_par.py NAME."""

import sys


def nested(count, subscript, kinds=("PAR",) * 10):
    lines = ["PROC p (VAL INT n, []INT x)"]
    for k, kind in enumerate(kinds):
        lines.append(f"{'  ' * (k + 1)}{kind} i{k} = 0 FOR {count}")
    return lines + [f"{'  ' * (len(kinds) + 1)}x[{subscript}] := 1", ":"]


def flat(size, count=10):
    at = "i0"
    for k in range(1, count):
        at = f"(({at}) * {size}) + i{k}"
    return at


def total(count=10):
    at = "i0"
    for k in range(1, count):
        at = f"({at}) + i{k}"
    return at


def branches(subscript, count=10000):
    return ["PROC p (VAL INT n, []INT x)", "  PAR", *(f"    x[{subscript.format(k)}] := {k}" for k in range(count)), ":"]


def accesses(subscript, loops, count=1000):
    lines = ["PROC p (VAL INT n, w, []INT x)", *loops, "      SEQ"]
    return lines + [f"        x[{subscript.format(k)}] := {k}" for k in range(count)] + [":"]


def conditions(count=20):
    parts = " AND ".join(f"(((i \\ {k + 2}) <> 1) OR ((j \\ {k + 3}) <> 0))" for k in range(count))
    lines = ["PROC p (VAL INT n, w, []INT x)", "  PAR i = 0 FOR n", "    SEQ j = 0 FOR w", "      IF", "        " + parts]
    return lines + ["          x[(i * 7) + (j \\ 9)] := 1", "        TRUE", "          SKIP", ":"]


ROUTINE = """PROC p{0} (VAL INT n, w, []INT x, [][]INT t)
  SEQ
    PAR i = 0 FOR n
      SEQ j = 0 FOR w
        x[(i * w) + j] := i
    PAR i = 0 FOR n
      IF
        (i \\ 2) = 0
          x[i + 1] := x[i] + 1
        TRUE
          SKIP
    PAR i = 1 FOR n
      SEQ j = 0 FOR w
        t[i][j] := j
    PAR
      SEQ i = 0 FOR n
        x[2 * i] := 1
      SEQ i = 0 FOR n
        x[(2 * i) + {1}] := 1
:"""



def phases(count=20):
    """So many NEXTs in a loop; in each phase all of ten arrays are read or written."""
    formals = ", ".join(f"a{k}" for k in range(10))
    lines = [f"PROC p (VAL INT n, steps, []INT {formals})", "  CLOCK c:", "  PAR i = 1 FOR n ENROLL c"]
    lines += ["    SEQ t = 0 FOR steps", "      SEQ"]
    for k in range(count):
        for to in range(k % 2, 10, 2):
            by = (to + 1) % 10
            lines.append(f"        a{to}[i] := a{by}[i - 1] + a{by}[i + 1]")
        lines.append("        NEXT c")
    return lines + [":"]


def red_and_black(count=20):
    """The same with grids: the cells of one colour read those of the other."""
    formals = ", ".join(f"a{k}" for k in range(10))
    lines = [f"PROC p (VAL INT n, steps, [][]INT {formals})", "  CLOCK c:", "  PAR i = 1 FOR n ENROLL c"]
    lines += ["    SEQ t = 0 FOR steps", "      SEQ"]
    for k in range(count):
        lines += ["        SEQ j = 1 FOR n", "          IF", f"            ((i + j) \\ 2) = {k % 2}", "              SEQ"]
        for a in range(10):
            around = f"(a{a}[i - 1][j] + a{a}[i + 1][j]) + (a{a}[i][j - 1] + a{a}[i][j + 1])"
            lines.append(f"                a{a}[i][j] := {around}")
        lines += ["            TRUE", "              SKIP", "        NEXT c"]
    return lines + [":"]


def colours(count=200):
    """A phase for each of four colours, again and again."""
    lines = ["PROC p (VAL INT n, steps, [][]INT a)", "  CLOCK c:", "  PAR i = 1 FOR n ENROLL c"]
    lines += ["    SEQ t = 0 FOR steps", "      SEQ"]
    for k in range(count):
        lines += ["        SEQ j = 1 FOR n", "          IF", f"            ((i + j) /\\ 3) = {k % 4}"]
        lines += ["              a[i][j] := a[i - 1][j] + a[i][j - 1]", "            TRUE", "              SKIP", "        NEXT c"]
    return lines + [":"]


def clocks(count=300):
    """Branches on all of them that go on with one after the other."""
    lines = ["PROC p (VAL INT n, []INT x)", *(f"  CLOCK c{k}:" for k in range(count))]
    lines += ["  PAR i = 0 FOR n ENROLL " + ", ".join(f"c{k}" for k in range(count)), "    SEQ"]
    for k in range(count):
        lines += [f"      x[(i * {count}) + {k}] := 1", f"      NEXT c{k}"]
    return lines + [":"]


def clocks_apart(count=300):
    lines = ["PROC p (VAL INT n, []INT x)", "  PAR"]
    for k in range(count):
        lines += [f"    CLOCK c{k}:", f"    PAR i = 0 FOR n ENROLL c{k}", "      SEQ", f"        x[(i * {count}) + {k}] := 1"]
        lines += [f"        NEXT c{k}", f"        x[((i \\ n) * {count}) + {k}] := 2"]
    return lines + [":"]


def web(count=200):
    lines = []
    for k in range(count):
        lines += [f"PROC q{k} (VAL INT k, []INT x, y)", "  SEQ", f"    x[k + {k}] := y[k]"]
        lines += [f"    q{k - by} (k, {'y, x' if by % 2 else 'x, y'})" for by in (1, 2, 5, 13) if by <= k]
        lines.append(":")
    return lines + ["PROC p (VAL INT n, []INT x, y)", "  PAR i = 0 FOR n", f"    q{count - 1} (i * 1000, x, y)", ":"]


def nested_procs(count=200):
    lines = ["PROC q0 (VAL INT k, []INT x)", "  x[k] := 1", ":"]
    for k in range(1, count):
        lines += [f"PROC q{k} (VAL INT k, []INT x)", "  SEQ i = 0 FOR k", f"    q{k - 1} (k + i, x)", ":"]
    return lines + ["PROC p (VAL INT n, []INT x)", "  PAR i = 0 FOR n", f"    q{count - 1} (i, x)", ":"]


def called_under_a_condition(count=250):
    """Each PROC writes a block of its own and calls the one before it, under one more condition."""
    lines = []
    for k in range(count):
        lines += [f"PROC p{k} ([]INT x, VAL INT n)", "  IF", f"    n > {k}", "      SEQ", "        VAL INT from IS n * 10:",
                  "        SEQ i = from FOR n", f"          x[i] := {k}", *([f"        p{k - 1} (x, n + 1)"] if k else []), "    TRUE", "      SKIP", ":"]
    return lines + ["PROC main (VAL INT n, []INT x)", "  PAR i = 0 FOR n", f"    p{count - 1} (x, i)", ":"]


def calls(count=10000):
    lines = ["PROC q (VAL INT k, []INT x)", "  SEQ j = 0 FOR 10", "    x[(k * 10) + j] := 1", ":"]
    return lines + ["PROC p ([]INT x)", "  PAR", *(f"    q ({k}, x)" for k in range(count)), ":"]


def deep_conditions(count=50):
    lines = ["PROC p (VAL INT n, []INT x)", "  PAR i = 0 FOR n"]
    for k in range(count):
        lines += [f"{'    ' * (k + 1)}IF", f"{'    ' * (k + 1)}  (i \\ {k + 2}) <> {k % 3}"]
    lines.append(f"{'    ' * (count + 1)}x[i / 2] := 1")
    for k in reversed(range(count)):
        lines += [f"{'    ' * (k + 1)}  TRUE", f"{'    ' * (k + 1)}    x[i + {k}] := 2"]
    return lines + [":"]


def unproved(count=300):
    lines = ["PROC p (VAL INT n, w, []INT x)", "  SEQ"]
    for k in range(count):
        lines += ["    PAR i = 0 FOR n", f"      SEQ j = 0 FOR {k + 2}", f"        x[((i * w) + (j * {k + 3})) \\ {k + 50}] := {k}"]
    return lines + [":"]


def doubling_values(count=40):
    """Written out the subscript would be longer than anything."""
    lines = ["PROC p (VAL INT n, []INT x)", "  CLOCK c:", "  PAR i = 0 FOR n ENROLL c", "    VAL INT v0 IS i:"]
    lines += [f"    VAL INT v{k} IS (v{k - 1} + v{k - 1}) \\ 1000:" for k in range(1, count)]
    return lines + ["    SEQ", f"      x[v{count - 1}] := 1", "      NEXT c", ":"]


def doubling_calls(count=40):
    lines = ["PROC q0 (VAL INT k, []INT x)", "  x[k] := 1", ":"]
    for k in range(1, count):
        lines += [f"PROC q{k} (VAL INT k, []INT x)", f"  q{k - 1} (k + (k /\\ 3), x)", ":"]
    return lines + ["PROC p (VAL INT n, []INT x)", "  PAR i = 0 FOR n", f"    q{count - 1} (i, x)", ":"]


GRID = ["  PAR i = 0 FOR n", "    SEQ j = 0 FOR w"]
SQUARE = ["  PAR i = 0 FOR 1000", "    SEQ j = 0 FOR 1000"]

PROGRAMS = {
    "ten-dimensions-in-one": lambda: nested("n", flat("n")),
    "ten-dimensions-in-one-by-constants": lambda: nested(4, flat(4)),
    "sum-of-ten-indices": lambda: nested("n", total()),
    "sum-of-ten-indices-by-constants": lambda: nested(10, total(), ("PAR",) + ("SEQ",) * 9),
    "ten-thousand-branches": lambda: branches("{0}"),
    "ten-thousand-branches-from-a-base": lambda: branches("n + {0}"),
    "ten-thousand-branches-not-known-apart": lambda: branches("(n * {0}) + {0}"),
    "thousand-accesses": lambda: accesses("(i * 1000) + {0}", ["  PAR i = 0 FOR n", "    SEQ"]),
    "thousand-accesses-in-a-grid": lambda: accesses("(((i * w) + j) * 1000) + {0}", GRID),
    "thousand-accesses-not-known-apart": lambda: accesses("(i * 1000) + (((j * j) + {0}) \\ 1000)", SQUARE),
    "forty-conditions": conditions,
    "twenty-phases-of-ten-arrays": phases,
    "twenty-phases-of-ten-grids": red_and_black,
    "two-hundred-phases-of-four-colours": colours,
    "three-hundred-clocks": clocks,
    "three-hundred-clocks-apart": clocks_apart,
    "two-hundred-procs-that-call-four-others": web,
    "two-hundred-procs-in-a-loop-each": nested_procs,
    "procs-under-conditions-that-call-each-other": called_under_a_condition,
    "ten-thousand-calls": calls,
    "conditions-fifty-deep": deep_conditions,
    "three-hundred-pars-not-known-apart": unproved,
    "values-that-double": doubling_values,
    "calls-that-double": doubling_calls,
    "five-thousand-lines": lambda: "\n".join(ROUTINE.format(k, 2 * k + 1) for k in range(264)).split("\n"),
}

if __name__ == "__main__":
    print("\n".join(PROGRAMS[sys.argv[1]]()))
