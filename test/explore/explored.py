#!/usr/bin/env python3
"""explored.py OCCC [--status=N] [--model=NAME] [options of occc explore...] FILE

Explores the program and prints the summary. Every list of choices that is written is replayed twice, and must come to the
end that is reported for it. --status: what occc explore must exit with (0). --model: the number of behaviours and of deadlocks must
be that of count.py, which counts them in another way."""

import os
import re
import subprocess
import sys
import tempfile

import count

STATUS = {"deadlock": 2, "error": 1, "the world failed": 3, "finished": 0}


def ends_of(summary):
    """How often, what, the list of choices or None, the lines of its report."""
    ends = []
    for line in summary.splitlines()[1:]:
        found = re.match(r" {0,9}(\d+)  (deadlock|error|the world failed|crash|computes without end|finished|cut off)(.*)$", line)
        if found:
            choices = re.search(r"OCC_CHOICES=(\S+)", found[3])
            ends.append((int(found[1]), found[2], choices and choices[1], []))
        elif line.startswith(" " * 12):
            ends[-1][3].append(line[12:])
    return ends


def replay(occc, source, end, folder):
    _, what, choices, report = end
    environment = dict(os.environ, OCC_CHOICES=os.path.join(folder, choices))
    for _ in range(2):
        done = subprocess.run([occc, "run", source], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        if what in STATUS and done.returncode != STATUS[what]:
            sys.exit(f"{choices}: status {done.returncode} where the end is '{what}'")
        if report and done.stderr.splitlines()[-len(report):] != report:
            sys.exit(f"{choices}: another report: {done.stderr}")


def main():
    occc, *words = sys.argv[1:]
    source = os.path.abspath(words.pop())
    wanted, model, options = 0, None, []
    for word in words:
        name, _, value = word.partition("=")
        if name == "--status":
            wanted = int(value)
        elif name == "--model":
            model = value
        else:
            options.append(word)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([occc, "explore", *options, source], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
        print(done.stdout, end="")
        if done.returncode != wanted:
            sys.exit(f"status {done.returncode}, not {wanted}: {done.stderr}")
        ends = ends_of(done.stdout)
        for end in ends:
            if end[2] and end[1] in STATUS:
                replay(occc, source, end, folder)
        files = [name for name in os.listdir(folder) if name.endswith(".choices")]
        if len(files) != sum(1 for end in ends if end[2]):
            sys.exit(f"lists that no end names: {files}")
    if model:
        total, dead = count.count(count.MODELS[model])
        seen = sum(end[0] for end in ends), sum(end[0] for end in ends if end[1] == "deadlock")
        if seen != (total, dead) or ", all there are" not in done.stdout:
            sys.exit(f"{seen[0]} behaviours and {seen[1]} deadlocks; count.py has {total} and {dead}")


if __name__ == "__main__":
    main()
