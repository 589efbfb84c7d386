"""Runs an MPI job, and kills processes of it once it has said "begun", at moments by the seed: what it says after that.

    kill_ranks.py --ranks=5 --kills=2 --seed=1 program"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import time

SECONDS = 50
WITHIN_SECONDS = 0.4  # from one to the next


def processes(job):
    """The process of each rank."""
    found = {}
    with open(f"/proc/{job}/task/{job}/children") as children:
        for process in children.read().split():
            with open(f"/proc/{process}/environ", "rb") as environment:
                for word in environment.read().split(b"\0"):
                    if word.startswith(b"OMPI_COMM_WORLD_RANK="):
                        found[int(word.split(b"=")[1])] = int(process)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = ["mpirun", "--enable-recovery", "--oversubscribe", "-n", str(arguments.ranks), arguments.program]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    if job.stdout.readline() != "begun\n":
        return 1
    ranks = processes(job.pid)
    for rank in chance.sample(range(1, arguments.ranks), arguments.kills):
        time.sleep(chance.random() * WITHIN_SECONDS)
        with contextlib.suppress(ProcessLookupError, KeyError):  # it has gone already
            os.kill(ranks[rank], signal.SIGKILL)
    try:
        sys.stdout.write(job.communicate(timeout=SECONDS)[0])
    except subprocess.TimeoutExpired:
        job.terminate()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
