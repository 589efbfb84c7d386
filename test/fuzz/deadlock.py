#!/usr/bin/env python3
"""Programs with deadlocks of some of their processes, and programs in which somebody is only late.

A program is made of parts that run in parallel: dead ones, whose processes communicate for a while and then wait for
each other or for nobody, and live ones, which compute, sleep, serve or hand on for a while. The maker of a part knows
the lines on which its processes wait for ever. While the rest goes on each of these lines, the end of a PAR around
them, and nothing else must be reported, each line once; what is dead at the end is reported then, status 2. A program
of live parts alone says nothing."""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

LIMIT_SECONDS = 60
DEAD, JOIN = "  -- waits for ever", "  -- its end never comes"
GO_ON = re.compile(r"^occ: deadlock: (\d+) of \d+ process(?:es)? (?:is|are) blocked and nothing can wake (?:it|them); the others go on$")
AT_END = re.compile(r"^occ: deadlock: \d+ of \d+ process(?:es)? (?:is|are) blocked and nothing can wake (?:it|them)$")
PLACE = re.compile(r"^  (?:#\d+|(\d+) x)  ?.*?deadlock\.occ:(\d+):\d+")
HEAD = """\
PROC sleep (VAL INT us)
  TIMER t:
  INT now:
  SEQ
    t ? now
    t ? AFTER now PLUS us
:
PROC compute (VAL INT us)
  TIMER t:
  INT now, end, x:
  SEQ
    t ? now
    end, x := now PLUS us, 0
    WHILE end AFTER now
      SEQ
        SEQ i = 0 FOR 1000
          x := (x TIMES 3) PLUS i
        t ? now
:
REC PROC deep (VAL INT n, us)
  IF
    n = 0
      sleep (us)
    TRUE
      PAR
        deep (n - 1, us)
        SKIP
:""".split("\n")


def indent(lines, by=1):
    return ["  " * by + line for line in lines]


class Part:
    """`lines` is a process; `names` its declarations; `cycles`: at least so many are shown."""

    def __init__(self, names, lines, cycles=0, is_dead=True):
        self.names, self.lines, self.cycles, self.is_dead = names, lines, cycles, is_dead


def par(components):
    return ["PAR"] + [line for component in components for line in indent(component)]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def pause(self):
        """A process that ends soon, or nothing."""
        return self.random.choice([[], [], ["sleep (100)"], ["compute (200)"], ["deep (3, 50)"]])

    def shuffled(self, components):
        self.random.shuffle(components)
        return components

    # -- dead parts: (declarations, components, cycles)

    def ring(self):
        """n processes, each inputs from the one before and outputs to the next: some rounds while one has begun, then none."""
        n, rounds = self.random.randint(2, 6), self.random.randint(0, 3)
        names = [self.name("c") for _ in range(n)]
        components = []
        for k in range(n):
            come, go = names[k], names[(k + 1) % n]
            turns = [f"{come} ? x", f"{go} ! x"] if k else [f"{go} ! 1", f"{come} ? x"]
            loop = ["SEQ"] + indent([f"SEQ i = 0 FOR {rounds}"] + indent(["SEQ"] + indent(turns)) if rounds else ["SKIP"])
            components.append(["INT x:"] + loop + indent(self.pause() + [f"{come} ? x{DEAD}", f"{go} ! x"]))
        return [f"CHAN INT {', '.join(names)}:"], components, 1

    def crossing(self):
        a, b = self.name("c"), self.name("c")
        first, second = self.random.choice([("!", "!"), ("?", "?")])

        def use(name, mark):
            return f"{name} {mark} {'x' if mark == '?' else '1'}"
        other = {"!": "?", "?": "!"}
        one = ["INT x:", "SEQ"] + indent(self.pause() + [use(a, first) + DEAD, use(b, other[second])])
        two = ["INT x:", "SEQ"] + indent(self.pause() + [use(b, second) + DEAD, use(a, other[first])])
        return [f"CHAN INT {a}, {b}:"], [one, two], 1

    def array_ring(self):
        n, array = self.random.choice([2, 3, 7, 30, 400, 6000]), self.name("cs")
        body = ["INT x:", "SEQ"] + indent([f"{array}[i] ? x{DEAD}", f"{array}[(i + 1) \\ {n}] ! x"])
        return [f"[{n}]CHAN INT {array}:"], [[f"PAR i = 0 FOR {n}{JOIN}"] + indent(body)], 0

    def philosophers(self):
        n, left, right, met = self.random.randint(2, 6), self.name("left"), self.name("right"), self.name("met")
        eat = ["SEQ"] + indent([f"{left}[i] ! 1", f"SYNC {met}", f"{right}[(i + 1) \\ {n}] ! 1{DEAD}",
                                f"{left}[i] ! 0", f"{right}[(i + 1) \\ {n}] ! 0"])
        fork = ["INT x:", "WHILE TRUE"] + indent(["ALT"] + indent([f"{left}[i] ? x", f"  {left}[i] ? x{DEAD}", f"{right}[i] ? x",
                                                                    f"  {right}[i] ? x"]))
        table = [f"BARRIER {met}:", f"PAR i = 0 FOR {n} ENROLL {met}{JOIN}"] + indent(eat)
        return [f"[{n}]CHAN INT {left}, {right}:"], [table,
                                                     [f"PAR i = 0 FOR {n}{JOIN}"] + indent(fork)], 0

    def choice(self):
        """An ALT whose partners wait for what it would do then."""
        n, go = self.random.randint(1, 4), self.name("go")
        names = [self.name("c") for _ in range(n)]
        alt = ["INT x:", f"{self.random.choice(['', 'PRI '])}ALT{DEAD}"]
        for name in names:
            alt += indent([f"{name} ? x", f"  {go} ! x"])
        partner = ["INT x:", "SEQ"] + indent(self.pause() + [f"{go} ? x{DEAD}"] + [f"{name} ! x" for name in names])
        return [f"CHAN INT {', '.join(names + [go])}:"], [alt, partner], 0

    def ended(self):
        """Nobody is left who would send one more."""
        n, name = self.random.randint(0, 4), self.name("c")
        mark = self.random.choice(["?", "??"])
        last = [f"{name} ? x{DEAD}"] if mark == "?" else [f"{name} ?? x{DEAD}", "  SKIP"]
        take = ["INT x:", "SEQ"] + indent([f"SEQ i = 0 FOR {n}", f"  {name} ? x"] + last)
        give = [f"SEQ i = 0 FOR {n}"] + indent([f"{name} ! i"])
        return [f"CHAN INT {name}:"], [take, give], 0

    def alone(self):
        name = self.name("c")
        return [f"CHAN INT {name}:"], [["INT x:", "SEQ"] + indent(self.pause() + [f"{name} ! 1{DEAD}", f"{name} ? x"])], 0

    def claims(self):
        n = self.random.randint(2, 4)
        is_mutex = self.random.random() < 0.5
        names = [self.name("m") for _ in range(n)]
        mark = "" if is_mutex else "!"
        components = []
        for k in range(n):
            inner = [f"CLAIM {names[(k + 1) % n]}{mark}{DEAD}", "  SKIP" if is_mutex else f"  {names[(k + 1) % n]} ! 1"]
            components.append([f"CLAIM {names[k]}{mark}", "  SEQ"] + indent(["sleep (20000)"] + inner, 2))
        return [f"{'MUTEX' if is_mutex else 'SHARED CHAN INT'} {', '.join(names)}:"], components, 1

    def until_closed(self):
        a, b = self.name("c"), self.name("c")
        take = ["INT x:", "SEQ"] + indent([f"WHILE {a} ? x{DEAD}", "  SKIP", f"{b} ! 1"])
        close = ["INT x:", "SEQ"] + indent([f"{a} ! 1", f"{b} ? x{DEAD}", f"CLOSE {a}!"])
        return [f"CHAN INT {a}, {b}:"], [take, close], 1

    def dead(self, depth=0):
        makers = [self.ring, self.crossing, self.array_ring, self.philosophers, self.choice, self.ended, self.alone,
                  self.claims, self.until_closed]
        names, components, cycles = self.random.choice(makers)()
        if depth < 2 and self.random.random() < 0.3:
            inner = self.dead(depth + 1)
            components.append(inner.names + inner.lines)
            cycles += inner.cycles
        components = self.shuffled(components)
        lines = components[0] if len(components) == 1 else ["PAR" + JOIN] + [l for c in components for l in indent(c)]
        return Part(names, lines, cycles)

    # -- live parts

    def live(self, us):
        makers = [self.computes, self.sleeps, self.serves, self.hands_on, self.waits_late, self.chooses_late, self.claims_late,
                  self.both_ends, self.forks, self.mobile_end, self.phases]
        return self.random.choice(makers)(us)

    def work(self, us):
        return self.random.choice([f"sleep ({us})", f"compute ({us})", f"deep (4, {us})"])

    def computes(self, us):
        return Part([], [f"compute ({us})"], 0, False)

    def sleeps(self, us):
        return Part([], [f"deep ({self.random.randint(0, 5)}, {us})"], 0, False)

    def serves(self, us):
        """A loop on a timer, which nobody asks; then a client that comes late."""
        ask, reply = self.name("ask"), self.name("reply")
        serve = ["TIMER t:", "INT now, x:", "INITIAL BOOL busy IS TRUE:", "WHILE busy", "  SEQ", "    t ? now", "    ALT",
                 f"      {ask} ? x", "        SEQ", f"          {reply} ! x", "          busy := FALSE",
                 "      t ? AFTER now PLUS 10000", "        SKIP"]
        client = ["INT x:", "SEQ", f"  {self.work(us)}", f"  {ask} ! 1", f"  {reply} ? x"]
        return Part([f"CHAN INT {ask}, {reply}:"], par(self.shuffled([serve, client])), 0, False)

    def hands_on(self, us):
        n, array = self.random.choice([1, 3, 20, 5000]), self.name("cs")
        source = ["SEQ", f"  {self.work(us)}", f"  {array}[0] ! 1"]
        stage = [f"PAR i = 0 FOR {n}", "  INT x:", "  SEQ", f"    {array}[i] ? x", f"    {array}[i + 1] ! x"]
        sink = ["INT x:", f"{array}[{n}] ? x"]
        return Part([f"[{n + 1}]CHAN INT {array}:"], par(self.shuffled([source, stage, sink])), 0, False)

    def waits_late(self, us):
        a, b = self.name("c"), self.name("c")
        inner = ["SEQ"] + indent(par([[self.work(us // 2)], ["SKIP"], [self.work(us // 3)]]) + [f"{a} ! 1"])
        take = ["INT x:", "SEQ", f"  {a} ? x", f"  {b} ! x"]
        last = ["INT x:", f"{b} ? x"]
        return Part([f"CHAN INT {a}, {b}:"], par(self.shuffled([inner, take, last])), 0, False)

    def chooses_late(self, us):
        array, n = self.name("cs"), self.random.randint(1, 4)
        choose = ["INT x:", f"SEQ i = 0 FOR {n}", f"  ALT j = 0 FOR {n}", f"    {array}[j] ? x", "      SKIP"]
        send = [f"PAR i = 0 FOR {n}", "  SEQ", f"    sleep ((i + 1) * {us // n})", f"    {array}[i] ! i"]
        return Part([f"[{n}]CHAN INT {array}:"], par(self.shuffled([choose, send])), 0, False)

    def claims_late(self, us):
        m = self.name("m")
        hold = [f"CLAIM {m}", f"  {self.work(us)}"]
        others = [[f"CLAIM {m}", "  SKIP"] for _ in range(self.random.randint(1, 3))]
        return Part([f"MUTEX {m}:"], par(self.shuffled([hold] + others)), 0, False)

    def both_ends(self, us):
        """Two names of one channel."""
        proc, c = self.name("both"), self.name("c")
        give, take = ["SEQ", f"  {self.work(us)}", "  b ! 1"], ["INT x:", "SEQ", "  PAR", "    a ? x", "    sleep (1)"]
        lines = [f"PROC {proc} (CHAN INT a?, b!)"] + indent(par(self.shuffled([give, take]))) + [":", f"CHAN INT {c}:"]
        return Part(lines, [f"{proc} ({c}?, {c}!)"], 0, False)

    def forks(self, us):
        proc, c = self.name("sender"), self.name("c")
        lines = [f"PROC {proc} (SHARED CHAN INT c!)", "  SEQ", f"    {self.work(us // 2)}", "    CLAIM c!", "      c ! 1", ":"]
        body = ["FORKING", "  INT x:", f"  SHARED CHAN INT {c}:", "  SEQ", f"    {self.work(us // 3)}", f"    FORK {proc} ({c}!)",
                f"    FORK {proc} ({c}!)", f"    CLAIM {c}?", "      SEQ", f"        {c} ? x", f"        {c} ? x"]
        return Part(lines, body, 0, False)

    def mobile_end(self, us):
        kind, go, mine = self.name("END"), self.name("go"), self.name("mine")
        lines = [f"CHAN TYPE {kind}", "  MOBILE RECORD", "    CHAN INT c?:", ":", f"CHAN {kind}! {go}:", f"{kind}! client{mine}:",
                 f"{kind}? server{mine}:"]
        send = ["SEQ", f"  {self.work(us // 2)}", f"  {go} ! client{mine}"]
        take = [f"{kind}! {mine}:", "SEQ", f"  {go} ? {mine}", f"  {self.work(us // 3)}", f"  {mine}[c] ! 1"]
        wait = ["INT x:", f"server{mine}[c] ? x"]
        made = ["SEQ", f"  client{mine}, server{mine} := MOBILE {kind}"] + indent(par(self.shuffled([send, take, wait])))
        return Part(lines, made, 0, False)

    def phases(self, us):
        b, n = self.name("b"), self.random.randint(1, 3)
        rest = [["SEQ", f"  SYNC {b}", f"  SYNC {b}"] for _ in range(n)]
        late = ["SEQ", f"  {self.work(us)}", f"  SYNC {b}", f"  SYNC {b}"]
        lines = [f"PAR ENROLL {b}"] + [line for c in self.shuffled(rest + [late]) for line in indent(c)]
        return Part([f"BARRIER {b}:"], lines, 0, False)

    # -- the whole

    def wrapped(self, part):
        """The process as it is; in a PROC; FORKed; in the midst of others."""
        pick = self.random.random()
        whole = part.names + part.lines
        if pick < 0.4:
            return [], part.names, part.lines
        if pick < 0.7:
            proc = self.name("part")
            return [f"PROC {proc} ()"] + indent(whole) + [":"], [], [f"{proc} ()"]
        join = JOIN if part.is_dead else ""
        if pick < 0.8:
            proc = self.name("part")
            return [f"PROC {proc} ()"] + indent(whole) + [":"], [], [f"FORKING{join}", f"  FORK {proc} ()"]
        inner = self.shuffled([["SKIP"], whole])
        return [], [], ["SEQ", f"  {self.work(300)}", f"  PAR{join}"] + [line for c in inner for line in indent(c, 2)]

    def program(self, dead, live, us):
        parts = [self.dead() for _ in range(dead)] + [self.live(us) for _ in range(live)]
        procs, names, components = [], [], []
        for part in self.shuffled(list(parts)):
            more, declared, lines = self.wrapped(part)
            procs, names = procs + more, names + declared
            components.append(lines)
        body = components[0] if len(components) == 1 else ["PAR" + JOIN] + [line for c in components for line in indent(c)]
        lines = HEAD + procs + ["PROC main (CHAN BYTE out!)"] + indent(names + body) + [":"]
        return lines, sum(part.cycles for part in parts)


# ---- judging


def report_lines(text):
    """(lines told while others go on, with counts; how many cycles; were there strange lines; reports at the end)"""
    told, cycles, ends, where = Counter(), 0, 0, None
    for line in text.split("\n"):
        if GO_ON.match(line):
            where = "on"
        elif AT_END.match(line):
            where, ends = "end", ends + 1
        elif line.startswith("occ:") or (line and where is None):
            return told, cycles, -1
        elif where == "on" and line.startswith("  cycle:"):
            cycles += 1
        elif where == "on" and PLACE.match(line):
            told[int(PLACE.match(line).group(2))] += 1
        elif where == "on" and line:
            return told, cycles, -1
    return told, cycles, ends


def judge(lines, cycles, live, is_eager, status, error):
    waits = {n for n, line in enumerate(lines, 1) if line.endswith(DEAD)}
    joins = {n for n, line in enumerate(lines, 1) if line.endswith(JOIN)}
    if not waits:
        return None if status == 0 and not error else f"status {status}"
    told, shown, ends = report_lines(error)
    if status != 2 or ends != 1:
        return f"status {status}, {ends} reports at the end"
    if set(told) - waits - joins:
        return f"lines {sorted(set(told) - waits - joins)} are reported, which wait for those who go on"
    if not live or not is_eager:  # who goes on may have been dead before it was looked
        return None
    if waits - set(told):
        return f"lines {sorted(waits - set(told))} are not reported"
    if shown < cycles:
        return f"{shown} cycles are shown of {cycles}"
    return None


def at_end(lines, error):
    """The places of the report at the end; each dead line must be there."""
    tail = error[error.rindex("occ: deadlock:"):] if "occ: deadlock:" in error else ""
    places = {int(m.group(2)) for m in map(PLACE.match, tail.split("\n")) if m}
    return {n for n, line in enumerate(lines, 1) if line.endswith(DEAD)} - places


def failure(occc, seed, folder, us):
    random_ = random.Random(seed * 7919)
    dead, live = random_.choice([(1, 1), (1, 2), (2, 1), (3, 2), (1, 0), (2, 0), (0, 1), (0, 2), (0, 4)])
    lines, cycles = Maker(seed).program(dead, live, us)
    source, built = os.path.join(folder, "deadlock.occ"), os.path.join(folder, "deadlock")
    with open(source, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    for level in ("-O0", "-O2"):
        done = subprocess.run([occc, "-w", level, source, "-o", built], capture_output=True, text=True, timeout=LIMIT_SECONDS)
        if done.returncode != 0:
            return dead, live, f"{level}: it does not compile:\n{done.stderr[:1500]}"
        for workers in random_.sample((1, 2, 4, 8), 2):
            each = random_.choice(("1", "1", "20", None))
            environment = dict(os.environ, OCC_WORKERS=str(workers), **({"OCC_WATCH": each} if each else {}))
            try:
                done = subprocess.run([built], capture_output=True, text=True, env=environment, timeout=LIMIT_SECONDS, cwd=folder)
            except subprocess.TimeoutExpired:
                return dead, live, f"{level} OCC_WORKERS={workers}: no end within {LIMIT_SECONDS} s"
            wrong = judge(lines, cycles, live, each is not None, done.returncode, done.stderr)
            if wrong is None and dead and at_end(lines, done.stderr):
                wrong = f"lines {sorted(at_end(lines, done.stderr))} are not in the report at the end"
            if wrong:
                return dead, live, f"{level} OCC_WORKERS={workers} OCC_WATCH={each}: {wrong}\n{done.stderr[:2500]}"
    return dead, live, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--us", type=int, default=300000, help="how long live parts live")
    parser.add_argument("--save", help="a folder for programs that fail")
    arguments = parser.parse_args()
    failed, kinds = 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            dead, live, wrong = failure(arguments.occc, seed, folder, arguments.us)
            kinds["partial" if dead and live else "total" if dead else "live"] += 1
            if wrong is None:
                continue
            failed += 1
            print(f"seed {seed}: {wrong}")
            if arguments.save:
                os.makedirs(arguments.save, exist_ok=True)
                with open(os.path.join(folder, "deadlock.occ"), encoding="ascii") as file:
                    text = file.read()
                with open(os.path.join(arguments.save, f"deadlock-{seed}.occ"), "w", encoding="ascii") as file:
                    file.write(text)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{arguments.count} programs ({told}), {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
