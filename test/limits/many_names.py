#!/usr/bin/env python3
"""Programs with routines of many parameters, free names or results. Prints the one that is asked for."""

import sys

MAIN = "PROC main (CHAN BYTE screen!)\n"


def names(count):
    return ", ".join("v%d" % i for i in range(count))


def parameters(count):
    return (
        "PROC p (VAL INT %s, CHAN BYTE out!)\n  out ! BYTE v%d\n:\n" % (names(count), count - 1)
        + MAIN + "  p (%s, screen!)\n:\n" % ", ".join(str(i % 90) for i in range(count))
    )


def free_names(count):
    sets = "\n".join("      v%d := %d" % (i, i % 90) for i in range(count))
    return (
        MAIN + "  INT %s:\n  PROC p ()\n    SEQ\n%s\n  :\n" % (names(count), sets)
        + "  SEQ\n    p ()\n    screen ! BYTE v%d\n:\n" % (count - 1)
    )


def results(count):
    values = ", ".join("x + %d" % (i % 90) for i in range(count))
    return (
        ", ".join(["INT"] * count) + " FUNCTION f (VAL INT x)\n  VALOF\n    SKIP\n    RESULT %s\n:\n" % values
        + MAIN + "  INT %s:\n  SEQ\n    %s := f (0)\n    screen ! BYTE v%d\n:\n" % (names(count), names(count), count - 1)
    )


KINDS = {"parameters": parameters, "free-names": free_names, "results": results}
sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))
