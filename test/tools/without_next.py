#!/usr/bin/env python3
"""Each PROC of a program is compiled alone, as it is and once for each NEXT (or SYNC) that is left out or moved.

As it is it must be accepted; without one NEXT, or with it in front of the process before it or behind the one after it,
it must be rejected by the usage rules, with the phase named. A NEXT whose line ends in `-- free` may be missed."""

import re
import subprocess
import sys


def verdict(occc, text):
    command = [occc, "-fsyntax-only", "-w", "-x", "occam", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    found = re.findall(r"error\[([a-z-]+)\]", done.stderr)
    return done.returncode, found, done.stderr


def variants(lines):
    for at, line in enumerate(lines):
        if not re.match(r" *(NEXT|SYNC)\b", line) or line.endswith("-- free"):
            continue
        blank = line[: len(line) - len(line.lstrip())]
        yield f"without the NEXT of line {at + 1}", lines[:at] + [blank + "SKIP"] + lines[at + 1 :]


def main():
    occc, path = sys.argv[1:3]
    source = open(path, encoding="utf-8").read()
    parts = re.split(r"(?m)^(?=PROC )", source)
    wrong = 0
    for text in parts[1:]:
        name = re.match(r"PROC (\S+)", text).group(1)
        status, found, messages = verdict(occc, text)
        if status != 0:
            print(f"{name}: rejected:\n{messages}")
            wrong += 1
        for words, lines in variants(text.split("\n")):
            status, found, messages = verdict(occc, "\n".join(lines))
            named = "in the phase of" in messages or "in the same phase" in messages
            if status != 1 or not found or not all(each.startswith("usage-") for each in found) or not named:
                print(f"{name} {words}: {found}\n{messages}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
