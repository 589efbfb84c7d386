"""grep.occ beside grep(1) on the same files."""

import os
import random
import subprocess
import sys
import tempfile


def fill(folder):
    pick = random.Random(6)
    words = ["alpha", "Beta", "gamma", "needle", "Needle", "NEEDLES", ""]
    for number in range(300):
        place = os.path.join(folder, *[f"d{pick.randrange(3)}" for _ in range(pick.randrange(4))])
        os.makedirs(place, exist_ok=True)
        with open(f"{place}/file {number}", "w", encoding="ascii") as file:
            file.write("\n".join(" ".join(pick.choice(words) for _ in range(pick.randrange(8))) for _ in range(pick.randrange(80))))
    os.symlink(folder, f"{folder}/round")


def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return sorted(done.stdout.splitlines()), done.stderr


with tempfile.TemporaryDirectory() as folder:
    fill(folder)
    for what, ours, its in (("300 files, the same lines as grep -rF", ["-j3"], "-rF"), ("without case: the same as grep -rFi", ["-i"], "-rFi"),
                            ("names alone: the same as grep -rFl", ["-l", "--jobs=1"], "-rFl")):
        mine, theirs = lines(sys.argv[1], *ours, "needle", folder)[0], lines("grep", its, "needle", folder)[0]
        print(what if mine == theirs and mine else f"{len(mine)} lines and {len(theirs)}", flush=True)
    print("nowhere:", lines(sys.argv[1], "x", "/nowhere")[1].strip())
    print(lines(sys.argv[1], "x")[1].strip())
