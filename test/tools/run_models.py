#!/usr/bin/env python3
"""Check the Promela models of test/model with Spin: each must hold, and each must fail with -DNEGATIVE; one that says
`/* CONTROLS: 3 */` must fail with -DNEGATIVE=1, -DNEGATIVE=2 and -DNEGATIVE=3.

A line `/* SIZES: -DX=2 ... */` in a model gives the sizes of `--long`; what stands in the model is the size of every
run. A model that has no negative control, or whose control holds, is a failure: then the model shows nothing."""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from report import run_tests, write_report

LIMIT_SECONDS = 600
MEMORY_MB = 6000
SEARCH_DEPTH = 2000000
# What each search is compiled with. A control ends at its first error, so that compiling it is what costs; states are
# packed, which takes half as long again, only when there is no room for them as they are.
CONTROL_FLAGS = ["-O0"]
USUAL_FLAGS = ["-O1"]
LONG_FLAGS = ["-O2", "-DCOLLAPSE"]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    return done.returncode, done.stdout + done.stderr


def verify(model, defines, flags):
    """(errors or None when the search was not complete, states, what Spin said)."""
    with tempfile.TemporaryDirectory() as folder:
        status, text = run(["spin", *defines, "-a", os.path.abspath(model)], folder)
        if status != 0:
            return None, 0, text
        status, text = run(["gcc", *flags, "-w", "-DSAFETY", f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c"], folder)
        if status != 0:
            return None, 0, text
        status, text = run(["./pan", f"-m{SEARCH_DEPTH}"], folder)
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"^\s*([0-9.e+]+) states, stored", text, re.M)
    complete = "Search not completed" not in text and "max search depth too small" not in text
    count = int(errors[1]) if errors else None
    if count == 0 and not complete:
        count = None
    return count, int(float(states[1])) if states else 0, text


def what_it_says(model, word):
    """The words after `word:` in a comment of the model."""
    with open(model, encoding="utf-8") as file:
        line = re.search(word + r":([^*\n]*)", file.read())
    return line[1].split() if line else []


def controls(model):
    count = what_it_says(model, "CONTROLS")
    return [f"-DNEGATIVE={i}" for i in range(1, int(count[0]) + 1)] if count else ["-DNEGATIVE"]


def check(model, is_long):
    """(its states, failure or None)"""
    extra = what_it_says(model, "SIZES") if is_long else []
    errors, states, text = verify(model, extra, LONG_FLAGS if is_long else USUAL_FLAGS)
    states = f"{states:12,} states"
    if errors != 0:
        return states, f"it does not hold ({errors} errors)\n{text[-3000:]}"
    for control in controls(model):
        errors, _, text = verify(model, [control], CONTROL_FLAGS)
        if not errors:
            return states, f"the negative control {control} does not fail\n{text[-3000:]}"
    return states, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True, help="where the report goes")
    parser.add_argument("--long", action="store_true", help="the larger sizes")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    if shutil.which("spin") is None:
        print("skipped: Spin is not installed (apt install spin)")
        write_report(arguments.xml, "models", [])
        return 0
    models = arguments.models or sorted(glob.glob("test/model/*.pml"))
    return not run_tests(arguments.xml, "models", models, lambda model: check(model, arguments.long), arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
