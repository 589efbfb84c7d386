#!/usr/bin/env python3
"""proof_agrees.py OCCC LEAST PART FOLDER: in no program that occc check --deadlock calls free of deadlock does occc explore find one, and at
least LEAST of the programs of the folder are called so; a circle that stands in the way has places in its program. PART is --all, --head
(names before p) or --tail (from p on)."""

import os
import re
import subprocess
import sys
import tempfile


def proved(occc, source):
    done = subprocess.run([occc, "check", "-w", "--deadlock", source], check=False, capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 5) or (done.returncode == 0) != (": free of deadlock: " in done.stdout):
        sys.exit(f"{source}: status {done.returncode}: {done.stdout}{done.stderr}")
    circle = "may wait for each other" in done.stdout
    if circle and not re.search(r"^  #\d+  \S+  " + re.escape(source) + r":\d+:\d+  ", done.stdout, re.M):
        sys.exit(f"{source}: no place: {done.stdout}")
    return done.returncode == 0


def explore_finds_deadlock(occc, source, folder):
    command = [occc, "explore", "-w", "--states", "--time=3", source]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    if not re.search(r": \d+ (state|behaviour)s?, ", done.stdout):
        sys.exit(f"{source}: {done.stdout}{done.stderr}")
    return re.search(r"^ +\d+  deadlock", done.stdout, re.M) is not None


def main():
    occc, least, part, folder = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    names = sorted(name for name in os.listdir(folder) if name.endswith(".occ"))
    names = [name for name in names if part == "--all" or (name >= "p") == (part == "--tail")]
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            source = os.path.join(folder, name)
            if proved(occc, source):
                count += 1
                if explore_finds_deadlock(occc, source, scratch):
                    sys.exit(f"FALSE PROOF: {source}")
    print(f"{count} of {len(names)} programs proved")
    if count < least:
        sys.exit(f"fewer than {least}")


if __name__ == "__main__":
    main()
