"""Reads the log of a program only after it has written all of it."""

import re
import subprocess
import sys

with subprocess.Popen([sys.argv[1], "many"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
    print(program.stdout.readline().decode().strip(), flush=True)
    lines = program.stderr.read().decode().splitlines()
    counted = sum(int(re.search(r"(\d+) lines dropped", line)[1]) for line in lines if "dropped" in line)
    whole = sum("says nothing" in line for line in lines)
    print("all lines are there or counted" if whole + counted == 100000 and counted > 0 else f"{whole} and {counted}")
