#!/usr/bin/env python3
"""Make a program smaller while a command still finds it interesting (exit status 0; the program's path is its last word).

Whole blocks - a line with what is indented under it - go first, then single lines, then blocks are moved out of their
construct. usage: reduce.py PROGRAM COMMAND..., writes PROGRAM.small"""

import subprocess
import sys


def column(line):
    return len(line) - len(line.lstrip(" "))


def block_end(lines, i):
    """Behind the last line that belongs to line i."""
    j = i + 1
    while j < len(lines) and (not lines[j].strip() or column(lines[j]) > column(lines[i])):
        j += 1
    return j


def smaller(lines):
    """Every program with something left out."""
    for i in range(len(lines)):
        j = block_end(lines, i)
        head, rest = lines[:i], lines[j:]
        if j < len(lines) and lines[j].strip() == ":" and column(lines[j]) == column(lines[i]):
            yield head + lines[j + 1:]
        yield head + rest
        if j > i + 1:
            yield head + [" " * column(lines[i]) + "SKIP"] + rest
            first = column(lines[i + 1]) - column(lines[i])
            yield head + [line[first:] for line in lines[i + 1:j]] + rest
        elif lines[i].strip() != "SKIP":
            yield head + [" " * column(lines[i]) + "SKIP"] + rest


def main():
    path, command = sys.argv[1], sys.argv[2:]
    with open(path, encoding="latin-1") as file:
        lines = file.read().split("\n")
    target = path + ".small.occ"

    def interesting(candidate):
        with open(target, "w", encoding="latin-1") as file:
            file.write("\n".join(candidate))
        return subprocess.run(command + [target], capture_output=True, check=False).returncode == 0

    progress = True
    while progress:
        progress = False
        for candidate in smaller(lines):
            if len("\n".join(candidate)) < len("\n".join(lines)) and interesting(candidate):
                lines, progress = candidate, True
                break
    interesting(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
