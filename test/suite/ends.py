#!/usr/bin/env python3
"""Writes a self-checking program: every way to name an end of a channel, given to every form of parameter, for every form of protocol."""
PROTOCOLS = [  # (name, text after CHAN, output, declarations of the input, input, condition); x is the VAL INT sent
 ("int", "INT", "! x", ["INT y:"], "? y", "y = x"),
 ("of", "OF INT64", "! INT64 x", ["INT64 y:"], "? y", "y = (INT64 x)"),
 ("array", "[3]BYTE", "! [BYTE x, 'b', 'c']", ["[3]BYTE y:"], "? y", "(y[0] = (BYTE x)) AND (y[2] = 'c')"),
 ("record", "POINT", "! [x, 2] (POINT)", ["POINT y:"], "? y", "(y[px] = x) AND (y[py] = 2)"),
 ("sequence", "PAIR", "! x; 'q'", ["INT y:", "BYTE z:"], "? y; z", "(y = x) AND (z = 'q')"),
 ("nested", "DEEP", "! 1; x; 'q'; 2", ["INT a, y, b:", "BYTE z:"], "? a; y; z; b", "(y = x) AND ((z = 'q') AND (b = 2))"),
 ("counted", "INT::[]INT", "! 2::[7, x, 9]", ["INT n:", "[4]INT y:"], "? n::y", "(n = 2) AND (y[1] = x)"),
 ("counted records", "BYTE::[]POINT", "! 1::[[x, 3] (POINT), [4, 5] (POINT)]", ["BYTE n:", "[4]POINT y:"], "? n::y", "(n = 1) AND (y[0][px] = x)"),
 ("any", "OF ANY", "! x; \"end\"", ["INT y:", "[3]BYTE z:"], "? y; z", "(y = x) AND (z[2] = 'd')"),
 ("variant", "CHOICE", "! number; x", ["INT y:"], "? CASE number; y", "y = x"),
 ("variant of several", "MORE", "! list; 2::[1 (INT16), 2]; x", ["BYTE n:", "[4]INT16 v:", "INT y:"], "? CASE list; n::v; y", "(n = 2) AND (v[1] = 2) AND (y = x)"),
 ("mobile", "MOBILE []INT", "! [x, 8]", ["MOBILE []INT y:"], "? y", "(y[0] = x) AND ((SIZE y) = 2)"),
 ("bool", "BOOL", "! (x > 0)", ["BOOL y:"], "? y", "y = (x > 0)"),
 ("real", "REAL32", "! REAL32 ROUND x", ["REAL32 y:"], "? y", "y = (REAL32 ROUND x)"),
 ("mobile record", "LETTER", "! l", ["LETTER y:"], "? y", "y[body][1] = x"),
]
HEAD = '''#INCLUDE "course.module"
#INCLUDE "check.inc"

DATA TYPE POINT
  RECORD
    INT px, py:
:
DATA TYPE LETTER
  MOBILE RECORD
    INT64 a, b, c:
    MOBILE []INT body:
:
PROTOCOL PAIR IS INT; BYTE:
PROTOCOL DEEP IS INT; PAIR; INT:
PROTOCOL CHOICE
  CASE
    none
    number; INT
:
PROTOCOL MORE
  CASE
    FROM CHOICE
    list; BYTE::[]INT16; INT
:
'''
# (title, declarations, channel: text of one end with {d} for its direction)
ONE = [
 ("name", ["CHAN {P} c:"], "c{d}"),
 ("element", ["[3]CHAN {P} c:"], "c[1]{d}"),
 ("element i", ["[3]CHAN {P} c:"], "c[i]{d}"),
 ("element of a matrix", ["[2][3]CHAN {P} c:"], "c[i][j]{d}"),
 ("abbreviation", ["CHAN {P} b:", "c IS b:"], "c{d}"),
 ("typed abbreviation", ["[3]CHAN {P} b:", "CHAN {P} c IS b[j]:"], "c{d}"),
 ("element of a segment", ["[4]CHAN {P} b:", "c IS [b FROM i FOR 2]:"], "c[j - 1]{d}"),
 ("element of a row", ["[3][3]CHAN {P} b:", "c IS b[j]:"], "c[i]{d}"),
 ("element of a table", ["CHAN {P} a, b:", "c IS [a, b]:"], "c[i]{d}"),
 ("retyped", ["[4]CHAN {P} b:", "[2][2]CHAN {P} c RETYPES b:"], "c[i][1]{d}"),
 ("mobile", ["MOBILE []CHAN {P} c:"], "c[i]{d}"),
]
MANY = [  # arrays of two; element k of it
 ("array", ["[2]CHAN {P} c:"], "c{d}"),
 ("row", ["[3][2]CHAN {P} c:"], "c[i]{d}"),
 ("segment", ["[4]CHAN {P} c:"], "[c{d} FROM i FOR 2]"),
 ("rest", ["[4]CHAN {P} c:"], "[c{d} FROM j]"),
 ("first ones", ["[4]CHAN {P} c:"], "[c{d} FOR 2]"),
 ("table", ["CHAN {P} a, b:"], "[a{d}, b{d}]"),
 ("table of elements", ["[3]CHAN {P} a, b:"], "[a[i]{d}, b[j]{d}]"),
 ("abbreviation", ["[4]CHAN {P} b:", "c IS [b FROM 1 FOR 2]:"], "c{d}"),
 ("abbreviated table", ["CHAN {P} a, b:", "c IS [a, b]:"], "c{d}"),
 ("row of a retyped", ["[4]CHAN {P} b:", "[2][2]CHAN {P} c RETYPES b:"], "c[i]{d}"),
 ("reshaped", ["[2]CHAN {P} b:", "[]CHAN {P} c RETYPES b:"], "c{d}"),
 ("mobile", ["MOBILE []CHAN {P} c:"], "c{d}"),
]
def ind(ls, k=1): return ["  " * k + l for l in ls]
def main():
    L = HEAD.split("\n"); calls = []
    for k, (name, P, out, decl, inp, cond) in enumerate(PROTOCOLS):
        def send(end, direct):
            body = ["%s %s" % (end, out)]
            if name == "mobile record":
                body = ["LETTER l:", "SEQ", "  l[body] := [0, x]", "  %s %s" % (end, out)]
            return body
        def receive(end): return decl + ["SEQ", "  %s %s" % (end, inp), "  note (%s, what, %d, tally, out!)" % (cond, k)]
        forms = [("?", "!"), ("", "")]
        for f, (qi, qo) in enumerate(forms):
            s = "%d.%d" % (k, f)
            L += ["PROC out.%s (CHAN %s c%s, VAL INT x)" % (s, P, qo)] + ind(send("c", qo)) + [":"]
            L += ["PROC in.%s (CHAN %s c%s, VAL INT x, VAL []BYTE what, []INT tally, CHAN BYTE out!)" % (s, P, qi)] + ind(receive("c")) + [":"]
            L += ["PROC through.out.%s (CHAN %s c%s, VAL INT x)" % (s, P, qo), "  out.%s (c%s, x)" % (s, qo), ":"]
            L += ["PROC outs.%s ([]CHAN %s c%s, VAL INT x)" % (s, P, qo), "  SEQ k = 0 FOR SIZE c", "    out.%s (c[k]%s, x + k)" % (s, qo), ":"]
            L += ["PROC ins.%s ([]CHAN %s c%s, VAL INT x, VAL []BYTE what, []INT tally, CHAN BYTE out!)" % (s, P, qi), "  SEQ k = 0 FOR SIZE c", "    in.%s (c[k]%s, x + k, what, tally, out!)" % (s, qi), ":"]
            L += ["PROC two.out.%s ([2]CHAN %s c%s, VAL INT x)" % (s, P, qo), "  outs.%s (c%s, x)" % (s, qo), ":"]
            L += ["PROC two.in.%s ([2]CHAN %s c%s, VAL INT x, VAL []BYTE what, []INT tally, CHAN BYTE out!)" % (s, P, qi), "  ins.%s ([c%s FROM 0 FOR 2], x, what, tally, out!)" % (s, qi), ":"]
        n = 0
        for title, specs, text in ONE:
            n += 1
            if title == "mobile" and "::" in P:
                continue
            L += ["PROC one.%d.%d (VAL INT i, j, []INT tally, CHAN BYTE out!)" % (k, n)] + [("  " + x.replace("{P}", P)) for x in specs] + ["  SEQ"]
            if title == "mobile": L += ["    c := MOBILE [3]CHAN %s" % P]
            for d0, (qi, qo) in enumerate(forms):
                for f in range(2):
                    w = "\"%s: %s %s\"" % (name, title, "with ends" if d0 == 0 else "without ends")
                    L += ["    PAR", "      out.%d.%d (%s, i)" % (k, f, text.format(d=qo)), "      in.%d.%d (%s, i, %s, tally, out!)" % (k, f, text.format(d=qi), w)]
                    L += ["    PAR", "      through.out.%d.%d (%s, j)" % (k, f, text.format(d=qo)), "      in.%d.%d (%s, j, %s, tally, out!)" % (k, 1 - f, text.format(d=qi), w)]
            plain = text.format(d="")
            w = "\"%s: %s itself\"" % (name, title)
            L += ["    VAL x IS j:", "    VAL what IS %s:" % w, "    PAR"] + ind(send(plain, ""), 3) + ind(receive(plain), 3)
            L += ["    VAL x IS j:", "    VAL what IS %s:" % w, "    PAR"] + ind(send(plain, ""), 3)
            guard = decl + ["%s %s" % (plain, inp), "  note (%s, what, %d, tally, out!)" % (cond, 100 + k)]
            L += ["      ALT"] + ind(guard, 4) + ["        FALSE & SKIP", "          STOP"]
            L += ["    VAL x IS j:", "    VAL what IS %s:" % w, "    PAR"] + ind(send(plain, ""), 3)
            L += ind(decl + ["%s ?%s" % (plain, inp), "  note (%s, what, %d, tally, out!)" % (cond, 200 + k)], 3)
            L += [":"]
            calls.append("    one.%d.%d (1, 2, tally, screen!)" % (k, n))
        n = 0
        for title, specs, text in MANY:
            n += 1
            if title == "mobile" and "::" in P:
                continue
            L += ["PROC many.%d.%d (VAL INT i, j, []INT tally, CHAN BYTE out!)" % (k, n)] + [("  " + x.replace("{P}", P)) for x in specs] + ["  SEQ"]
            if title == "mobile": L += ["    c := MOBILE [2]CHAN %s" % P]
            for d0, (qi, qo) in enumerate(forms):
                for f in range(2):
                    w = "\"%s: many, %s %s\"" % (name, title, "with ends" if d0 == 0 else "without ends")
                    L += ["    PAR", "      outs.%d.%d (%s, i)" % (k, f, text.format(d=qo)), "      ins.%d.%d (%s, i, %s, tally, out!)" % (k, f, text.format(d=qi), w)]
                    if title in ("array", "row", "table", "abbreviated table", "row of a retyped"):
                        L += ["    PAR", "      two.out.%d.%d (%s, i)" % (k, f, text.format(d=qo)), "      two.in.%d.%d (%s, i, %s, tally, out!)" % (k, f, text.format(d=qi), w)]
            L += [":"]
            calls.append("    many.%d.%d (1, 2, tally, screen!)" % (k, n))
    L += ["PROC main (CHAN BYTE screen!)", "  INITIAL [2]INT tally IS [0, 0]:", "  SEQ"] + calls + ["    report (tally, screen!)", ":", ""]
    print("\n".join(L))
main()
