#!/usr/bin/env python3
"""Run the C unit tests: each a program that exits 0, within a minute, when everything holds."""

import argparse
import os
import subprocess
import sys
import time

from report import write_report

TIMEOUT_SECONDS = 60


def run_one(program):
    """(seconds, failure text or None) of one test program."""
    started = time.monotonic()
    try:
        done = subprocess.run(
            [os.path.abspath(program)], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS
        )
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        failure = None if done.returncode == 0 else f"exit status {done.returncode}\n{output[-4000:]}"
    except subprocess.TimeoutExpired:
        failure = f"no end within {TIMEOUT_SECONDS} seconds"
    return time.monotonic() - started, failure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True, help="where the report goes")
    parser.add_argument("--prefix", default="units", help="name of the suite in the report")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    results = []
    for program in arguments.programs:
        name = "/".join(program.split("/")[-2:])
        seconds, failure = run_one(program)
        results.append((name, seconds, failure))
        if failure is not None:
            print(f"FAIL: {name}: {failure}")
    os.makedirs(os.path.dirname(arguments.xml) or ".", exist_ok=True)
    write_report(arguments.xml, arguments.prefix, results)
    failed = sum(1 for _, _, failure in results if failure is not None)
    print(f"{arguments.prefix}: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
