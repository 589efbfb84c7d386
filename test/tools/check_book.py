#!/usr/bin/env python3
"""The book's programs do what it says: every block of occam with a main PROC is run.

The block of text behind it is what it prints, to the letter. A block `text error` behind that are lines of its standard error, in their
order; only such a program may fail. `text explore` instead: lines of what `occc explore` prints. check_book.py OCCC CHAPTER..."""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```\s*$", re.M | re.S)
SECONDS = 60


def run(occc, program, command="run"):
    with tempfile.TemporaryDirectory() as folder:  # occc explore leaves files behind
        with open(os.path.join(folder, "program.occ"), "w", encoding="utf-8") as source:
            source.write(program)
        return subprocess.run(
            [occc, command, source.name], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
        )


def lacks(lines, report):
    """The first of the lines that the report does not have behind those before it."""
    at = 0
    for line in lines:
        found = report.find(line.strip(), at)
        if found < 0:
            return line
        at = found + len(line.strip())
    return None


def complaint(occc, program, output, error, explored):
    if explored is not None:
        report = run(occc, program, "explore").stdout
        line = lacks(explored.splitlines(), report)
        return None if line is None else f"explored, does not say {line!r}, but\n{report}"
    done = run(occc, program)
    if done.stdout.rstrip("\n") != output.rstrip("\n"):
        return f"prints {done.stdout!r}, not {output!r}\n{done.stderr}"
    if error is None:
        return f"ends with status {done.returncode}\n{done.stderr}" if done.returncode else None
    line = lacks(error.splitlines(), done.stderr)
    if line is not None or done.returncode == 0:
        return f"does not report {line!r} with a status that is not 0, but\n{done.stderr}"
    return None


def programs(blocks):
    """(place, program, what it prints, what it reports, what exploring it says)"""
    for number, (info, text, place) in enumerate(blocks):
        if info == "occam" and re.search(r"^PROC main\b", text, re.M):
            behind = [block[:2] for block in blocks[number + 1 : number + 3]]
            output = behind.pop(0)[1] if behind and behind[0][0] == "text" else ""
            error = behind[0][1] if behind and behind[0][0] == "text error" else None
            explored = behind[0][1] if behind and behind[0][0] == "text explore" else None
            yield place, text, output, error, explored


def main():
    occc, count, failed = os.path.abspath(sys.argv[1]), 0, 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            chapter = file.read()
        blocks = [(b[1].strip(), b[2], chapter.count("\n", 0, b.start()) + 1) for b in BLOCK.finditer(chapter)]
        for line, program, *wanted in programs(blocks):
            count += 1
            wrong = complaint(occc, program, *wanted)
            if wrong:
                failed += 1
                print(f"{path}:{line}: {wrong}")
    print(f"{count} programs, {failed} wrong")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
