#!/usr/bin/env python3
"""Random programs that make, move, exchange, send, clone and let go trees of two types that contain each other, against a model in
Python: what each variable holds after every step is printed as one number. OCC_COUNT_MOBILES sees what is lost or freed twice."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import options

HEAD = """#INCLUDE "course.module"
DATA TYPE NODE:
DATA TYPE BRANCH
  MOBILE RECORD
    INT weight:
    [2]NODE pair:
:
DATA TYPE NODE
  MOBILE RECORD
    INT key:
    NODE left:
    MOBILE []NODE many:
    MOBILE NODE right:
    BRANCH branch:
:
INT REC FUNCTION digest (VAL NODE n)
  INT sum:
  VALOF
    IF
      DEFINED n
        SEQ
          sum := (n[key] TIMES 31) PLUS (digest (n[left]) TIMES 37)
          sum := (sum TIMES 3) PLUS digest (n[right])
          SEQ i = 0 FOR SIZE n[many]
            sum := (sum TIMES 41) PLUS digest (n[many][i])
          IF
            DEFINED n[branch]
              SEQ
                sum := (sum TIMES 43) PLUS n[branch][weight]
                SEQ i = 0 FOR 2
                  sum := (sum TIMES 47) PLUS digest (n[branch][pair][i])
            TRUE
              SKIP
      TRUE
        sum := 7
    RESULT sum
:
PROC make (NODE n, VAL INT key)
  SEQ
    n := MOBILE NODE
    n[key] := key
:
PROC drop (NODE n)
  NODE gone:
  gone := n
:
PROC say (VAL NODE n, CHAN BYTE screen!)
  SEQ
    out.int (digest (n), 0, screen!)
    screen ! '*n'
:
"""


class Node:
    def __init__(self, key):
        self.key, self.slots, self.many, self.weight = key, {"[left]": None, "[right]": None}, 0, None

    def clone(self):
        copy = Node(self.key)
        copy.many, copy.weight = self.many, self.weight
        copy.slots = {name: child and child.clone() for name, child in self.slots.items()}
        return copy


def digest(node):
    if node is None:
        return 7
    total = node.key * 31 + digest(node.slots["[left]"]) * 37
    total = total * 3 + digest(node.slots["[right]"])
    for i in range(node.many):
        total = total * 41 + digest(node.slots[f"[many][{i}]"])
    if node.weight is not None:
        total = total * 43 + node.weight
        for i in range(2):
            total = total * 47 + digest(node.slots[f"[branch][pair][{i}]"])
    return (total + 2**31) % 2**32 - 2**31


class Program:
    def __init__(self, seed):
        self.rng = random.Random(f"tree {seed}")
        self.roots = {f"t{i}": None for i in range(4)}
        self.lines, self.wanted = [], []

    def place(self, wants=None):
        """A random place: (the dictionary it is in, its name there, its text). wants: what must (not) be there."""
        while True:
            slots, name = self.roots, self.rng.choice(list(self.roots))
            text = name
            while slots[name] is not None and self.rng.random() < 0.6:
                slots = slots[name].slots
                name = self.rng.choice(list(slots))
                text += name
            if wants is None or (slots[name] is not None) == wants:
                return slots, name, text

    def emit(self, *lines):
        self.lines += lines

    def grow(self):
        slots, name, text = self.place()
        key = self.rng.randrange(1000)
        node = slots[name] = Node(key)
        if self.rng.random() < 0.5:
            self.emit(f"make ({text}, {key})")
        else:
            self.emit(f"{text} := MOBILE NODE", f"{text}[key] := {key}")
        if self.rng.random() < 0.5:
            node.many = self.rng.randrange(1, 4)
            node.slots.update({f"[many][{i}]": None for i in range(node.many)})
            self.emit(f"{text}[many] := MOBILE [{node.many}]NODE")
        if self.rng.random() < 0.5:
            node.weight = self.rng.randrange(1000)
            node.slots.update({f"[branch][pair][{i}]": None for i in range(2)})
            self.emit(f"{text}[branch] := MOBILE BRANCH", f"{text}[branch][weight] := {node.weight}")

    def move(self):
        slots, name, text = self.place()
        to_slots, to_name, to = self.place()
        if to.startswith(text):
            return  # into what it is, or holds
        node, slots[name] = slots[name], None
        to_slots[to_name] = node
        way = self.rng.randrange(3)
        if way == 0:
            self.emit(f"{to} := {text}")
        elif way == 1 or to[:2] == text[:2]:
            self.emit(f"x IS {text}:", "spare := x", f"{to} := spare")
        elif node is not None:
            self.emit("PAR", f"  c ! {text}", f"  c ? {to}")
        else:
            self.emit(f"{to} := {text}")

    def exchange(self):
        slots, name, text = self.place()
        to_slots, to_name, to = self.place()
        if to.startswith(text) or text.startswith(to):
            return
        slots[name], to_slots[to_name] = to_slots[to_name], slots[name]
        self.emit(f"{text}, {to} := {to}, {text}")

    def clone(self):
        slots, name, text = self.place(True)
        copy = slots[name].clone()
        to_slots, to_name, to = self.place()
        to_slots[to_name] = copy
        self.emit(f"{to} := CLONE {text}")

    def drop(self):
        slots, name, text = self.place()
        slots[name] = None
        self.emit(f"drop ({text})")

    def write(self):
        slots, name, text = self.place(True)
        slots[name].key = self.rng.randrange(1000)
        self.emit(f"{text}[key] := {slots[name].key}")

    def say(self):
        name = self.rng.choice(list(self.roots))
        self.emit(f"say ({name}, screen!)")
        self.wanted.append(str(digest(self.roots[name])))

    def size(self):
        return sum(weigh(node) for node in self.roots.values())

    def write_all(self, steps):
        self.grow()
        for _ in range(steps):
            ways = [self.grow, self.grow, self.move, self.exchange, self.drop, self.say]
            if any(self.roots.values()):
                ways += [self.write] + ([self.clone] if self.size() < 500 else [])
            self.rng.choice(ways)()
            self.say()
        body = "".join(f"    {line}\n" for line in self.lines)
        return HEAD + "PROC main (CHAN BYTE screen!)\n  NODE t0, t1, t2, t3, spare:\n  CHAN NODE c:\n  SEQ\n" + body + ":\n"


def weigh(node):
    return 0 if node is None else 1 + sum(weigh(child) for child in node.slots.values())


def run(occc, seed, folder):
    program = Program(seed)
    text = program.write_all(program.rng.randrange(5, 40))
    fails = program.rng.random() < 0.2
    if fails:
        _, _, place = program.place(False)
        step = program.rng.choice([f"{place}[key] := 1", f"spare := {place}[left]", f"make ({place}[right], 1)"])
        text = text[:-2] + f"    {step}\n:\n"
    path = os.path.join(folder, f"tree{seed}.occ")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    flags = options.draw(seed)
    binary = path[:-4]
    built = subprocess.run([occc, "-w", *flags, path, "-o", binary], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        return f"{path}: {' '.join(flags)}\n{built.stderr}"
    environment = {**os.environ, "OCC_COUNT_MOBILES": "1", "OCC_WORKERS": str(program.rng.choice(options.WORKERS))}
    ran = subprocess.run([binary], capture_output=True, text=True, check=False, timeout=60, env=environment)
    line = text.count("\n") - 1
    is_right = (f":{line}:" in ran.stderr and "is not defined" in ran.stderr) if fails else ran.returncode == 0 and ran.stderr == ""
    if ran.stdout.split() != program.wanted or not is_right:
        return f"{path}: {' '.join(flags)}: {ran.returncode}\n{ran.stdout.split()}\n{program.wanted}\n{ran.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = [text for seed in range(arguments.seed, arguments.seed + arguments.count)
                 if (text := run(arguments.occc, seed, folder))]
        for text in wrong:
            print(text)
            with open(text.split(":")[0], encoding="ascii") as file:
                print(file.read())
    print(f"{arguments.count} programs, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
