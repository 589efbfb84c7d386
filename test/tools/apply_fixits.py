#!/usr/bin/env python3
"""Write a program as the compiler's fix-its would have it: apply_fixits.py OCCC FILE RESULT [OPTION...]

Reads the lines of -fdiagnostics-parseable-fixits, applies each to the bytes of FILE, writes RESULT. Fails when there are
none, when two overlap or when one lies outside of FILE."""

import re
import subprocess
import sys

LINE = re.compile(rb'^fix-it:"((?:[^"\\]|\\.)*)":\{(\d+):(\d+)-(\d+):(\d+)\}:"((?:[^"\\]|\\.)*)"$', re.M)
ESCAPE = re.compile(rb"\\([0-7]{3}|.)")


def unquote(text):
    def value(match):
        word = match.group(1)
        if len(word) == 3:
            return bytes([int(word, 8)])
        return {b"n": b"\n", b"t": b"\t"}.get(word, word)
    return ESCAPE.sub(value, text)


def main():
    occc, path, result, *options = sys.argv[1:]
    done = subprocess.run([occc, "check", "-fdiagnostics-parseable-fixits", *options, path], stderr=subprocess.PIPE, check=False)
    with open(path, "rb") as file:
        text = file.read()
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits = []
    for file, *place, words in LINE.findall(done.stderr):
        line, column, end_line, end_column = map(int, place)
        if unquote(file) != path.encode():
            sys.exit(f"a fix-it for another file: {file!r}")
        edits.append((starts[line - 1] + column - 1, starts[end_line - 1] + end_column - 1, unquote(words)))
    if not edits:
        sys.exit("no fix-its:\n" + done.stderr.decode("latin-1"))
    last = len(text) + 1
    for start, end, words in sorted(edits, key=lambda edit: edit[0], reverse=True):
        if not start <= end <= min(last, len(text)):
            sys.exit(f"the fix-it {words!r} at {start}-{end} overlaps another or leaves the file")
        text = text[:start] + words + text[end:]
        last = start
    with open(result, "wb") as file:
        file.write(text)


if __name__ == "__main__":
    main()
