#!/usr/bin/env python3
"""generated_bounded.py OCCC FIRST LAST: programs made by those seeds (generated.py) are explored by every way that does not run all behaviours
one by one. None may come to an end that is not among those of the exploration; samples and few delays may miss some, states and many delays must
find them all. Every list of choices must lead where it says."""

import os
import re
import subprocess
import sys
import tempfile

import generated

WAYS = [
    (["--sample=60", "--orders=1"], False),
    (["--sample=60", "--orders=3", "--seed=5"], False),
    (["--delays=1"], False),
    (["--delays=60"], True),
    (["--states"], True),
]


def ends(occc, folder, options):
    """Each end with its report."""
    done = subprocess.run([occc, "explore", "-w", *options, "p.occ"], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    if done.returncode not in (0, 4, 5):
        sys.exit(done.stdout + done.stderr)
    found = re.findall(r"^ {0,9}\d+  (\w+).*\n((?: {12}.*\n)*)", done.stdout, re.M)
    return {(kind, re.sub(r" +may go on for ever\n", "", report)) for kind, report in found}, done.stdout


def main():
    occc, first, last = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    total = 0
    for seed in range(first, last + 1):
        source = generated.text(generated.make(seed))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "p.occ"), "w", encoding="ascii") as file:
                file.write(source)
            wanted, _ = ends(occc, folder, [])
            for options, finds_all in WAYS:
                for name in os.listdir(folder):
                    if name.endswith(".choices"):
                        os.remove(os.path.join(folder, name))
                found, said = ends(occc, folder, options)
                wrong = generated.replay(occc, folder)
                if wrong or (found != wanted if finds_all else not found <= wanted):
                    sys.exit(f"seed {seed} {options}: {said}{wrong or ''}\nwanted {wanted}\n{source}")
        total += len(wanted)
    print(f"{last - first + 1} programs, {total} ends: the same by all ways")


if __name__ == "__main__":
    main()
