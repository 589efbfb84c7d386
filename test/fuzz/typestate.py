#!/usr/bin/env python3
"""Random small programs with clocks against the table of language.md 4.3, followed by itself.

The reference walks the text as a process does and keeps the state of each clock that the process knows; at the first
breach of a rule (CK2 to CK8) it says which. For NEXT with a block it lists what each branch may come to, one NEXT after
the other, and compares all branches in each phase. What it accepts the compiler must accept, and what it refuses the
compiler must refuse with that message. --seed and --count choose the programs; --print N shows one."""

import argparse
import itertools
import random
import sys

from verdict import errors_of

OUTSIDE, ACTIVE, RESUMED, DROPPED = "outside", "active", "resumed", "dropped"
BATCH = 100
TRACES = 24  # of one branch; with more of them a program is not used


class Breach(Exception):
    """The first rule that is broken."""


class TooMany(Exception):
    pass


# ---- programs: tuples of a word and its parts ----


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.procs = []  # (name, formals, body)
        self.made = 0
        self.sites = 0

    def fresh(self, stem):
        self.made += 1
        return f"{stem}{self.made}"

    def some(self, names):
        return self.random.sample(names, self.random.randint(1, len(names)))

    def next(self, names):
        """A place of its own; with a block, sometimes."""
        self.sites += 1
        return ("next", names, self.random.random() < 0.3, self.sites)

    def simple(self, clocks):
        kind = self.random.random()
        if kind < 0.12 or (not clocks and kind < 0.9):
            return self.random.choice([("skip",), self.next([])]) if not clocks or kind < 0.08 else ("skip",)
        if kind < 0.45:
            return self.next(self.random.choice([[], self.some(clocks), self.some(clocks)]))
        if kind < 0.7:
            return ("resume", self.some(clocks))
        if kind < 0.77:
            return ("drop", self.some(clocks))
        if kind < 0.85:
            return ("phase", self.random.choice(clocks))
        return self.call(clocks)

    def call(self, clocks):
        fitting = [proc for proc in self.procs if len(proc[1]) <= len(clocks)]
        if not fitting:
            return ("skip",)
        name, formals, _ = self.random.choice(fitting)
        return ("call", name, self.random.sample(clocks, len(formals)))

    def par(self, clocks, depth):
        free = list(clocks)
        enrols = self.some(free) if free and self.random.random() < 0.6 else []
        if self.random.random() < 0.35:
            return ("par", True, enrols, [([], self.body(clocks, depth - 1))])
        rest = [name for name in free if name not in enrols]
        branches = []
        for _ in range(self.random.randint(2, 3)):
            own = self.some(rest) if rest and self.random.random() < 0.6 else []
            likely = enrols + own if self.random.random() < 0.85 else clocks
            branches.append((own, self.body(likely, depth - 1)))
        return ("par", False, enrols, branches)

    def process(self, clocks, depth):
        kind = self.random.random()
        if depth == 0 or kind < 0.55:
            return self.simple(clocks)
        if kind < 0.65:
            return ("if", [self.body(clocks, depth - 1), self.body(clocks, depth - 1)])
        if kind < 0.72:
            return ("loop", self.body(clocks, depth - 1))
        if kind < 0.8:
            name = self.fresh("c")
            return ("clock", name, self.body(clocks + [name], depth - 1))
        if kind < 0.84 and clocks:
            name, old = self.fresh("n"), self.random.choice(clocks)
            return ("is", name, old, self.body([name] + [one for one in clocks if one != old], depth - 1))
        if kind < 0.86:
            return ("stop",)
        return self.par(clocks, depth)

    def body(self, clocks, depth):
        return ("seq", [self.process(clocks, depth) for _ in range(self.random.randint(1, 3))])

    def program(self):
        for _ in range(self.random.randint(0, 2)):
            formals = [self.fresh("f") for _ in range(self.random.randint(0, 1))]
            body = self.body(formals, 2)
            self.procs.append((self.fresh("p"), formals, body))
        clocks = [self.fresh("c") for _ in range(self.random.randint(0, 2))]
        process = self.par(clocks, 2) if clocks and self.random.random() < 0.6 else self.body(clocks, 3)
        for name in reversed(clocks):
            process = ("clock", name, process)
        self.procs.append((self.fresh("main"), [], process))
        return self.procs


# ---- the reference: the states of one process ----


class Walk:
    """States of the clocks that a process knows; `hidden`: its caller may have others, in its own process."""

    def __init__(self, procs, formals):
        self.procs = procs
        self.states = {name: ACTIVE for name in formals}
        self.hidden = True
        self.stops = False
        self.needs = False

    def use(self, name):
        state = self.states.get(name)
        if state == OUTSIDE:
            raise Breach("clock-not-enrolled")
        if state == DROPPED:
            raise Breach("clock-state")
        return state

    def enrolled(self):
        return [name for name, state in self.states.items() if state in (ACTIVE, RESUMED)]

    def next(self, names, has_block):
        waits = names or self.enrolled()
        if not waits and not self.hidden:
            raise Breach("clock-none")
        if not waits:
            self.needs = True
        if has_block and not names and self.hidden:
            raise Breach("clock-block")
        if has_block and any(self.states[name] == RESUMED for name in waits):
            raise Breach("clock-block-resumed")
        for name in waits:
            self.use(name)
            self.states[name] = ACTIVE

    def call(self, name, actuals):
        needs, nexts = self.procs[name]
        for actual in actuals:
            if self.use(actual) == RESUMED:
                raise Breach("clock-actual")
        if not nexts:
            return
        others = [one for one in self.enrolled() if one not in actuals]
        if needs and not others and not actuals and not self.hidden:
            raise Breach("clock-none")
        if needs and not others and not actuals:
            self.needs = True
        for one in others:
            self.states[one] = ACTIVE

    def part(self, bodies):
        """Ways that meet again."""
        before, stopped = dict(self.states), self.stops
        ends = []
        for body in bodies:
            self.states, self.stops = dict(before), stopped
            self.process(body)
            if not self.stops:
                ends.append(self.states)
        self.stops = not ends
        self.states = ends[0] if ends else before
        if any(end != ends[0] for end in ends):
            raise Breach("clock-disagree")

    def loop(self, body):
        before, stopped = dict(self.states), self.stops
        self.process(body)
        if not self.stops and self.states != before:
            raise Breach("clock-loop")
        self.states, self.stops = before, stopped

    def par(self, enrols, branches):
        for name in enrols + [name for own, _ in branches for name in own]:
            state = self.states[name]
            if state == OUTSIDE:
                raise Breach("clock-not-enrolled")
            if state != ACTIVE:
                raise Breach("clock-lend")
        before, after, hidden, stopped = dict(self.states), dict(self.states), self.hidden, self.stops
        for own, body in branches:
            self.states = {name: ACTIVE if name in enrols + own else OUTSIDE for name in before}
            self.hidden, self.stops = False, stopped
            self.process(body)
            for name, state in self.states.items():
                if state == RESUMED and not self.stops:
                    raise Breach("clock-branch-end")
                if state == DROPPED:
                    after[name] = DROPPED
        self.states, self.hidden, self.stops = after, hidden, stopped

    def process(self, node):
        kind = node[0]
        if kind == "seq":
            for part in node[1]:
                self.process(part)
        elif kind == "next":
            self.next(node[1], node[2])
        elif kind == "resume":
            for name in node[1]:
                self.use(name)
                self.states[name] = RESUMED
        elif kind == "drop":
            for name in node[1]:
                self.use(name)
                self.states[name] = DROPPED
        elif kind == "phase":
            self.use(node[1])
        elif kind == "call":
            self.call(node[1], node[2])
        elif kind == "if":
            self.part(node[1])
        elif kind == "loop":
            self.loop(node[1])
        elif kind == "stop":
            self.stops = True
        elif kind == "clock":
            self.states[node[1]] = ACTIVE
            self.process(node[2])
            del self.states[node[1]]
        elif kind == "is":
            state = self.states.pop(node[2])
            self.states[node[1]] = state
            self.process(node[3])
            self.states[node[2]] = self.states.pop(node[1])
        elif kind == "par":
            self.par(node[2], node[3])


def nexts_all(node, effects):
    """In its own process, not in a branch."""
    kind = node[0]
    if kind == "next":
        return not node[1]
    if kind == "call":
        return effects[node[1]][1]
    if kind == "par":
        return False
    parts = node[1] if kind in ("seq", "if") else [node[-1]] if kind in ("loop", "clock", "is") else []
    return any(nexts_all(part, effects) for part in parts)


# ---- the reference: blocks ----


class Traces:
    """The NEXTs on one clock that a process may come to, in turn; None at the end: it stops."""

    def __init__(self, procs):
        self.bodies = {name: (formals, body) for name, formals, body in procs}

    def after(self, firsts, seconds):
        found = set()
        for first in firsts:
            found |= {first} if first and first[-1] is None else {first + second for second in seconds}
        if len(found) > TRACES:
            raise TooMany
        return found

    def of(self, node, clock, enrolled):
        kind = node[0]
        if kind == "seq":
            traces = {()}
            for part in node[1]:
                traces = self.after(traces, self.of(part, clock, enrolled))
            return traces
        if kind == "next":
            takes_part = clock in node[1] if node[1] else enrolled
            return {((node[3], node[2]),)} if takes_part else {()}
        if kind == "stop":
            return {(None,)}
        if kind == "drop":
            return {(("dropped", False),)} if clock in node[1] else {()}
        if kind == "call":
            formals, body = self.bodies[node[1]]
            if clock in node[2]:
                return self.of(body, formals[node[2].index(clock)], True)
            return self.of(body, clock, enrolled)
        if kind == "if":
            return set().union(*(self.of(part, clock, enrolled) for part in node[1]))
        if kind == "loop":
            once = self.of(node[1], clock, enrolled)
            return self.after(once, once)
        if kind == "clock":
            return self.of(node[2], clock, enrolled)
        if kind == "is":
            return self.of(node[3], node[1] if clock == node[2] else clock, enrolled)
        return {()}  # a PAR inside is looked at by itself; one that lends the clock is another matter


def has_block(node, clock):
    if node[0] == "next":
        return node[2]
    parts = node[1] if node[0] in ("seq", "if") else [node[-1]] if node[0] in ("loop", "clock", "is") else []
    parts = [body for _, body in node[3]] if node[0] == "par" else parts
    return any(has_block(part, clock) for part in parts)


def lends_inside(node):
    if node[0] == "par":
        return True
    parts = node[1] if node[0] in ("seq", "if") else [node[-1]] if node[0] in ("loop", "clock", "is") else []
    return any(lends_inside(part) for part in parts)


def pars_of(node):
    parts = node[1] if node[0] in ("seq", "if") else [node[-1]] if node[0] in ("loop", "clock", "is") else []
    if node[0] == "par":
        yield node
        parts = [body for _, body in node[3]]
    for part in parts:
        yield from pars_of(part)


def has_any_block(procs):
    return any(has_block(body, None) for _, _, body in procs)


def blocks_are_reached(procs):
    """May any two branches of a PAR come to different NEXTs in one phase, one of them with a block?"""
    traces = Traces(procs)
    for _, _, body in procs:
        for par in pars_of(body):
            _, replicated, enrols, branches = par
            for clock in set(enrols).union(*(own for own, _ in branches)):
                lists = [
                    traces.of(branch, clock, True) for own, branch in branches if clock in enrols + own
                ] * (2 if replicated else 1)
                for one, other in itertools.combinations(lists, 2):
                    for first, second in itertools.product(one, other):
                        for left, right in itertools.zip_longest(first, second):
                            if left != right and ((left and left[1]) or (right and right[1])):
                                return False
    return True


def verdict(procs):
    """None, or the message that the compiler must give; "?": this reference does not know."""
    effects = {}
    for name, formals, body in procs:
        walk = Walk(effects, formals)
        walk.hidden = nexts_all(body, effects)
        try:
            walk.process(body)
            if not walk.stops and any(state != ACTIVE for state in walk.states.values()):
                raise Breach("clock-formal")
        except Breach as breach:
            return str(breach)
        effects[name] = (walk.needs, nexts_all(body, effects))
    if has_any_block(procs):
        if any(lends_inside(branch) for _, _, body in procs for par in pars_of(body) for _, branch in par[3]):
            return "?"
        if len(procs) > 1:
            return "?"  # a block in a PROC: for every caller
        try:
            return None if blocks_are_reached(procs) else "clock-block"
        except TooMany:
            return "?"
    return None


# ---- text ----


class Printer:
    def __init__(self, number):
        self.number = number
        self.lines = []
        self.conditions = 0

    def line(self, indent, text):
        self.lines.append("  " * indent + text)

    def condition(self, index):
        self.conditions += 1
        return f"b[({index} * 10) + {self.conditions}]" if index else f"b[{self.conditions}]"

    def process(self, indent, node, index):
        kind = node[0]
        if kind == "seq":
            self.line(indent, "SEQ")
            for part in node[1]:
                self.process(indent + 1, part, index)
        elif kind == "next":
            self.line(indent, "NEXT " + ", ".join(node[1]) if node[1] else "NEXT")
            if node[2]:
                self.line(indent + 1, "SKIP")
        elif kind in ("resume", "drop"):
            self.line(indent, kind.upper() + " " + ", ".join(node[1]))
        elif kind == "phase":
            self.line(indent, f"INT x:")
            self.line(indent, f"x := PHASE {node[1]}")
        elif kind == "call":
            self.line(indent, f"{node[1]}.{self.number} (b{''.join(', ' + name for name in node[2])})")
        elif kind == "if":
            self.line(indent, "IF")
            for part, condition in zip(node[1], [self.condition(index), "TRUE"]):
                self.line(indent + 1, condition)
                self.process(indent + 2, part, index)
        elif kind == "loop":
            self.line(indent, f"SEQ k{indent} = 0 FOR 2")
            self.process(indent + 1, node[1], f"k{indent}")
        elif kind in ("stop", "skip"):
            self.line(indent, kind.upper())
        elif kind == "clock":
            self.line(indent, f"CLOCK {node[1]}:")
            self.process(indent, node[2], index)
        elif kind == "is":
            self.line(indent, f"{node[1]} IS {node[2]}:")
            self.process(indent, node[3], index)
        elif kind == "par":
            self.par(indent, node)

    def par(self, indent, node):
        _, replicated, enrols, branches = node
        head = f"PAR i{indent} = 0 FOR 2" if replicated else "PAR"
        self.line(indent, head + (" ENROLL " + ", ".join(enrols) if enrols else ""))
        for own, body in branches:
            if own:
                self.line(indent + 1, "ENROLL " + ", ".join(own))
            self.process(indent + 1 + bool(own), body, f"i{indent}" if replicated else "")

    def program(self, procs):
        for name, formals, body in procs:
            self.line(0, f"PROC {name}.{self.number} (VAL []BOOL b{''.join(', CLOCK ' + one for one in formals)})")
            self.process(1, body, "")
            self.line(0, ":")
        return self.lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--print", type=int, dest="shown", metavar="N")
    arguments = parser.parse_args()
    if arguments.shown is not None:
        procs = Maker(arguments.shown).program()
        print("\n".join(Printer(arguments.shown).program(procs)))
        print("--", verdict(procs))
        return
    counts, wrong, careful = {}, 0, 0
    for start in range(arguments.seed, arguments.seed + arguments.count, BATCH):
        seeds = range(start, min(start + BATCH, arguments.seed + arguments.count))
        programs = [Maker(seed).program() for seed in seeds]
        texts = [Printer(seed).program(procs) for seed, procs in zip(seeds, programs)]
        for seed, procs, errors in zip(seeds, programs, errors_of(arguments.occc, texts)):
            expected, found = verdict(procs), [identity for identity, _, _ in errors]
            counts[expected] = counts.get(expected, 0) + 1
            if expected == "?":
                continue
            if expected is None and found == ["clock-block"]:
                careful += 1  # it proves less than listing every way
            elif (expected is None and found) or (expected is not None and expected not in found):
                wrong += 1
                print(f"--print {seed}: expected {expected}, the compiler says {found or 'nothing'}")
    print(", ".join(f"{key or 'accepted'} {counts[key]}" for key in sorted(counts, key=str)))
    print(f"{arguments.count} programs, {wrong} wrong, {careful} refused although every order is right")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
