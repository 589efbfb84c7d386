#!/usr/bin/env python3
"""Every message of the compiler (frontend/diag_*.def) and every error of a running program (error.def) is expected by at
least one test, and has its page for `occc explain`. Those that no test can provoke stand in untested.txt, each with its reason."""

import glob
import os
import re
import sys

import check_explain

HERE = os.path.dirname(os.path.abspath(__file__))
DIAG = re.compile(r'^\s*DIAG\(\s*(\w+)\s*,\s*"([\w-]+)"', re.M)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as text:
        return text.read()


def exceptions():
    """name -> reason."""
    found = {}
    for line in read(os.path.join(HERE, "untested.txt")).splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            found[name] = reason.strip()
    return found


def all_tests():
    texts = []
    for folder, _, names in os.walk("test"):
        if not folder.startswith(("test/tools", "test/bench")):
            texts += [read(os.path.join(folder, name)) for name in names if name.endswith((".occ", ".test", ".c"))]
    texts += [read(path) for path in glob.glob("examples/**/*.occ", recursive=True)]
    return "\n".join(texts)


def complaints():
    excused = exceptions()
    tests = all_tests()
    names = set()
    for path in sorted(glob.glob("frontend/diag/diag*.def")):
        for _, name in DIAG.findall(read(path)):
            names.add(name)
            tested = f"[{name}]" in tests or f"={name}" in tests or f"{name}]" in tests
            if not tested and name not in excused:
                yield f"{path}: no test expects [{name}]"
            if tested and name in excused:
                yield f"untested.txt: {name} is tested now; take it out"
    for name, reason in excused.items():
        if name not in names:
            yield f"untested.txt: there is no message {name}"
        if not reason:
            yield f"untested.txt: {name} has no reason"


if __name__ == "__main__":
    found = list(complaints()) + list(check_explain.complaints(None))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
