#!/usr/bin/env python3
"""Everything a tool can check without running a program: `make lint`. Each part is one result in the report."""

import argparse
import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from report import write_report
from source_text import our_files

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = ["layers", "readmes", "size", "banned", "diag_tests", "docs", "explain"]


def run(command):
    """Output of a command that failed, or None."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"exit {done.returncode}"


def in_parallel(jobs, commands):
    with ThreadPoolExecutor(jobs) as pool:
        return "\n".join(text for text in pool.map(run, commands) if text) or None


def check_format(arguments):
    # The version of .clang-format's author: others lay code out a little differently.
    for name in ("clang-format-14", "clang-format"):
        if run(["sh", "-c", f"command -v {name}"]) is None:
            break
    else:
        return "clang-format is not installed"
    files = our_files(".c", ".h", folders=("frontend/", "codegen/", "runtime/", "test/"))
    files = [path for path in files if not path.endswith(".S.h")]
    output = run([name, "--dry-run", "-Werror", *files]) if files else None
    if output is None:
        return None
    bad = sorted({line.split(":")[0] for line in output.splitlines() if "[-Wclang-format-violations]" in line})
    return "\n".join(f"{path}: make format would change it" for path in bad) or output


def flags_of(compiler):
    """folder -> the flags the Makefile compiles its files with."""
    printed = subprocess.run(
        ["make", "-s", "--no-print-directory", "print-flags", f"CC={compiler}"], capture_output=True, text=True, check=True
    )
    return {line.partition(":")[0]: shlex.split(line.partition(":")[2]) for line in printed.stdout.splitlines() if ":" in line}


MPI_FILE = "runtime/placed/mpi.c"


def mpi_flags():
    """Where the headers of MPI are; None: there are none."""
    try:
        printed = subprocess.run(["mpicc", "--showme:compile"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return shlex.split(printed.stdout) if printed.returncode == 0 else None


def check_warnings(arguments, compiler):
    flags = flags_of(compiler)
    mpi = mpi_flags()
    commands = [
        [compiler, *flags[folder], *(mpi or [] if path == MPI_FILE else []), "-Werror", "-fsyntax-only", path]
        for folder in ("frontend", "codegen", "runtime")
        for path in our_files(".c", folders=(folder + "/",))
        if path != MPI_FILE or mpi is not None
    ]
    return in_parallel(arguments.jobs, commands)


def check_script(name, arguments):
    command = [sys.executable, os.path.join(HERE, f"check_{name}.py")]
    return run(command + (["--occc", arguments.occc] if name in ("docs", "explain") else []))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    parts = [(name, lambda name=name: check_script(name, arguments)) for name in CHECKS]
    parts.append(("format", lambda: check_format(arguments)))
    parts.append(("warnings-gcc", lambda: check_warnings(arguments, "gcc")))
    parts.append(("warnings-clang", lambda: check_warnings(arguments, arguments.clang)))
    results = []
    for name, check in parts:
        started = time.monotonic()
        failure = check()
        results.append((name, time.monotonic() - started, failure))
        print(f"lint: {name}: {'ok' if failure is None else 'FAILED'}", flush=True)
        if failure is not None:
            print("  " + failure.replace("\n", "\n  "))
    os.makedirs(os.path.dirname(arguments.xml) or ".", exist_ok=True)
    write_report(arguments.xml, "lint", results)
    return 1 if any(failure is not None for _, _, failure in results) else 0


if __name__ == "__main__":
    sys.exit(main())
