"""Signals for signals-are-messages.occ: a report, two that are caught, one that is not."""

import signal
import subprocess
import sys
import time

wanted = lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a shell in the background ignores it
process = subprocess.Popen([sys.argv[1], "wait"], stdout=subprocess.PIPE, preexec_fn=wanted)
print(process.stdout.readline().decode(), end="", flush=True)
time.sleep(0.2)
process.send_signal(signal.SIGQUIT)
time.sleep(0.3)
for number in (signal.SIGUSR1, signal.SIGUSR2):
    process.send_signal(number)
    print(process.stdout.readline().decode(), end="", flush=True)
process.send_signal(signal.SIGTERM)
print("status", process.wait())
