#!/usr/bin/env python3
"""The share of lines and branches that the tests ran, by folder, of what `llvm-cov export` says.

usage: coverage.py --llvm PREFIX --profiles FOLDER [--least 90] BINARY ...; status 1 when a part has less than --least per cent of its lines"""

import argparse
import glob
import json
import os
import subprocess
import sys
from collections import defaultdict

PARTS = ("frontend", "codegen", "runtime")


def exported(prefix, folder, binaries):
    """What llvm-cov says of each file of ours: [(path, summary)]"""
    merged = os.path.join(folder, "all.profdata")
    subprocess.run([f"{prefix}/bin/llvm-profdata", "merge", "--sparse", "--failure-mode=all", "-o", merged, *glob.glob(f"{folder}/*.profraw")], check=True)
    objects = [word for binary in binaries[1:] for word in ("-object", binary)]
    said = subprocess.run([f"{prefix}/bin/llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", binaries[0], *objects],
                          capture_output=True, text=True, check=True).stdout
    return [(os.path.relpath(file["filename"]), file["summary"]) for file in json.loads(said)["data"][0]["files"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--profiles", required=True)
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--worst", type=int, default=20, help="how many files with the most lines not run are named")
    parser.add_argument("binaries", nargs="+")
    words = parser.parse_args()
    files = [(path, summary) for path, summary in exported(words.llvm, words.profiles, words.binaries) if path.split("/")[0] in PARTS]
    folders, parts = defaultdict(lambda: [0, 0, 0, 0]), defaultdict(lambda: [0, 0, 0, 0])
    for path, summary in files:
        counts = [summary[kind][what] for kind in ("lines", "branches") for what in ("covered", "count")]
        for table, key in ((folders, os.path.dirname(path)), (parts, path.split("/")[0])):
            table[key] = [a + b for a, b in zip(table[key], counts)]
    for name, (lines, all_lines, branches, all_branches) in [*sorted(folders.items()), *((f"all of {part}", counts) for part, counts in parts.items())]:
        print(f"{name:28} {100 * lines / max(all_lines, 1):5.1f} % of {all_lines:6} lines {100 * branches / max(all_branches, 1):5.1f} % of {all_branches:6} branches")
    for path, summary in sorted(files, key=lambda file: file[1]["lines"]["covered"] - file[1]["lines"]["count"])[:words.worst]:
        print(f"  {summary['lines']['count'] - summary['lines']['covered']:4} lines not run: {path}")
    return 1 if any(100 * lines < words.least * all_lines for lines, all_lines, _, _ in parts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
