#!/usr/bin/env python3
"""Run the protocols of test/relacy in Relacy: each must hold in all runs, and must fail without each thing that its
head names as CONTROLS. One whose control holds shows nothing, and is a failure."""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from report import run_tests, write_report

RUNTIME = ["-Iruntime/include", *(f"-I{folder}" for folder in sorted(glob.glob("runtime/*/")))]
CONTROL_RUNS = 300000
LIMIT_SECONDS = 3600


def head(path, word, otherwise):
    with open(path, encoding="utf-8") as file:
        found = re.search(word + r": ([^*\n.]*)", file.read())
    return found[1].split() if found else otherwise


def build(path, folder, compiler):
    threads = head(path, "THREADS", ["3"])[0]
    threads = threads if threads.isdigit() else "3"
    program, objects = os.path.join(folder, "test"), [os.path.join(folder, name) for name in ("relacy.o", "test.o")]
    commands = [
        ["g++", "-std=c++14", "-O2", "-w", f"-DTHREADS={threads}", "-Itest/relacy", "-c", "test/relacy/relacy.cpp", "-o", objects[0]],
        [compiler, "-std=gnu11", "-O2", "-w", "-include", "test/relacy/atomic.h", "-Itest/relacy", *RUNTIME, "-c", path, "-o", objects[1]],
        ["g++", *objects, "-o", program],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return None, done.stderr
    return program, None


def simulate(program, runs, control=None):
    done = subprocess.run([program, str(runs), *([control] if control else [])], capture_output=True, text=True, errors="replace", timeout=LIMIT_SECONDS)
    return done.returncode, done.stdout + done.stderr


def check(path, runs, compiler):
    """failure or None"""
    with tempfile.TemporaryDirectory() as folder:
        program, failure = build(path, folder, compiler)
        if failure:
            return failure
        status, text = simulate(program, runs)
        if status != 0:
            return f"it does not hold\n{text[-3000:]}"
        for control in head(path, "CONTROLS", []):
            status, text = simulate(program, CONTROL_RUNS, control)
            if status != 1:
                return f"it holds without {control}\n{text[-1000:]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True, help="where the report goes")
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    if not os.path.exists("/usr/include/relacy/relacy.hpp") or shutil.which("g++") is None:
        print("skipped: Relacy is not installed (apt install relacy-dev g++)")
        write_report(arguments.xml, "relacy", [])
        return 0
    tests = arguments.tests or sorted(glob.glob("test/relacy/*_relacy.c"))

    def look_at(path):
        return f"{arguments.runs:12,} runs", check(path, arguments.runs, arguments.cc)

    return not run_tests(arguments.xml, "relacy", tests, look_at, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
