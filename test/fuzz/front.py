#!/usr/bin/env python3
"""Feeds front_fuzz, libFuzzer on text to checked tree, with the words of the language and every small program of the
tree; says how many executions there were and what was found. Exit 1 when anything was."""

import argparse
import glob
import os
import re
import subprocess
import sys

LARGEST = 400  # bytes of a program: small ones run two thousand times a second
MORE_WORDS = ["\n  ", "\n    ", "INT x:\n", "CHAN INT c:\n", "#IF ", "#DEFINE ", '#INCLUDE "a"', '#USE "a"', "#PRAGMA SHARED "]


def words():
    table = re.sub(r"/\*.*?\*/", "", open("frontend/token/token.def").read(), flags=re.S)
    return sorted(set(re.findall(r'"([^"]+)"', table)) | set(MORE_WORDS))


def programs():
    for path in sorted(glob.glob("test/**/*.occ", recursive=True) + glob.glob("examples/*.occ") + glob.glob("stdlib/*.occ")):
        lines = open(path, "rb").read().split(b"\n")
        yield b"\n".join(line for line in lines if not line.startswith(b"--"))
    for path in sorted(glob.glob("test/verdicts/*.txt")):
        for body in re.split(r"(?m)^=== .*\n", open(path).read())[1:]:
            yield ("PROC p ()\n" + "".join(f"  {line}\n" for line in body.split("\n")) + ":\n").encode()


def prepare(folder):
    seeds = os.path.join(folder, "seeds")
    os.makedirs(seeds, exist_ok=True)
    os.makedirs(os.path.join(folder, "corpus"), exist_ok=True)
    os.makedirs(os.path.join(folder, "found"), exist_ok=True)
    for number, program in enumerate(text for text in programs() if len(text) <= LARGEST):
        with open(os.path.join(seeds, str(number)), "wb") as file:
            file.write(program)
    with open(os.path.join(folder, "words"), "w") as file:
        for word in words():
            file.write('"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\x0a") + '"\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzzer", required=True)
    parser.add_argument("--folder", required=True, help="where the corpus grows and what is found stays")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    prepare(options.folder)
    command = [os.path.abspath(options.fuzzer), f"-max_total_time={options.seconds}", f"-max_len={LARGEST}", "-timeout=5",
               "-report_slow_units=1", "-rss_limit_mb=4000", "-entropic=0", f"-seed={options.seed}", "-dict=words", "-artifact_prefix=found/",
               "corpus", "seeds"]
    run = subprocess.run(command, cwd=options.folder, stderr=subprocess.PIPE, text=True, errors="replace",
                         env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    done = re.search(r"Done (\d+) runs", run.stderr)
    found = sorted(os.listdir(os.path.join(options.folder, "found")))
    if run.returncode != 0 and not found:
        sys.exit(run.stderr[-2000:])
    print(f"{done[1] if done else 'some'} executions, {len(found)} faults")
    for name in found:
        print(os.path.join(options.folder, "found", name))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
