"""different.py N: N processes, each of a PROC of its own, joined at random."""

import random
import sys

random.seed(2)
count = int(sys.argv[1])
for k in range(count):
    print(f"PROC k{k} (CHAN INT a?, b?, c!, d!)\n  INT x, y:\n  SEQ\n    a ? x\n    b ? y\n    c ! x\n    d ! y\n:")
print("PROC main ()")
for k in range(2 * count):
    print(f"  CHAN INT p{k}:")
ends = list(range(2 * count))
random.shuffle(ends)
print("  PAR")
for k in range(count):
    print(f"    k{k} (p{ends[2 * k]}?, p{ends[2 * k + 1]}?, p{2 * k}!, p{2 * k + 1}!)")
print(":")
