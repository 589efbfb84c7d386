#!/usr/bin/env python3
"""Compiles the small programs of a list and compares the verdict with that of the list.

A program begins with `=== name accept|reject [body] [id,...]`; `body`: what follows is the body of a main PROC; ids: the
errors it is rejected with, and no others."""

import argparse
import os
import re
import subprocess
import sys

HEADER = re.compile(r"=== (\S+) (accept|reject)( body)?(?: ([a-z,-]+))?$")
ERROR = re.compile(r"error\[([a-z-]+)\]")


def programs(path):
    found = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            header = HEADER.match(line.rstrip("\n"))
            if header:
                found.append([header, []])
            elif found:
                found[-1][1].append(line)
    return found


def text_of(header, lines):
    if not header.group(3):
        return "".join(lines)
    body = "".join("  " + line if line.strip() else line for line in lines)
    return "PROC main (CHAN BYTE screen!)\n" + body + ":\n"


def verdict(occc, folder, name, text):
    path = os.path.join(folder, name + ".occ")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    command = [occc, "-w", "-c", "-o", path + ".o", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return {0: "accept", 1: "reject"}.get(done.returncode, "status %d" % done.returncode), done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--one-error", action="store_true", help="each program that is rejected gets one error")
    parser.add_argument("list")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    wrong = 0
    found = programs(options.list)
    for header, lines in found:
        name, wanted = header.group(1), header.group(2)
        got, messages = verdict(options.occc, options.folder, name, text_of(header, lines))
        errors = sorted(ERROR.findall(messages))
        is_wrong = got != wanted or (options.one_error and wanted == "reject" and len(errors) != 1)
        if is_wrong or (header.group(4) and sorted(set(errors)) != sorted(header.group(4).split(","))):
            wrong += 1
            print("%s: %s, not %s\n%s" % (name, got, header.group(0), messages))
    print("%d programs, %d wrong" % (len(found), wrong))
    sys.exit(wrong != 0 or not found)


if __name__ == "__main__":
    main()
