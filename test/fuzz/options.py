"""Which options a program of a fuzzer is compiled with, and on how many workers it runs: what a seed draws of all that must not
change what it does. A fuzzer prints what was drawn with what went wrong."""

import os
import random
import re

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
FAST = LEVELS[1:]  # what optimises
WORKERS = [1, 2, 8]
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../codegen/pass.def")
with open(TABLE, encoding="ascii") as table:
    PASSES = re.findall(r'^PASS\(\w+, "([a-z-]+)"', table.read(), re.M)


def draw(seed, *, checks=True, levels=None, stop=False, reals=False):
    """The options of the program `seed`. `checks`: it may end in an error, so that they must stay; `stop`: such an error may end
    its process only; `reals`: no result of a REAL is infinite or no number; `levels`: of these only."""
    rng = random.Random(f"options {seed}")
    words = [rng.choice(levels or LEVELS)]
    if rng.random() < 0.4:
        words.append("-g")
    if not checks and rng.random() < 0.25:
        words.append("--no-checks")
    elif (stop or not checks) and rng.random() < 0.2:
        words.append("-fstop-mode")
    if reals and rng.random() < 0.2:
        words.append("-fcheck-reals")
    if rng.random() < 0.2:
        words.append("-march=native")
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        words.append("-fno-" + rng.choice(PASSES))
    if rng.random() < 0.1:
        words.append("-fverify-each")
    return words


def any_of_all(seed):
    """Options for a program that is compiled and not run."""
    return draw(seed, checks=False, reals=True)


def ways(seed, count, seeds, **words):
    """`count` sets of options, each with every number of workers and `seeds` seeds of the scheduler: [(options, environment)]. The
    first is of a plain level, the second of one that optimises."""
    found = []
    for number in range(count):
        levels = [["-O0", "-O1"], ["-O2", "-O3", "-Os"], LEVELS][min(number, 2)]
        flags = draw(f"{seed} {number}", levels=levels, **words)
        rng = random.Random(f"seeds {seed} {number}")
        found += [(flags, {"OCC_WORKERS": str(workers), "OCC_SEED": str(rng.randrange(1, 10**6))}) for workers in WORKERS for _ in range(seeds)]
    return found
