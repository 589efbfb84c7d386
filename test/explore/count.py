#!/usr/bin/env python3
"""The behaviours of small models, counted without occc: every order of all communications is enumerated, and orders in
which each process has done the same, and each lock has gone from hand to hand in the same order, are one behaviour.

count.py MODEL prints "N behaviours, D deadlocks". A process is a generator that yields what it waits for: out (c), inp (c),
alt ([guards]), claim (m), leave (m); an ALT is told which guard was taken."""

import sys


def out(c):
    return ("alt", [("!", c)])


def inp(c):
    return ("alt", [("?", c)])


def alt(guards):
    return ("alt", guards)


SKIP = ("skip",)


def claim(m):
    return ("claim", m)


def leave(m):
    return ("leave", m)


def run(make, history):
    """The processes after the history, a list of events: what each waits for, how many waits it has had, who has which lock."""
    processes = make()
    waits, counts, held = [], [0] * len(processes), {}

    def advance(p, told):
        while True:
            try:
                wanted = processes[p].send(told)
            except StopIteration:
                wanted = None
            if wanted is None or wanted[0] != "leave":
                return wanted
            held[wanted[1]] = None
            told = None

    for p in range(len(processes)):
        waits.append(advance(p, None))
    for event in history:
        for p, number, guard in event[1]:
            assert counts[p] == number
            counts[p] += 1
            if event[0] == "claim":
                held[event[2]] = p
            waits[p] = advance(p, guard)
    return waits, counts, held


def events(waits, counts, held):
    for p, wait in enumerate(waits):
        if wait is None:
            continue
        if wait[0] == "claim":
            if held.get(wait[1]) is None:
                yield ("claim", ((p, counts[p], 0),), wait[1])
            continue
        for i, guard in enumerate(wait[1]):
            if guard == SKIP:
                yield ("skip", ((p, counts[p], i),))
            for q in range(len(waits)):
                other = waits[q]
                if guard != SKIP and guard[0] == "!" and q != p and other is not None and other[0] == "alt":
                    for j, theirs in enumerate(other[1]):
                        if theirs == ("?", guard[1]):
                            yield ("comm", ((p, counts[p], i), (q, counts[q], j)))


def form(history):
    """The same for orders that are one behaviour."""
    locks = {}
    for event in history:
        if event[0] == "claim":
            locks.setdefault(event[2], []).append(event[1][0][:2])
    return frozenset(event[:2] for event in history), tuple(sorted((m, tuple(order)) for m, order in locks.items()))


def count(make):
    seen, stack, ends = {form([])}, [[]], [0, 0]
    while stack:
        history = stack.pop()
        state = run(make, history)
        possible = list(events(*state))
        if not possible:
            ends[any(wait is not None for wait in state[0])] += 1
        for event in possible:
            longer = history + [event]
            if form(longer) not in seen:
                seen.add(form(longer))
                stack.append(longer)
    return sum(ends), ends[1]


# ---- the models, each as its program in this folder ----


def philosopher(first, second):
    for fork in first, second, first, second:
        yield out(fork)


def fork(left, right):
    for _ in range(2):
        taken = yield alt([("?", left), ("?", right)])
        yield inp([left, right][taken])


def table(n, swapped):
    def make():
        left, right = [f"l{i}" for i in range(n)], [f"r{i}" for i in range(n)]
        pairs = [(left[i], right[(i + 1) % n]) for i in range(n)]
        if swapped:
            pairs[0] = pairs[0][::-1]
        return [philosopher(*pair) for pair in pairs] + [fork(left[i], right[i]) for i in range(n)]

    return make


def lockers(*orders):
    def process(order):
        for m in order:
            yield claim(m)
        for m in reversed(order):
            yield leave(m)

    return lambda: [process(order) for order in orders]


def senders(n, times):
    def client(c):
        for _ in range(times):
            yield out(c)

    def server():
        for _ in range(n * times):
            yield alt([("?", i) for i in range(n)])

    return lambda: [client(i) for i in range(n)] + [server()]


def choosers(n):
    def both(a, b):
        taken = yield alt([("?", a), ("?", b)])
        yield inp([b, a][taken])

    def one(c):
        yield out(c)

    return lambda: [p for i in range(n) for p in (one(f"a{i}"), one(f"b{i}"), both(f"a{i}", f"b{i}"))]


def exchange(first, second):
    """Two processes that may take either role: ALTs at both ends."""

    def process(mine, theirs):
        yield alt([("!", mine), ("?", theirs)])

    return lambda: [process(first, second), process(second, first)]


def buffer(size, items):
    def producer():
        for _ in range(items):
            yield out("in")

    def consumer():
        for _ in range(items):
            yield inp("out")

    def store():
        kept = 0
        taken = given = 0
        while given < items:
            guards = []
            if kept < size and taken < items:
                guards.append(("?", "in"))
            if kept > 0:
                guards.append(("!", "out"))
            chosen = yield alt(guards)
            if guards[chosen][0] == "?":
                kept, taken = kept + 1, taken + 1
            else:
                kept, given = kept - 1, given + 1

    return lambda: [producer(), store(), consumer()]


def updates(atomic):
    """Two clients add one at a server: by two messages, or by one."""

    def client(i):
        yield out(f"c{i}")
        if not atomic:
            yield out(f"c{i}")

    def server():
        for _ in range(2 if atomic else 4):
            yield alt([("?", "c0"), ("?", "c1")])

    return lambda: [client(0), client(1), server()]


def poll(times):
    def poller():
        for _ in range(times):
            taken = yield alt([("?", "c"), SKIP])
            if taken == 0:
                return
        yield inp("c")

    def sender():
        yield out("c")

    return lambda: [poller(), sender()]


MODELS = {
    "philosophers": table(3, False),
    "one-swapped": table(3, True),
    "two-philosophers": table(2, False),
    "locks-crossed": lockers("ab", "ba"),
    "locks-in-order": lockers("ab", "ab"),
    "locks-in-a-ring": lockers("ab", "bc", "ca"),
    "three-lockers": lockers("a", "a", "a"),
    "server": senders(3, 2),
    "choosers": choosers(4),
    "exchange": exchange("c", "d"),
    "buffer": buffer(2, 3),
    "lost-update": updates(False),
    "atomic-update": updates(True),
    "poll": poll(3),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or MODELS:
        total, dead = count(MODELS[name])
        print(f"{name}: {total} behaviours, {dead} deadlocks")
