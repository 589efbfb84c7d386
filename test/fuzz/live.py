#!/usr/bin/env python3
"""Networks that come to their end, many in one program: nothing is reported, each comes to its end with the right result.

A network is one of these: what waits as in a deadlock until somebody comes late (a timeout, a parent after its PAR, a last holder, a
holder of a claim); the live parts of deadlock.py; a network of choice.py; a process on clocks of clock.py. Each is a PROC; the main
process runs them in groups that go on at the same time, so that idle moments, looks at those who wait and ends of groups meet in every
way. A look for deadlocks is due every few milliseconds.
With --dead one network of each program waits for ever: then each must be reported.
usage: live.py --occc build/bin/occc [--seed N] [--count PROGRAMS] [--together NETWORKS] [--dead]
       live.py --print N [--together NETWORKS]"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import choice
import clock
import options
from deadlock import HEAD, Maker, Part, indent, par

LIMIT_SECONDS = 300
ALL = "PROC all ()\n  NEXT\n:".split("\n")


class LiveMaker(Maker):
    """Parts in which everybody waits for a while, and somebody may still wake them."""

    def late(self, us):
        return self.random.choice([[], [self.work(us)], [self.work(us // 2), "RESCHEDULE ()"]])

    def ring_with_a_timeout(self, us):
        """Each inputs first; one gives up after a while and outputs."""
        n, rounds = self.random.randint(2, 6), self.random.randint(1, 3)
        names = [self.name("c") for _ in range(n)]
        first = ["TIMER t:", "INT now, x:", "SEQ", "  t ? now", f"  {self.random.choice(['', 'PRI '])}ALT", f"    {names[0]} ? x", "      STOP",
                 f"    t ? AFTER now PLUS {us}", f"      SEQ i = 0 FOR {rounds}", "        SEQ", f"          {names[1]} ! i", f"          {names[0]} ? x"]
        rest = [["INT x:", f"SEQ i = 0 FOR {rounds}", "  SEQ", f"    {names[k]} ? x", f"    {names[(k + 1) % n]} ! x"] for k in range(1, n)]
        return Part([f"CHAN INT {', '.join(names)}:"], par(self.shuffled([first] + rest)), 0, False)

    def crossing_with_an_offer(self, us):
        """Both output first; one of them would input as well."""
        a, b, n = self.name("c"), self.name("c"), self.random.randint(1, 4)
        one = ["INT x:", f"SEQ i = 0 FOR {n}", "  SEQ"] + indent(self.late(us) + [f"{a} ! i", f"{b} ? x"], 2)
        two = ["INT x:", "TIMER t:", f"SEQ i = 0 FOR {n}", "  SEQ"] + indent(self.late(us), 2)
        two += ["    ALT", f"      {b} ! i", "        STOP", f"      {a} ? x", f"        {b} ! x"]
        return Part([f"CHAN INT {a}, {b}:"], par(self.shuffled([one, two])), 0, False)

    def parent_after_its_par(self, us):
        """Who holds the other end is the parent of those who run, several levels up."""
        c, depth = self.name("c"), self.random.randint(1, 4)
        give = ["SEQ", f"  {self.work(us)}", "  SKIP"]
        for _ in range(depth):
            give = ["SEQ"] + indent(par(self.shuffled([give, self.late(us // 2)[:1] or ["SKIP"]])))
        give += [f"  {c} ! 1"]
        return Part([f"CHAN INT {c}:"], par(self.shuffled([give, ["INT x:", f"{c} ? x"]])), 0, False)

    def handed_to_a_call(self, us):
        """The other end is an actual of a call, or an element of an array that is one, in a process that does not use it yet."""
        proc, c, n = self.name("late"), self.name("cs"), self.random.randint(1, 5)
        lines = [f"PROC {proc} ([]CHAN INT cs!)", "  SEQ", f"    {self.work(us)}", "    SEQ i = 0 FOR SIZE cs", "      cs[i] ! i", ":", f"[{n}]CHAN INT {c}:"]
        take = [f"PAR i = 0 FOR {n}", "  INT x:", f"  {c}[i] ? x"]
        return Part(lines, par(self.shuffled([[f"{proc} ({c})"], take])), 0, False)

    def claims_in_order(self, us):
        n, users = self.random.randint(2, 4), []
        is_mutex = self.random.random() < 0.5
        names = [self.name("m") for _ in range(n)]
        mark = "" if is_mutex else "!"
        for _ in range(self.random.randint(2, 4)):
            body = ["SEQ"] + indent(self.late(us) + ["SKIP"])
            for name in reversed(sorted(self.random.sample(names, self.random.randint(1, n)), key=names.index)):
                body = [f"CLAIM {name}{mark}", *indent(["SEQ"] + indent(self.late(us // 2) + body))]
            users.append(body)
        return Part([f"{'MUTEX' if is_mutex else 'SHARED! CHAN INT'} {', '.join(names)}:"], par(self.shuffled(users)), 0, False)

    def philosophers_of_two_hands(self, us):
        """One of them takes the other fork first."""
        n, forks = self.random.randint(2, 5), self.name("fork")
        eaters = []
        for k in range(n):
            low, high = sorted((k, (k + 1) % n))
            eat = [f"CLAIM {forks}{high}", "  SEQ"] + indent(self.late(us // 3) + ["SKIP"], 2)
            eaters.append([f"CLAIM {forks}{low}", "  SEQ"] + indent(self.late(us // 2) + eat, 2))
        return Part([f"MUTEX {', '.join(f'{forks}{k}' for k in range(n))}:"], par(self.shuffled(eaters)), 0, False)

    def until_closed_late(self, us):
        c, n = self.name("c"), self.random.randint(0, 4)
        take = [f"WHILE {c} ? x", "  ASSERT (x >= 0)"]
        if self.random.random() < 0.5:
            take = ["INITIAL BOOL more IS TRUE:", "WHILE more", "  ALT", f"    {c} ? x", "      SKIP", f"    CLOSED {c}?", "      more := FALSE"]
        give = ["SEQ", f"  SEQ i = 0 FOR {n}", "    SEQ"] + indent(self.late(us // 2) + [f"{c} ! i"], 3) + indent(self.late(us) + [f"CLOSE {c}!"])
        return Part([f"CHAN INT {c}:"], par(self.shuffled([["INT x:"] + take, give])), 0, False)

    def last_holder_lets_go(self, us):
        """A bundle is closed when the last of its holders ends, wherever the end has travelled."""
        kind, hand, mine = self.name("END"), self.name("hand"), self.name("e")
        lines = [f"CHAN TYPE {kind}", "  MOBILE RECORD", "    CHAN INT c?:", ":", f"CHAN {kind}! {hand}:", f"{kind}! {mine}c:", f"{kind}? {mine}s:"]
        send = ["SEQ"] + indent(self.late(us // 2) + [f"{hand} ! {mine}c"])
        hold = [f"{kind}! got:", "SEQ", f"  {hand} ? got", f"  {self.work(us // 2)}", f"  SEQ i = 0 FOR {self.random.randint(0, 3)}", "    got[c] ! i"]
        wait = ["INT x:", f"WHILE {mine}s[c] ? x", "  SKIP"]
        return Part(lines, ["SEQ", f"  {mine}c, {mine}s := MOBILE {kind}"] + indent(par(self.shuffled([send, hold, wait]))), 0, False)

    def server_of_shared_clients(self, us):
        """Clients of a shared end wait for it, for the answer, and for each other at a barrier."""
        ask, reply, b, n = self.name("ask"), self.name("reply"), self.name("b"), self.random.randint(1, 5)
        call = [f"CLAIM {ask}!", "  INT x:", "  SEQ", f"    {ask} ! i", f"    CLAIM {reply}?", f"      {reply} ? x", "    ASSERT (x = i)"]
        client = [f"PAR i = 0 FOR {n} ENROLL {b}", "  SEQ"] + indent(self.late(us // 2) + call + [f"SYNC {b}"], 2)
        server = ["INT x:", f"SEQ i = 0 FOR {n}", "  SEQ", f"    {ask} ? x"] + indent(self.late(us // 3) + [f"{reply} ! x"], 2)
        return Part([f"SHARED! CHAN INT {ask}:", f"SHARED? CHAN INT {reply}:", f"BARRIER {b}:"], par(self.shuffled([client, server])), 0, False)

    def extended(self, us):
        """The sender waits until the receiver, who waits for another, has done its part."""
        a, b = self.name("c"), self.name("c")
        take = ["INT x, y:", "SEQ", f"  {a} ?? x"] + indent([f"{b} ? y"], 2)
        other = ["SEQ"] + indent(self.late(us) + [f"{b} ! 2"])
        return Part([f"CHAN INT {a}, {b}:"], par(self.shuffled([[f"{a} ! 1"], take, other])), 0, False)

    def phases_of_two_clocks(self, us):
        """RESUME lets the others go on; who is late comes with both."""
        c, d, n = self.name("k"), self.name("k"), self.random.randint(1, 4)
        branches = []
        for _ in range(self.random.randint(2, 4)):
            branches.append([f"SEQ i = 0 FOR {n}", "  SEQ"] + indent(self.random.choice([[], [f"RESUME {c}"], [f"RESUME {c}, {d}"]]) + self.late(us // 2) + ["NEXT"], 2))
        return Part([f"CLOCK {c}, {d}:"], [f"PAR ENROLL {c}, {d}"] + [line for b in self.shuffled(branches) for line in indent(b)], 0, False)

    def choosers(self, us):
        """Both ends of every channel stand in ALTs, some with timeouts that come first."""
        n, array = self.random.randint(1, 4), self.name("cs")
        give = ["TIMER t:", "INT now:", f"INITIAL [{n}]BOOL left IS [i = 0 FOR {n} | TRUE]:", f"INITIAL INT rest IS {n}:", "WHILE rest > 0", "  SEQ", "    t ? now", "    ALT",
                f"      ALT i = 0 FOR {n}", f"        left[i] & {array}[i] ! i", "          left[i], rest := FALSE, rest - 1",
                f"      t ? AFTER now PLUS {self.random.choice([100, us])}", "        SKIP"]
        take = ["INT x:", f"SEQ k = 0 FOR {n}", "  SEQ"] + indent(self.late(us // n) + [f"ALT i = 0 FOR {n}", f"  {array}[i] ? x", "    ASSERT (x = i)"], 2)
        return Part([f"[{n}]CHAN INT {array}:"], par(self.shuffled([give, take])), 0, False)

    def network(self, us):
        makers = [self.ring_with_a_timeout, self.crossing_with_an_offer, self.parent_after_its_par, self.handed_to_a_call, self.claims_in_order,
                  self.philosophers_of_two_hands, self.until_closed_late, self.last_holder_lets_go, self.server_of_shared_clients, self.extended,
                  self.phases_of_two_clocks, self.choosers]
        parts = [self.live(us) if self.random.random() < 0.3 else self.random.choice(makers)(us) for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        components = [part.names + part.lines for part in parts]
        return components[0] if len(components) == 1 else par(components)


def of_choice(seed):
    """A network of choice.py as the body of a PROC."""
    lines = [line for line in choice.program(seed).split("\n")[1:-1] if "out.string" not in line]
    main = next(i for i, line in enumerate(lines) if line.startswith("PROC main"))
    return lines[:main] + [line[2:] for line in lines[main + 1:-1]]


def of_clocks(seed):
    """A process on clocks of clock.py, which compares its phases itself; of a PROC a plain NEXT is no guard."""
    text, logged = clock.make(seed)
    while re.search(r"ALT\n +NEXT\n", text):
        seed += 4  # as mobile as before
        text, logged = clock.make(seed)
    lines = text.split("\n")
    main = next(i for i, line in enumerate(lines) if line.startswith("PROC main"))
    end = next(i for i, line in enumerate(lines) if line.startswith("    SEQ i = 0 FOR ") and "out.int" in lines[i + 1])
    checks = [f"ASSERT (log[{k}] = {phase})" for k, phase in enumerate(logged)]
    return [line[2:] for line in lines[main + 1:end]] + indent(checks)


def dead_network(seed):
    part = LiveMaker(seed).dead()
    return part.names + part.lines


def network(seed, us):
    random_ = random.Random(seed)
    pick = random_.random()
    if pick < 0.04:
        return of_choice(seed)
    if pick < 0.12:
        return of_clocks(seed)
    return LiveMaker(seed).network(us)


def program(seed, together, us, is_dead=False):
    """`together` networks in groups, one group after the other."""
    random_ = random.Random(f"live {seed}")
    lines, dead = HEAD + ALL, random_.randrange(together) if is_dead else None
    for k in range(together):
        body = dead_network(seed) if k == dead else network(seed * 10000 + k, us)
        lines = lines + [f"PROC net{k} ()"] + indent(body) + [":"]
    lines += ["PROC main (CHAN BYTE out!)", "  SEQ"]
    rest = list(range(together))
    while rest:
        group, rest = rest[:(size := random_.choice([1, 1, 2, 5, 10, 30]))], rest[size:]
        lines += indent(["PAR"] + [f"  net{k} ()" for k in group], 2)
    return lines + ["    out ! 'e'", "    out ! 'n'", "    out ! 'd'", "    out ! '*n'", ":"]


def failure(occc, seed, lines, folder):
    """What is wrong with a program, or None."""
    source, built = os.path.join(folder, "live.occ"), os.path.join(folder, "live")
    with open(source, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    random_ = random.Random(f"runs {seed}")
    flags = options.draw(f"live {seed}", levels=["-O0"] * 24 + ["-O1", "-O2"], stop=True, reals=True)
    done = subprocess.run([occc, "-w", *flags, source, "-o", built], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"{' '.join(flags)}: it does not compile:\n{done.stderr[:1500]}"
    for workers in random_.sample([1, 2, 8], 2):
        settings = {"OCC_WORKERS": str(workers), "OCC_SEED": str(random_.randrange(1, 10**6)), "OCC_WATCH": random_.choice(["1", "3"])}
        where = f"{' '.join(flags)} {' '.join(f'{k}={v}' for k, v in settings.items())}"
        try:
            done = subprocess.run([built], capture_output=True, text=True, env=dict(os.environ, **settings), timeout=LIMIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"{where}: no end within {LIMIT_SECONDS} s"
        if (done.returncode, done.stdout, done.stderr) != (0, "end\n", ""):
            return f"{where}: status {done.returncode} {done.stdout[-100:]!r}\n{done.stderr[:2500]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10, help="how many programs")
    parser.add_argument("--together", type=int, default=100, help="networks in a program")
    parser.add_argument("--us", type=int, default=1500, help="for how long somebody is late")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--dead", action="store_true", help="one network of each program waits for ever")
    parser.add_argument("--save", help="a folder for programs that fail")
    parser.add_argument("--print", type=int, dest="shown", metavar="N")
    words = parser.parse_args()
    if words.shown is not None:
        print("\n".join(program(words.shown, words.together, words.us)))
        return 0
    made, failed, end = 0, 0, time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(words.seed, words.seed + words.count):
            if time.monotonic() > end:
                break
            made += 1
            lines = program(seed, words.together, words.us, words.dead)
            wrong = failure(words.occc, seed, lines, folder)
            if words.dead:
                wrong = None if wrong and "deadlock" in wrong else "its deadlock is not reported"
            if wrong is None:
                continue
            failed += 1
            print(f"seed {seed}: {wrong}", flush=True)
            if words.save:
                os.makedirs(words.save, exist_ok=True)
                with open(os.path.join(words.save, f"live-{seed}.occ"), "w", encoding="ascii") as file:
                    file.write("\n".join(lines) + "\n")
    print(f"{made * words.together} networks in {made} programs, each run twice: {failed} programs are wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
