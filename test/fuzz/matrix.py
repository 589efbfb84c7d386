#!/usr/bin/env python3
"""The matrix of the guarantee: every way to read or use a place beside every way to write it, in every context.

A case is two processes, made of two ways (matrix_ways.py) and one place, that run beside each other: branches of a PAR,
called PROCs, routines of another unit, forked processes, branches on a clock or under a MUTEX; or a name for the place and a process
in its scope. A small interpreter runs the accesses of both in every order. Where two meet the compiler must refuse the case,
where none can it must accept it; so the same ways on two places, the control, are accepted. All of it takes minutes: --sample N takes
N cases, chosen by --seed. --print N shows one. --kinds looks whether each kind of node stands in some case.
"""

import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

import matrix_kinds
import matrix_ways as given
from verdict import errors_of

# What a case may be refused with; any other error is one of the way itself: it does not fit that place.
RACES = ("usage-parallel", "usage-unproved", "usage-target", "alias-", "types-fork-free", "clock-not-enrolled")
BATCH = 400


def indent(lines):
    return ["  " + line for line in lines]


# ---- places ----


class Place:
    """`#` in texts is the number of the object; `parts`: the cells it stands for, each a path of numbers and names of
    variables that nobody knows; `path`: what choosing it reads."""

    def __init__(self, name, kind, declared, text, parts, path=(), formal=None):
        self.name, self.kind, self.declared, self.text = name, kind, declared, text
        self.parts, self.path, self.formal = parts, path, formal

    def lines(self, number):
        return [line.replace("#", str(number)) for line in self.declared]

    def named(self, number):
        return self.text.replace("#", str(number))

    def cells(self, parts, number, values):
        return frozenset(tuple(values.get(step, step) for step in part.replace("#", str(number)).split(".")) for part in parts)


def number(name, declared, text, part, path=(), formal=None):
    return Place(name, "number", declared, text, [part], path, formal)


def four(part):
    return [f"{part}.{k}" for k in range(4)]


PLACES = [
    number("scalar", ["INT x#:"], "x#", "x#"),
    number("formal", [], "f#", "f#", formal="INT f#"),
    number("formal of a RESULT", [], "f#", "f#", formal="RESULT INT f#"),
    number("element", ["[4]INT a#:"], "a#[1]", "a#.1"),
    number("element not known", ["INT n:", "[4]INT a#:"], "a#[n]", "a#.n", ["n"]),
    number("element of a formal", [], "f#[1]", "f#.1", formal="[]INT f#"),
    number("element of a segment", ["[4]INT a#:"], "[a# FROM 1 FOR 2][0]", "a#.1"),
    number("element of a matrix", ["[4][4]INT g#:"], "g#[1][2]", "g#.1.2"),
    number("element of a matrix not known", ["INT n:", "[4][4]INT g#:"], "g#[1][n]", "g#.1.n", ["n"]),
    number("field", ["RECD s#:"], "s#[f]", "s#.f"),
    number("field of an element", ["[4]RECD t#:"], "t#[2][e]", "t#.2.e"),
    number("element of a field", ["RECD s#:"], "s#[h][1]", "s#.h.1"),
    number("element of a mobile", ["MOBILE []INT m#:"], "m#[1]", "m#.1", ["m#.slot"]),
    number("element of a mobile in a mobile", ["MOBILE []MOBILE []INT mm#:"], "mm#[1][2]", "mm#.1.2", ["mm#.slot", "mm#.1.slot"]),
    number("field of a mobile", ["ITEM it#:"], "it#[f]", "it#.f"),
    number("element of a field of a mobile", ["ITEM it#:"], "it#[part][1]", "it#.p.1", ["it#.p.slot"]),
    number("INITIAL variable", ["INITIAL INT x# IS 3:"], "x#", "x#"),
    number("other name", ["[4]INT a#:", "y# IS a#[1]:"], "y#", "a#.1"),
    number("other name of an element not known", ["INT n:", "[4]INT a#:", "y# IS a#[n]:"], "y#", "a#.n"),
    number("element of a segment with a name", ["[4]INT a#:", "z# IS [a# FROM 1 FOR 2]:"], "z#[0]", "a#.1"),
    number("RETYPES", ["[4]BYTE b#:", "INT y# RETYPES b#:"], "y#", "b#"),
    number("element of a RESHAPES", ["[4]INT a#:", "[2][2]INT y# RESHAPES a#:"], "y#[0][1]", "a#.1"),
    Place("array", "array", ["[4]INT a#:"], "a#", four("a#")),
    Place("formal array", "array", [], "f#", four("f#"), formal="[4]INT f#"),
    Place("open formal array", "array", [], "f#", four("f#"), formal="[]INT f#"),
    Place("row", "array", ["[4][4]INT g#:"], "g#[1]", four("g#.1")),
    Place("row not known", "array", ["INT n:", "[4][4]INT g#:"], "g#[n]", four("g#.n"), ["n"]),
    Place("segment", "array", ["[6]INT a#:"], "[a# FROM 1 FOR 4]", four("a#")),
    Place("segment with a name", "array", ["[6]INT a#:", "z# IS [a# FROM 1 FOR 4]:"], "z#", four("a#")),
    Place("array in a field", "array", ["RECD s#:"], "s#[h]", four("s#.h")),
    Place("array by RESHAPES", "array", ["[2][2]INT a#:", "[4]INT y# RESHAPES a#:"], "y#", four("a#")),
    Place("contents of a mobile", "array", ["MOBILE []INT m#:"], "[m# FROM 0 FOR 4]", four("m#"), ["m#.slot"]),
    Place("mobile", "mobile", ["MOBILE []INT m#:"], "m#", four("m#"), ()),
    Place("formal mobile", "mobile", [], "f#", four("f#"), formal="MOBILE []INT f#"),
    Place("mobile in a mobile", "mobile", ["MOBILE []MOBILE []INT mm#:"], "mm#[1]", four("mm#.1"), ["mm#.slot"]),
    Place("mobile in an array", "mobile", ["[4]MOBILE []INT am#:"], "am#[2]", four("am#.2")),
    Place("mobile in a field", "mobile", ["ITEM it#:"], "it#[part]", four("it#.p")),
    Place("mobile with another name", "mobile", ["MOBILE []INT m#:", "y# IS m#:"], "y#", four("m#")),
    Place("channel", "channel", ["CHAN INT c#:"], "c#", ["c#"]),
    Place("formal channel", "channel", [], "f#", ["f#"], formal="CHAN INT f#"),
    Place("channel of an array", "channel", ["[4]CHAN INT l#:"], "l#[1]", ["l#.1"]),
    Place("channel of an array not known", "channel", ["INT n:", "[4]CHAN INT l#:"], "l#[n]", ["l#.n"], ["n"]),
    Place("timer", "timer", ["TIMER tm#:"], "tm#", ["tm#"]),
    Place("timer of an array", "timer", ["INT n:", "[4]TIMER ts#:"], "ts#[n]", ["ts#.n"], ["n"]),
    Place("port", "port", ["PORT OF INT o#:", "PLACE o# AT 4#:"], "o#", ["o#"]),
    Place("formal port", "port", [], "f#", ["f#"], formal="PORT OF INT f#"),
    Place("port of an array", "port", ["[4]PORT OF INT os#:", "PLACE os# AT 4#:"], "os#[1]", ["os#.1"]),
    Place("bundle end", "bundle", ["BOX! e#:"], "e#", ["e#.rest"]),
    Place("bundle end in an array", "bundle", ["[4]BOX! es#:"], "es#[1]", ["es#.1.rest"]),
    Place("mobile process", "process", ["MOBILE WORK w#:"], "w#", ["w#"]),
    Place("MUTEX", "mutex", ["MUTEX u#:"], "u#", ["u#"]),
]

# Parts of one object beside each other, those that are the same and those that are not.
PARTS = [
    [number("a[1]", ["[4]INT a#:"], "a#[1]", "a#.1"), number("a[2]", ["[4]INT a#:"], "a#[2]", "a#.2"),
     number("a[n]", ["INT n:", "[4]INT a#:"], "a#[n]", "a#.n", ["n"]), number("[a FROM 1][1]", ["[4]INT a#:"], "[a# FROM 1][1]", "a#.2"),
     Place("a", "array", ["[4]INT a#:"], "a#", four("a#"))],
    [number("g[1][2]", ["[4][4]INT g#:"], "g#[1][2]", "g#.1.2"), number("g[1][n]", ["INT n:", "[4][4]INT g#:"], "g#[1][n]", "g#.1.n", ["n"]),
     number("g[n][2]", ["INT n:", "[4][4]INT g#:"], "g#[n][2]", "g#.n.2", ["n"]), number("g[2][2]", ["[4][4]INT g#:"], "g#[2][2]", "g#.2.2"),
     Place("g[1]", "array", ["[4][4]INT g#:"], "g#[1]", four("g#.1")), Place("g[3]", "array", ["[4][4]INT g#:"], "g#[3]", four("g#.3"))],
    [number("s[f]", ["RECD s#:"], "s#[f]", "s#.f"), number("s[e]", ["RECD s#:"], "s#[e]", "s#.e"), number("s[h][1]", ["RECD s#:"], "s#[h][1]", "s#.h.1"),
     number("s[h][2]", ["RECD s#:"], "s#[h][2]", "s#.h.2"), Place("s[h]", "array", ["RECD s#:"], "s#[h]", four("s#.h"))],
    [number("t[1][f]", ["[4]RECD t#:"], "t#[1][f]", "t#.1.f"), number("t[1][e]", ["[4]RECD t#:"], "t#[1][e]", "t#.1.e"),
     number("t[2][f]", ["[4]RECD t#:"], "t#[2][f]", "t#.2.f"), number("t[n][f]", ["INT n:", "[4]RECD t#:"], "t#[n][f]", "t#.n.f", ["n"])],
    [number("m[1]", ["MOBILE []INT m#:"], "m#[1]", "m#.1", ["m#.slot"]), number("m[2]", ["MOBILE []INT m#:"], "m#[2]", "m#.2", ["m#.slot"]),
     Place("m", "mobile", ["MOBILE []INT m#:"], "m#", four("m#"))],
    [number("mm[1][2]", ["MOBILE []MOBILE []INT mm#:"], "mm#[1][2]", "mm#.1.2", ["mm#.slot", "mm#.1.slot"]),
     number("mm[2][2]", ["MOBILE []MOBILE []INT mm#:"], "mm#[2][2]", "mm#.2.2", ["mm#.slot", "mm#.2.slot"]),
     Place("mm[1]", "mobile", ["MOBILE []MOBILE []INT mm#:"], "mm#[1]", four("mm#.1"), ["mm#.slot"]),
     Place("mm[2]", "mobile", ["MOBILE []MOBILE []INT mm#:"], "mm#[2]", four("mm#.2"), ["mm#.slot"])],
    [number("it[f]", ["ITEM it#:"], "it#[f]", "it#.f"), number("it[part][1]", ["ITEM it#:"], "it#[part][1]", "it#.p.1", ["it#.p.slot"]),
     Place("it[part]", "mobile", ["ITEM it#:"], "it#[part]", four("it#.p"))],
    [Place("l[1]", "channel", ["[4]CHAN INT l#:"], "l#[1]", ["l#.1"]), Place("l[2]", "channel", ["[4]CHAN INT l#:"], "l#[2]", ["l#.2"]),
     Place("l[n]", "channel", ["INT n:", "[4]CHAN INT l#:"], "l#[n]", ["l#.n"], ["n"])],
]

TABLES = {
    "number": (given.READS + given.wrapped([("r", "r := $"), ("r", "r := [1, $, 2][1]")]),
               given.WRITES + given.wrapped([("w", "$ := 1"), ("w", "ci ? $"), ("w", "put ($)"), ("w", "q IS $:\nq := 1")])),
    "array": (given.ARRAY_READS + given.wrapped([("r", "vec := $")]), given.ARRAY_WRITES + given.wrapped([("w", "$ := vec"), ("w", "fill ($)")])),
    "mobile": (given.MOBILE_READS + given.wrapped([("s", "r := SIZE $")]), given.MOBILE_WRITES + given.wrapped([("w", "mob := $")])),
    "channel": (given.INPUTS + given.wrapped([("i", "$ ? r")]), given.OUTPUTS + given.wrapped([("o", "$ ! 1")])),
    "timer": (given.TIMER_USES, given.TIMER_USES),
    "port": (given.PORT_INPUTS + given.wrapped([("i", "$ ? r")]), given.PORT_OUTPUTS + given.wrapped([("w", "$ ! 1")])),
    "bundle": (given.BOX_READS, given.BOX_WRITES),
    "process": (given.WORK_READS, given.WORK_WRITES),
    "mutex": (given.MUTEX_USES, given.MUTEX_USES),
}

FORMALS = {"number": "INT q1", "array": "[4]INT q1", "mobile": "MOBILE []INT q1", "channel": None, "timer": "TIMER q1", "port": "PORT OF INT q1",
           "bundle": "BOX! q1", "process": "MOBILE WORK q1", "mutex": "MUTEX q1"}


SURELY = [(r"\$\[0\]", {0}), (r"\$\[1\]", {1}), (r"\$\[[kj]\]", {0, 1}), (r"\[\$ FROM 0 FOR 1\]", {0}), (r"\[\$ FROM 1 FOR 1\]", {1}),
          (r"\[\$ FROM k FOR 1\]", {0, 1}), (r"\[\$ FROM 1\]", {1, 2, 3}), (r"\[\$ FROM k FOR 2\]", {0, 1}), (r"\[\$ (FROM 0 )?FOR 2\]", {0, 1})]


def surely(text):
    """The elements of an array that the way uses whatever the compiler makes of it: at least these."""
    view = re.search(r"(\S*) ?q (IS|RETYPES|RESHAPES) \$:", text)
    if view:
        text = text.replace(view.group(0), "").replace("q[", "$[")
        if view.group(2) != "IS":
            return {1} if "$[1][0]" in text else {0}
    if re.search(r"q (IS|RETYPES) \[\$ FROM 0 FOR 2\]:", text):
        return {0}
    found = {0} if "peek.all ($)" in text else set()
    text = text.replace("peek.all ($)", "")
    for pattern, elements in SURELY:
        found |= elements if re.search(pattern, text) else set()
        text = re.sub(pattern, "", text)
    return set(range(4)) if "$" in text else found


def operations(place, way, instance, values, is_narrow):
    """What the way does to the place: (mode, cells), in order; is_narrow: as little as it may be."""
    how, text = way
    parts = place.parts
    if is_narrow and place.kind in ("array", "mobile"):
        parts = [parts[k] for k in sorted(surely(text))]
    slot = [part.rsplit(".", 1)[0] + ".slot" for part in place.parts[:1]]
    uses = [("r", place.path)]
    for use in how.split():
        if place.kind == "mobile":
            uses += {"s": [("r", slot)], "r": [("r", slot), ("r", parts)], "e": [("r", slot), ("w", parts)],
                     "w": [("w", slot), ("w", place.parts)]}[use]
        elif place.kind == "bundle":
            end = place.parts[0].rsplit(".", 1)[0]
            channels = [end + ".q", end + ".a"]
            mode, _, channel = use.partition(":")
            uses += [("r", slot)] if mode != "w" else [("w", slot), *((("w", channels),) if mode == "w" else ())]
            uses += [(mode, [f"{end}.{channel}"])] if channel else []
        elif use != "n":
            uses.append((use, parts))
    return tuple((mode, place.cells(used, instance, values)) for mode, used in uses if used)


# ---- the interpreter: every order of two processes ----


def conflict(one, other):
    (mode, cells), (mode2, cells2) = one, other
    if not cells & cells2:
        return False
    return "w" in (mode, mode2) or (mode == mode2 and mode in "io")


ACCESS = ("r", "w", "i", "o")


def races(left, right):
    """A state: for each process the operations left, its phase and whether it has arrived in it; who holds the MUTEX; the phase."""
    start = ((left, 0, False), (right, 0, False), None, 0)
    seen, todo = {start}, [start]
    while todo:
        one, other, holder, phase = todo.pop()
        heads = [each[0][0] for each in (one, other) if each[0]]
        if len(heads) == 2 and heads[0][0] in ACCESS and heads[1][0] in ACCESS and conflict(*heads):
            return True
        for which, mine in enumerate((one, other)):
            for moved, holds in step(mine, which, holder, phase):
                both = (moved, other) if which == 0 else (one, moved)
                members = [each for each in both if each[0] and each[1] is not None]
                ends = phase + 1 if members and all(each[1] == phase and each[2] for each in members) else phase
                state = (*both, holds, ends)
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
    return False


def step(process, which, holder, phase):
    rest, own, arrived = process
    if not rest:
        return
    mode = rest[0][0]
    if mode in ACCESS:
        yield (rest[1:], own, arrived), holder
    elif mode == "claim" and holder is None:
        yield (rest[1:], own, arrived), which
    elif mode == "leave":
        yield (rest[1:], own, arrived), None
    elif mode == "resume":
        yield (rest[1:], own, True), holder
    elif mode == "drop":
        yield (rest[1:], None, False), holder
    elif mode == "next" and not arrived:
        yield (rest, own, True), holder
    elif mode == "next" and phase > own:
        yield (rest[1:], own + 1, False), holder


CLAIM, LEAVE, NEXT, RESUME, DROP = (("claim",),), (("leave",),), (("next",),), (("resume",),), (("drop",),)
KNOWN = {}


def meets(places, left, right, instance):
    """The operations of both sides, by functions of what nobody knows: is there a value for which they race?"""
    unknown = {step for each in places for part in [*each.parts, *each.path] for step in part.split(".") if step == "n"}
    for value in range(4) if unknown else (0,):
        values = {"n": str(value)} if unknown else {}
        pair = left(1, values), right(instance, values)
        pair = tuple(tuple(("r", frozenset({("n",)})) if op == "n" else op for op in side) for side in pair)
        if pair not in KNOWN:
            KNOWN[pair] = races(*pair)
        if KNOWN[pair]:
            return True
    return False


# ---- contexts ----


def body(text, name, side=0):
    """The process of a way, with its locals: its PORTs are not those of the other side."""
    placed = [re.sub(r" AT (\d+):", lambda at: f" AT {int(at[1]) + 64 * side}:", line) for line in given.locals_of(text)]
    lines = placed + text.split("\n")
    return [line.replace("$", name) for line in lines]


def par(left, right, head="PAR"):
    return [head, *indent(["SEQ", *indent(left)]), *indent(["SEQ", *indent(right)])]


def plain(case, left, right):
    return case.declared() + par(left, right)


def written_otherwise(case, left, right):
    return case.declared() + par(right, left, "PRI PAR")


def replicated(case, left, right):
    return case.declared() + ["PAR j0 = 0 FOR 2", "  IF", "    j0 = 0", *indent(indent(indent(left))), "    TRUE", *indent(indent(indent(right)))]


def nested(case, left, right):
    return case.declared() + ["PAR", "  PAR", "    SKIP", *indent(indent(left)), "  SEQ", "    SKIP", "    PAR", *indent(indent(indent(right)))]


def free(case, left, right):
    return case.declared() + ["PROC p1 ()", *indent(left), ":", "PROC p2 ()", *indent(right), ":", "PAR", "  p1 ()", "  p2 ()"]


def free_of_one(case, left, right):
    return case.declared() + ["PROC p1 ()", *indent(left), ":", "PROC p2 ()", "  p1 ()", ":", "PAR", "  p2 ()", *indent(right)]


def called(case, left, right):
    """The places are parameters, and the actuals parts of the variables."""
    one, two = case.formal(1), case.formal(2)
    left, right = case.process(0, "q1"), case.process(1, "q1")
    return ["PROC p1 (" + one + ")", *indent(left), ":", "PROC p2 (" + two + ")", *indent(right), ":", *case.declared(), "PAR",
            f"  p1 ({case.actual(0)})", f"  p2 ({case.actual(1)})"]


def called_beside(case, left, right):
    one = case.formal(1)
    left = case.process(0, "q1")
    return ["PROC p1 (" + one + ")", *indent(left), ":", "PROC p2 (" + one + ")", f"  p1 (q1{case.mark(0)})", ":", *case.declared(), "PAR",
            f"  p2 ({case.actual(0)})", *indent(right)]


def elsewhere(case, left, right):
    return case.declared() + ["PAR", f"  {case.unit(0)} ({case.actual(0)})", f"  {case.unit(1)} ({case.actual(1)})"]


def elsewhere_beside(case, left, right):
    return case.declared() + ["PAR", f"  {case.unit(0)} ({case.actual(0)})", *indent(right)]


def forked(case, left, right):
    return case.declared() + ["PROC p1 ()", *indent(left), ":", "FORKING", "  SEQ", "    FORK p1 ()", *indent(indent(right))]


def forked_both(case, left, right):
    return case.declared() + ["PROC p1 ()", *indent(left), ":", "PROC p2 ()", *indent(right), ":", "FORKING", "  SEQ", "    FORK p1 ()", "    FORK p2 ()"]


def forked_under(case, left, right):
    return case.declared() + ["MUTEX u0:", "PROC p1 ()", "  CLAIM u0", *indent(indent(left)), ":", "FORKING", "  SEQ", "    FORK p1 ()", "    CLAIM u0",
                              *indent(indent(indent(right)))]


def under(case, left, right):
    return case.declared() + ["MUTEX u0:"] + par(["CLAIM u0", *indent(left)], ["CLAIM u0", *indent(right)])


def under_called(case, left, right):
    return case.declared() + ["MUTEX u0:", "PROC p1 ()", "  CLAIM u0", *indent(indent(left)), ":"] + par(["p1 ()"], ["CLAIM u0", *indent(right)])


def under_one(case, left, right):
    return case.declared() + ["MUTEX u0:"] + par(["CLAIM u0", *indent(left)], right)


def under_two(case, left, right):
    return case.declared() + ["[2]MUTEX u0:"] + par(["CLAIM u0[0]", *indent(left)], ["CLAIM u0[1]", *indent(right)])


def clocked(before, after, before2, after2):
    def lines(case, left, right):
        one = ["SEQ", *indent(before), *indent(left), *indent(after)]
        other = ["SEQ", *indent(before2), *indent(right), *indent(after2)]
        return case.declared() + ["CLOCK cl:", "PAR ENROLL cl", *indent(one), *indent(other)]

    return lines


def clocked_called(case, left, right):
    return case.declared() + ["CLOCK cl:", "PROC p1 (CLOCK c)", "  SEQ", "    NEXT c", *indent(indent(left)), ":", "PAR ENROLL cl", "  p1 (cl)", "  SEQ",
                              *indent(indent(right)), "    NEXT cl"]


def named(case, left, right):
    """The process of the way where the place has another name."""
    return case.declared() + [f"q0 IS {case.place.named(1)}:", "SEQ", *indent(right), "  " + case.touch("q0")]


def valued(case, left, right):
    return case.declared() + [f"VAL q0 IS {case.place.named(1)}:", "SEQ", *indent(right), "  " + case.look("q0")]


def around(first, second):
    return lambda one, two: (first[0] + one + first[1], second[0] + two + second[1])


BOTH = around(((), ()), ((), ()))
CONTEXTS = {
    "par": (plain, BOTH), "pri par": (written_otherwise, lambda one, two: (two, one)), "replicated": (replicated, BOTH), "nested": (nested, BOTH),
    "free names": (free, BOTH), "free names of one": (free_of_one, BOTH), "called": (called, BOTH), "called beside": (called_beside, BOTH),
    "unit": (elsewhere, BOTH), "unit beside": (elsewhere_beside, BOTH),
    "forked": (forked, BOTH), "both forked": (forked_both, BOTH), "forked under a mutex": (forked_under, around((CLAIM, LEAVE), (CLAIM, LEAVE))),
    "mutex": (under, around((CLAIM, LEAVE), (CLAIM, LEAVE))), "mutex called": (under_called, around((CLAIM, LEAVE), (CLAIM, LEAVE))),
    "mutex of one": (under_one, around((CLAIM, LEAVE), ((), ()))), "two mutexes": (under_two, BOTH),
    "same phase": (clocked([], ["NEXT cl"], [], ["NEXT cl"]), around(((), NEXT), ((), NEXT))),
    "another phase": (clocked([], ["NEXT cl"], ["NEXT cl"], []), around(((), NEXT), (NEXT, ()))),
    "resumed": (clocked(["RESUME cl"], ["NEXT cl"], ["NEXT cl"], []), around((RESUME, NEXT), (NEXT, ()))),
    "dropped": (clocked(["DROP cl"], [], ["NEXT cl"], []), around((DROP, ()), (NEXT, ()))),
    "phase in a call": (clocked_called, around((NEXT, ()), ((), NEXT))),
    "other name": (named, None), "VAL name": (valued, None),
}
ABBREVIATES = re.compile(r"q (IS|RETYPES|RESHAPES) .*\$")
ALONE = ("other name", "VAL name")  # only the second way counts
FORKS = ("forked", "both forked", "forked under a mutex")


class Case:
    """`place` of both ways, or of the first where the second has another part."""

    def __init__(self, number, context, place, ways, is_control, other=None):
        self.number, self.context, self.ways, self.is_control = number, context, ways, is_control
        self.place, self.places = place, (place, other or place)

    def instance(self, side):
        return 2 if side == 1 and self.is_control else 1

    def declared(self):
        lines = self.place.lines(1) + self.places[1].lines(self.instance(1))
        return list(dict.fromkeys(lines))

    def process(self, side, name):
        return body(self.ways[side][1], name, side)

    def mark(self, side):
        if self.places[side].kind != "channel":
            return ""
        return "?" if "i" in self.ways[side][0] else "!"

    def formal(self, side):
        return FORMALS[self.places[side - 1].kind] or "CHAN INT q1" + self.mark(side - 1)

    def actual(self, side):
        return self.places[side].named(self.instance(side)) + self.mark(side)

    def unit(self, side):
        return unit_name(self.places[side].kind, self.ways[side])

    def touch(self, name):
        return {"number": f"{name} := 1", "array": f"{name}[0] := 1", "mobile": f"{name} := MOBILE [2]INT"}[self.place.kind]

    def look(self, name):
        return {"number": f"look ({name})", "array": f"look ({name}[0])", "mobile": f"look ({name}[0])"}[self.place.kind]

    def lines(self):
        build = CONTEXTS[self.context][0]
        formals = [self.place.formal.replace("#", "1")] if self.place.formal else []
        if self.place.formal and self.is_control:
            formals.append(self.place.formal.replace("#", "2"))
        left = self.process(0, self.place.named(self.instance(0)))
        right = self.process(1, self.places[1].named(self.instance(1)))
        return [f"PROC t{self.number} ({', '.join(formals)})", *indent(build(self, left, right)), ":"]

    def is_race(self, is_narrow):
        def side(which):
            return lambda instance, values: operations(self.places[which], self.ways[which], instance, values, is_narrow)

        if self.context in ALONE:
            is_value = self.context == "VAL name"
            if ("FROM k" in self.ways[1][1] or any("n" in part.split(".") for part in self.place.parts)) and ABBREVIATES.search(self.ways[1][1]):
                return is_narrow is False  # two names: the running program compares them
            slots = [part.rsplit(".", 1)[0] + ".slot" for part in self.place.parts[:1]] if self.place.kind == "mobile" else []

            def keeps(instance, values):
                named = ("r" if is_value else "w", self.place.cells(self.place.parts + slots, 1, values))
                return (named, ("r", self.place.cells(self.place.path, 1, values)))

            def uses(instance, values):
                if not is_narrow and ABBREVIATES.search(self.ways[1][1]):  # a name that might be written to
                    return (("w", self.place.cells(self.place.parts, instance, values)),)
                return side(1)(instance, values)

            return meets(self.places, keeps, uses, self.instance(1))
        arrange = CONTEXTS[self.context][1]
        return self.ordered(arrange, side)

    def ordered(self, arrange, side):
        sides = {}

        def arranged(which):
            def of(instance, values):
                both = arrange(side(0)(1, values), side(1)(instance if which == 1 else self.instance(1), values))
                return both[which]

            return of

        return meets(self.places, arranged(0), arranged(1), self.instance(1))

    def title(self):
        ways = " | ".join(text.replace("\n", "/ ") for _, text in self.ways)
        places = " beside ".join(dict.fromkeys(each.name for each in self.places))
        return f"{self.number} {self.context}, {places}{', control' if self.is_control else ''}: {ways}"


def unit_name(kind, way):
    reads, writes = TABLES[kind]
    return f"{kind}.{(reads + writes).index(way)}"


def cases():
    """All of them, in an order that does not change: whole tables on the first place of each kind in a plain PAR, and each way
    beside a few others in every other place and context."""
    found = []
    for place in PLACES:
        reads, writes = TABLES[place.kind]
        first = next(each for each in PLACES if each.kind == place.kind)
        for context in CONTEXTS:
            if not fits_context(place, context):
                continue
            if place is first and context == "par":
                pairs = list(itertools.product(writes, reads + writes))
            else:
                rng = random.Random(f"{place.name} {context}")
                pairs = [(write, rng.choice(reads)) for write in writes for _ in range(2)]
                pairs += [(rng.choice(writes), read) for read in reads for _ in range(2)]
                pairs += [(rng.choice(writes), write) for write in writes]
            for pair in pairs:
                if context in ALONE:
                    pair = (pair[1], pair[1])
                found += [(context, place, pair, False), (context, place, pair, True)]
    return found + parts()


def parts():
    """A way for each of two parts of one object, in every context where nothing is forked or named."""
    found = []
    for place, other in (pair for group in PARTS for pair in itertools.product(group, group)):
        rng = random.Random(f"{place.name} {other.name}")
        for context in CONTEXTS:
            for _ in range(0 if context in ALONE + FORKS else 25):
                writes, ways = TABLES[place.kind][1], sum(TABLES[other.kind], [])
                found.append((context, place, (rng.choice(writes), rng.choice(ways)), False, other))
    return found


def fits_context(place, context):
    if context in ALONE:
        return place.kind in ("number", "array", "mobile") and not (context == "VAL name" and "RESULT" in place.name)
    if context in FORKS:
        return place.kind in ("number", "array", "mobile") and not place.formal
    return True


# ---- the unit ----


def unit_lines(kind, way):
    name = unit_name(kind, way)
    mark = "" if kind != "channel" else "?" if "i" in way[0] else "!"
    formal = FORMALS[kind] or "CHAN INT q1" + mark
    return [f"PROC {name} ({formal})", *indent(body(way[1], "q1")), ":"]


def make_unit(occc, folder):
    """Those ways that a formal of the kind can be used by; the others are left out."""
    ways = [(kind, way) for kind, (reads, writes) in TABLES.items() for way in dict.fromkeys(reads + writes)]
    texts = [unit_lines(kind, way) for kind, way in ways]
    fitting = [text for text, errors in zip(texts, errors_of(occc, texts, given.PRELUDE)) if not errors]
    path = os.path.join(folder, "ways.occ")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(given.PRELUDE + [line for text in fitting for line in text]) + "\n")
    command = [occc, "-w", "-O0", "-c", "-o", os.path.join(folder, "ways.o"), path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"the unit does not compile:\n{done.stderr[:2000]}")
    os.remove(path)  # the object alone is used
    return {text[0].split()[1] for text in fitting}


# ---- judging ----


def verdicts(occc, chosen, folder):
    prelude = ['#USE "ways"'] if any(case.context.startswith("unit") for case in chosen) else given.PRELUDE
    options = ["-I", folder] if prelude is not given.PRELUDE else []
    return errors_of(occc, [case.lines() for case in chosen], prelude, options)


def is_refusal(identity):
    return identity.startswith(RACES)


def is_promised(case, identity):
    """Must the compiler see that nothing meets? A FORKed process shares variables under a MUTEX only."""
    is_part = "mobile in" in case.place.name or "field of a mobile" in case.place.name
    is_loose_fork = case.context in ("forked", "both forked") or (case.context == "forked under a mutex" and is_part)
    asks = any("DEFINED $" in text for _, text in case.ways)  # counts as a use of the contents
    return identity != "usage-unproved" and not is_loose_fork and not asks


class Count:
    def __init__(self):
        self.unsound, self.imprecise, self.loose, self.judged, self.unfit = [], [], [], 0, {}
        self.fits = set()

    def judge(self, case, errors):
        others = [error for error in errors if not is_refusal(error[0])]
        if others:
            for place, way in zip(case.places, case.ways):
                self.unfit.setdefault((place.kind, way), others[0])
            return
        self.judged += 1
        self.fits.update((place.kind, way) for place, way in zip(case.places, case.ways))
        if not errors and case.is_race(True):
            self.unsound.append(case)
        elif errors and not case.is_race(False):
            (self.imprecise if is_promised(case, errors[0][0]) else self.loose).append((case, errors[0]))


def run(occc, chosen, folder, units):
    count = Count()
    groups = {}
    for case in chosen:
        is_unit = case.context.startswith("unit")
        if is_unit and any(case.unit(side) not in units for side in ((0, 1) if case.context == "unit" else (0,))):
            continue
        groups.setdefault("unit" if is_unit else "fork" if case.context in FORKS else case.context in ALONE, []).append(case)
    for group in groups.values():
        for start in range(0, len(group), BATCH):
            batch = group[start : start + BATCH]
            for case, errors in zip(batch, verdicts(occc, batch, folder)):
                count.judge(case, errors)
    return count


def check_kinds(occc):
    """One program of all ways, each on the first place of its kind."""
    lines = list(given.PRELUDE)
    for kind, (reads, writes) in TABLES.items():
        place = next(each for each in PLACES if each.kind == kind)
        for number, (_, text) in enumerate(reads + writes):
            lines += [f"PROC {kind}.{number} ()", *indent(place.lines(1) + body(text, place.named(1))), ":"]
    return matrix_kinds.complaints(occc, lines, {place.named(1) for place in PLACES})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--context", help="only this one")
    parser.add_argument("--place", help="only this one")
    parser.add_argument("--kinds", action="store_true", help="look at the kinds of nodes first")
    parser.add_argument("--print", type=int, dest="show")
    parser.add_argument("--list", type=int, default=40, help="how many of each kind of complaint are shown")
    arguments = parser.parse_args()
    made = [Case(number, *each) for number, each in enumerate(cases())]
    if arguments.show is not None:
        print("\n".join(given.PRELUDE + made[arguments.show].lines()))
        return 0
    missing = check_kinds(arguments.occc) if arguments.kinds else []
    print("".join(line + "\n" for line in missing), end="")
    chosen = [case for case in made if arguments.context in (None, case.context) and arguments.place in (None, case.place.name)]
    if arguments.sample and arguments.sample < len(chosen):
        chosen = random.Random(arguments.seed).sample(chosen, arguments.sample)
    with tempfile.TemporaryDirectory() as folder:
        units = make_unit(arguments.occc, folder)
        count = run(arguments.occc, chosen, folder, units)
    for case in count.unsound[: arguments.list]:
        print("UNSOUND", case.title())
    for case, error in count.imprecise[: arguments.list]:
        print("IMPRECISE", error[0], case.title())
    loose = {}
    for case, error in count.loose:
        loose.setdefault((case.context, error[0]), []).append(case)
    for (context, identity), several in sorted(loose.items()):
        print(f"not promised: {len(several)} times {identity} in {context}, as {several[0].title()[:200]}")
    lost = [(key, error) for key, error in count.unfit.items() if key not in count.fits]
    if not arguments.sample:
        for (kind, way), error in lost:
            print(f"FITS NOWHERE {kind}: {way[1]!r}: {error}")
    print(f"{len(chosen)} cases of {len(made)}, {count.judged} judged: {len(count.unsound)} unsound, {len(count.imprecise)} imprecise")
    return 1 if count.unsound or count.imprecise or missing or (lost and not arguments.sample) else 0


if __name__ == "__main__":
    sys.exit(main())
