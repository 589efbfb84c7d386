"""Which options a program of a fuzzer is compiled with: one that a seed draws of all that must not change what it does."""

import random

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
PASSES = ["outline", "count-loops", "strips", "proof", "foresight", "loop-blocks", "merge-limit", "late-choice", "late-report", "early-store"]


def draw(seed, *, checks=True, levels=None):
    """The options of the program `seed`. `checks`: it may end in an error, so that they must stay; `levels`: of these only."""
    rng = random.Random(f"options {seed}")
    words = [rng.choice(levels or LEVELS)]
    if rng.random() < 0.4:
        words.append("-g")
    if not checks and rng.random() < 0.25:
        words.append("--no-checks")
    if rng.random() < 0.2:
        words.append("-march=native")
    if PASSES and rng.random() < 0.15:
        words.append("-fno-" + rng.choice(PASSES))
    if PASSES and rng.random() < 0.15:
        words.append("-fverify-each")
    return words
