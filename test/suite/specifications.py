#!/usr/bin/env python3
"""Writes a self-checking program: every kind of specification in every place where one may stand."""
HEAD = '''#INCLUDE "course.module"
#INCLUDE "check.inc"

DATA TYPE LEN IS INT:
DATA TYPE POINT
  RECORD
    INT x, y:
:
PROTOCOL MESSAGE
  CASE
    number; INT
    none
:
'''
# (title, lines, process before the check, condition); v is a [4]INT variable, n is the VAL INT 3, w an INT
SPECS = [
 ("variable", ["INT a:"], ["a := 5"], "a = 5"),
 ("variables", ["INT a, b, c:"], ["a, b, c := 1, 2, 3"], "((a + b) + c) = 6"),
 ("array", ["[2][3]INT16 a:"], ["a[1][2] := 7"], "a[1][2] = 7"),
 ("named", ["LEN a:"], ["a := 5"], "a = 5"),
 ("record", ["POINT a:"], ["a := [1, 2]"], "a[y] = 2"),
 ("array of records", ["[2]POINT a:"], ["a[1] := [1, 2]"], "a[1][y] = 2"),
 ("channel", ["CHAN INT c:", "INT a:"], ["PAR", "  c ! 5", "  c ? a"], "a = 5"),
 ("channels", ["[2]CHAN OF MESSAGE c:", "INT a:"], ["PAR", "  c[1] ! number; 5", "  c[1] ? CASE number; a"], "a = 5"),
 ("timer", ["TIMER t:", "INT a:"], ["t ? a", "t ? AFTER a"], "a = a"),
 ("value", ["VAL a IS n + 2:"], [], "a = 5"),
 ("typed value", ["VAL []INT a IS [n, 2]:"], [], "a[0] = 3"),
 ("value of a record", ["VAL POINT a IS [1, n]:"], [], "a[y] = 3"),
 ("string", ["VAL a IS \"abc\":"], [], "a[1] = 'b'"),
 ("initial", ["INITIAL INT a IS n:"], ["a := a + 1"], "a = 4"),
 ("initials", ["INITIAL INT a, b IS n, n + 1:"], ["a := a + b"], "a = 7"),
 ("initial array", ["INITIAL [2]BYTE a IS \"xy\":"], ["a[0] := 'z'"], "(a[0] = 'z') AND (a[1] = 'y')"),
 ("abbreviation", ["a IS v[n]:"], ["a := 9"], "a = 9"),
 ("typed abbreviation", ["INT a IS v[n - 1]:"], ["a := 9"], "a = 9"),
 ("segment", ["[]INT a IS [v FROM 1 FOR 2]:"], ["a[1] := 9"], "a[1] = 9"),
 ("abbreviations", ["a IS [v FROM 1]:", "b IS a[1]:", "INT c IS b:"], ["c := 8"], "c = 8"),
 ("retyped", ["[]BYTE a RETYPES v:"], ["a[4] := 1", "a[5] := 2", "a[6] := 0", "a[7] := 0"], "(SIZE a) = 16"),
 ("value retyped", ["VAL [4]BYTE a RETYPES n:"], [], "(a[0] = 3) AND (a[3] = 0)"),
 ("reshaped", ["[2][2]INT a RESHAPES v:"], ["a[1][0] := 6"], "a[1][0] = 6"),
 ("result", ["RESULT INT a IS v[1]:"], ["a := 4"], "a = 4"),
 ("proc", ["PROC p (INT a)", "  a := n", ":", "INT b:"], ["p (b)"], "b = 3"),
 ("inline proc", ["INLINE PROC p (INT a)", "  INT c:", "  SEQ", "    c := n", "    a := c + 1", ":", "INT b:"], ["p (b)"], "b = 4"),
 ("procs", ["PROC p (INT a)", "  PROC q (INT a)", "    a := n", "  :", "  q (a)", ":", "PROC r (INT a)", "  p (a)", ":", "INT b:"], ["r (b)"], "b = 3"),
 ("recursive proc", ["REC PROC p (VAL INT k, INT a)", "  IF", "    k > 0", "      SEQ", "        a := a + k", "        p (k - 1, a)", "    TRUE", "      SKIP", ":", "INITIAL INT b IS 0:"], ["p (n, b)"], "b = 6"),
 ("function", ["INT FUNCTION f (VAL INT a) IS a + n:"], [], "f (1) = 4"),
 ("function with a body", ["INT FUNCTION f (VAL INT a)", "  INT b:", "  VALOF", "    SEQ", "      b := a", "      b := b + n", "    RESULT b", ":"], [], "f (1) = 4"),
 ("function of a name", ["LEN FUNCTION f (VAL LEN a)", "  LEN b:", "  VALOF", "    b := a + 1", "    RESULT b", ":"], [], "(INT f (1 (LEN))) = 2"),
 ("function of names", ["LEN, POINT FUNCTION f (VAL LEN a)", "  VALOF", "    SKIP", "    RESULT a, [INT a, n]", ":", "LEN b:", "POINT c:"], ["b, c := f (4)"], "(b = 4) AND (c[y] = 3)"),
 ("function of an array", ["[2]INT FUNCTION f (VAL INT a) IS [a, n]:"], [], "f (4)[1] = 3"),
 ("functions of several", ["INT, BOOL INLINE FUNCTION f (VAL INT a) IS a, TRUE:", "INT b:", "BOOL c:"], ["b, c := f (n)"], "c AND (b = 3)"),
 ("recursive function", ["INT REC FUNCTION f (VAL INT a)", "  INT r:", "  VALOF", "    IF", "      a = 0", "        r := 1", "      TRUE", "        r := a * f (a - 1)", "    RESULT r", ":"], [], "f (n) = 6"),
 ("operator", ["LEN FUNCTION \"+\" (VAL LEN a, b)", "  LEN c:", "  VALOF", "    c := LEN ((INT a) * (INT b))", "    RESULT c", ":", "LEN d:"], ["d := 4 (LEN) + 5 (LEN)"], "d = 20"),
 ("type", ["DATA TYPE T IS INT:", "T a:"], ["a := 3"], "a = 3"),
 ("record type", ["DATA TYPE T", "  RECORD", "    INT p:", "    [2]BYTE q:", ":", "T a:"], ["a := [1, \"xy\"]"], "a[q][1] = 'y'"),
 ("packed type", ["DATA TYPE T", "  PACKED RECORD", "    BYTE p:", "    INT q:", ":", "T a:"], ["a := [1, 2]"], "(a[q] = 2) AND ((BYTESIN (T)) = 5)"),
 ("type used by a function", ["DATA TYPE T", "  RECORD", "    INT p:", ":", "T FUNCTION f (VAL INT a)", "  T b:", "  VALOF", "    b[p] := a", "    RESULT b", ":"], [], "f (n)[p] = 3"),
 ("protocol", ["PROTOCOL Q IS INT; BYTE:", "CHAN Q c:", "INT a:", "BYTE b:"], ["PAR", "  c ! n; 'x'", "  c ? a; b"], "(a = 3) AND (b = 'x')"),
 ("variant protocol", ["PROTOCOL Q", "  CASE", "    one; INT", "    two", ":", "CHAN Q c:", "INT a:"], ["PAR", "  c ! one; n", "  c ? CASE", "    one; a", "      SKIP", "    two", "      STOP"], "a = 3"),
 ("extended protocol", ["PROTOCOL Q EXTENDS MESSAGE", "  CASE", "    more; BYTE", ":", "CHAN Q c:", "BYTE a:"], ["PAR", "  c ! more; 'm'", "  c ? CASE more; a"], "a = 'm'"),
 ("pragma", ["INT a:", "#PRAGMA SHARED a"], ["PAR", "  a := 1", "  a := 1"], "a = 1"),
 ("mobile", ["MOBILE []INT a:"], ["a := MOBILE [n]INT", "a[2] := 6"], "(a[2] = 6) AND ((SIZE a) = 3)"),
 ("mobile type", ["DATA TYPE T", "  MOBILE RECORD", "    [5]INT p:", ":", "T a, b:"], ["a[p] := [i = 0 FOR 5 | i]", "b := a"], "b[p][4] = 4"),
 ("bundle", ["CHAN TYPE T", "  MOBILE RECORD", "    CHAN INT go?:", ":", "T! a:", "T? b:", "INT x:"], ["a, b := MOBILE T", "PAR", "  a[go] ! n", "  b[go] ? x"], "x = 3"),
 ("shared channel", ["SHARED CHAN INT c:", "INT a:"], ["PAR", "  CLAIM c!", "    c ! n", "  CLAIM c ? a"], "a = 3"),
 ("barrier", ["BARRIER b:", "[2]INT a:"], ["PAR i = 0 FOR 2 ENROLL b", "  SEQ", "    a[i] := i", "    SYNC b"], "a[1] = 1"),
 ("placed", ["INT a:", "PLACE a IN WORKSPACE:", "[3]INT b:", "PLACE b IN VECSPACE:"], ["a, b[1] := 1, 2"], "(a + b[1]) = 3"),
 ("process type", ["PROC TYPE T (CHAN INT out!):", "INT a:"], ["a := 1"], "a = 1"),
 ("hiding", ["VAL n IS \"hid\":"], [], "n[0] = 'h'"),
 ("hiding itself", ["VAL n IS n + 1:", "VAL INT n IS n + 1:"], [], "n = 5"),
]
COMM = {"channel", "channels", "timer", "protocol", "variant protocol", "extended protocol", "pragma", "bundle", "shared channel", "barrier", "mobile", "mobile type"}
ind = lambda ls, k=1: ["  " * k + l for l in ls]
def body(title, pre, cond, number):
    return ["SEQ"] + ind(pre + ["note (%s, \"%s\", %d, tally, out!)" % (cond, title, number)])
PLACES = [
 ("component", lambda s, b: ["SEQ", "  SKIP"] + ind(s + b) + ["  SKIP"]),
 ("branch", lambda s, b: ["PAR"] + ind(s + b) + ["  INT other:", "  other := 1"]),
 ("loop", lambda s, b: ["SEQ i = 0 FOR 2"] + ind(s + b)),
 ("replicated branch", lambda s, b: ["PAR i = 0 FOR 1"] + ind(s + b)),
 ("while", lambda s, b: ["INITIAL BOOL more IS TRUE:", "WHILE more", "  SEQ", "    more := FALSE"] + ind(s + b, 2)),
 ("while body", lambda s, b: ["INITIAL INT k IS 2:", "WHILE k > 0"] + ind(s) + ["  SEQ", "    k := k - 1"] + ind(b, 2)),
 ("choice", lambda s, b: ["IF", "  w = 99", "    SKIP"] + ind(s) + ["  w <> 98"] + ind(b, 2) + ["  TRUE", "    STOP"]),
 ("body of a choice", lambda s, b: ["IF", "  TRUE"] + ind(s + b, 2)),
 ("nested choice", lambda s, b: ["IF"] + ind(s) + ["  IF", "    w = 99", "      SKIP", "    w <> 99"] + ind(b, 3) + ["  TRUE", "    STOP"]),
 ("choice of a nested IF", lambda s, b: ["IF", "  IF"] + ind(s, 2) + ["    TRUE"] + ind(b, 3)),
 ("replicated choice", lambda s, b: ["IF", "  IF i = 0 FOR 3"] + ind(s, 2) + ["    i = 2"] + ind(b, 3) + ["  TRUE", "    STOP"]),
 ("before a replicated choice", lambda s, b: ["IF"] + ind(s) + ["  IF i = 0 FOR 3", "    i = 2"] + ind(b, 3)),
 ("option", lambda s, b: ["CASE w", "  99", "    SKIP"] + ind(s) + ["  4, 98"] + ind(b, 2) + ["  ELSE", "    STOP"]),
 ("body of an option", lambda s, b: ["CASE w", "  4"] + ind(s + b, 2) + ["  ELSE", "    STOP"]),
 ("ELSE", lambda s, b: ["CASE w", "  99", "    SKIP"] + ind(s) + ["  ELSE"] + ind(b, 2)),
 ("body of ELSE", lambda s, b: ["CASE w", "  ELSE"] + ind(s + b, 2)),
 ("alternative", lambda s, b: ["CHAN INT go:", "PAR", "  go ! 1", "  ALT"] + ind(s, 2) + ["    (w = 4) & go ? any"] + ind(b, 3) + ["    FALSE & SKIP", "      STOP"]),
 ("SKIP alternative", lambda s, b: ["PRI ALT"] + ind(s) + ["  TRUE & SKIP"] + ind(b, 2)),
 ("timeout", lambda s, b: ["TIMER tim:", "ALT"] + ind(s) + ["  tim ? AFTER w"] + ind(b, 2)),
 ("body of an alternative", lambda s, b: ["ALT", "  SKIP"] + ind(s + b, 2)),
 ("replicated alternative", lambda s, b: ["[2]CHAN INT go:", "PAR", "  go[1] ! 1", "  ALT i = 0 FOR 2"] + ind(s, 2) + ["    go[i] ? any"] + ind(b, 3)),
 ("nested ALT", lambda s, b: ["ALT"] + ind(s) + ["  ALT", "    SKIP"] + ind(b, 3)),
 ("variant", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! number; 1", "  go ? CASE", "    none", "      STOP"] + ind(s, 2) + ["    number; any"] + ind(b, 3)),
 ("body of a variant", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! none", "  go ? CASE", "    none"] + ind(s + b, 3)),
 ("variant of a guard", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! number; 1", "  ALT", "    go ? CASE"] + ind(s, 3) + ["      number; any"] + ind(b, 4)),
 ("guard with variants", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! number; 1", "  ALT"] + ind(s, 2) + ["    go ? CASE", "      number; any"] + ind(b, 4)),
 ("guard with a variant", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! number; 1", "  ALT"] + ind(s, 2) + ["    TRUE & go ? CASE number; any"] + ind(b, 3)),
 ("output guard", lambda s, b: ["CHAN INT go:", "PAR", "  ALT"] + ind(s, 2) + ["    go ! 4"] + ind(b, 3) + ["  go ? any"]),
 ("during", lambda s, b: ["CHAN INT go:", "PAR", "  go ! 4", "  go ?? any"] + ind(s + b, 2)),
 ("after", lambda s, b: ["CHAN INT go:", "PAR", "  go ! 4", "  go ?? any", "    SKIP"] + ind(s + b, 2)),
 ("extended variant", lambda s, b: ["CHAN MESSAGE go:", "PAR", "  go ! number; 4", "  go ?? CASE"] + ind(s, 2) + ["    number; any", "      SKIP"] + ind(b, 3)),
 ("proc", lambda s, b: ["PROC here ()"] + ind(s + b) + [":", "here ()"]),
 ("claim", lambda s, b: ["SHARED CHAN INT sh:", "CLAIM sh!"] + ind(s + b)),
 ("mutex", lambda s, b: ["MUTEX mu:", "CLAIM mu"] + ind(s + b)),
 ("forking", lambda s, b: ["FORKING"] + ind(s + b)),
 ("input loop", lambda s, b: ["CHAN INT go:", "PAR", "  SEQ", "    go ! 1", "    CLOSE go!", "  WHILE go ? any"] + ind(s + b, 2)),
]
def valof(title, specs, pre, cond, number):
    """Specifications inside of FUNCTIONs."""
    good = ["VALOF", "  SEQ"] + ind(pre + ["ok := %s" % cond], 2) + ["  RESULT ok"]
    yield ["BOOL FUNCTION here (VAL [4]INT given)", "  INITIAL [4]INT v IS given:", "  INT w:", "  BOOL ok:"] + ind(specs + good) + [":",
           "note (here (v), \"%s\", %d, tally, out!)" % (title, number)]
    inner = specs + ["SEQ"] + ind(pre + ["ok := %s" % cond])
    yield ["BOOL FUNCTION here (VAL [4]INT given)", "  INITIAL [4]INT v IS given:", "  INT w:", "  BOOL ok:", "  VALOF"] + ind(inner, 2) + ["    RESULT ok", ":",
           "note (here (v), \"%s\", %d, tally, out!)" % (title, number + 1)]
    if title != "function of names":  # a type's name and ',' after other specifications in brackets is no list of types
        yield ["BOOL FUNCTION here (VAL [4]INT given) IS", "  (INITIAL [4]INT v IS given:", "   INT w:", "   BOOL ok:"] + ["   " + l for l in specs + good] + ["  ):",
               "note (here (v), \"%s\", %d, tally, out!)" % (title, number + 2)]
def main():
    L = HEAD.split("\n"); calls = []
    for k, (title, specs, pre, cond) in enumerate(SPECS):
        L += ["PROC specification.%d (VAL INT n, []INT tally, CHAN BYTE out!)" % k, "  [4]INT v:", "  INT w, any:", "  SEQ", "    v := [0, 1, 2, 3]", "    w := 4"]
        for p, (place, make) in enumerate(PLACES):
            L += ind(make(specs, body("%s in %s" % (title, place), pre, cond, p)), 2)
        if title not in COMM:
            for block in valof(title, specs, pre, cond, 100):
                L += ind(block, 2)
        L += [":"]
        calls.append("    specification.%d (3, tally, screen!)" % k)
    L += ["PROC main (CHAN BYTE screen!)", "  INITIAL [2]INT tally IS [0, 0]:", "  SEQ"] + calls + ["    report (tally, screen!)", ":", ""]
    print("\n".join(L))
main()
