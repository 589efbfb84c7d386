#!/usr/bin/env python3
"""generated_forks.py OCCC FIRST LAST LEAST: programs made by those seeds, with FORK, recursion, PARs of an unknown count, MUTEX and shared ends,
are proved free of deadlock, or not, and explored: none that is proved has a deadlock, and of those that have none at least LEAST in a
hundred are proved.

As in generated_more.py a row of events is made that all can take part in, and each process gets its part; then in half of the programs a
statement is left out, moved, or done while a MUTEX is held. `id` is what no proof looks into."""

import random

from generated_more import main, verdicts

PROCS = """INT FUNCTION id (VAL INT x) IS x:
PROC put (VAL INT k, SHARED CHAN INT out!)
  IF
    k = 0
      SKIP
    TRUE
      CLAIM out!
        out ! k
:
PROC get (SHARED CHAN INT in?)
  INT x:
  CLAIM in?
    in ? x
:
PROC relay (SHARED CHAN INT in?, SHARED CHAN INT out!)
  INT x:
  SEQ
    CLAIM in?
      in ? x
    CLAIM out!
      out ! x
:
PROC hold (SHARED CHAN INT in?, SHARED CHAN INT out!)
  INT x:
  CLAIM in?
    SEQ
      in ? x
      CLAIM out!
        out ! x
:
PROC shut (SHARED CHAN INT out!)
  CLAIM out!
    CLOSE out!
:
PROC put.locked (MUTEX m, SHARED CHAN INT out!)
  CLAIM m
    CLAIM out!
      out ! 1
:
REC PROC row (VAL INT n, SHARED CHAN INT out!)
  IF
    n = 0
      SKIP
    TRUE
      SEQ
        put (n, out!)
        row (n - 1, out!)
:
REC PROC back (VAL INT n, SHARED CHAN INT out!)
  IF
    n = 0
      SKIP
    TRUE
      SEQ
        back (n - 1, out!)
        put (n, out!)
:
REC PROC tree (VAL INT n, SHARED CHAN INT out!)
  IF
    n = 0
      put (1, out!)
    TRUE
      PAR
        tree (n - 1, out!)
        tree (n - 1, out!)
:
REC PROC grow (VAL INT n, SHARED CHAN INT out!)
  IF
    n = 0
      put (1, out!)
    TRUE
      SEQ
        FORK grow (n - 1, out!)
        put (n, out!)
:
"""


TAKES = ["take0", "take1", "take01", "take10"]  # the MUTEX that each claims, one inside of the other


TAKING = """  PROC take0 ()
    CLAIM m0
      SKIP
  :
  PROC take1 ()
    CLAIM m1
      SKIP
  :
  PROC take01 ()
    CLAIM m0
      CLAIM m1
        SKIP
  :
  PROC take10 ()
    CLAIM m1
      CLAIM m0
        SKIP
  :""".splitlines()


class Maker:
    """Statements: a line, or (line, statements)."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.count = self.chance.randint(1, 3)
        self.channels = []  # (sender, receiver)
        self.rows = [[] for _ in range(self.count)]
        self.waits = [self.chance.random() < 0.7 for _ in self.rows]  # it has a FORKING
        self.k = [self.chance.randint(-1, 1) for _ in self.rows]
        self.first = list(self.k)
        self.closing = 0
        for _ in range(self.chance.randint(2, 5)):
            events = [self.put, self.puts, self.get, self.relay, self.called, self.grown, self.counted, self.changed]
            events += [self.message, self.message] * (self.count > 1) + [self.fresh, self.shut, self.late]
            self.chance.choice(events + [self.locked, self.locks] * 2)()
        for p in range(self.count):
            if self.chance.random() < 0.3:
                self.wrap(self.rows[p])
        if self.chance.random() < 0.5:
            self.spoil(self.chance.choice(self.rows))

    def process(self):
        return self.chance.randrange(self.count)

    def mutex(self):
        return f"m{self.chance.randrange(2)}"

    def channel(self, p, q):
        if (p, q) not in self.channels:
            self.channels.append((p, q))
        return self.channels.index((p, q))

    def message(self):
        p, q = self.chance.sample(range(self.count), 2)
        c = self.channel(p, q)
        self.rows[p].append(f"c{c} ! 1")
        self.rows[q].append(f"c{c} ? x")

    def take(self, q, count):
        self.rows[q] += [f"s{q} ? x"] * count if count < 3 else [(f"SEQ j = 0 FOR {count}", [f"s{q} ? x"])]

    def put(self):
        p, q = self.process(), self.process()
        self.rows[p].append(f"FORK put ({self.chance.choice(['1', '2', 'id (z + 1)'])}, s{q}!)")
        self.take(q, 1)

    def puts(self):
        """Each gets the value of k of its turn."""
        p, q, turns = self.process(), self.process(), self.chance.randint(0, 3)
        values = range(self.k[p], self.k[p] + turns)
        self.rows[p].append((f"SEQ i = 0 FOR {turns}", [f"FORK put (k, s{q}!)", "k := k + 1"]))
        self.k[p] += turns
        self.take(q, sum(value != 0 for value in values))

    def get(self):
        p, q = self.process(), self.process()
        self.rows[p].append(f"FORK get (r{q}?)")
        self.rows[q].append(f"r{q} ! 1")

    def relay(self):
        p, q, r = self.process(), self.process(), self.process()
        self.rows[p].append(f"FORK {self.chance.choice(['relay', 'hold'])} (r{q}?, s{r}!)")
        self.rows[q].append(f"r{q} ! 2")
        self.take(r, 1)

    def called(self):
        p, q = self.process(), self.process()
        name, depth = self.chance.choice(["row", "tree", "back"]), self.chance.randint(0, 2)
        if p != q:
            self.rows[p].append(f"{name} ({depth}, s{q}!)")
            self.take(q, max(2**depth if name == "tree" else depth - (self.chance.random() < 0.1), 0))

    def grown(self):
        p, q, depth = self.process(), self.process(), self.chance.randint(0, 2)
        self.rows[p].append(f"FORK grow ({depth}, s{q}!)")
        self.take(q, depth + 1)

    def fresh(self):
        """A channel that is declared there, in a loop or not."""
        p, turns = self.process(), self.chance.randint(0, 2)
        taken = [(f"CLAIM d{p}?", [f"d{p} ? x"])]
        if self.chance.random() < 0.2:
            later = [f"FORK put (1 - i, d{p}!)", ("IF", [("i = 1", taken), ("TRUE", [])])]
            self.rows[p].append(("SEQ i = 0 FOR 2", [(f"SHARED CHAN INT d{p}:", later)]))
            return
        if self.chance.random() < 0.3:
            taken = [("IF", [("id (z + k) > 0", taken), ("TRUE", [])])]
        block = (f"SHARED CHAN INT d{p}:", [f"FORK put ({self.chance.choice(['0', '1', 'k'])}, d{p}!)"] + taken * (self.chance.random() < 0.8))
        self.rows[p].append((f"SEQ i = 0 FOR {turns}", [block]) if turns else block)

    def shut(self):
        """One of those that are FORKed closes a channel."""
        p, q, w = self.process(), self.process(), f"w{self.closing}"
        self.closing += 1
        self.rows[p] += [("FORKING", [f"FORK put (1, {w}!)"])] * self.chance.randint(0, 1) + [f"FORK shut ({w}!)"] * (self.chance.random() < 0.9)
        self.rows[q].append((f"WHILE {w} ? x", []))

    def taken(self):
        return f"{self.chance.choice(TAKES[:2] * 3 + TAKES)} ()"

    def counted(self):
        """A count that is not known; perhaps while a MUTEX is held."""
        p = self.process()
        inside = self.chance.choice([(f"CLAIM {self.mutex()}", ["k := k + 0"]), self.taken()])
        par = (f"PAR i = 0 FOR id (z + {self.chance.randint(0, 2)})", [inside])
        self.rows[p].append((f"CLAIM {self.mutex()}", [par]) if self.chance.random() < 0.2 else par)

    def late(self):
        """Who goes on past a PAR of no processes may be in the way of who holds what these would claim."""
        if self.count > 1:
            p, q = self.chance.sample(range(self.count), 2)
            c = self.channel(p, q)
            self.rows[p].append(("CLAIM m0", [f"c{c} ! 1", "take1 ()"]))
            self.rows[q] += [f"c{c} ? x", ("PAR i = 0 FOR id (z + 0)", ["take0 ()"])]
            self.rows[q].append(("CLAIM m1", ["take0 ()"]) if self.chance.random() < 0.5 else "take01 ()")

    def locks(self):
        p = self.process()
        turns = self.chance.choice(["1", "2", "id (z + 2)", "id (z + 1)", str(max(self.k[p], 0))])
        loop = (f"SEQ i = 0 FOR {turns}", [f"FORK {self.taken()}"])
        if self.chance.random() < 0.3:
            self.rows[p].append((f"CLAIM {self.mutex()}", [("FORKING", [loop])]))
        elif self.waits[p]:
            self.rows[p].append(loop)

    def locked(self):
        """While a MUTEX is held."""
        p, q, m = self.process(), self.process(), self.mutex()
        if self.waits[p] and self.chance.random() < 0.5:
            self.rows[p].append(f"FORK put.locked ({m}, s{q}!)")
        elif p != q:
            self.rows[p].append((f"CLAIM {m}", [(f"CLAIM s{q}!", [f"s{q} ! 3"])]))
        else:
            return
        self.take(q, 1)

    def changed(self):
        """A value that a FORKed process changes decides what is said."""
        p, q = self.process(), self.process()
        if p == q:
            return
        c = self.channel(p, q)
        is_heard = self.chance.random() < 0.8
        said = ("IF", [("f > 0", [f"c{c} ! 1"]), ("TRUE", [])])
        self.rows[p] += [("CLAIM m0", ["f := 0"]), ("FORKING", [self.chance.choice(["FORK bump ()", ("SEQ i = 0 FOR id (z + 1)", ["FORK bump ()"])])])]
        self.rows[p].append(("CLAIM m0", [said]))
        self.rows[q] += [f"c{c} ? x"] * is_heard

    def wrap(self, row):
        if row:
            i = self.chance.randrange(len(row))
            j = self.chance.randint(i + 1, len(row))
            row[i:j] = [(self.chance.choice(["FORKING", "CLAIM m0", "CLAIM m1"]), row[i:j])]

    def spoil(self, row):
        if row:
            i, kind = self.chance.randrange(len(row)), self.chance.random()
            if kind < 0.35:
                del row[i]
            elif kind < 0.5:
                self.wrap(row)
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
        elif what[0] == "IF":
            lines.append(f"{pad}  IF")
            for guard, inside in what[1]:
                lines.append(f"{pad}    {guard}")
                put(lines, inside, depth + 3)
        else:
            lines.append(f"{pad}  {what[0]}")
            put(lines, what[1], depth + (1 if what[0].endswith(":") else 2))


def text(maker):
    lines = ["PROC main ()", "  MUTEX m0, m1:"] + TAKING + [f"  CHAN INT c{c}:" for c in range(len(maker.channels))]
    for p in range(maker.count):
        lines += [f"  SHARED! CHAN INT s{p}:", f"  SHARED? CHAN INT r{p}:"]
    lines += [f"  SHARED! CHAN INT w{w}:" for w in range(maker.closing)] + ["  PAR"]
    for p, row in enumerate(maker.rows):
        lines += ["    INT x:", f"    INITIAL INT k IS {maker.first[p]}:", "    INITIAL INT z IS 0:"]
        if any("bump" in repr(what) or "f :=" in repr(what) for what in row):
            lines += ["    INITIAL INT f IS 0:", "    PROC bump ()", "      CLAIM m0", "        f := f + 1", "    :"]
        if maker.waits[p]:
            lines.append("    FORKING")
        put(lines, row, 3 if maker.waits[p] else 2)
    return PROCS + "\n".join(lines + [":"]) + "\n"


if __name__ == "__main__":
    main(lambda seed: text(Maker(seed)), lambda run: verdicts(run, True))
