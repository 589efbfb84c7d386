#!/usr/bin/env python3
"""Run the C unit tests: each a program that exits 0, within a minute, when everything holds."""

import argparse
import os
import subprocess
import sys

from report import run_tests

TIMEOUT_SECONDS = 60


def run_one(program):
    """What run_tests wants: nothing to say, and the failure of a test program or None."""
    try:
        done = subprocess.run(
            [os.path.abspath(program)], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS
        )
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        failure = None if done.returncode == 0 else f"exit status {done.returncode}\n{output[-4000:]}"
    except subprocess.TimeoutExpired:
        failure = f"no end within {TIMEOUT_SECONDS} seconds"
    return "", failure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True, help="where the report goes")
    parser.add_argument("--prefix", default="units", help="name of the suite in the report")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    return not run_tests(arguments.xml, arguments.prefix, arguments.programs, run_one, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
