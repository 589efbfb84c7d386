#!/usr/bin/env python3
"""generated_more.py OCCC FIRST LAST LEAST: programs made by those seeds, of channels, clocks and module sync, are proved free of deadlock, or
not, and explored: none that is proved has a deadlock, and of those that have none at least LEAST in a hundred are proved.

As in generated.py a row of events is made that all can take part in, and each process gets its part; then in half of the programs a
statement is left out, or moved. What the compiler refuses then is left out."""

import os
import random
import re
import sys

from generated import of_program


class Maker:
    """Statements: a line, or (line, statements), or ("alt", [(guard, statements)])."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.count = self.chance.randint(2, 4)
        self.channels = []  # (sender, receiver)
        self.clocks = [sorted(self.chance.sample(range(self.count), self.chance.randint(2, self.count))) for _ in range(self.chance.randint(0, 2))]
        self.rows = [[] for _ in range(self.count)]
        self.resumed = set()
        self.has_sync = self.chance.random() < 0.4
        self.permits = self.chance.choice([0, 1, 1, 2])
        for _ in range(self.chance.randint(2, 6)):
            kinds = [self.message, self.message, self.closing, self.asked, self.choice]
            kinds += [self.critical, self.permit, self.tried, self.reading, self.writing, self.served, self.fallen, self.signalled] * self.has_sync
            kinds += [self.phase, self.phase, self.resume, self.guarded, self.resign] * bool(self.clocks)
            self.chance.choice(kinds)()
        for p, k in sorted(self.resumed):
            self.rows[p].append(self.chance.choice([f"NEXT k{k}", f"DROP k{k}"]) if self.chance.random() < 0.5 else f"NEXT k{k}")
        if self.chance.random() < 0.5:
            self.spoil(self.chance.choice(self.rows))

    def pair(self):
        return self.chance.sample(range(self.count), 2)

    def channel(self, p, q, fresh=False):
        known = [i for i, ends in enumerate(self.channels) if ends == (p, q)]
        if known and not fresh:
            return self.chance.choice(known)
        self.channels.append((p, q))
        return len(self.channels) - 1

    def message(self):
        p, q = self.pair()
        c = self.channel(p, q)
        self.rows[p].append(f"c{c} ! 1")
        self.rows[q].append(f"c{c} ? x")

    def choice(self):
        """One of two comes first."""
        p, q = self.pair()
        others = [r for r in range(self.count) if r not in (p, q)]
        if others:
            r = self.chance.choice(others)
            a, b = self.channel(p, r), self.channel(q, r)
            self.rows[p].append(f"c{a} ! 1")
            self.rows[q].append(f"c{b} ! 2")
            self.rows[r].append(("alt", [(f"c{a} ? x", [f"c{b} ? x"]), (f"c{b} ? x", [f"c{a} ? x"])]))

    # ---- closing ----

    def closing(self):
        """Some messages on a channel of its own, which closes after them."""
        p, q = self.pair()
        c = self.channel(p, q, fresh=True)
        turns = self.chance.randint(0, 2)
        self.rows[p] += [f"c{c} ! 1"] * turns
        if self.chance.random() < 0.5:
            self.rows[p].append(f"CLOSE c{c}!")
            inside = []
            if self.chance.random() < 0.4:
                other = self.pair()
                d = self.channel(q, other[0] if other[0] != q else other[1])
                inside = [f"c{d} ! 1"]
                self.rows[self.channels[d][1]] += [f"c{d} ? x"] * turns
            self.rows[q].append((f"WHILE c{c} ? x", inside))
        else:
            self.rows[p].append((f"WHILE NOT (CLOSED c{c}!)", [("alt", [(f"c{c} ! 1", []), (f"CLOSED c{c}!", [])])]))
            self.rows[q] += [f"c{c} ? x"] * turns
            self.rows[q].append(f"CLOSE c{c}?")

    def asked(self):
        """Who closes, and who asks, in a race."""
        p, q = self.pair()
        c = self.channel(p, q, fresh=True)
        d = self.channel(p, q)
        closes, asks = (p, q) if self.chance.random() < 0.5 else (q, p)
        mine, its = ("!", "?") if closes == p else ("?", "!")
        self.rows[closes].append(f"CLOSE c{c}{mine}")
        use = f"c{c} ? x" if its == "?" else f"c{c} ! 1"
        kind = self.chance.random()
        if kind < 0.4:
            self.rows[asks].append(("alt", [(f"CLOSED c{c}{its}", [])] + [(use, [])] * (self.chance.random() < 0.5)))
        elif kind < 0.7:
            told = f"c{d} ! 1" if asks == p else f"c{d} ? x"
            self.rows[asks].append(("IF", [(f"CLOSED c{c}{its}", [told]), ("TRUE", [told])]))
            self.rows[closes].append(f"c{d} ? x" if asks == p else f"c{d} ! 1")
        else:
            told = f"c{d} ! 1" if asks == p else f"c{d} ? x"
            self.rows[asks].append(("IF", [(f"CLOSED c{c}{its}", [told]), ("TRUE", [])]))

    # ---- clocks ----

    def clock(self):
        return self.chance.randrange(len(self.clocks))

    def phase(self):
        """All members of a clock, or of both where they are on both, come to its end."""
        k = self.clock()
        for p in self.clocks[k]:
            self.rows[p].append(f"NEXT k{k}")
            self.resumed.discard((p, k))

    def resume(self):
        k = self.clock()
        p = self.chance.choice(self.clocks[k])
        if (p, k) not in self.resumed:
            self.rows[p].append(f"RESUME k{k}")
            self.resumed.add((p, k))

    def guarded(self):
        """One serves another until the phase ends."""
        k = self.clock()
        p = self.chance.choice(self.clocks[k])
        q = self.chance.choice([q for q in range(self.count) if q != p])
        c = self.channel(q, p)
        if (p, k) not in self.resumed:
            self.rows[p].append(f"RESUME k{k}")
        if self.chance.random() < 0.5:
            self.rows[p].append(("alt", [(f"NEXT k{k}", []), (f"c{c} ? x", [f"NEXT k{k}"])]))
        else:
            self.rows[q].append(f"c{c} ! 1")
            self.rows[p].append(("alt", [(f"NEXT k{k}", [f"c{c} ? x"]), (f"c{c} ? x", [f"NEXT k{k}"])]))
        self.resumed.discard((p, k))
        for other in self.clocks[k]:
            if other != p:
                self.rows[other].append(f"NEXT k{k}")
                self.resumed.discard((other, k))

    def resign(self):
        k = self.clock()
        p = self.chance.choice(self.clocks[k])
        if (p, k) in self.resumed:
            return
        q = self.chance.choice([q for q in range(self.count) if q != p])
        c = self.channel(p, q)
        self.rows[p].append((f"RESIGN k{k}", [f"c{c} ! 1"]))
        if self.chance.random() < 0.5:
            for other in self.clocks[k]:
                if other != p:
                    self.rows[other].append(f"NEXT k{k}")
                    self.resumed.discard((other, k))
        self.rows[q].append(f"c{c} ? x")

    # ---- module sync ----

    def around(self, p, before, after):
        """What p does next, inside."""
        length = len(self.rows[p])
        self.chance.choice([self.message, self.permit, self.choice])()
        inside = self.rows[p][length:]
        self.rows[p][length:] = [before, *inside, after]

    def critical(self):
        self.around(self.chance.randrange(self.count), "claim.semaphore (s)", "release.semaphore (s)")

    def permit(self):
        p, q = self.pair()
        self.rows[p].append("release.semaphore (z)")
        self.rows[q].append(self.chance.choice(["claim.semaphore (z)", "claim.semaphore (z)", ("CLAIM m", ["claim.semaphore (z)"])]))

    def tried(self):
        p = self.chance.randrange(self.count)
        routine = self.chance.choice(["try.semaphore (s, b)", "claim.semaphore.until (s, 5, b)"])
        self.rows[p] += [routine, ("IF", [("b", ["release.semaphore (s)"]), ("TRUE", [])])]

    def reading(self):
        self.around(self.chance.randrange(self.count), "start.read.crew (w)", "end.read.crew (w)")

    def writing(self):
        self.around(self.chance.randrange(self.count), "start.write.crew (w)", "end.write.crew (w)")

    def served(self):
        p = self.chance.randrange(self.count)
        self.around(p, "take.ticket (t, n)", "serve.ticket (t)")
        at = self.rows[p].index("take.ticket (t, n)") if self.chance.random() < 0.2 else len(self.rows[p]) - 2
        self.rows[p].insert(at + 1, "await.ticket (t, n)")

    def fallen(self):
        p, q = self.pair()
        self.rows[p].append("fall.into.bucket (k)")
        self.rows[q] += ["n := 0", ("WHILE n = 0", ["number.in.bucket (k, n)"] + ["RESCHEDULE ()"]), "flush.bucket (k)"] if self.chance.random() < 0.5 else ["flush.bucket (k)"]

    def signalled(self):
        p, q = self.pair()
        self.rows[p].append(("CLAIM m", [("WHILE NOT f", ["wait.condition (v, m)"])] if self.chance.random() < 0.7 else ["wait.condition (v, m)"]))
        self.rows[q] += [("CLAIM m", ["f := TRUE"]), self.chance.choice(["signal.condition (v)", "broadcast.condition (v)"])]

    def spoil(self, row):
        if row:
            i, kind = self.chance.randrange(len(row)), self.chance.random()
            if kind < 0.4:
                del row[i]
            elif i + 1 < len(row):
                row[i], row[i + 1] = row[i + 1], row[i]
            else:
                row.append(self.chance.choice(row))


def put(lines, statements, depth):
    pad = "  " * depth
    lines.append(pad + ("SEQ" if statements else "SKIP"))
    for what in statements:
        if isinstance(what, str):
            lines.append(f"{pad}  {what}")
        elif what[0] in ("alt", "IF"):
            lines.append(f"{pad}  {what[0].upper()}")
            for guard, inside in what[1]:
                lines.append(f"{pad}    {guard}")
                put(lines, inside, depth + 3)
        else:
            lines.append(f"{pad}  {what[0]}")
            put(lines, what[1], depth + 2)


def text(maker):
    lines = ['#INCLUDE "sync.module"'] * maker.has_sync + ["PROC main ()"] + [f"  CHAN INT c{c}:" for c in range(len(maker.channels))]
    lines += [f"  {maker.chance.choice(['CLOCK', 'BARRIER'])} k{k}:" for k in range(len(maker.clocks))]
    if maker.has_sync:
        lines += ["  SEMAPHORE s, z:", "  CREW w:", "  TICKET t:", "  BUCKET k:", "  CONDITION v:", "  MUTEX m:", "  INITIAL BOOL f IS FALSE:", "  SEQ"]
        lines += [f"  initialise.semaphore (s, {maker.permits})"]
    lines += ["  PAR"]
    for p, row in enumerate(maker.rows):
        on = [f"k{k}" for k, members in enumerate(maker.clocks) if p in members]
        lines += [f"    ENROLL {', '.join(on)}"] if on else []
        lines.append("      INT x:" if on else "    INT x:")
        lines += [lines[-1][: -len("INT x:")] + "INITIAL INT n IS 0:", lines[-1][: -len("INT x:")] + "INITIAL BOOL b IS FALSE:"] * maker.has_sync
        put(lines, row, 3 if on else 2)
    if maker.has_sync:
        at = lines.index("  SEQ") + 1
        lines[at:] = ["  " + line for line in lines[at:]]
    return "\n".join(lines + [":"]) + "\n"


def verdicts(run, may_lack=False):
    """proved, free (None: not all behaviours are known); None: it is refused. With may_lack a proof may say that it is not supported."""
    proof = run("check", "-w", "--deadlock")
    if "error[" in proof.stderr:
        return None
    explored = run("explore", "-w", "--states", "--time=20")
    known = re.search(r": \d+ (state|behaviour)s?, ", explored.stdout)
    if proof.returncode not in (0, 5) or not known or ("not supported" in proof.stdout and not may_lack):
        return proof.stdout + proof.stderr + explored.stdout + explored.stderr
    is_dead = re.search(r"^ +\d+  deadlock", explored.stdout, re.M)
    return proof.returncode == 0, False if is_dead else True if "all there are" in explored.stdout else None


def main(make, judge):
    """Batch of seeds: make (seed) is a program, judge as of_program wants it."""
    occc, first, last, least = os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:5])
    counts = {(True, True): 0, (False, True): 0, (False, False): 0, (True, None): 0, (False, None): 0, None: 0}
    for seed in range(first, last + 1):
        program = make(seed)
        found = of_program(occc, program, judge)
        if found not in counts:
            sys.exit(f"seed {seed}: proved and free: {found}\n{program}")
        counts[found] += 1
        if found and found in ((False, True), (True, None)) and "--show" in sys.argv:
            print(seed, program, sep="\n")
    proved, unproved, unknown = counts[True, True], counts[False, True], counts[True, None] + counts[False, None]
    print(f"{last - first + 1} programs: {proved} proved, {unproved} not, {counts[False, False]} have a deadlock, {unknown} may, {counts[None]} refused")
    if proved * 100 < least * (proved + unproved):
        sys.exit(f"fewer than {least} in a hundred")


if __name__ == "__main__":
    main(lambda seed: text(Maker(seed)), verdicts)
