"""Run a program with a keyboard that nobody types on: how often is it woken while it waits?

More than a few voluntary switches would be a tick: half a second has 500 milliseconds.
"""

import os
import subprocess
import sys

FEW = 20

silent, ours = os.pipe()
program = subprocess.Popen([sys.argv[1]], stdin=silent)
_, status, usage = os.wait4(program.pid, 0)
os.close(ours)
if status != 0:
    sys.exit(f"ended with {status:x}")
if usage.ru_nvcsw > FEW:
    sys.exit(f"{usage.ru_nvcsw} switches, {FEW} are allowed")
