#!/usr/bin/env python3
"""How the time to compile grows with the length of a text: four times the length takes at most six times as long.

Processor time, less that of an empty program; a text that takes less than a second is not judged, and one that takes too
long only if a text four times as long does so too: beyond some length LLVM goes another way, which is a step and no growth. Forms are the long ones of
nesting.py and those here, where every process is a construct; of PARs there are fewer. A SEQ or IF of
more than 2 000 is made in parts, so the shorter text is longer than that.
usage: growth.py --occc build/bin/occc [--count N] [--levels 0,2] [--verbose] [FORM ...]"""

import argparse
import os
import sys
import tempfile

from nesting import LONG, MAIN, compile_one, flat, process

LIMIT = 6
JUDGED = 1.0  # seconds
SECONDS = 600


def declared(n):
    lines = [f"INT v{i}:" for i in range(n)]
    return process(lines + ["SEQ"] + [f"  v{i} := x" for i in range(n)] + [f"  x := v{i}" for i in range(n)])


def messages(n):
    return process(["CHAN INT c:", "PAR", "  SEQ"] + ["    c ! x"] * n + ["  INT y:", "  SEQ"] + ["    c ? y"] * n)


def calls(n):
    return process(["PROC p (VAL INT z, INT r)", "  r := r PLUS z", ":", "SEQ"] + ["  p (1, x)"] * n)


def numbered(n):
    text = "".join(f"PROC p{i} (INT x)\n  x := x PLUS {i}\n:\n" for i in range(n))
    return text + MAIN + "  INT x:\n  SEQ\n    x := 0\n" + "".join(f"    p{i} (x)\n" for i in range(n)) + ":\n"


# name: (text, by which the count is divided)
FORMS = {
    "declarations": (flat("INT y:\n      SEQ\n        y := x\n        x := y PLUS %"), 1), "declared before": (declared, 1),
    "long options": (lambda n: process(["CASE x"] + [f"  {i}\n        SEQ\n          a[x /\\ 3] := {i}\n          x := a[x /\\ 3]" for i in range(n)]), 1),
    "ifs": (flat("IF\n        x > %\n          a[x /\\ 3] := 1\n        TRUE\n          x := 2"), 1), "whiles": (flat("WHILE x < %\n        x := x + 1"), 1),
    "seqs for": (flat("SEQ i = 0 FOR 4\n        a[i] := x"), 1), "messages": (messages, 1), "alts": (flat("PRI ALT\n        b & SKIP\n          x := %"), 1),
    "pars": (flat("PAR\n        a[0] := x\n        a[1] := x"), 20), "pars for": (flat("PAR i = 0 FOR 4\n        a[i] := x"), 20), "calls": (calls, 1),
    "procs each called": (numbered, 1),
}
FORMS.update({name: (form, 1) for name, form in LONG.items()})

TOO_LONG = f"more than {LIMIT} times as long"


def look(occc, form, level, folder, count):
    """Two lengths, the times they take, and what is wrong with that, or None."""
    sizes = (count, 4 * count)
    empty, *made = (compile_one(occc, form(n), level, folder, SECONDS) for n in (1, *sizes))
    times = [one[0] - empty[0] for one in made]
    is_long = times[1] > JUDGED and times[1] > LIMIT * max(times[0], 0.01)
    return sizes, times, made[0][1] or made[1][1] or (TOO_LONG if is_long else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--count", type=int, default=2500, help="of parts in the shorter text")
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("forms", nargs="*")
    words = parser.parse_args()
    occc, wrong, judged = os.path.abspath(words.occc), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in words.forms or FORMS:
            form, divisor = FORMS[name]
            count = words.count // divisor
            for level in words.levels.split(","):
                sizes, times, faults = look(occc, form, level, folder, count)
                if faults is TOO_LONG:
                    sizes, times, faults = look(occc, form, level, folder, 4 * count)
                judged += 1
                wrong += faults is not None
                if faults or words.verbose:
                    print(f"{'WRONG: ' if faults else ''}{name} -O{level}: {sizes[0]}: {times[0]:.2f} s, {sizes[1]}: {times[1]:.2f} s {faults or ''}", flush=True)
    print(f"{judged} forms at a level, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
