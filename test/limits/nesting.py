#!/usr/bin/env python3
"""Every form of expression, type, construct and directive nested N deep, and every form that has a row of parts with M of them.

Each text is compiled, or refused with one message; never a crash, in seconds and memory that grow as the text does: half as much
nesting must not take less than a sixth of the time of the whole, once that is a second.
usage: nesting.py --occc build/bin/occc [--deep N] [--long M] [--levels 0,2] [--seconds S] [FORM ...]"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

MEMORY = 4 << 30
MAIN = "PROC main (CHAN BYTE screen!)\n"


def process(lines):
    """A program with these lines as its process."""
    return MAIN + "  INT x:\n  BOOL b:\n  [4]INT a:\n" + "".join(f"  {line}\n" for line in ["SEQ", "  x := 0", "  b := TRUE", "  a[x] := 0", *["  " + line for line in lines]]) + ":\n"


def nested(head, leaf="x := 1", step=1, before=()):
    """A block in a block in ...: `head` is its line, or lines each two columns deeper but the last."""
    def text(n):
        lines, column = list(before), 0
        for _ in range(n):
            for line in head.split("\n"):
                lines.append("  " * column + line)
            column += step
        return process(lines + ["  " * column + leaf])
    return text


def flat(line, head="SEQ"):
    return lambda n: process([head] + ["  " + line.replace("%", str(i)) for i in range(n)])


def joined(first, rest, end=""):
    return lambda n: process([first + rest * n + end])


def broken(first, rest, last, end=""):
    """The same over many lines."""
    return lambda n: process([first] + ["  " + rest] * n + ["  " + last + end])


def procs(n):
    """PROCs in PROCs."""
    lines = []
    for i in range(n):
        lines.append("  " * i + f"PROC p{i} ()")
    lines.append("  " * n + "SKIP")
    for i in reversed(range(n)):
        lines.append("  " * i + ":")
        lines.append("  " * i + ("SKIP" if i == 0 else f"p{i} ()"))
    return MAIN + "".join(f"  {line}\n" for line in lines) + ":\n"


def records(n):
    text = "DATA TYPE r0\n  RECORD\n    INT f:\n:\n"
    for i in range(1, n):
        text += f"DATA TYPE r{i}\n  RECORD\n    r{i - 1} f:\n:\n"
    return text + MAIN + f"  r{n - 1} v:\n  v" + "[f]" * n + " := 1\n:\n"


def types(n):
    return "DATA TYPE t0 IS INT:\n" + "".join(f"DATA TYPE t{i} IS [1]t{i - 1}:\n" for i in range(1, n)) + MAIN + f"  t{n - 1} v:\n  SKIP\n:\n"


def mobiles(n):
    return MAIN + "  " + "MOBILE []" * n + "INT v:\n  SKIP\n:\n"


def valofs(n):
    """VALOFs in brackets, each the RESULT of the one around it."""
    lines, column, first = [], 0, "x := "
    for _ in range(n):
        lines += [" " * column + first + "(VALOF", " " * (column + len(first) + 3) + "SKIP"]
        column, first = column + len(first) + 3, "RESULT "
    lines.append(" " * column + first + "x")
    for _ in range(n):
        column -= 3
        lines.append(" " * column + ")")
        column -= len("RESULT ")
    return process(lines)


def functions(n):
    """FUNCTIONs in the VALOFs of FUNCTIONs."""
    lines = []
    for i in range(n):
        lines.append("  " * i + f"INT FUNCTION f{i} (VAL INT z)")
    lines += ["  " * n + "VALOF", "  " * n + "  SKIP", "  " * n + "  RESULT 1"]
    for i in reversed(range(n)):
        lines.append("  " * i + ":")
        lines += ["  " * i + "VALOF", "  " * i + "  SKIP", "  " * i + f"  RESULT f{i} (1)"] if i > 0 else []
    return MAIN + "".join(f"  {line}\n" for line in lines) + "  SKIP\n:\n"


def extensions(n):
    """Protocols, each of which extends the one before."""
    text = "PROTOCOL P0\n  CASE\n    t0\n:\n"
    for i in range(1, n):
        text += f"PROTOCOL P{i} EXTENDS P{i - 1}\n  CASE\n    t{i}\n:\n"
    return text + MAIN + f"  CHAN P{n - 1} c:\n  PAR\n    c ! t0\n    c ? CASE\n      t0\n        SKIP\n:\n"


def units(n):
    return "".join(f"PROC p{i} (VAL INT x)\n  {'SKIP' if i == 0 else f'p{i - 1} (x)'}\n:\n" for i in range(n)) + MAIN + f"  p{n - 1} (1)\n:\n"


DEEP = {
    "brackets": lambda n: process(["x := " + "(" * n + "1" + ")" * n]),
    "sums": lambda n: process(["x := " + "(1 PLUS " * n + "1" + ")" * n]), "sums to the left": lambda n: process(["x := " + "(" * n + "1" + " PLUS x)" * n]),
    "minus": lambda n: process(["x := " + "-(" * n + "x" + ")" * n]), "not": lambda n: process(["b := " + "NOT (" * n + "b" + ")" * n]),
    "bitnot": lambda n: process(["x := " + "~ (" * n + "x" + ")" * n]),
    "and in or": lambda n: process(["b := " + "(b AND (b OR " * (n // 2) + "b" + "))" * (n // 2)]),
    "comparisons": lambda n: process(["b := " + "(TRUE = " * n + "b" + ")" * n]), "conversions": lambda n: process(["x := " + "INT (INT64 (" * (n // 2) + "x" + "))" * (n // 2)]),
    "subscripts": lambda n: process(["x := " + "a[" * n + "x" + "]" * n]), "subscripts written": lambda n: process(["a[" * n + "x" + "]" * n + " := 1"]),
    "segments": lambda n: process(["x := " + "[" * n + "a" + " FROM 0 FOR 2]" * n + "[0]"]), "tables": lambda n: process(["VAL v IS " + "[" * n + "1" + "]" * n + ":", "x := 2"]),
    "sizes": lambda n: process(["x := " + "SIZE [" * n + "x" + "]" * n]), "calls": lambda n: process(["INT FUNCTION f (VAL INT z) IS z:", "x := " + "f (" * n + "x" + ")" * n]),
    "clones": lambda n: process(["MOBILE INT m:", "m := " + "CLONE (" * n + "m" + ")" * n]),
    "dimensions": lambda n: process(["[1]" * n + "INT v:", "SKIP"]), "records": records, "types": types, "mobile types": mobiles, "procs": procs,
    "seq": nested("SEQ"), "par": nested("PAR"), "seq for": nested("SEQ i = 0 FOR 1"), "par for": nested("PAR i = 0 FOR 1"), "while": nested("WHILE b"),
    "if": nested("IF\n  TRUE", step=2), "if in if": lambda n: process(["  " * i + "IF" for i in range(n)] + ["  " * n + "TRUE", "  " * n + "  x := 1"]),
    "if for": nested("IF i = 0 FOR 1\n  TRUE", step=2), "case": nested("CASE x\n  ELSE", step=2), "alt": nested("PRI ALT\n  TRUE & SKIP", step=2),
    "alt in alt": lambda n: process(["  " * i + "PRI ALT" for i in range(n)] + ["  " * n + "TRUE & SKIP", "  " * n + "  x := 1"]),
    "specifications": nested("VAL INT y IS 1:\nSEQ"), "abbreviations": lambda n: process(["y0 IS x:"] + [f"y{i} IS y{i - 1}:" for i in range(1, n)] + [f"y{n - 1} := 1"]),
    "conditions": lambda n: "".join("  " * 0 + "#IF TRUE\n" for _ in range(n)) + MAIN + "  SKIP\n:\n" + "#ENDIF\n" * n,
    "conditions in brackets": lambda n: "#IF " + "(" * n + "TRUE" + ")" * n + "\n#ENDIF\n" + MAIN + "  SKIP\n:\n",
    "conditions negated": lambda n: "#IF " + "NOT (" * n + "TRUE" + ")" * n + "\n#ENDIF\n" + MAIN + "  SKIP\n:\n",
    "calls of procs": units, "valofs": valofs, "functions": functions, "protocols that extend": extensions,
    "constructors": lambda n: process(["VAL v IS " + "[i = 0 FOR 1 | " * n + "1" + "]" * n + ":", "x := 2"]),
    "retypes": lambda n: process(["y0 RETYPES x:"] + [f"INT y{i} RETYPES y{i - 1}:" for i in range(1, n)] + [f"y{n - 1} := 1"]).replace("y0 RET", "INT y0 RET"),
    "reshapes": lambda n: process(["[2][2]INT y0 RESHAPES a:"] + [f"{'[4]' if i % 2 else '[2][2]'}INT y{i} RESHAPES y{i - 1}:" for i in range(1, n)] + ["SKIP"]),
    "initial": lambda n: process(["INITIAL INT y0 IS x:"] + [f"INITIAL INT y{i} IS y{i - 1}:" for i in range(1, n)] + [f"x := y{n - 1}"]),
    "constants of constants": lambda n: process(["VAL y0 IS 1:"] + [f"VAL y{i} IS y{i - 1} PLUS 1:" for i in range(1, n)] + [f"x := y{n - 1}"]),
    "forking": nested("FORKING"), "shifts": lambda n: process(["x := " + "(" * n + "x" + " << 1)" * n]),
    "after": lambda n: process(["b := " + "(" * n + "b" + " = (x AFTER x))" * n]), "roundings": lambda n: process(["x := " + "INT TRUNC (REAL32 ROUND (" * (n // 2) + "x" + "))" * (n // 2)]),
}
LONG = {
    "and": joined("b := b", " AND b"), "or": joined("b := b", " OR b"), "and of comparisons": joined("b := (x = 1)", " AND (x <> 2)"),
    "or of a choice": lambda n: process(["IF", "  (x = 1)" + " OR (x <> 2)" * n, "    x := 1", "  TRUE", "    SKIP"]),
    "and over lines": broken("b :=", "b AND", "b"), "statements": flat("x := %"), "choices": lambda n: process(["IF"] + [f"  x = {i}\n        x := {i}" for i in range(n)]),
    "options": lambda n: process(["CASE x"] + [f"  {i}\n        x := {i}" for i in range(n)]), "option values": lambda n: process(["CASE x", "  " + ", ".join(map(str, range(n))), "    x := 1"]),
    "table": lambda n: process(["VAL v IS [1" + ", 1" * n + "]:", "x := v[x]"]), "table of values": lambda n: process([f"[{n + 1}]INT v:", "v := [x" + ", x" * n + "]"]),
    "string": lambda n: process(['VAL v IS "' + "s" * n + '":', "x := SIZE v"]), "variables": lambda n: process(["INT " + ", ".join(f"v{i}" for i in range(n)) + ":", "SKIP"]),
    "constants": lambda n: process([f"VAL c{i} IS {i}:" for i in range(n)] + ["SKIP"]), "comments": lambda n: process(["-- a"] * n + ["SKIP"]),
    "assignments at once": lambda n: process([f"INT {', '.join(f'v{i}' for i in range(n))}:", ", ".join(f"v{i}" for i in range(n)) + " := " + ", ".join("x" for _ in range(n))]),
    "outputs": lambda n: process(["SEQ"] + ["  screen ! 'a'"] * n), "items": lambda n: process(["PROTOCOL P IS INT" + "; INT" * n + ":", "CHAN P c:", "PAR", "  c ! x" + "; x" * n, "  SKIP"]),
    "guards": lambda n: process(["ALT"] + ["  b & SKIP\n        x := 1"] * n), "branches": lambda n: process(["PAR"] + ["  SKIP"] * n),
    "procs": units, "subscripts": lambda n: process(["x := a" + "[0]" * n]), "name": lambda n: process([f"INT {'n' * n}:", f"{'n' * n} := 1"]), "digits": lambda n: process(["x := " + "1" * n]),
    "fields": lambda n: "DATA TYPE R\n  RECORD\n" + "".join(f"    INT f{i}:\n" for i in range(n)) + ":\n" + MAIN + f"  R r:\n  r[f{n - 1}] := 1\n:\n",
    "tags": lambda n: "PROTOCOL P\n  CASE\n" + "".join(f"    t{i}\n" for i in range(n)) + ":\n" + MAIN + f"  CHAN P c:\n  PAR\n    c ! t{n - 1}\n    c ? CASE\n      t{n - 1}\n        SKIP\n:\n",
    "variants": lambda n: "PROTOCOL P\n  CASE\n" + "".join(f"    t{i}\n" for i in range(n)) + ":\n" + MAIN + "  CHAN P c:\n  PAR\n    c ! t0\n    c ? CASE\n"
                          + "".join(f"      t{i}\n        SKIP\n" for i in range(n)) + ":\n",
    "formals": lambda n: "PROC p (VAL INT " + ", ".join(f"v{i}" for i in range(n)) + ")\n  SKIP\n:\n" + MAIN + "  p (" + ", ".join("1" for _ in range(n)) + ")\n:\n",
    "results": lambda n: ", ".join("INT" for _ in range(n)) + " FUNCTION f () IS " + ", ".join("1" for _ in range(n)) + ":\n" + MAIN + "  SKIP\n:\n",
    "else ifs": lambda n: "#IF FALSE\n" + "#ELIF FALSE\n" * n + "#ENDIF\n" + MAIN + "  SKIP\n:\n", "string over lines": lambda n: process(['VAL v IS "a*', *['  *a*'] * n, '  *":', "x := SIZE v"]),
    "types": lambda n: "".join(f"DATA TYPE T{i} IS INT:\n" for i in range(n)) + MAIN + f"  T{n - 1} t:\n  SKIP\n:\n", "delays": lambda n: process(["TIMER t:", "SEQ"] + ["  t ? AFTER x"] * n),
    "defines": lambda n: "".join(f"#DEFINE N{i}\n" for i in range(n)) + MAIN + "  SKIP\n:\n", "and in a condition": lambda n: "#IF TRUE" + " AND TRUE" * n + "\n#ENDIF\n" + MAIN + "  SKIP\n:\n",
}


def used():
    """Seconds of processors that what was run so far has taken: others may be at work too."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def compile_one(occc, text, level, folder, seconds):
    """(seconds, complaint, message)"""
    with open(f"{folder}/n.occ", "w", encoding="ascii") as file:
        file.write(text)
    started = used()
    try:
        done = subprocess.run([occc, "-w", f"-O{level}", f"{folder}/n.occ", "-o", f"{folder}/n"], capture_output=True, text=True, timeout=5 * seconds,
                              preexec_fn=limits, check=False, env=dict(os.environ, TMPDIR=folder, NO_COLOR="1"))
    except subprocess.TimeoutExpired:
        return float(seconds), f"more than {seconds} s", ""
    taken = used() - started
    errors = [line[:300] for line in done.stderr.split("\n") if "error[" in line or "internal error" in line or "error:" in line]
    if taken > seconds:
        return taken, f"{taken:.0f} s", ""
    if done.returncode not in (0, 1):
        return taken, f"status {done.returncode}: {' '.join(errors)[:300] or done.stderr[:300]}", ""
    if done.returncode == 1 and len(errors) != 1:
        return taken, f"{len(errors)} messages: {errors[:2]}", ""
    return taken, None, "" if done.returncode == 0 else re.sub(r".*error", "error", errors[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--deep", type=int, default=1000)
    parser.add_argument("--long", type=int, default=100000)
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--times", action="store_false", help="judge the times of texts half as long, too")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("forms", nargs="*")
    words = parser.parse_args()
    occc, wrong, count = os.path.abspath(words.occc), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, forms, size in (("deep", DEEP, words.deep), ("long", LONG, words.long)):
            for name, form in forms.items():
                if words.forms and name not in words.forms:
                    continue
                for level in words.levels.split(","):
                    half = compile_one(occc, form(size // 2), level, folder, words.seconds)[0] if words.times else 0
                    taken, complaint, said = compile_one(occc, form(size), level, folder, words.seconds)
                    if not complaint and taken > 1 and half > 0 and taken > 6 * half:
                        complaint = f"{half:.1f} s for half of it, {taken:.1f} s for the whole"
                    count += 1
                    if complaint or words.verbose:
                        print(f"{'WRONG: ' if complaint else ''}{kind} {size} {name} -O{level}: {complaint or f'{taken:.1f} s'} {said}", flush=True)
                    wrong += complaint is not None
    print(f"{count} texts, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
