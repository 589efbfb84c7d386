#!/usr/bin/env python3
"""generated.py OCCC FIRST LAST: programs made by those seeds are explored, with and without the reduction by races, and counted
by count.py: the numbers of behaviours and of deadlocks must be the same, and every list of choices must lead where it says.

A program has a few processes with a few statements: outputs, inputs, ALTs of both, CLAIMs, SKIP guards. Each channel has one process
at either end."""

import os
import random
import re
import subprocess
import sys
import tempfile

import count


def make(seed):
    """Statements of each process: ("!", c), ("?", c), ("alt", guards), ("claim", m, statements)."""
    chance = random.Random(seed)
    more = seed % 2  # every other one is larger
    processes = chance.randint(2, 4) + more
    ends = [chance.sample(range(processes), 2) for _ in range(chance.randint(2, 4) + 2 * more)]
    locks = chance.randint(0, 2)

    def guards_of(p):
        return [("!", c) for c, (writer, _) in enumerate(ends) if writer == p] + [("?", c) for c, (_, reader) in enumerate(ends) if reader == p]

    def statements(p, many, held):
        found = []
        for _ in range(many):
            guards = guards_of(p)
            kind = chance.random()
            if kind < 0.25 and len(held) < locks:
                m = chance.choice([m for m in range(locks) if m not in held])
                found.append(("claim", m, statements(p, chance.randint(0, 2), held + [m])))
            elif not guards:
                continue
            elif kind < 0.65 and len(guards) > 1:
                chosen = chance.sample(guards, chance.randint(2, min(3, len(guards))))
                found.append(("alt", chosen + ([("skip",)] if chance.random() < 0.2 else [])))
            else:
                found.append(chance.choice(guards))
        return found

    return [statements(p, chance.randint(1, 3) + more, []) for p in range(processes)], len(ends), locks


def text(program):
    processes, channels, locks = program
    lines = ["PROC main ()", "  [%d]CHAN INT c:" % channels]
    lines += ["  MUTEX m%d:" % m for m in range(locks)] + ["  PAR"]

    def operation(what):
        return "SKIP" if what == ("skip",) else "c[%d] %s" % (what[1], "! 1" if what[0] == "!" else "? x")

    def put(statements, depth):
        pad = "  " * depth
        lines.append(pad + "SEQ")
        for what in statements:
            if what[0] == "alt":
                lines.append(pad + "  ALT")
                for guard in what[1]:
                    lines.extend([pad + "    " + operation(guard), pad + "      SKIP"])
            elif what[0] == "claim":
                lines.append(pad + "  CLAIM m%d" % what[1])
                put(what[2], depth + 2)
            else:
                lines.append(pad + "  " + operation(what))

    for statements in processes:
        lines.append("    INT x:")
        put(statements, 2)
    return "\n".join(lines + [":"]) + "\n"


def model(program):
    def process(statements):
        for what in statements:
            if what[0] == "alt":
                yield count.alt([count.SKIP if guard == ("skip",) else guard for guard in what[1]])
            elif what[0] == "claim":
                yield count.claim(what[1])
                yield from process(what[2])
                yield count.leave(what[1])
            else:
                yield count.alt([what])

    return lambda: [process(statements) for statements in program[0]]


def explore(occc, folder, options):
    done = subprocess.run([occc, "explore", "-w", *options, "p.occ"], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    extent = re.match(r"p\.occ: (\d+) behaviours?, all there are\n", done.stdout)
    if not extent:
        return done.stdout + done.stderr
    dead = sum(int(n) for n in re.findall(r"^ *(\d+)  deadlock", done.stdout, re.M))
    return int(extent[1]), dead


def replay(occc, folder):
    for name in os.listdir(folder):
        if name.endswith(".choices"):
            done = subprocess.run([occc, "run", "-w", "p.occ"], cwd=folder, env=dict(os.environ, OCC_CHOICES=name), capture_output=True, stdin=subprocess.DEVNULL)
            if done.returncode != 2:
                return f"{name} leads to status {done.returncode}"
    return None


def main():
    occc, first, last = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    total = 0
    for seed in range(first, last + 1):
        program = make(seed)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "p.occ"), "w", encoding="ascii") as file:
                file.write(text(program))
            wanted = count.count(model(program))
            results = explore(occc, folder, []), explore(occc, folder, ["-fexplore-full"])
            wrong = replay(occc, folder)
        total += wanted[0]
        if wrong or any(result != wanted for result in results):
            sys.exit(f"seed {seed}: {results[0]}, {results[1]} in full; count.py: {wanted}; {wrong or ''}\n{text(program)}")
    print(f"{last - first + 1} programs, {total} behaviours: the same by three ways")


if __name__ == "__main__":
    main()
