#!/usr/bin/env python3
"""Writes the occam half of the test of predefined routines: it draws operands, calls a routine, and prints a
hash of the results for each chunk of cases. reference.c draws the same and calculates the same by itself.

A routine is one line of ROUTINES: name, operands, results, condition. Operands: i a word, p places up to the
bound behind it, f REAL32, d REAL64, m a rounding mode or operator. Results: the same letters, b BOOL, j INT32.
"""

import sys

ROUTINES = [
    ("LONGADD", "iii", "i", "fits ((INT64 a) + ((INT64 b) + (INT64 (c /\\ 1))))"),
    ("LONGSUB", "iii", "i", "fits (((INT64 a) - (INT64 b)) - (INT64 (c /\\ 1)))"),
    ("LONGSUM", "iii", "ii", ""), ("LONGDIFF", "iii", "ii", ""), ("LONGPROD", "iii", "ii", ""),
    ("LONGDIV", "iii", "ii", "less (a, c)"),
    ("SHIFTLEFT", "iip64", "ii", ""), ("SHIFTRIGHT", "iip64", "ii", ""),
    ("NORMALISE", "ii", "iii", ""), ("ASHIFTRIGHT", "ip32", "i", ""),
    ("ASHIFTLEFT", "ip32", "i", "fits (shifted (a, b))"),
    ("ROTATELEFT", "ip32", "i", ""), ("ROTATERIGHT", "ip32", "i", ""),
    ("FRACMUL", "ii", "i", "((a <> (MOSTNEG INT)) OR (b <> (MOSTNEG INT)))"),
    ("BITCOUNT", "ii", "i", ""), ("BITREVWORD", "i", "i", ""), ("BITREVNBITS", "ip32", "i", ""),
    ("CRCWORD", "iii", "i", ""), ("CRCBYTE", "iii", "i", ""),
    ("UNPACKSN", "i", "iii", ""), ("ROUNDSN", "eii", "i", ""),
]
for prefix, letter, width in (("", "f", "32"), ("D", "d", "64")):
    ROUTINES += [
        (prefix + "ABS", letter, letter, ""), (prefix + "ISNAN", letter, "b", ""),
        (prefix + "NOTFINITE", letter, "b", ""), (prefix + "ORDERED", 2 * letter, "b", ""),
        (prefix + "MINUSX", letter, letter, ""), (prefix + "MULBY2", letter, letter, ""),
        (prefix + "DIVBY2", letter, letter, ""), (prefix + "SQRT", letter, letter, ""),
        (prefix + "FPINT", letter, letter, ""), (prefix + "SCALEB", letter + "n", letter, ""),
        (prefix + "COPYSIGN", 2 * letter, letter, ""), (prefix + "NEXTAFTER", 2 * letter, letter, ""),
        (prefix + "LOGB", letter, letter, ""), (prefix + "FLOATING.UNPACK", letter, "i" + letter, ""),
        (prefix + "ARGUMENT.REDUCE", 3 * letter, "bj" + letter, "reducible." + width + " (a, b, c)"),
        (prefix + "SIN", letter, letter, ""), (prefix + "COS", letter, letter, ""),
        (prefix + "TAN", letter, letter, ""),
        ("REAL" + width + "OP", letter + "m" + letter, letter, ""),
        ("IEEE" + width + "OP", letter + "mm" + letter, "b" + letter, ""),
        ("REAL" + width + "REM", 2 * letter, letter, ""),
        ("IEEE" + width + "REM", 2 * letter, "b" + letter, ""),
        ("REAL" + width + "EQ", 2 * letter, "b", ""), ("REAL" + width + "GT", 2 * letter, "b", ""),
        (prefix + "IEEECOMPARE", 2 * letter, "i", ""),
    ]

TYPES = {"i": "INT", "p": "INT", "n": "INT", "e": "INT", "m": "INT", "b": "BOOL", "j": "INT32",
         "f": "REAL32", "d": "REAL64"}

HEAD = """-- Written by make_program.py: do not edit.
#INCLUDE "course.module"

VAL cases IS ##CASES:
VAL chunks IS 8:
VAL []INT specials IS [0, 1, -1, 2, -2, MOSTNEG INT, MOSTPOS INT, #55555555, #AAAAAAAA, #FFFF, #10000, 31,
                       32, 33, 100, -100]:
VAL []INT short.specials IS [0, MOSTNEG INT, #3F800000, #BF800000, #7F800000, #FF800000, #7FC00000, 1,
                             #007FFFFF, #00800000, #7F7FFFFF, #3F000000, #40200000, #4B000000, #4F000000,
                             #CF000000]:
VAL []INT long.specials IS [0, MOSTNEG INT, #3FF00000, #BFF00000, #7FF00000, #FFF00000, #7FF80000, #00000001,
                            #000FFFFF, #00100000, #7FEFFFFF, #3FE00000, #40040000, #43300000, #41E00000,
                            #C1E00000]:

PROC next (INT state)
  SEQ
    state := state >< (state << 13)
    state := state >< (state >> 17)
    state := state >< (state << 5)
:
PROC pick.i (INT state, x)
  SEQ
    next (state)
    CASE state /\\ 7
      0
        x := specials[(state >> 3) /\\ 15]
      1
        x := state >> ((state >> 8) /\\ 31)
      ELSE
        SEQ
          next (state)
          x := state
:
PROC pick.p (INT state, x, VAL INT bound)
  SEQ
    next (state)
    x := ((state >> 4) /\\ #7FFFFFF) \\ (bound + 1)
:
PROC pick.n (INT state, x)
  SEQ
    next (state)
    x := (((state >> 4) /\\ #7FFFFFF) \\ 400) - 200
    IF
      (state /\\ 7) = 0
        x := x * 1000000
      TRUE
        SKIP
:
PROC pick.e (INT state, x)
  SEQ
    next (state)
    x := (((state >> 4) /\\ #7FFFFFF) \\ 400) - 50
:
PROC pick.m (INT state, x)
  SEQ
    next (state)
    x := (state >> 7) /\\ 3
:
PROC pick.f (INT state, REAL32 x)
  INT bits:
  SEQ
    next (state)
    CASE state /\\ 3
      0
        bits := short.specials[(state >> 3) /\\ 15]
      1
        bits := (state /\\ #807FFFFF) \\/ ((107 + ((state >> 8) /\\ 31)) << 23)
      ELSE
        SEQ
          next (state)
          bits := state
    REAL32 r RETYPES bits:
    x := r
:
PROC pick.d (INT state, REAL64 x)
  [2]INT bits:
  SEQ
    next (state)
    bits[0] := state
    next (state)
    CASE state /\\ 3
      0
        SEQ
          bits[1] := long.specials[(state >> 3) /\\ 15]
          bits[0] := 0 - ((state >> 9) /\\ 1)
      1
        bits[1] := (state /\\ #800FFFFF) \\/ ((1003 + ((state >> 8) /\\ 31)) << 20)
      ELSE
        SEQ
          next (state)
          bits[1] := state
    REAL64 r RETYPES bits:
    x := r
:
PROC mix.i (INT hash, VAL INT x)
  hash := (((hash << 5) \\/ (hash >> 27)) >< x) TIMES 16777619
:
PROC mix.j (INT hash, VAL INT32 x)
  mix.i (hash, INT x)
:
PROC mix.b (INT hash, VAL BOOL x)
  mix.i (hash, INT x)
:
PROC mix.f (INT hash, VAL REAL32 x)
  VAL INT bits RETYPES x:
  IF
    x <> x
      mix.i (hash, #7FC00000)
    TRUE
      mix.i (hash, bits)
:
PROC mix.d (INT hash, VAL REAL64 x)
  VAL [2]INT bits RETYPES x:
  IF
    x <> x
      mix.i (hash, #7FF80000)
    TRUE
      SEQ
        mix.i (hash, bits[0])
        mix.i (hash, bits[1])
:
BOOL FUNCTION fits (VAL INT64 x) IS
  (x >= (INT64 (MOSTNEG INT))) AND (x <= (INT64 (MOSTPOS INT))):
INT64 FUNCTION shifted (VAL INT x, places) IS (INT64 x) TIMES (1 (INT64) << places):
BOOL FUNCTION less (VAL INT x, y) IS (x >< (MOSTNEG INT)) < (y >< (MOSTNEG INT)):
BOOL FUNCTION reducible.32 (VAL REAL32 x, y, e) IS
  (NOT NOTFINITE (x)) AND ((NOT NOTFINITE (y)) AND ((NOT NOTFINITE (e)) AND (ABS (y) > 1.0E-5) AND
   (ABS (x) < 1.0E+4) AND (ABS (e) < 1.0E-5))):
BOOL FUNCTION reducible.64 (VAL REAL64 x, y, e) IS
  (NOT DNOTFINITE (x)) AND ((NOT DNOTFINITE (y)) AND ((NOT DNOTFINITE (e)) AND (DABS (y) > 1.0E-5) AND
   (DABS (x) < 1.0E+4) AND (DABS (e) < 1.0E-5))):
"""


def split(operands):
    """[(letter, bound)] of an operand string."""
    result, i = [], 0
    while i < len(operands):
        end = i + 1
        while end < len(operands) and operands[end].isdigit():
            end += 1
        result.append((operands[i], operands[i + 1:end]))
        i = end
    return result


def routine(name, operands, results, condition):
    names = "abcd"
    parts = split(operands)
    lines = ["PROC test.%s (CHAN BYTE out!)" % name]
    for i, (letter, _) in enumerate(parts):
        lines.append("  %s %s:" % (TYPES[letter], names[i]))
    for i, letter in enumerate(results):
        lines.append("  %s r%d:" % (TYPES[letter], i))
    lines += ["  INITIAL INT state IS 12345:", "  INT hash:", "  SEQ chunk = 0 FOR chunks", "    SEQ",
              "      hash := 0", "      SEQ i = 0 FOR cases / chunks", "        SEQ"]
    for i, (letter, bound) in enumerate(parts):
        lines.append("          pick.%s (state, %s%s)" % (letter, names[i], ", " + bound if bound else ""))
    call = ["%s := %s (%s)" % (", ".join("r%d" % i for i in range(len(results))), name,
                               ", ".join(names[:len(parts)]))]
    call += ["mix.%s (hash, r%d)" % (letter, i) for i, letter in enumerate(results)]
    if condition:
        lines += ["          IF", "            " + condition, "              SEQ"]
        lines += ["                " + line for line in call]
        lines += ["            TRUE", "              SKIP"]
    else:
        lines += ["          " + line for line in call]
    lines += ['      out.string ("%s ", 0, out!)' % name, "      out.hex (hash, 8, out!)", "      out ! '*n'", ":"]
    return "\n".join(lines)


def main():
    print(HEAD)
    for row in ROUTINES:
        print(routine(*row))
    print("PROC main (CHAN BYTE screen!)\n  SEQ")
    for row in ROUTINES:
        print("    test.%s (screen!)" % row[0])
    print(":")


if __name__ == "__main__":
    sys.exit(main())
