#!/usr/bin/env python3
"""Export programs, let Spin search their models, and compare with what occc explore finds.

A model can do all that its program can, so a deadlock of the program is one of the model. Where the program decides by its data
the model may have more: `name` expects the same verdict, `name+` a deadlock in the model alone."""

import argparse
import os
import re
import subprocess
import sys
import tempfile


def spin_finds_deadlock(occc, source, folder):
    def run(*command):
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    run(occc, "export", "-w", "--promela", "-o", "model.pml", source)
    run("spin", "-a", "model.pml")
    run("gcc", "-w", "-DSAFETY", "-o", "pan", "pan.c")
    said = run("./pan", "-m100000")
    if "max search depth too small" in said or "errors: 0" not in said and "invalid end state (" not in said:
        sys.exit(f"{source}: {said}")
    return "invalid end state (" in said


def explore_finds_deadlock(occc, source, folder):
    explored = subprocess.run([occc, "explore", "-w", "--states", source], cwd=folder, check=False, capture_output=True, text=True)
    if "all there are" not in explored.stdout:
        sys.exit(f"{source}: {explored.stdout}{explored.stderr}")
    return re.search(r"^ +\d+  deadlock", explored.stdout, re.MULTILINE) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("occc")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.names:
            source = os.path.join(arguments.folder, name.rstrip("+") + ".occ")
            model = spin_finds_deadlock(arguments.occc, source, folder)
            program = explore_finds_deadlock(arguments.occc, source, folder)
            is_right = model and not program if name.endswith("+") else model == program
            print(f"{'ok  ' if is_right else 'FAIL'} {name}: deadlock of the model: {model}, of the program: {program}")
            if not is_right:
                sys.exit(1)


if __name__ == "__main__":
    main()
