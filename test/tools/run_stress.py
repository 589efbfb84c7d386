#!/usr/bin/env python3
"""Run the programs of test/stress with several numbers of workers and many seeds: the output never changes.

The compiler is that of a stress build (make check-stress), whose runtime leaves solo whenever it can and delays
threads at atomic operations. What is expected is what one worker prints. Then each is asked for reports all the time
(report_storm.py)."""

import argparse
import glob
import os
import subprocess
import sys
import tempfile

import report_storm
from report import run_tests

WORKERS = (1, 2, 10)
LIMIT_SECONDS = 60
STORM_SECONDS = 0.1


def run(program, workers, seed):
    """(output, failure or None)"""
    environment = dict(os.environ, OCC_WORKERS=str(workers), OCC_SEED=str(seed))
    try:
        done = subprocess.run([program], capture_output=True, env=environment, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return b"", f"no end within {LIMIT_SECONDS} s"
    if done.returncode != 0:
        text = done.stderr.decode("utf-8", "replace")[-1500:]
        return done.stdout, f"exit status {done.returncode}\n{text}"
    return done.stdout, None


def check(program, seeds):
    """A failure or None."""
    expected, failure = run(program, 1, 1)
    if failure:
        return f"1 worker: {failure}"
    for seed in range(1, seeds + 1):
        for workers in WORKERS:
            output, failure = run(program, workers, seed)
            if failure is None and output != expected:
                failure = f"other output: {output[-300:]!r} for {expected[-300:]!r}"
            if failure:
                return f"OCC_WORKERS={workers} OCC_SEED={seed}: {failure}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True, help="where the report goes")
    parser.add_argument("--occc", required=True, help="the compiler of the stress build")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--name", default="stress", help="of the suite in the report")
    parser.add_argument("--quiet", action="store_true", help="no storms of SIGQUIT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    programs = arguments.programs or sorted(glob.glob("test/stress/*.occ"))

    def look_at(source):
        with tempfile.TemporaryDirectory() as folder:
            built = os.path.join(folder, "program")
            subprocess.run([arguments.occc, "-w", "-O2", "-o", built, source], check=True)
            failure = check(built, arguments.seeds)
            if failure is None and not arguments.quiet:
                failure = report_storm.check_source(arguments.occc, source, folder, STORM_SECONDS)
        return "", failure

    return not run_tests(arguments.xml, arguments.name, programs, look_at, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
