#!/usr/bin/env python3
"""A folder of small files copied by 16 processes (copy.occ), beside Go and `cp -r`, in turns, medians.

    python3 test/bench/net/copy.py --occc build/bin/occc --rounds 1

The time means something only when nothing else runs; processor time always does. A peer that is missing is left out, and that is
said. The files are in the system's memory."""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")


def build(occc, cache):
    os.makedirs(cache, exist_ok=True)
    subprocess.run([occc, "-O2", "-o", f"{cache}/copy-occ", f"{HERE}/copy.occ"], check=True)
    peers = {"occ": [f"{cache}/copy-occ"], "cp": ["cp", "-r"]}
    if shutil.which("go"):
        subprocess.run(["go", "build", "-o", f"{cache}/copy-go", f"{HERE}/copy.go"], check=True)
        peers["go"] = [f"{cache}/copy-go"]
    else:
        print("Go is missing: left out")
    return peers


def once(name, words, source, target):
    """Time, processor time, in ms."""
    shutil.rmtree(target, ignore_errors=True)
    if name != "cp":
        os.mkdir(target)
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([*words, source, target], check=True)
    took, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if len(os.listdir(target)) != len(os.listdir(source)):
        raise SystemExit(f"{name} has not copied all")
    return took * 1e3, cpu * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--occc", default=os.path.join(ROOT, "build/bin/occc"))
    parser.add_argument("--cache", default="/tmp/occ-bench-net")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=2000)
    options = parser.parse_args()
    peers = build(options.occc, options.cache)
    source, target = f"{options.cache}/files", f"{options.cache}/copies"
    shutil.rmtree(source, ignore_errors=True)
    os.mkdir(source)
    for number in range(options.files):
        with open(f"{source}/file-{number}", "wb") as file:
            file.write(bytes([number % 256]) * options.bytes)
    results = {name: [] for name in peers}
    for _ in range(options.rounds):
        for name, words in peers.items():
            results[name].append(once(name, words, source, target))
    print(f"{'':26}{'':6}{'ms':>8}{'CPU ms':>8}")
    for name, rows in results.items():
        took, cpu = (statistics.median(column) for column in zip(*rows))
        print(f"{f'copy, {options.files} files':26}{name:6}{took:8.0f}{cpu:8.0f}")
    for folder in (source, target):
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
