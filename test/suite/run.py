#!/usr/bin/env python3
"""Compiles self-checking programs, runs them, and prints what failed; the status is 1 when anything did."""

import argparse
import re
import subprocess
import sys

TIME_LIMIT = 120


def run(options, path):
    """(checks, failures) of one program; None when it did not end with its report."""
    command = [options.occc, "run", "-w", "-I", options.include] + options.flag + [path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    last = re.search(r"(\d+) checks, (\d+) failures\n$", done.stdout)
    if done.returncode != 0 or not last or last.group(2) != "0":
        print("%s:\n%s%s" % (path, done.stdout, done.stderr))
    if done.returncode != 0 or not last:
        return None
    return int(last.group(1)), int(last.group(2))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--flag", action="append", default=[], help="for the compiler")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    results = [run(options, path) for path in options.programs]
    done = [result for result in results if result]
    print("%d programs, %d checks, %d failures" % (
        len(results), sum(r[0] for r in done), sum(r[1] for r in done)))
    sys.exit(any(result is None or result[1] for result in results))


if __name__ == "__main__":
    main()
