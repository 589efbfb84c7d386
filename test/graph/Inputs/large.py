"""large.py N: a ring of groups of ten processes each, N in all, no two written alike."""

import random
import sys

random.seed(1)
KINDS, GROUP = 12, 10
groups = int(sys.argv[1]) // GROUP
for k in range(KINDS):
    print(f"PROC kind{k} (CHAN INT a?, b?, c!, d!)\n  WHILE TRUE\n    INT x, y:\n    SEQ\n      a ? x\n      b ? y\n      c ! x\n      d ! y\n:")
print("PROC group (CHAN INT a?, b?, c!, d!)")
for i in range(GROUP - 1):
    print(f"  CHAN INT l{i}, m{i}:")
print("  PAR")
for i in range(GROUP):
    source = f"l{i - 1}?, m{i - 1}?" if i else "a?, b?"
    target = f"l{i}!, m{i}!" if i < GROUP - 1 else "c!, d!"
    print(f"    kind{random.randrange(KINDS)} ({source}, {target})")
print(":\nPROC main (CHAN BYTE out!)")
for i in range(groups):
    print(f"  CHAN INT p{i}, q{i}:")
print("  PAR")
for i in range(groups):
    print(f"    group (p{i}?, q{i}?, p{(i + 1) % groups}!, q{(i + 1) % groups}!)")
print(":")
