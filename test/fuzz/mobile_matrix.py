#!/usr/bin/env python3
"""mobile_matrix -- every kind of mobile moved in every way, defined or not, tried in programs that check themselves.

Owns:   the kinds (how one is declared, made and looked into), the ways (assignment, output, protocols, guards, parameters,
        FORK, fields, elements, results, boxes), and the program that takes one kind all the ways.
Leaves: compiling and running to the arguments: --occc, --level.
Holds:  after a move the target has what the source had, a defined or an undefined mobile, and the source has nothing. A
        program prints one line: the names of the ways that were not so.
"""
import argparse
import os
import subprocess
import sys
import tempfile

TYPES = '''CHAN TYPE BUF
  MOBILE RECORD
    CHAN INT c?:
:
DATA TYPE PARTS
  MOBILE RECORD
    INT a, b, c:
    MOBILE []INT m:
:
REC DATA TYPE TREE
  MOBILE RECORD
    INT key:
    TREE left, right:
    MOBILE []TREE more:
:
DATA TYPE FLAT
  MOBILE RECORD
    INT a, b, c:
:
PROC TYPE ACT (INT x):
MOBILE PROC act (INT x) IMPLEMENTS ACT
  WHILE TRUE
    SEQ
      x := 7
      SUSPEND
:
'''

# name: (type, lines that make x, lines that set good when x holds what was made). A barrier or clock that is sent enrols the
# receiver as well: one process would wait for itself.
KINDS = {
    "array": ("MOBILE []INT", ["x := MOBILE [3]INT", "x[2] := 7"], ["good := ((SIZE x) = 3) AND (x[2] = 7)"]),
    "bytes": ("MOBILE []BYTE", ["x := \"seven\""], ["good := ((SIZE x) = 5) AND (x[4] = 'n')"]),
    "matrix": ("MOBILE [][]INT", ["x := MOBILE [2][3]INT", "x[1][2] := 7"], ["good := ((SIZE x[0]) = 3) AND (x[1][2] = 7)"]),
    "nested": ("MOBILE []MOBILE []INT", ["x := MOBILE [2]MOBILE []INT", "x[1] := [1, 7]"], ["good := (SIZE x[1]) = 2"]),
    "scalar": ("MOBILE INT", ["x := 7"], ["good := x = 7"]),
    "real": ("MOBILE REAL64", ["x := 7.0"], ["good := x = 7.0"]),
    "byte": ("MOBILE BYTE", ["x := 'n'"], ["good := x = 'n'"]),
    "fixed": ("MOBILE [4]INT", ["x := [1, 2, 3, 7]"], ["good := x[3] = 7"]),
    "flat": ("MOBILE FLAT", ["x[a] := 1", "x[b] := 2", "x[c] := 7"], ["good := x[c] = 7"]),
    "record": ("MOBILE PARTS", ["x[a] := 1", "x[b] := 2", "x[c] := 3", "x[m] := [1, 7]"], ["good := (SIZE x[m]) = 2"]),
    "tree": ("MOBILE TREE", ["x := MOBILE TREE", "x[left] := MOBILE TREE", "x[more] := MOBILE [2]TREE", "x[more][1] := MOBILE TREE",
                             "x[more][1][key] := 7"],
             ["good := ((DEFINED x[left]) AND (NOT (DEFINED x[right]))) AND (x[more][1][key] = 7)"]),
    "client": ("BUF!", ["BUF? other:", "x, other := MOBILE BUF"],
               ["good := TRUE"]),
    "server": ("BUF?", ["BUF! other:", "other, x := MOBILE BUF"], ["good := TRUE"]),
    "process": ("MOBILE ACT", ["x := MOBILE act"], ["INT y:", "x (y)", "good := y = 7"]),
    "started": ("MOBILE ACT", ["x := MOBILE act", "INT z:", "x (z)"], ["INT y:", "x (y)", "good := y = 7"]),
    "barrier": ("MOBILE BARRIER", ["x := MOBILE BARRIER"], ["good := DEFINED x"]),
    "clock": ("MOBILE CLOCK", ["x := MOBILE CLOCK"], ["good := (PHASE x) = 0"]),
    "anyend": ("MOBILE.CHAN", ["BUF! e:", "BUF? other:", "e, other := MOBILE BUF", "x := e"], ["BUF! e:", "e := x", "good := DEFINED e"]),
    "anyproc": ("MOBILE.PROC", ["MOBILE ACT e:", "e := MOBILE act", "x := e"], ["MOBILE ACT e:", "e := x", "good := DEFINED e"]),
    "any": ("MOBILE.ANY", ["MOBILE []INT e:", "e := [1, 7]", "x := e"], ["MOBILE []INT e:", "e := x", "good := e[1] = 7"]),
    "channels": ("MOBILE []CHAN INT", ["x := MOBILE [2]CHAN INT"], ["good := (SIZE x) = 2"]),
}

def seq(lines, depth):
    """Statements and declarations as a nest of SEQs."""
    pad = "  " * depth
    if any(line.endswith(":") for line in lines):
        text = []
        inner = depth
        text.append("  " * inner + "SEQ")
        inner += 1
        for i, line in enumerate(lines):
            text.append("  " * inner + line)
            if line.endswith(":") and i + 1 < len(lines) and not lines[i + 1].endswith(":"):
                text.append("  " * inner + "SEQ")
                inner += 1
        return text
    return [pad + "SEQ"] + [pad + "  " + line for line in lines]


def ways(kind, type_name):
    """name: (declarations, lines that take what s has to t)."""
    result = {
        "assign": ([], ["t := s"]),
        "twice": ([f"{type_name} u:"], ["u := s", "t := u"]),
        "over": ([], ["make (t)", "t := s"]),
        "multiple": ([f"{type_name} u:"], ["t, u := s, t"]),
        "send": ([f"CHAN {type_name} ch:"], ["PAR", "  ch ! s", "  ch ? t"]),
        "send-over": ([f"CHAN {type_name} ch:"], ["SEQ", "  make (t)", "  PAR", "    ch ! s", "    ch ? t"]),
        "sequence": ([f"CHAN SEQUENCE ch:"], ["INT n:", "PAR", "  ch ! 5; s", "  ch ? n; t"]),
        "tag": ([f"CHAN CHOICE ch:"], ["INT n:", "PAR", "  ch ! one; s", "  ch ? CASE", "    none", "      SKIP", "    one; t", "      SKIP",
                                        "    two; n; t", "      STOP"]),
        "tag-two": ([f"CHAN CHOICE ch:"], ["INT n:", "PAR", "  ch ! two; 4; s", "  ch ? CASE two; n; t"]),
        "input-guard": ([f"CHAN {type_name} ch:"], ["PAR", "  ch ! s", "  ALT", "    ch ? t", "      SKIP"]),
        "output-guard-waits": ([f"CHAN {type_name} ch:"],
                               ["PAR", "  ALT", "    ch ! s", "      SKIP", "  SEQ", "    pause ()", "    ch ? t"]),
        "output-guard-ready": ([f"CHAN {type_name} ch:"],
                               ["PAR", "  SEQ", "    pause ()", "    ALT", "      ch ! s", "        SKIP", "  ch ? t"]),
        "output-guard-not-chosen": ([f"CHAN {type_name} ch:", "CHAN INT other:"],
                                    ["SEQ", "  PAR", "    PRI ALT", "      other ! 1", "        SKIP", "      ch ! s", "        STOP",
                                     "    INT n:", "    other ? n", "  t := s"]),
        "output-guard-tag": ([f"CHAN CHOICE ch:"],
                             ["INT n:", "PAR", "  ALT", "    ch ! two; 3; s", "      SKIP", "  SEQ", "    pause ()",
                              "    ch ? CASE two; n; t"]),
        "guards-of-many": ([f"[3]CHAN {type_name} ch:", f"[3]{type_name} u:"],
                           ["SEQ", "  u[1] := s", "  PAR", "    ALT i = 0 FOR 3", "      ch[i] ! u[i]", "        SKIP", "    ch[1] ? t"]),
        "extended": ([f"CHAN {type_name} ch:"], ["PAR", "  ch ! s", "  ch ?? t", "    SKIP"]),
        "pass": ([], ["hand (s, t)"]),
        "pass-on": ([], ["through (s, t)"]),
        "result": ([], ["t := give (s)"]),
        "element": ([f"[3]{type_name} u:"], ["u[1] := s", "t := u[1]"]),
        "elements": ([f"[2]{type_name} u, v:"], ["u[1] := s", "v := u", "t := v[1]"]),
        "send-elements": ([f"[2]{type_name} u, v:", f"CHAN [2]{type_name} ch:"],
                          ["u[1] := s", "PAR", "  ch ! u", "  ch ? v", "t := v[1]"]),
        "dynamic": ([f"MOBILE []{type_name} u, v:"], ["u := MOBILE [2]" + type_name, "u[1] := s", "v := u", "t := v[1]"]),
        "send-dynamic": ([f"MOBILE []{type_name} u, v:", f"CHAN MOBILE []{type_name} ch:"],
                         ["u := MOBILE [2]" + type_name, "u[1] := s", "PAR", "  ch ! u", "  ch ? v", "t := v[1]"]),
        "field": (["HOLDER h, k:"], ["h[n] := 1", "h[f] := s", "k := h", "t := k[f]"]),
        "send-field": (["HOLDER h, k:", "CHAN HOLDER ch:"], ["h[n] := 1", "h[f] := s", "PAR", "  ch ! h", "  ch ? k", "t := k[f]"]),
        "name": ([], ["a IS s:", "b IS t:", "b := a"]),
        "fork": ([f"CHAN {type_name} ch:", f"SHARED! CHAN {type_name} back:"],
                 ["PAR", "  FORKING", "    FORK forked (s, back!)", "  back ? t"]),
    }
    if kind in {"array", "bytes", "fixed", "flat", "record", "nested", "matrix", "any"}:
        if kind != "any":
            result["box"] = (["MOBILE.ANY u:"], ["u := s", "t := u"])
            result["send-box"] = (["CHAN MOBILE.ANY ch:"], ["PAR", "  ch ! s", "  ch ? t"])
    if kind in {"client", "server"}:
        result["box"] = (["MOBILE.CHAN u:"], ["u := s", "t := u"])
        result["send-box"] = (["CHAN MOBILE.CHAN ch:"], ["PAR", "  ch ! s", "  ch ? t"])
    if kind in {"process", "started"}:
        result["box"] = (["MOBILE.PROC u:"], ["u := s", "t := u"])
    if kind == "channels":  # both ends of each: in no box, no array of arrays
        for way in ("dynamic", "send-dynamic"):
            result.pop(way)
    return result


def indent(lines, depth):
    return ["  " * depth + line for line in lines]


def program(kind, only=None):
    type_name, make, look = KINDS[kind]
    text = [TYPES]
    text += ["DATA TYPE HOLDER", "  MOBILE RECORD", "    INT n:", f"    {type_name} f:", ":"]
    text += ["PROTOCOL SEQUENCE IS INT; " + type_name + ":"]
    text += ["PROTOCOL CHOICE", "  CASE", "    none", "    one; " + type_name, "    two; INT; " + type_name, ":"]
    text += ["PROC pause ()", "  SEQ i = 0 FOR 20", "    PAR", "      SKIP", "      SKIP", ":"]
    text += [f"PROC make ({type_name} x)"] + seq(make, 1) + [":"]
    text += [f"PROC look ({type_name} x, BOOL good)"] + seq(look, 1) + [":"]
    text += [f"PROC hand ({type_name} x, y)", "  y := x", ":"]
    text += [f"PROC through ({type_name} x, y)", "  hand (x, y)", ":"]
    text += [f"PROC forked ({type_name} x, SHARED CHAN {type_name} out!)", "  CLAIM out ! x", ":"]
    names = []
    for way, (declarations, lines) in ways(kind, type_name).items():
        if only and way not in only:
            continue
        function = way == "result"
        if function:
            text += [f"{type_name} FUNCTION fresh (VAL BOOL there)", f"  {type_name} x:", "  VALOF", "    SKIP", "    RESULT x", ":"]
            lines = ["IF", "  there", "    t := s", "  TRUE", "    t := fresh (there)"]
        name = "way." + way.replace("-", ".")
        text += [f"PROC {name} (VAL BOOL there, BOOL ok)", f"  {type_name} s, t:"]
        text += indent(declarations, 1)
        text += ["  BOOL good:", "  SEQ", "    IF", "      there", "        make (s)", "      TRUE", "        SKIP"]
        body = seq(lines, 2) if any(line.endswith(":") and not line.startswith(" ") for line in lines) else indent(lines, 2)
        text += body
        text += ["    IF", "      there", "        look (t, good)", "      TRUE", "        good := NOT (DEFINED t)", "    ok := good", ":"]
        names.append(name)
    text += ["PROC main (CHAN BYTE screen!)", "  PROC tell (VAL []BYTE name, VAL BOOL there, ok)", "    IF", "      ok", "        SKIP", "      TRUE",
             "        SEQ", "          SEQ i = 0 FOR SIZE name", "            screen ! name[i]", "          IF", "            there",
             "              screen ! '+'", "            TRUE", "              screen ! '-'", "          screen ! ' '", "  :"]
    text += ["  BOOL ok:", "  SEQ"]
    for name in names:
        for there in ("TRUE", "FALSE"):
            text += [f"    {name} ({there}, ok)", f"    tell (\"{name}\", {there}, ok)"]
    text += ["    screen ! '.'", "    screen ! '*n'", ":"]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--occc", required=True)
    parser.add_argument("--level", action="append", help="-O0 and -O2 when there is none")
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--way", action="append", help="only these")
    parser.add_argument("--keep", help="a folder for the programs")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        for kind in options.kind or KINDS:
            source = os.path.join(folder, kind + ".occ")
            with open(source, "w", encoding="ascii") as file:
                file.write(program(kind, options.way))
            for level in options.level or ["-O0", "-O2"]:
                binary = os.path.join(folder, kind + level)
                built = subprocess.run([options.occc, "-w", level, source, "-o", binary], capture_output=True, text=True, check=False)
                if built.returncode != 0:
                    print(f"{kind} {level}: {built.stderr}")
                    wrong += 1
                    continue
                ran = subprocess.run([binary], capture_output=True, text=True, timeout=300, check=False)
                if ran.returncode != 0 or ran.stdout != ".\n":
                    print(f"{kind} {level}: status {ran.returncode}: {ran.stdout}{ran.stderr}")
                    wrong += 1
    print(f"{wrong} wrong of {len(options.kind or KINDS)} kinds")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
