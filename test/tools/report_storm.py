#!/usr/bin/env python3
"""Ask a program for its report again and again while it runs, starts and ends: it goes on, and its reports are whole.

A program of the form of test/stress and test/bench is made to begin anew for ever. It is sent SIGQUIT in storms and
at odd moments, twice at once, with standard error closed, with 1, 2, 4 and 8 workers, until its time is over; then it
is ended by SIGTERM. Any other end is a failure, as is a run without a report."""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

WORKERS = (1, 2, 4, 8)
HEAD = re.compile(rb"occ: \d+ process(?:es)?: \d+ ready, \d+ waiting\n")


def endless(source, folder):
    """The file of a program that runs the one in `source` for ever."""
    with open(source) as file:
        text = file.read()
    start = text.rindex("\nPROC main (CHAN BYTE ") + 1
    text = text[:start] + text[start:].replace("PROC main (", "PROC once (", 1)
    text += "\nPROC main (CHAN BYTE out!)\n  WHILE TRUE\n    once (out!)\n:\n"
    name = os.path.join(folder, "endless-" + os.path.basename(source))
    with open(name, "w") as file:
        file.write(text)
    return name


def default_signals():
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def start(program, workers, error):
    environment = dict(os.environ, OCC_WORKERS=str(workers))
    return subprocess.Popen(
        [program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=error,
        env=environment,
        preexec_fn=(lambda: (default_signals(), os.close(2))) if error is None else default_signals,
    )


def wait_until_it_runs(process):
    """Signals before its handlers are there would end it: wait until it handles SIGQUIT."""
    bit = 1 << (signal.SIGQUIT - 1)
    for _ in range(20000):
        try:
            with open(f"/proc/{process.pid}/status") as file:
                caught = re.search(r"SigCgt:\s*([0-9a-f]+)", file.read())
        except OSError:
            return
        if caught and int(caught.group(1), 16) & bit:
            return
        time.sleep(0.0002)


def send(process, seconds, pause):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        process.send_signal(signal.SIGQUIT)
        if pause:
            time.sleep(pause)


def wait_for_report(process, error):
    """On a busy machine the first may take longer than the whole storm."""
    end = time.monotonic() + 30
    time.sleep(0.05)
    while error and process.poll() is None and time.monotonic() < end:
        if HEAD.search(os.pread(error.fileno(), 1 << 20, 0)):
            return
        time.sleep(0.02)


def storm(program, workers, seconds, pause, senders=1, closed=False):
    """A failure or None."""
    with tempfile.TemporaryFile() as error:
        process = start(program, workers, None if closed else error)
        wait_until_it_runs(process)
        threads = [threading.Thread(target=send, args=(process, seconds, pause)) for _ in range(senders)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wait_for_report(process, None if closed else error)
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "does not end"
        error.seek(0)
        text = error.read()
    if status != -signal.SIGTERM:
        return f"ended by {status}: {text[-300:].decode('utf-8', 'replace')}"
    if b"internal error" in text or b"failed" in text:
        return text[-300:].decode("utf-8", "replace")
    if not closed and not HEAD.search(text):
        return "no report" + text[-300:].decode("utf-8", "replace")
    return None


def check(program, seconds, workers=WORKERS):
    """Storms of one program. A failure or None."""
    for count in workers:
        for pause, senders, closed in ((0, 1, False), (0.003, 2, False), (0.0005, 1, True)):
            failure = storm(program, count, seconds, pause, senders, closed)
            if failure:
                return f"SIGQUIT, {count} workers, every {pause} s: {failure}"
    return None


def to_the_end(program, workers):
    """Asked until it ends by itself. A failure or None."""
    with tempfile.TemporaryFile() as error:
        process = start(program, workers, error)
        wait_until_it_runs(process)
        send(process, 2, 0)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"SIGQUIT, {workers} workers: no end"
        error.seek(0)
        text = error.read()
    if process.returncode != 0 or b"internal error" in text:
        return f"SIGQUIT, {workers} workers: ended by {process.returncode}: {text[-300:].decode('utf-8', 'replace')}"
    return None


def check_end(program, runs, workers=WORKERS):
    for count in workers:
        for _ in range(runs):
            failure = to_the_end(program, count)
            if failure:
                return failure
    return None


def check_source(occc, source, folder, seconds, workers=WORKERS):
    built = os.path.join(folder, "endless")
    subprocess.run([occc, "-w", "-O2", "-I", os.path.dirname(source), "-o", built, endless(source, folder)], check=True)
    failure = check(built, seconds, workers)
    if failure is None:
        subprocess.run([occc, "-w", "-O2", "-o", built, source], check=True)
        failure = check_end(built, 3, workers)
    return failure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each storm; there are three for each number of workers")
    parser.add_argument("--workers", type=int, nargs="*", default=WORKERS)
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    failures = 0
    for source in arguments.programs:
        with tempfile.TemporaryDirectory() as folder:
            failure = check_source(arguments.occc, source, folder, arguments.seconds, arguments.workers)
        failures += failure is not None
        print(f"{'FAIL ' + failure if failure else 'ok'}  {os.path.basename(source)}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
