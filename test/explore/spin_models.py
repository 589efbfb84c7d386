#!/usr/bin/env python3
"""spin_models.py OCCC PROGRAMS: programs that are explored, and models of them that were written by hand for Spin (models/*.pml), come to
the same verdicts: a fault is found, or there is none."""

import os
import subprocess
import sys
import tempfile

# The model, with -DWRONG for the second program.
TWINS = {
    "philosophers": ("philosophers-one-turned", "philosophers"),
    "election-in-a-ring": ("suite/election-in-a-ring", "suite/election-in-a-ring-wrong"),
    "barrier-by-hand": ("suite/barrier-by-hand", "suite/barrier-by-hand-wrong"),
    "readers-and-writers": ("suite/readers-and-writers", "suite/readers-and-writers-wrong"),
    "two-phase-commit": ("suite/two-phase-commit", "suite/two-phase-commit-wrong"),
}


def spin_finds_fault(model, flags, folder):
    def run(*command):
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    run("spin", *flags, "-a", model)
    run("gcc", "-w", "-DSAFETY", "-o", "pan", "pan.c")
    said = run("./pan", "-m100000", "-w18")
    if "max search depth too small" in said:
        sys.exit(f"{model}: {said}")
    return "errors: 0" not in said


def explore_finds_fault(occc, program, folder):
    done = subprocess.run([occc, "explore", "-w", program], cwd=folder, check=False, capture_output=True, text=True)
    if "all there are" not in done.stdout:
        sys.exit(f"{program}: {done.stdout}{done.stderr}")
    return done.returncode == 4


def main():
    occc, programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, twins in TWINS.items():
            for program, flags in zip(twins, ([], ["-DWRONG"])):
                model = os.path.join(os.path.abspath(programs), "models", name + ".pml")
                by_spin = spin_finds_fault(model, flags, folder)
                by_explore = explore_finds_fault(occc, os.path.join(os.path.abspath(programs), program + ".occ"), folder)
                wanted = bool(flags)
                print(f"{'ok  ' if by_spin == by_explore == wanted else 'FAIL'} {program}: Spin {by_spin}, explore {by_explore}")


main()
