#!/usr/bin/env python3
"""docs/library.md from the library's own texts: every module, and of its units every PROC and FUNCTION with its comment.

Prints the page; --check compares it with the one that is there, and finds routines that say nothing about themselves."""

import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STDLIB = os.path.join(ROOT, "stdlib")
MODULES = ["course", "random", "time", "timers", "maths", "convert", "string", "useful", "text", "map", "sort", "args", "log", "file", "proc", "net", "sock", "process", "tls", "http", "hash", "base64", "json", "signal", "terminal", "assert", "sync", "hostio",
           "streamio", "xlink", "debug", "shared_screen"]
HEADING = re.compile(r"^(?:INLINE |REC |RECURSIVE )?(?:PROC|(?:[A-Z][\w.\[\]]*(?: \[\](?:MOBILE \[\])?[A-Z]+\w*|\[\][A-Z]+\w*)?(?:, [A-Z]\w+)* )+"
                     r"(?:INLINE |REC )?FUNCTION) ([a-zA-Z][\w.]*|\"[^\"]+\") ?\(")
# A routine whose code is in the runtime.
EXTERNAL = re.compile(r'^#PRAGMA EXTERNAL "(PROC )occ\.(?:at\.)?(([\w.]+) \(.*\)) = 0"')
# What a unit keeps for itself, or for its neighbours.
INTERNAL = re.compile(r"^(course|real|host|append\.padded|append\.field|ks\.read\.digits|ss\.pass|so\.(key|scr)stream\.(to|from)\.stream)"
                      r"(?=\.|$)")


def read(name):
    with open(os.path.join(STDLIB, name), encoding="utf-8") as file:
        return file.read()


def summary(text):
    """The head comment's first sentence, without the file's name."""
    words = re.sub(r"(?:: part of |\. Part of ).*", ".", re.match(r"-- [\w.]+ -- (.*)", text)[1])
    return words if "." in words.split()[0] else words[0].upper() + words[1:]


def example(text):
    """The program in a module's head comment, if there is one."""
    head = re.match(r"(?:--.*\n)+", text)[0].splitlines()[1:]
    lines = [line.removeprefix("--").removeprefix("   ") for line in head]
    return "\n".join(lines).strip("\n") if any(line.startswith("PROC main") for line in lines) else ""


def is_list(stem):
    """A text that only uses others."""
    return not re.search(r"^(PROC|INLINE|VAL|DATA|PROTOCOL|[A-Z][\w\[\], ]* FUNCTION)\b", read(stem + ".occ"), re.M)


def units_of(name, suffix=".module", seen=None):
    """The units a module uses or includes, in its order."""
    seen = set() if seen is None else seen
    units = []
    for target in re.findall(r'^#(?:USE|INCLUDE) "([^"]+)"', read(name + suffix), re.M):
        stem = re.sub(r"\.(occ|lib)$", "", target)
        if target.endswith(".inc") and re.search(EXTERNAL.pattern, read(target), re.M):
            units.append(target)
        if target.endswith((".inc", ".module")) or stem in seen:
            continue
        seen.add(stem)
        units += units_of(stem, ".occ", seen) if is_list(stem) else [stem]
    return units


def file_of(unit):
    return unit if unit.endswith(".inc") else unit + ".occ"


def routines(unit):
    """(heading, comment) of every routine of the outermost level."""
    comment = []
    lines = read(file_of(unit)).split("\n")
    for number, line in enumerate(lines):
        if line.startswith("--* ") or (comment and line.startswith("-- ")) or (comment and line.startswith("--* ")):
            comment.append(line[4:] if line.startswith("--* ") else line[3:])
            continue
        match = EXTERNAL.match(line)
        if match:
            yield match[3], match[1] + match[2], " ".join(comment)
        match = HEADING.match(line)
        if match:
            heading = line
            while heading.count("(") > heading.count(")"):
                number += 1
                heading += " " + lines[number].strip()
            heading = re.sub(r"\s+IS\b.*$", "", heading).rstrip(": ")
            yield match[1], heading, " ".join(comment)
        comment = []


def page(complaints):
    yield "# The library"
    yield ""
    yield "Made by `python3 test/tools/library_page.py > docs/library.md` from the texts in `stdlib/`; a test compares."
    yield "How to use a module: `#INCLUDE \"name.module\"`, or `#USE \"name\"`. Section 5 of `language.md` introduces them."
    seen = set()
    for module in MODULES:
        if not os.path.exists(os.path.join(STDLIB, module + ".module")):
            continue
        yield ""
        yield f"## {module}"
        yield ""
        yield summary(read(module + ".module"))
        program = example(read(module + ".module"))
        if program:
            yield from ("", "```occam", program, "```")
        for unit in units_of(module, seen=seen):
            rows = []
            for name, heading, comment in routines(unit):
                if INTERNAL.match(name):
                    continue
                if not comment:
                    complaints.append(f"stdlib/{file_of(unit)}: {name} has no comment (--* before it)")
                rows.append(f"| `{heading}` | {comment} |".replace("|| ", ""))
            if rows:
                yield ""
                yield f"`{unit}`: {summary(read(file_of(unit)))}"
                yield ""
                yield "| | |"
                yield "|---|---|"
                yield from rows


def main():
    complaints = []
    text = "\n".join(page(complaints)) + "\n"
    if "--check" not in sys.argv:
        sys.stdout.write(text)
        return 0
    with open(os.path.join(ROOT, "docs", "library.md"), encoding="utf-8") as file:
        if file.read() != text:
            complaints.append("docs/library.md: not what the library says; run test/tools/library_page.py > docs/library.md")
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
