"""Every kind of item in every kind of output guard: whether it is taken or not, and is ready at once or waits, it is evaluated when
the ALT is entered, with its errors.

    python3 guard_items.py --occc build/bin/occc --folder /tmp/items
"""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys

# name: protocol, item, receiving (names x, y), what the receiver finds with k = 1, the k that fails, words of the error
KINDS = {
    "scalar": ("INT", "a[k]", "INT x: | c ? x", "x = 11", 9, "index 9 out of range"),
    "sum": ("INT", "a[0] + ((MOSTPOS INT) * k)", "INT x: | c ? x", "x = (MOSTPOS INT)", 9, "overflow"),
    "conversion": ("BYTE", "BYTE (k * 100)", "BYTE x: | c ? x", "x = 100", 9, "does not fit in BYTE"),
    "function": ("INT", "twice (a[k])", "INT x: | c ? x", "x = 22", 9, "index 9 out of range"),
    "row": ("[2]INT", "m[k]", "[2]INT x: | c ? x", "x[1] = 11", 9, "index 9 out of range"),
    "segment": ("[2]INT", "[a FROM k FOR 2]", "[2]INT x: | c ? x", "x[1] = 12", 9, "does not lie in"),
    "open segment": ("[2]INT", "[a FROM 0 FOR k + 1]", "[2]INT x: | c ? x", "x[1] = 11", 2, "elements"),
    "results": ("[2]INT", "pair (k)", "[2]INT x: | c ? x", "x[1] = 11", 9, "index 9 out of range"),
    "record": ("CELL", "r[k]", "CELL x: | c ? x", "x[p] = 11", 9, "index 9 out of range"),
    "counted": ("INT::[]INT", "k::a", "INT x: | [4]INT y: | c ? x::y", "(x = 1) AND (y[0] = 0)", 9, "count"),
    "counted segment": ("INT::[]INT", "1::[a FROM k FOR 2]", "INT x: | [4]INT y: | c ? x::y", "(x = 1) AND (y[0] = 11)", 9, "does not lie in"),
    "sequence": ("INT; [2]INT", "5; m[k]", "INT x: | [2]INT y: | c ? x; y", "(x = 5) AND (y[1] = 11)", 9, "index 9 out of range"),
    "tag": ("CASE | one; INT | two; INT; [2]INT", "two; k; m[k]", "INT x: | [2]INT y: | c ? CASE two; x; y", "(x = 1) AND (y[1] = 11)", 9,
            "index 9 out of range"),
    "mobile": ("MOBILE []INT", "ms[k]", "MOBILE []INT x: | c ? x", "x[0] = 11", 9, "index 9 out of range"),
    "clone": ("MOBILE []INT", "CLONE ms[k]", "MOBILE []INT x: | c ? x", "x[0] = 11", 9, "index 9 out of range"),
    "new mobile": ("MOBILE []INT", "MOBILE [2 - k]INT", "MOBILE []INT x: | c ? x", "(SIZE x) = 1", 9, "cannot have -7 elements"),
    "into a mobile": ("MOBILE []INT", "[a FROM k FOR 2]", "MOBILE []INT x: | c ? x", "x[1] = 12", 9, "does not lie in"),
    "contents": ("[2]INT", "mc[k]", "[2]INT x: | c ? x", "x[1] = 11", 9, "index 9 out of range"),
    "contents of open": ("[2]INT", "mo[k]", "[2]INT x: | c ? x", "x[1] = 11", 3, ""),
    "undefined mobile": ("MOBILE []INT", "ms[3]", "MOBILE []INT x: | c ? x", "NOT (DEFINED x)", None, ""),
}

GUARDS = [
    "ALT | ! | other ? z | >SKIP",
    "ALT | on & ! | other ? z | >SKIP",
    "PRI ALT | other ? z | >SKIP | !",
    "PRI ALT | ! | other ? z | >SKIP",
    "ALT | other ? z | >SKIP | ALT i = 0 FOR 1 | >!",
    "ALT | other ? z | >SKIP | ALT i = 0 FOR n | >on & !",
    "ALT | other ? z | >SKIP | ALT i = 0 FOR n | >ALT j = 0 FOR 1 | >>!",
    "PRI ALT | other ? z | >SKIP | ALT | >!",
    "ALT | other ? z | >SKIP | PRI ALT | >on & !",
    "ALT | ! | other ? z | >SKIP | tim ? AFTER now PLUS 1000000000 | >ASSERT (FALSE)",
    "ALT | ! | other ? z | >SKIP | off & SKIP | >ASSERT (FALSE)",
    "ALT | other ? z | >SKIP | VAL INT q IS k: | !",
]
OFF = "ALT | other ? z | >SKIP | off & ! | off & !"  # its items are not evaluated
MODES = {0: "taken, ready", 1: "taken, waits", 2: "not taken, other ready", 3: "not taken, other waits"}


def guard_lines(form, item):
    lines = []
    for part in form.split(" | "):
        depth = 3 + (part != form.split(" | ")[0]) + len(part) - len(part.lstrip(">"))
        text = part.lstrip(">")
        lines.append("  " * depth + text.replace("!", f"c ! {item}"))
        if "!" in text:
            lines.append("  " * (depth + 1) + "SKIP")
    return lines


def program(kind):
    protocol, item, receive, check, _, _ = KINDS[kind]
    shape = "PROTOCOL P IS " + protocol + ":"
    if protocol.startswith("CASE"):
        shape = "\n".join(["PROTOCOL P", "  CASE"] + ["    " + tag for tag in protocol.split(" | ")[1:]] + [":"])
    receives = receive.split(" | ")
    lines = ["DATA TYPE CELL", "  RECORD", "    INT p, q:", ":", shape, "INT FUNCTION twice (VAL INT x) IS x * 2:",
             "[2]INT FUNCTION pair (VAL INT k)", "  [2]INT pairs:", "  [4]INT some:", "  VALOF", "    SEQ", "      some := [0, 11, 12, 13]",
             "      pairs := [0, some[k]]", "    RESULT pairs", ":",
             "PROC choose (CHAN P c!, CHAN INT other?, VAL INT g, k, mode)", "  [4]INT a:", "  [4][2]INT m:", "  [4]CELL r:",
             "  [4]MOBILE []INT ms, mo:", "  [4]MOBILE [2]INT mc:", "  TIMER tim:", "  INT z, now, n:", "  BOOL on, off:", "  SEQ",
             "    a, n, on, off := [0, 11, 12, 13], 1, TRUE, FALSE", "    SEQ i = 0 FOR 4", "      SEQ", "        m[i] := [0, a[i]]", "        r[i][p] := a[i]",
             "    SEQ i = 0 FOR 3", "      SEQ", "        ms[i] := MOBILE [1]INT", "        ms[i][0] := a[i]", "        mo[i] := MOBILE [2]INT",
             "        mo[i][1] := a[i]", "        mc[i] := MOBILE [2]INT", "        mc[i][1] := a[i]", "    tim ? now", "    IF", "      (mode /\\ 1) = 0",
             "        SEQ i = 0 FOR 30", "          RESCHEDULE ()", "      TRUE", "        SKIP", "    CASE g"]
    for number, form in enumerate(GUARDS + [OFF]):
        lines += [f"      {number}"] + ["  " + line for line in guard_lines(form, item)]
    lines += [":", "PROC partner (CHAN P c?, CHAN INT other!, VAL INT mode)", "  SEQ", "    IF", "      (mode /\\ 1) = 1", "        SEQ i = 0 FOR 30",
              "          RESCHEDULE ()", "      TRUE", "        SKIP", "    IF", "      mode < 2"]
    lines += ["        " + name for name in receives[:-1]] + ["        SEQ", "          " + receives[-1], f"          ASSERT ({check})"]
    if protocol.startswith("CASE"):
        lines[-2:] = ["          c ? CASE", "            one; x", "              STOP", "            two; x; y", f"              ASSERT ({check})"]
    lines += ["      TRUE", "        other ! 1", ":", "PROC main (CHAN BYTE keyboard?, screen!)", "  BYTE g, mode, k:", "  CHAN P c:", "  CHAN INT other:",
              "  SEQ", "    keyboard ? g", "    keyboard ? mode", "    keyboard ? k", "    PAR", "      partner (c?, other!, (INT mode) - '0')".replace("'0'", "(INT '0')"),
              "      choose (c!, other?, (INT g) - (INT 'a'), (INT k) - (INT '0'), (INT mode) - (INT '0'))", "    screen ! 'k'", ":"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--workers", default="1,2")
    arguments = parser.parse_args()
    folder, wrong, count = pathlib.Path(arguments.folder), 0, 0
    folder.mkdir(parents=True, exist_ok=True)
    for kind, level in itertools.product(KINDS, arguments.levels.split(",")):
        source, binary = folder / "p.occ", folder / "p"
        source.write_text(program(kind))
        done = subprocess.run([arguments.occc, "-w", level, str(source), "-o", str(binary)], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{kind} {level}: refused\n{done.stderr}")
            wrong += 1
            continue
        bad, words = KINDS[kind][4:]
        for g, mode, k, workers in itertools.product(range(len(GUARDS) + 1), MODES, [1, bad], arguments.workers.split(",")):
            is_off = g == len(GUARDS)
            if k is None or (is_off and mode < 2):
                continue
            count += 1
            run = subprocess.run([str(binary)], input=f"{chr(97 + g)}{mode}{k}", capture_output=True, text=True, timeout=30,
                                 env={**os.environ, "OCC_WORKERS": workers})
            fails = k == bad and not is_off
            is_right = (run.returncode == 1 and ": error: " in run.stderr and words in run.stderr) if fails else (run.returncode == 0 and run.stdout == "k")
            if not is_right:
                wrong += 1
                print(f"{kind}, {(GUARDS + [OFF])[g]}, {MODES[mode]}, k = {k}, {level}, {workers} workers: {run.returncode} {run.stdout}{run.stderr[:300]}")
    print(f"{count} choices, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
