"""Random programs over machines: made, compiled, run in many ways, and what they print compared. For turns.py and moves.py, whose Program(seed)
has text(), what it prints (expected), what a run may be refused with (REFUSED, or none) and what else is set in a run (SETTINGS)."""

import argparse
import os
import subprocess
import tempfile
import time

LIMIT_SECONDS = 20


def indent(text, columns):
    return "\n".join(" " * columns + line for line in text.split("\n"))


def printed(command, environment):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "", f"no end after {LIMIT_SECONDS} seconds"
    return done.stdout.strip() if done.returncode == 0 else "", done.stderr


def ways(arguments, program, binary, seed):
    if arguments.mpi:
        return [(["mpirun", "--oversubscribe", "-n", str(machines), binary], dict(os.environ)) for machines in (1, 2, 3)]
    return [([binary], dict(os.environ, OCC_RANKS=str(machines), OCC_SEED=str(seed + order), OCC_WORKERS=str(order), **program.SETTINGS))
            for machines in (1, 2, 3, 7) for order in (1, 2)]


def run(arguments, program, seed, folder):
    """How many runs, and how many of them were wrong."""
    source, binary = os.path.join(folder, f"{seed}.occ"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as out:
        out.write(program.text())
    options = ["-w", f"-O{seed % 3}", *(["--mpi"] if arguments.mpi else [])]
    subprocess.run([arguments.occc, *options, source, "-o", binary], check=True)
    wrong, all_ways = 0, ways(arguments, program, binary, seed)
    for command, environment in all_ways:
        said, faults = printed(command, environment)
        if said != str(program.expected) and not (program.REFUSED and program.REFUSED in faults):
            print(f"seed {seed}, {command} on {environment.get('OCC_RANKS')} machines, {environment.get('OCC_WORKERS')} workers: "
                  f"{said[:80]!r} for {program.expected}\n{faults[:3000]}")
            wrong += 1
    os.remove(source)
    return len(all_ways), wrong


def main(about, make):
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--mpi", action="store_true", help="processes of an MPI job in place of virtual machines")
    parser.add_argument("--print", type=int, dest="shown")
    arguments = parser.parse_args()
    if arguments.shown is not None:
        print(make(arguments.shown).text(), end="")
        return 0
    until, programs, runs, wrong = time.monotonic() + arguments.seconds, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while programs < arguments.count and time.monotonic() < until:
            seed = arguments.seed + programs
            more, faults = run(arguments, make(seed), seed, folder)
            programs, runs, wrong = programs + 1, runs + more, wrong + faults
    print(f"{programs} programs, {runs} runs, {wrong} wrong")
    return 1 if wrong else 0
