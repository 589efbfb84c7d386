#!/usr/bin/env python3
"""nothing_outlives.py OCCC FILE: explores a program that takes long, kills occc while it does, and looks for processes of the program that are left."""

import os
import signal
import subprocess
import sys
import tempfile
import time


def processes():
    """(process, parent, group) of all that are no zombies."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                    words = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if words[0] not in "ZX":
                yield int(name), int(words[1]), int(words[2])


def wait_for(what, answer):
    for _ in range(400):
        found = what()
        if answer(found):
            return found
        time.sleep(0.05)
    sys.exit(f"in twenty seconds: {found}")


def main():
    occc, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    for death in (signal.SIGKILL, signal.SIGINT):
        with tempfile.TemporaryDirectory() as folder:
            explorer = subprocess.Popen([occc, "explore", "-w", source], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            program = wait_for(lambda: [p for p, parent, group in processes() if parent == explorer.pid and group == p], bool)[0]
            wait_for(lambda: [p for p, _, group in processes() if group == program], lambda found: len(found) > 1)
            explorer.send_signal(death)
            explorer.wait(timeout=20)
            wait_for(lambda: [p for p, _, group in processes() if group == program], lambda found: not found)
            print(f"after {death.name} nothing is left")


if __name__ == "__main__":
    main()
