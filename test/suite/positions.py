#!/usr/bin/env python3
"""Writes a self-checking program: every kind of expression in every position where one may stand."""
import sys
HEAD = '''#INCLUDE "course.module"
#INCLUDE "check.inc"

DATA TYPE POINT
  RECORD
    INT x, y:
    [3]INT more:
:
DATA TYPE LEN IS INT:
VAL table IS [5, 3, 1, 2]:
VAL matrix IS [[1, 2], [3, 4]]:
VAL text IS "abc*#03":
VAL INT three IS 3:
VAL POINT point IS [2, 3, [3, 4, 5]]:
VAL LEN len IS 3:
INT FUNCTION f (VAL INT a) IS a + 1:
INT INLINE FUNCTION g (VAL []INT a) IS SIZE a:
INT FUNCTION h (VAL INT a)
  INT r:
  VALOF
    SEQ
      r := 0
      WHILE r < a
        r := r + 1
    RESULT r
:
POINT FUNCTION p (VAL INT a) IS [a, a + 1, [a, a, a]]:
[4]INT FUNCTION q (VAL INT a) IS [a, a + 1, a + 2, 3]:
INT FUNCTION "++" (VAL INT a, b) IS a + b:
INT FUNCTION "!!" (VAL LEN a) IS INT a:
BOOL FUNCTION yes (VAL INT a) IS a = 3:
'''
# every one has the value 3
CONST = ["3", "#3", "three", "'*#03'", "(1 + 2)", "(7 /\\ 3)", "(~ (-4))", "(- (-3))", "(SIZE \"abc\")", "(SIZE [3]INT)", "(SIZE [1, 2, 3])",
         "(INT '*#03')", "table[1]", "table[table[2]]", "matrix[1][0]", "(INT text[3])", "point[y]", "point[more][0]", "(INT len)",
         "(BYTESIN ([3]BYTE))", "((OFFSETOF (POINT, y)) - 1)", "((MOSTPOS INT) - 2147483644)", "(((MOSTNEG INT) >< (MOSTNEG INT)) \\/ 3)",
         "(INT ROUND 2.6 (REAL32))", "(INT TRUNC 3.9 (REAL64))", "(2 (INT) PLUS 1)", "(3 << 0)", "(12 >> 2)", "((INT TRUE) + 2)", "f (2)", "(1 ++ 2)", "(!! len)", "[1, 3][1]", "(INT \"*#03b\"[0])", "[table FROM 1 FOR 2][0]", "(17 \\ 7)", "(17 REM 7)", "(10 / 3)", "(INT (3 (INT64)))", "(INT (3 (BYTE)))", "(SIZE [table FROM 1])", "((-9) / (-3))", "p (3)[x]", "q (2)[1]"]
DYN = ["n", "(n)", "a[1]", "a[a[2]]", "m[1][n - 3]", "(INT s[n])", "r[y]", "r[more][n \\ 3]", "(INT l)", "h (n)", "h (3)", "p (n)[x]", "p (2)[y]", "q (n)[0]", "[q (1) FROM n - 1 FOR 2][0]", "(n ++ 0)", "(!! l)",
       "(SIZE [a FROM 1 FOR n])", "g ([a FOR n])", "[n, 2][0]", "[1, n, 2][n - 2]", "[z = n FOR 3 | z][0]", "[z = 0 FOR 4 | z * 1][n]", "(INT (BYTE n))", "(INT (INT16 n))", "(n /\\ n)", "((n TIMES n) / n)", "(n << (n - 3))", "(INT ROUND e)", "(INT b3)", "((INT (n = 3)) + 2)", "(a[3] + 1)",
       "(INT t:\n VALOF\n   t := n\n   RESULT t\n)", "mob[n]", "((SIZE mob) - 1)"]

POS = [  # (name, needs constant, specs, lines, condition)  %s: the expression
 ("assignment", 0, [], ["w := %s"], "w = 3"),
 ("multiple", 0, [], ["w, v[%s] := %s, 9"], "(w = 3) AND (v[3] = 9)"),
 ("subscript", 0, [], ["w := v[%s]"], "w = v[3]"),
 ("target", 0, [], ["v[%s] := 8"], "v[3] = 8"),
 ("segment", 0, [], ["w := [v FROM %s FOR 2][1]"], "w = v[4]"),
 ("segment count", 0, [], ["w := SIZE [v FOR %s]"], "w = 3"),
 ("segment from", 0, [], ["w := SIZE [v FROM %s]"], "w = 5"),
 ("segment target", 0, [], ["[v FROM 1 FOR %s] := [4, 5, 6]"], "v[3] = 6"),
 ("abbreviated element", 0, ["y IS v[%s]:"], ["y := 77"], None),
 ("abbreviated segment", 0, ["y IS [v FROM %s FOR %s]:"], ["y[2] := 78"], None),
 ("value", 0, ["VAL y IS %s:"], ["w := y"], "w = 3"),
 ("typed value", 0, ["VAL INT y IS %s:"], ["w := y"], "w = 3"),
 ("initial", 0, ["INITIAL INT y IS %s:"], ["w := y"], "w = 3"),
 ("from", 0, [], ["w := 0", "SEQ i = %s FOR 2", "  w := w + i"], "w = 7"),
 ("for", 0, [], ["w := 0", "SEQ i = 0 FOR %s", "  w := w + 1"], "w = 3"),
 ("step", 0, [], ["w := 0", "SEQ i = 0 FOR 3 STEP %s", "  w := w + i"], "w = 9"),
 ("all", 0, [], ["w := 0", "SEQ i = %s FOR %s STEP %s", "  w := w + i"], "w = 18"),
 ("par", 0, [], ["PAR i = 0 FOR %s", "  v[i] := i + 20"], "v[2] = 22"),
 ("replicated if", 0, [], ["IF", "  IF i = %s FOR 3", "    i > 4", "      w := i", "  TRUE", "    w := 0"], "w = 5"),
 ("selector", 0, [], ["CASE %s", "  1, 2", "    w := 0", "  3", "    w := 1"], "w = 1"),
 ("option", 1, [], ["w := 3", "CASE w", "  1", "    w := 0", "  %s", "    w := 31", "  ELSE", "    w := 5"], "w = 31"),
 ("options", 1, [], ["w := 3", "CASE w", "  1, %s, 7", "    w := 31", "  ELSE", "    w := 5"], "w = 31"),
 ("condition", 0, [], ["IF", "  %s = 4", "    w := 0", "  3 = %s", "    w := 1"], "w = 1"),
 ("call in condition", 0, [], ["IF", "  yes (%s)", "    w := 1", "  TRUE", "    w := 0"], "w = 1"),
 ("while", 0, [], ["w := 0", "WHILE w < %s", "  w := w + 1"], "w = 3"),
 ("item", 0, [], ["PAR", "  c ! %s", "  c ? w"], "w = 3"),
 ("item of sequence", 0, [], ["PAR", "  d ! %s; 'x'; %s", "  BYTE x:", "  d ? v[0]; x; w"], "(w = 3) AND (v[0] = 3)"),
 ("count", 0, [], ["PAR", "  k ! %s::v", "  k ? w::v2"], "w = 3"),
 ("tagged", 0, [], ["PAR", "  o ! num; %s", "  o ? CASE num; w"], "w = 3"),
 ("channel of array", 0, [], ["PAR", "  cs[%s] ! 5", "  cs[3] ? w"], "w = 5"),
 ("guard", 0, [], ["PAR", "  c ! 6", "  ALT", "    (%s = 3) & c ? w", "      SKIP", "    (3 <> %s) & SKIP", "      w := 0"], "w = 6"),
 ("channel in a guard", 0, [], ["PAR", "  cs[3] ! 6", "  ALT", "    cs[%s] ? w", "      SKIP", "    c ? w", "      STOP"], "w = 6"),
 ("replicated alt", 0, [], ["PAR", "  cs[3] ! 7", "  ALT i = 1 FOR %s", "    cs[i] ? w", "      SKIP"], "w = 7"),
 ("output guard", 0, [], ["PAR", "  ALT", "    c ! %s", "      SKIP", "  c ? w"], "w = 3"),
 ("delay", 0, ["TIMER tim:", "INT now:"], ["tim ? now", "tim ? AFTER now PLUS %s", "w := 2"], "w = 2"),
 ("timeout", 0, ["TIMER tim:", "INT now:"], ["tim ? now", "ALT", "  tim ? AFTER now PLUS %s", "    w := 2", "  c ? w", "    STOP"], "w = 2"),
 ("actual", 0, [], ["put (%s, w)"], "w = 3"),
 ("actual of function", 0, [], ["w := f (%s)"], "w = 4"),
 ("nested actual", 0, [], ["w := f (h (%s) + 1)"], "w = 5"),
 ("dimension", 1, ["[%s]INT y:"], ["w := SIZE y"], "w = 3"),
 ("dimensions", 1, ["[2][%s]INT y:"], ["w := SIZE y[0]"], "w = 3"),
 ("channels", 1, ["[%s]CHAN INT y:"], ["w := SIZE y"], "w = 3"),
 ("type", 1, ["DATA TYPE Y IS [%s]BYTE:", "Y y:"], ["w := SIZE y"], "w = 3"),
 ("field", 1, ["DATA TYPE Y", "  RECORD", "    [%s]BYTE z:", ":", "Y y:"], ["w := SIZE y[z]"], "w = 3"),
 ("protocol", 1, ["PROTOCOL Y IS [%s]BYTE; INT:", "CHAN Y y:"], ["PAR", "  y ! \"abc\"; 5", "  [3]BYTE z:", "  y ? z; w"], "w = 5"),
 ("retyped dimension", 1, ["VAL [%s]BYTE y RETYPES \"pqr\":"], ["w := INT y[2]"], "w = (INT 'r')"),
 ("shift", 0, [], ["w := 1 << %s"], "w = 8"),
 ("left", 0, [], ["w := %s + 1"], "w = 4"),
 ("right", 0, [], ["w := 1 - %s"], "w = (-2)"),
 ("converted", 0, [], ["w := INT (INT64 (%s))"], "w = 3"),
 ("to real", 0, [], ["w := INT ROUND (REAL32 ROUND (%s))"], "w = 3"),
 ("negated", 0, [], ["w := -(%s)"], "w = (-3)"),
 ("table", 0, [], ["v2 := [0, %s, 0, %s, 1, 2, 3, 4]"], "(v2[1] = 3) AND (v2[3] = 3)"),
 ("record", 0, [], ["rr := [%s, 1, [2, %s, 1]]"], "(rr[x] = 3) AND (rr[more][1] = 3)"),
 ("constructor", 0, [], ["v := [i = 0 FOR 8 | i + %s]"], "v[7] = 10"),
 ("constructor from", 0, [], ["v := [i = %s FOR 8 | i]"], "v[7] = 10"),
 ("result", 0, [], ["w := (INT t:", "      VALOF", "        t := 1", "        RESULT t + %s", "     )"], "w = 4"),
 ("size of mobile", 0, ["MOBILE []INT y:"], ["y := MOBILE [%s]INT", "w := SIZE y"], "w = 3"),
 ("assert", 0, [], ["ASSERT (%s = 3)", "w := 1"], "w = 1"),
 ("and", 0, [], ["IF", "  (%s = 3) AND (%s < 4) AND (%s > 2)", "    w := 5", "  TRUE", "    w := 0"], "w = 5"),
 ("after", 0, [], ["IF", "  %s AFTER 2", "    w := 5", "  TRUE", "    w := 0"], "w = 5"),
 ("long", 0, [], ["v[1], w := LONGPROD (%s, 5, %s)"], "w = 18"),
 ("predefined", 0, [], ["w := ROTATELEFT (%s, %s)"], "w = 24"),
 ("retypes", 0, ["VAL [4]BYTE y RETYPES %s:"], ["w := INT y[0]"], "w = 3"),
 ("string of conversion", 0, [], ["w := INT [BYTE %s, 'x'][0]" ], "w = 3"),
 ("claim", 0, [], ["PAR", "  CLAIM sh!", "    sh ! %s", "  CLAIM sh?", "    sh ? w"], "w = 3"),
 ("output end of array", 0, [], ["PAR", "  send (cs[%s]!)", "  cs[3] ? w"], "w = 12"),
]
def fill(line, e):
    if "%s" not in line: return [line]
    if "\n" not in e: return [line.replace("%s", e)]
    # an inline VALOF: its lines follow the column of its bracket; only one per line
    if line.count("%s") != 1: return None
    at = line.index("%s"); rows = e.split("\n")
    return [line[:at] + rows[0]] + [" " * at + r for r in rows[1:-1]] + [" " * at + rows[-1] + line[at + 2:]]
def main():
    L = HEAD.split("\n")
    L += ["PROTOCOL D IS INT; BYTE; INT:", "PROTOCOL O", "  CASE", "    num; INT", "    none", ":",
          "PROC put (VAL INT a, INT b)", "  b := a", ":", "PROC send (CHAN INT c!)", "  c ! 12", ":"]
    calls = []
    n = 0
    for name, const, specs, lines, cond in POS:
        for kind, exprs in (("constant", CONST), ("dynamic", DYN)):
            if const and kind == "dynamic": continue
            n += 1
            head = ["", "PROC at.%d (VAL INT n, VAL LEN l, VAL REAL32 e, VAL BYTE b3, VAL []INT a, VAL [][2]INT m, VAL []BYTE s, VAL POINT r, VAL []INT mob, []INT tally, CHAN BYTE out!)" % n,
                    "  INT w:", "  [8]INT v, v2:", "  POINT rr:", "  CHAN INT c:", "  SHARED CHAN INT sh:", "  [4]CHAN INT cs:", "  CHAN D d:", "  CHAN O o:", "  CHAN INT::[]INT k:", "  SEQ"]
            L += head
            k = 0
            for e in exprs:
                k += 1
                body = []
                ok = True
                for l in specs:
                    r = fill(l, e)
                    if r is None:
                        ok = False
                        break
                    body += r
                if not ok:
                    continue
                seq = ["v := [90, 91, 92, 93, 94, 95, 96, 97]" ] if not specs or "IS v[" not in specs[0] and "[v FROM" not in specs[0] else []
                L0 = []
                for l in lines:
                    r = fill(l, e)
                    if r is None:
                        ok = False
                        break
                    L0 += r
                if not ok or ("'" in e and 'INT' not in e and name in ('value', 'retypes')): continue
                pre = "    SEQ"
                L += ["    v := [90, 91, 92, 93, 94, 95, 96, 97]", "    v2 := v"]
                L += ["    " + l for l in body] + ["    SEQ"] + ["      " + l for l in L0]
                c = cond
                if name == "abbreviated element": c = "v[3] = 77"
                if name == "abbreviated segment": c = "v[5] = 78"
                L += ["    note (%s, \"%s %s\", %d, tally, out!)" % (c, kind, name, k)]
            L += [":"]
            calls.append("    at.%d (3, 3, 3.25, 3, [5, 3, 1, 2], [[1, 2], [3, 4]], \"abc*#03\", [2, 3, [3, 3, 3]], [0, 1, 2, 3], tally, screen!)" % n)
    L += ["", "PROC main (CHAN BYTE screen!)", "  INITIAL [2]INT tally IS [0, 0]:", "  SEQ"] + calls + ["    report (tally, screen!)", ":", ""]
    print("\n".join(L))
main()
