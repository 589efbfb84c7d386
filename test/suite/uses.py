#!/usr/bin/env python3
"""Writes self-checking programs: every kind of type, in every kind of place, in every use of a variable.

uses.py DIRECTORY [NAME..]: those of some types only (see TYPES)."""
import os, sys

class T:
    """A type: its text, the text of its n-th value, and how two are compared."""
    def __init__(self, name, text, value, eq, heads=()):
        self.name, self.text, self.value, self.eq, self.heads = name, text, value, eq, list(heads)

def scalar(text, values):
    return T(text.lower(), text, lambda n: values[n % len(values)], "a = b")

LIT = lambda t, vs: ["%s (%s)" % (v, t) if not v.startswith("(") and not v.startswith("MOST") else v for v in vs]
SCALARS = [
    scalar("BOOL", ["TRUE", "FALSE"]),
    scalar("BYTE", LIT("BYTE", ["200", "7", "255", "'a'"])),
    scalar("INT16", ["(-2 (INT16))", "32767 (INT16)", "(MOSTNEG INT16)", "300 (INT16)"]),
    scalar("INT", ["(-5)", "123456789", "(MOSTNEG INT)", "#7FFFFFFE"]),
    scalar("INT32", ["(-5 (INT32))", "123456789 (INT32)", "(MOSTNEG INT32)", "17 (INT32)"]),
    scalar("INT64", ["(-5 (INT64))", "1234567890123456789 (INT64)", "(MOSTNEG INT64)", "#100000000 (INT64)"]),
    scalar("REAL32", ["1.5 (REAL32)", "(-0.1 (REAL32))", "3.0E+38 (REAL32)", "1.0E-30 (REAL32)"]),
    scalar("REAL64", ["1.5 (REAL64)", "(-0.1 (REAL64))", "1.0E+308 (REAL64)", "1.0E-300 (REAL64)"]),
    scalar("UINT16", ["65535 (UINT16)", "3 (UINT16)", "40000 (UINT16)", "0 (UINT16)"]),
    scalar("UINT", ["#FFFFFFFF (UINT)", "3 (UINT)", "3000000000 (UINT)", "0 (UINT)"]),
    scalar("UINT64", ["#FFFFFFFFFFFFFFFF (UINT64)", "3 (UINT64)", "#8000000000000000 (UINT64)", "1 (UINT64)"]),
]
BY = {t.text: t for t in SCALARS}

def named(name, base, bracket=False):
    b = base
    if isinstance(b, T) and b.eq == "a = b":
        return T(name.lower(), name, lambda n: "(%s %s)" % (name, b.value(n)), "a = b", ["DATA TYPE %s IS %s:" % (name, b.text)])
    return T(name.lower(), name, lambda n: "%s (%s)" % (b.value(n), name), b.eq, b.heads + ["DATA TYPE %s IS %s:" % (name, b.text)])

def eq_heads(t):
    if t.eq == "a = b":
        return ["BOOL FUNCTION eq.%s (VAL %s a, b) IS a = b:" % (t.name, t.text)]
    return t.eq

def array(name, count, of):
    heads = list(of.heads) + (["BOOL FUNCTION eq.%s (VAL %s a, b) IS a = b:" % (of.name, of.text)] if of.eq == "a = b" else [])
    eq = ["BOOL FUNCTION eq.%s (VAL [%d]%s a, b)" % (name, count, of.text), "  INITIAL BOOL same IS TRUE:", "  VALOF",
          "    SEQ i = 0 FOR %d" % count, "      same := same AND eq.%s (a[i], b[i])" % of.name, "    RESULT same", ":"]
    t = T(name, "[%d]%s" % (count, of.text), lambda n: "[%s]" % ", ".join(of.value(n + i) for i in range(count)), "array", heads + eq)
    return t

def dedup(lines_list):
    out, seen = [], set()
    for group in lines_list:
        key = "\n".join(group)
        if key not in seen:
            seen.add(key); out += group
    return out

def record(name, fields, mode=""):
    heads = []
    for _, f in fields:
        heads += f.heads
        if f.eq == "a = b": heads += ["BOOL FUNCTION eq.%s (VAL %s a, b) IS a = b:" % (f.name, f.text)]
    heads += ["DATA TYPE %s" % name, "  %sRECORD" % mode] + ["    %s %s:" % (f.text, n) for n, f in fields] + [":"]
    cond = " AND ".join("eq.%s (a[%s], b[%s])" % (f.name, n, n) for n, f in fields)
    heads += ["BOOL FUNCTION eq.%s (VAL %s a, b) IS %s:" % (name.lower(), name, cond)]
    return T(name.lower(), name, lambda k: "[%s] (%s)" % (", ".join(f.value(k + i) for i, (_, f) in enumerate(fields)), name), "record", heads)

REC = record("RCD", [("a", BY["BYTE"]), ("b", BY["INT64"]), ("c", array("int16x2", 2, BY["INT16"])), ("d", BY["BOOL"])])
PREC = record("PREC", [("a", BY["BYTE"]), ("b", BY["INT64"]), ("c", array("int16x2", 2, BY["INT16"])), ("d", BY["BOOL"]), ("e", BY["REAL64"])], "PACKED ")
LEN = named("LEN", BY["INT"])
VEC = T("vec", "VEC", lambda n: "[%s] (VEC)" % ", ".join(BY["INT16"].value(n + i) for i in range(3)), "named",
        ["DATA TYPE VEC IS [3]INT16:", "BOOL FUNCTION eq.vec (VAL VEC a, b) IS (a[0] = b[0]) AND (a[1] = b[1]) AND (a[2] = b[2]):"])
NREC = record("NREC", [("r", REC), ("s", array("recx2", 2, REC)), ("v", VEC), ("l", LEN), ("p", PREC)])
TYPES = SCALARS + [LEN, named("TAG", BY["BYTE"]), VEC, REC, PREC, NREC,
    array("bytex3", 3, BY["BYTE"]), array("boolx2", 2, BY["BOOL"]), array("intx2x3", 2, array("intx3", 3, BY["INT"])),
    array("recx2", 2, REC), array("precx3", 3, PREC), array("real32x2x2", 2, array("real32x2", 2, BY["REAL32"])), array("int64x5", 5, BY["INT64"]), array("vecx2", 2, VEC)]

def groups(lines):
    """Splits heads into definitions."""
    out, cur = [], []
    for l in lines:
        if not l.startswith(" ") and l != ":" and cur and (cur[0].endswith(":") or cur[-1] == ":"):
            out.append(cur); cur = []
        cur.append(l)
    if cur:
        out.append(cur)
    return out

def ind(lines, n=1): return ["  " * n + l for l in lines]

class Place:
    """decls, then statements before, then the text of the place; `wrap` puts the uses into it."""
    def __init__(self, name, specs, pre, text, after=None, no=()):
        self.name, self.specs, self.pre, self.text, self.no = name, specs, pre, text, no

def places(t):
    X = t.text
    yield Place("variable", ["%s x:" % X], [], "x")
    yield Place("element", ["[3]%s xs:" % X], [], "xs[1]")
    yield Place("element i", ["[3]%s xs:" % X], [], "xs[i]")
    yield Place("element i j", ["[2][3]%s xs:" % X], [], "xs[i][j]")
    yield Place("element of open", ["[2][3]%s xs:" % X, "[][3]%s ys IS xs:" % X, "[]%s zs IS ys[i]:" % X], [], "zs[j]")
    yield Place("field", ["BOX x:"], [], "x[val]")
    yield Place("packed field", ["PBOX x:"], [], "x[val]")
    yield Place("field of element", ["[3]BOX x:"], [], "x[i][val]")
    yield Place("packed field of element", ["[3]PBOX x:"], [], "x[j][val]")
    yield Place("element of field", ["ABOX x:"], [], "x[vals][i]")
    yield Place("abbreviation", ["[3]%s xs:" % X, "y IS xs[i]:", "%s z IS y:" % X], [], "z")
    yield Place("segment", ["[4]%s xs:" % X, "seg IS [xs FROM i FOR 3]:", "u IS [seg FROM 1]:"], [], "u[j - 2]")
    yield Place("retyped", ["VAL INT size IS BYTESIN (%s):" % X, "[3][size]BYTE raw:", "%s x RETYPES raw[i]:" % X], [], "x")
    yield Place("retyped odd", ["VAL INT size IS BYTESIN (%s):" % X, "[size + 1]BYTE raw:", "%s x RETYPES [raw FROM 1 FOR size]:" % X], [], "x")
    yield Place("initial", ["INITIAL %s x IS k3:" % X], [], "x")
    yield Place("mobile array", ["MOBILE []%s xs:" % X], ["xs := MOBILE [3]%s" % X], "xs[i]")
    yield Place("mobile of rows", ["MOBILE [][]%s xs:" % X], ["xs := MOBILE [3][4]%s" % X], "xs[i][j]")
    yield Place("mobile record", ["MBOX x:"], ["x[pre], x[more] := 0, 0"], "x[val]")
    yield Place("mobile of records", ["MOBILE []BOX x:"], ["x := MOBILE [3]BOX"], "x[i][val]")

def uses(t, p):
    x, X, n = p.text, t.text, t.name
    eq = lambda a, b: "eq.%s (%s, %s)" % (n, a, b)
    U = []
    def use(title, lines, cond): U.append((title, lines, cond))
    use("assign", ["%s := k0" % x], eq(x, "k0"))
    use("assign literal", ["%s := %s" % (x, t.value(1))], eq(x, "k1"))
    use("from variable", ["w := k2", "%s := w" % x], eq(x, "k2"))
    use("to variable", ["%s := k1" % x, "w := %s" % x], eq("w", "k1"))
    use("exchange", ["%s, w := k0, k1" % x, "%s, w := w, %s" % (x, x)], "%s AND %s" % (eq(x, "k1"), eq("w", "k0")))
    use("reference", ["set.it (%s, k2)" % x], eq(x, "k2"))
    use("result", ["result.it (%s, k3)" % x], eq(x, "k3"))
    use("initial parameter", ["%s := k1" % x, "initial.it (%s, w)" % x], "%s AND %s" % (eq(x, "k1"), eq("w", "k1")))
    use("function", ["%s := same.it (k2)" % x, "w := same.it (%s)" % x], eq("w", "k2"))
    use("inline function", ["%s := k1" % x, "%s := inline.it (%s)" % (x, x)], eq(x, "k1"))
    use("two results", ["%s, w := two.it (k2, k1)" % x, "w, %s := two.it (w, %s)" % (x, x)], "%s AND %s" % (eq(x, "k2"), eq("w", "k1")))
    use("val abbreviation", ["%s := k2" % x, "VAL %s v IS %s:" % (X, x), "w := v"], eq("w", "k2"))
    use("val untyped", ["%s := k3" % x, "VAL v IS %s:" % x, "w := v"], eq("w", "k3"))
    use("abbreviation", ["y IS %s:" % x, "y := k1"], eq(x, "k1"))
    use("initial", ["%s := k2" % x, "INITIAL %s y IS %s:" % (X, x), "w := y"], eq("w", "k2"))
    use("input", ["PAR", "  c ! k0", "  c ? %s" % x], eq(x, "k0"))
    use("output", ["%s := k1" % x, "PAR", "  c ! %s" % x, "  c ? w"], eq("w", "k1"))
    use("sequential", ["PAR", "  s ! k2; 'a'; k1", "  BYTE b:", "  s ? %s; b; w" % x], "%s AND %s" % (eq(x, "k2"), eq("w", "k1")))
    use("sequential output", ["%s := k3" % x, "PAR", "  s ! k2; 'a'; %s" % x, "  BYTE b:", "  s ? w; b; w"], eq("w", "k3"))
    use("variant", ["PAR", "  v ! two; k1; k2", "  v ? CASE", "    none", "      STOP", "    two; w; %s" % x, "      SKIP"], "%s AND %s" % (eq(x, "k2"), eq("w", "k1")))
    use("single variant", ["%s := k0" % x, "PAR", "  v ! one; %s" % x, "  v ? CASE one; w"], eq("w", "k0"))
    use("guard", ["PAR", "  c ! k1", "  ALT", "    c ? %s" % x, "      SKIP"], eq(x, "k1"))
    use("variant guard", ["PAR", "  v ! one; k2", "  ALT", "    TRUE & v ? CASE", "      one; %s" % x, "        SKIP", "      none", "        STOP", "    c ? w", "      STOP"], eq(x, "k2"))
    use("output guard", ["%s := k2" % x, "PAR", "  ALT", "    c ! %s" % x, "      SKIP", "  c ? w"], eq("w", "k2"))
    use("extended", ["PAR", "  c ! k3", "  c ?? %s" % x, "    w := %s" % x], eq("w", "k3"))
    use("any", ["%s := k2" % x, "PAR", "  a ! %s" % x, "  a ? w"], eq("w", "k2"))
    use("any in", ["PAR", "  a ! k1", "  a ? %s" % x], eq(x, "k1"))
    use("counted", ["PAR", "  n ! 2::[k1, k2]", "  INT count:", "  [3]%s got:" % X, "  SEQ", "    n ? count::got", "    %s := got[1]" % x], eq(x, "k2"))
    use("counted byte", ["%s := k1" % x, "PAR", "  nb ! 1::[%s]" % x, "  BYTE count:", "  [3]%s got:" % X, "  SEQ", "    nb ? count::got", "    w := got[0]"], eq("w", "k1"))
    use("table", ["%s := k2" % x, "w := [k0, %s, k1][j - 1]" % x], eq("w", "k2"))
    use("constructor", ["%s := k1" % x, "VAL all IS [q = 0 FOR 3 | %s]:" % x, "w := all[j]"], eq("w", "k1"))
    use("bytes", ["%s := k3" % x, "w := k0", "VAL []BYTE from RETYPES %s:" % x, "[]BYTE to RETYPES w:", "to := from"], eq("w", "k3"))
    use("bytes in", ["[]BYTE to RETYPES %s:" % x, "VAL %s v IS k1:" % X, "VAL []BYTE from RETYPES v:", "SEQ q = 0 FOR SIZE to", "  to[q] := from[q]"], eq(x, "k1"))
    use("valof", ["%s := k2" % x, "w := (%s r:" % X, "      VALOF", "        r := %s" % x, "        RESULT r", "     )"], eq("w", "k2"))
    use("free", ["PROC set ()", "  %s := k1" % x, ":", "set ()"], eq(x, "k1"))
    use("free function", ["%s := k3" % x, "%s FUNCTION get () IS %s:" % (X, x), "w := get ()"], eq("w", "k3"))
    use("branches", ["PAR", "  %s := k0" % x, "  w := k1"], "%s AND %s" % (eq(x, "k0"), eq("w", "k1")))
    use("parenthesised", ["%s := (k1)" % x, "w := ((%s))" % x], eq("w", "k1"))
    if t.eq == "a = b":
        use("comparison", ["%s := k1" % x], "(%s = k1) AND (k0 <> %s)" % (x, x))
        if t.text not in ("BOOL",) and t.text not in ("REAL32", "REAL64"):
            use("case", ["%s := k1" % x, "CASE %s" % x, "  k0, k2", "    w := k0", "  k1", "    w := k2", "  ELSE", "    w := k0"], eq("w", "k2"))
        if t.text != "BOOL":
            use("order", ["%s, w := k1, k1" % x], "(%s <= w) AND (w >= %s) AND (NOT (%s < w)) AND (NOT (%s > w))" % (x, x, x, x))
    if t.text.startswith("["):
        use("segment", ["%s := k0" % x, "w := k1", "[w FROM 0 FOR 1] := [%s FROM 1 FOR 1]" % x, "[%s FROM 1] := [k1 FROM 1]" % x, "w := %s" % x], eq("w", "w"))
        use("size", ["%s := k0" % x], "(SIZE %s) = (SIZE k0)" % x)
        use("open reference", ["set.open (%s, k2)" % x], eq(x, "k2"))
        use("reshape", ["%s := k1" % x, "%s y RESHAPES %s:" % (X, x), "w := y"], eq("w", "k1"))
    return U

def program(t):
    heads = groups(t.heads + (eq_heads(t) if t.eq == "a = b" else []))
    L = ["-- %s in every kind of place and use. Written by uses.py." % t.text, '#INCLUDE "course.module"', '#INCLUDE "check.inc"', ""]
    L += dedup(heads)
    L += ["VAL %s k%d IS %s:" % (t.text, i, t.value(i)) for i in range(4)]
    L += ["DATA TYPE BOX", "  RECORD", "    BYTE pre:", "    %s val:" % t.text, "    INT16 post:", ":",
          "DATA TYPE PBOX", "  PACKED RECORD", "    BYTE pre:", "    %s val:" % t.text, "    INT16 post:", ":",
          "DATA TYPE ABOX", "  RECORD", "    BOOL pre:", "    [3]%s vals:" % t.text, ":",
          "DATA TYPE MBOX", "  MOBILE RECORD", "    INT64 pre, more:", "    %s val:" % t.text, ":",
          "PROTOCOL S IS %s; BYTE; %s:" % (t.text, t.text),
          "PROTOCOL V", "  CASE", "    none", "    one; %s" % t.text, "    two; %s; %s" % (t.text, t.text), ":",
          "PROC set.it (%s x, VAL %s v)" % (t.text, t.text), "  x := v", ":",
          "PROC result.it (RESULT %s x, VAL %s v)" % (t.text, t.text), "  x := v", ":",
          "PROC initial.it (INITIAL %s x, %s y)" % (t.text, t.text), "  SEQ", "    y := x", "    x := k0", ":",
          "%s FUNCTION same.it (VAL %s v)" % (t.text, t.text), "  %s r:" % t.text, "  VALOF", "    r := v", "    RESULT r", ":",
          "%s INLINE FUNCTION inline.it (VAL %s v) IS v:" % (t.text, t.text),
          "%s, %s FUNCTION two.it (VAL %s v, w) IS v, w:" % (t.text, t.text, t.text)]
    if t.text.startswith("["):
        inner = t.text[t.text.index("]") + 1:]
        L += ["PROC set.open ([]%s x, VAL []%s v)" % (inner, inner), "  x := v", ":"]
    calls, n = [], 0
    for p in places(t):
        n += 1
        L += ["", "PROC part.%d (VAL INT i, j, []INT tally, CHAN BYTE out!)" % n, "  %s w:" % t.text]
        L += ["  CHAN %s c:" % t.text, "  CHAN S s:", "  CHAN V v:", "  CHAN ANY a:", "  CHAN INT::[]%s n:" % t.text, "  CHAN BYTE::[]%s nb:" % t.text]
        L += ind(p.specs) + ["  SEQ"] + ind(p.pre, 2)
        for title, lines, cond in uses(t, p):
            L += ind(["SEQ"] + ind(lines), 2)
            L += ["    check (%s, \"%s: %s\", tally, out!)" % (cond, p.name, title)]
        L += [":"]
        calls.append("    part.%d (1, 2, tally, screen!)" % n)
    L += ["", "PROC main (CHAN BYTE screen!)", "  INITIAL [2]INT tally IS [0, 0]:", "  SEQ"] + calls + ["    report (tally, screen!)", ":", ""]
    return "\n".join(L)

def main():
    directory, names = sys.argv[1], sys.argv[2:]
    os.makedirs(directory, exist_ok=True)
    for t in TYPES:
        if not names or t.name in names:
            with open(os.path.join(directory, "uses-of-%s.occ" % t.name), "w") as file:
                file.write(program(t))


if __name__ == "__main__":
    main()
