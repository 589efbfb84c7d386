#!/usr/bin/env python3
"""The share of lines and branches that the tests ran, by folder, of what `llvm-cov export` says.

usage: coverage.py --llvm PREFIX --profiles FOLDER [--least 90] [--branches PATH ...] BINARY ...; status 1 when a part has less than
--least per cent of its lines. --branches: and which branches below these paths are never taken. --beside: the profiles and the binary
of another build of the same sources, whose branches count too; lines are those of the first

One condition is one place of the source and has two branches; copies of inline functions, and the builds, are counted together. Left out
are the runtime's own checks (rt_check, rt_assert, rt_unreachable), which no test takes, and constants of a build (RT_STRESS_SHARE, CAN_SHARE),
which no program changes. Nothing else is."""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

PARTS = ("frontend", "codegen", "runtime")
CORE = ("runtime/channel", "runtime/clock", "runtime/scheduler")


def exported(prefix, folder, binaries):
    """What llvm-cov says of each file of ours: [(path, summary, branches)]"""
    merged = os.path.join(folder, "all.profdata")
    subprocess.run([f"{prefix}/bin/llvm-profdata", "merge", "--sparse", "--failure-mode=all", "-o", merged, *glob.glob(f"{folder}/*.profraw")], check=True)
    objects = [word for binary in binaries[1:] for word in ("-object", binary)]
    said = subprocess.run([f"{prefix}/bin/llvm-cov", "export", f"-instr-profile={merged}", binaries[0], *objects],
                          capture_output=True, text=True, check=True).stdout
    return [(os.path.relpath(file["filename"]), file["summary"], file["branches"]) for file in json.loads(said)["data"][0]["files"]]


def conditions(path, branches):
    """[(line, column, times true, times false, text)] of a file: what the head of this file says is counted."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("\n")
    taken = defaultdict(lambda: [0, 0])
    for line, column, _, end, when_true, when_false, *_ in branches:
        is_check = re.search(r"\brt_(check|assert|unreachable)\b", text[line - 1])
        is_constant = re.fullmatch(r"!?[A-Z][A-Z_]+", text[line - 1][column - 1:end - 1])
        if not is_check and not is_constant:
            taken[line, column] = [a + b for a, b in zip(taken[line, column], (when_true, when_false))]
    return [(line, column, *counts, text[line - 1].strip()) for (line, column), counts in sorted(taken.items())]


def never_taken(path, branches):
    """A line for each condition of a file that was never true, or never false."""
    for line, column, *counts, text in conditions(path, branches):
        if not all(counts):
            yield f"{path}:{line}:{column}: never {' or '.join(word for word, count in zip(('true', 'false'), counts) if not count)}: {text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--profiles", required=True)
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--worst", type=int, default=20, help="how many files with the most lines not run are named")
    parser.add_argument("--branches", action="append", default=[], metavar="PATH", help="name the branches of these files that are never taken")
    parser.add_argument("--beside", nargs=2, action="append", default=[], metavar=("PROFILES", "BINARY"))
    parser.add_argument("binaries", nargs="+")
    words = parser.parse_args()
    also = defaultdict(list)
    for profiles, binary in words.beside:
        for path, _, branches in exported(words.llvm, profiles, [binary]):
            also[path] += branches
    found = [(path, summary, branches + also[path]) for path, summary, branches in exported(words.llvm, words.profiles, words.binaries)
             if path.split("/")[0] in PARTS]
    files = [(path, summary) for path, summary, _ in found]
    taken = {path: [count for condition in conditions(path, branches) for count in condition[2:4]] for path, _, branches in found}
    folders, parts = defaultdict(lambda: [0, 0, 0, 0]), defaultdict(lambda: [0, 0, 0, 0])
    for path, summary in files:
        counts = [summary["lines"]["covered"], summary["lines"]["count"], sum(map(bool, taken[path])), len(taken[path])]
        core = [(folders, "core of the runtime")] if os.path.dirname(path) in CORE else []
        for table, key in [(folders, os.path.dirname(path)), (parts, path.split("/")[0])] + core:
            table[key] = [a + b for a, b in zip(table[key], counts)]
    for name, (lines, all_lines, branches, all_branches) in [*sorted(folders.items()), *((f"all of {part}", counts) for part, counts in parts.items())]:
        print(f"{name:28} {100 * lines / max(all_lines, 1):5.1f} % of {all_lines:6} lines {100 * branches / max(all_branches, 1):5.1f} % of {all_branches:6} branches")
    for path, summary in sorted(files, key=lambda file: file[1]["lines"]["covered"] - file[1]["lines"]["count"])[:words.worst]:
        print(f"  {summary['lines']['count'] - summary['lines']['covered']:4} lines not run: {path}")
    for path, _, branches in found:
        if path.startswith(tuple(words.branches)):
            print("\n".join([*never_taken(path, branches)]))
    return 1 if any(100 * lines < words.least * all_lines for lines, all_lines, _, _ in parts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
