#!/usr/bin/env python3
"""Random PARs whose branches share clocks and an array, against every order in which they may run.

The reference knows nothing of phases as numbers: it keeps who is enrolled and who has arrived, follows every
interleaving of the branches, and calls it a race when two of them stand before accesses of one element, one of them a
write. What the compiler accepts must have none. What it rejects without a race is counted. --seed and --count choose
the programs; --print N shows one."""

import argparse
import random
import re
import sys

from verdict import errors_of

STATES = 60000  # of one program; larger ones say nothing


class TooLarge(Exception):
    pass


# ---- expressions: an int, a name, (op, left, right), or ("PHASE", clock, None) ----
#
# Beside the values of names, names["phases"] counts the NEXTs of the process, and names["clocks"] says which clock of
# the program a name stands for.


def evaluate(expr, names):
    if isinstance(expr, int):
        return expr
    if isinstance(expr, str):
        return names[expr]
    op, left, right = expr
    if op == "PHASE":
        return names["phases"][names["clocks"][left]]
    left, right = evaluate(left, names), evaluate(right, names)
    if op in ("/\\", "><"):
        return left & right if op == "/\\" else left ^ right
    if op == "\\":
        return left - right * (abs(left) // right if left >= 0 else -(abs(left) // right))
    return {"+": left + right, "-": left - right, "*": left * right, "=": left == right, "<": left < right}[op]


def show(expr):
    if isinstance(expr, (int, str)):
        return str(expr)
    op, left, right = expr
    return f"(PHASE {left})" if op == "PHASE" else f"({show(left)} {op} {show(right)})"


def indent(lines):
    return ["  " + line for line in lines]


def block(lines):
    return ["SEQ"] + indent(lines)


# ---- statements: text, and the actions of one run ----


class Access:
    def __init__(self, rng, scope):
        self.is_write = rng.random() < 0.55
        self.array = rng.choice(scope.arrays)
        self.at = scope.subscript(rng)

    def lines(self):
        if self.is_write:
            return [f"{self.array}[{show(self.at)}] := 0"]
        return ["INT v:", f"v := {self.array}[{show(self.at)}]"]

    def run(self, names, arrays, clocks):
        at = evaluate(self.at, names)
        if at >= 0:
            yield ("write" if self.is_write else "read", (arrays[self.array], at))


class Next:
    def __init__(self, rng, scope):
        self.clocks = rng.choice([scope.clocks, scope.clocks, [rng.choice(scope.clocks)]])
        self.word = "NEXT" if rng.random() < 0.2 and self.clocks == scope.clocks else "NEXT " + ", ".join(self.clocks)
        self.resumed = [Access(rng, scope) for _ in range(rng.choice([1, 2]))] if rng.random() < 0.25 else None

    def lines(self):
        if self.resumed is None:
            return [self.word]
        lines = [f"RESUME {', '.join(self.clocks)}"]
        for access in self.resumed:
            lines += block(access.lines())
        return block(lines + [self.word])

    def run(self, names, arrays, clocks):
        mine = tuple(clocks[c] for c in self.clocks)
        yield ("resume", mine)
        for access in self.resumed or []:
            yield from access.run(names, arrays, clocks)
        for clock in mine:
            yield ("cross", clock)
            names["phases"][clock] += 1


class Body:
    def __init__(self, rng, scope, depth, size=None):
        self.parts = [statement(rng, scope, depth) for _ in range(size or rng.choice([1, 2, 2, 3]))]

    def lines(self):
        lines = []
        for part in self.parts:
            lines += block(part.lines())
        return block(lines)

    def run(self, names, arrays, clocks):
        for part in self.parts:
            yield from part.run(names, arrays, clocks)


class Set:
    """A private variable that counts or alternates."""

    def __init__(self, rng, name, clocks):
        self.name = name
        self.first = rng.choice([0, 0, 1])
        self.value = rng.choice([("-", 1, name), ("+", name, 1), ("+", name, 1), ("-", 1, name), ("*", name, 2)])
        if clocks and rng.random() < 0.25:
            self.value = ("PHASE", rng.choice(clocks), None)

    def lines(self):
        return [f"{self.name} := {show(self.value)}"]

    def run(self, names, arrays, clocks):
        names[self.name] = evaluate(self.value, names)
        return iter(())


class Loop:
    def __init__(self, rng, scope, depth):
        self.name = f"t{depth}"
        self.is_while = rng.random() < 0.3
        self.count = rng.choice([1, 2, 2, 3] + [one for one in scope.names if one in ("n", "i", "k", "t2")] + ["n", "n"])
        if self.count == "n" and "n" not in scope.names:
            self.count = 2
        inner = scope.with_name(f"w{self.name}" if self.is_while else self.name)
        self.private = Set(rng, f"q{depth}", scope.clocks) if rng.random() < 0.35 else None
        if self.private:
            inner = inner.with_name(self.private.name)
        self.body = Body(rng, inner, depth - 1)
        if self.private:
            parts = self.body.parts
            if rng.random() < 0.15:
                parts.append(Guarded(rng, scope, self.private))
            else:
                parts.insert(rng.randint(0, len(parts)), self.private)

    def lines(self):
        if self.private:
            return [f"INITIAL INT {self.private.name} IS {self.private.first}:"] + self.loop_lines()
        return self.loop_lines()

    def loop_lines(self):
        if self.is_while:
            name = f"w{self.name}"
            inner = self.body.lines() + [f"{name} := {name} + 1"]
            return [f"INITIAL INT {name} IS 0:", f"WHILE {name} < {show(self.count)}"] + indent(block(inner))
        return [f"SEQ {self.name} = 0 FOR {show(self.count)}"] + indent(self.body.lines())

    def run(self, names, arrays, clocks):
        values = {self.private.name: self.private.first} if self.private else {}
        for k in range(evaluate(self.count, names)):
            inner = {**names, **values, self.name: k, f"w{self.name}": k}
            yield from self.body.run(inner, arrays, clocks)
            values = {name: inner[name] for name in values}


class Guarded:
    """The private variable changes in some iterations only."""

    def __init__(self, rng, scope, change):
        self.left = scope.subscript(rng)
        self.change = change

    def lines(self):
        return ["IF", f"  {show(self.left)} = 1"] + indent(indent(self.change.lines())) + ["  TRUE", "    SKIP"]

    def run(self, names, arrays, clocks):
        if evaluate(self.left, names) == 1:
            self.change.run(names, arrays, clocks)
        return iter(())


class Choice:
    def __init__(self, rng, scope, depth):
        left = scope.subscript(rng)
        self.condition = (rng.choice(["=", "<"]), rng.choice([left, ("\\", left, 2)]), rng.choice([0, 1, 1, 2]))
        self.then = Body(rng, scope, depth - 1)
        self.other = Body(rng, scope, depth - 1) if rng.random() < 0.6 else None
        if self.other is None and rng.random() < 0.5:
            self.then = Access(rng, scope)

    def lines(self):
        other = self.other.lines() if self.other else ["SKIP"]
        return ["IF", f"  {show(self.condition)}"] + indent(indent(block(self.then.lines()))) + ["  TRUE"] + indent(
            indent(other))

    def run(self, names, arrays, clocks):
        if evaluate(self.condition, names):
            yield from self.then.run(names, arrays, clocks)
        elif self.other:
            yield from self.other.run(names, arrays, clocks)


class Call:
    def __init__(self, rng, scope):
        self.routine = rng.choice(scope.routines)
        self.actuals = [rng.choice(scope.clocks) for _ in self.routine.clocks]
        if len(set(self.actuals)) < len(self.actuals):
            self.actuals = list(scope.clocks)[: len(self.actuals)]
        self.value = scope.subscript(rng)
        self.arrays = rng.choice([scope.arrays, list(reversed(scope.arrays))])

    def lines(self):
        words = [*self.actuals, show(self.value), *self.arrays]
        return [f"{self.routine.name} ({', '.join(words)})"]

    def run(self, names, arrays, clocks):
        inner = {"k": evaluate(self.value, names), "phases": names["phases"]}
        mine = {formal: clocks[actual] for formal, actual in zip(self.routine.clocks, self.actuals)}
        theirs = {formal: arrays[actual] for formal, actual in zip(("x", "y"), self.arrays)}
        inner["clocks"] = mine
        if not self.routine.needs_all or len(mine) == len(clocks):
            yield from self.routine.body.run(inner, theirs, mine)
        else:
            raise TooLarge  # NEXT without names inside: a NEXT on clocks it does not see


class Par:
    """Branches inside of a branch, enrolled or not."""

    def __init__(self, rng, scope, depth):
        self.enrolled = rng.choice([scope.clocks, scope.clocks, []])
        inner = scope.with_clocks(self.enrolled)
        self.branches = [Body(rng, inner, depth - 1, rng.choice([1, 2])) for _ in range(2)]

    def lines(self):
        head = "PAR" + (" ENROLL " + ", ".join(self.enrolled) if self.enrolled else "")
        lines = [head]
        for branch in self.branches:
            lines += indent(branch.lines())
        return lines

    def run(self, names, arrays, clocks):
        mine = {name: clocks[name] for name in self.enrolled}
        phases = [dict(names["phases"]) for _ in self.branches]
        each = [{**names, "phases": own, "clocks": mine} for own in phases]
        branches = [tuple(branch.run(own, arrays, mine)) for branch, own in zip(self.branches, each)]
        for clock in mine.values():  # the last to end is the furthest
            names["phases"][clock] = max(own[clock] for own in phases)
        yield ("par", tuple(sorted(mine.values())), tuple(branches))


class Drop:
    """The last thing of a branch."""

    def __init__(self, rng, scope):
        self.clocks = scope.clocks
        self.after = [Access(rng, scope.with_clocks([])) for _ in range(rng.choice([1, 2]))]

    def lines(self):
        lines = [f"DROP {', '.join(self.clocks)}"]
        for access in self.after:
            lines += block(access.lines())
        return block(lines)

    def run(self, names, arrays, clocks):
        for name in self.clocks:
            yield ("drop", clocks[name])
        for access in self.after:
            yield from access.run(names, arrays, clocks)


def statement(rng, scope, depth):
    kind = rng.random()
    if scope.clocks and kind < 0.33:
        return Next(rng, scope)
    if depth > 0 and kind > 0.85:
        return Loop(rng, scope, depth)
    if depth > 0 and kind > 0.77:
        return Choice(rng, scope, depth)
    if scope.routines and len(scope.clocks) > 0 and kind > 0.71 and any(
            len(r.clocks) <= len(scope.clocks) for r in scope.routines):
        call = Call.__new__(Call)
        fitting = scope.with_routines([r for r in scope.routines if len(r.clocks) <= len(scope.clocks)])
        call.__init__(rng, fitting)
        return call
    if depth > 1 and kind > 0.67 and scope.may_par:
        return Par(rng, scope, depth)
    return Access(rng, scope)


class Scope:
    def __init__(self, names, clocks, arrays, routines, may_par=True):
        self.names, self.clocks, self.arrays, self.routines = names, clocks, arrays, routines
        self.may_par = may_par

    def with_name(self, name):
        return Scope(self.names + [name], self.clocks, self.arrays, self.routines, self.may_par)

    def with_clocks(self, clocks):
        return Scope(self.names, clocks, self.arrays, self.routines, self.may_par)

    def with_routines(self, routines):
        return Scope(self.names, self.clocks, self.arrays, routines, self.may_par)

    def subscript(self, rng):
        if self.clocks and rng.random() < 0.15:
            phase = ("PHASE", rng.choice(self.clocks), None)
            now = rng.choice([("\\", phase, 2), ("/\\", phase, 1), phase, phase])
            return rng.choice([now, now, ("-", 1, now), ("><", now, 1), ("+", now, rng.choice(self.names or [1]))])
        if not self.names:
            return rng.choice([0, 1, 2])
        one = rng.choice(self.names)
        kind = rng.random()
        if kind < 0.5:
            return one
        if kind < 0.7:
            return (rng.choice(["+", "-"]), one, 1)
        if kind < 0.8:
            return ("+", one, rng.choice(self.names))
        if kind < 0.87:
            return ("\\", ("+", one, rng.choice(self.names)), 2)
        if kind < 0.9:
            return (rng.choice(["><", "/\\"]), one, rng.choice([1, 2, 3]))
        return rng.choice([0, 1, 2])


class Routine:
    def __init__(self, rng, name, clocks):
        self.name, self.clocks = name, clocks
        self.body = Body(rng, Scope(["k"], clocks, ["x", "y"], [], False), 2)
        text = "\n".join(self.body.lines())
        self.needs_all = re.search(r"NEXT$", text, re.M) is not None

    def lines(self):
        formals = [f"CLOCK {clock}" for clock in self.clocks]
        return [f"PROC {self.name} ({', '.join(formals)}, VAL INT k, []INT x, y)"] + indent(self.body.lines()) + [":"]


class Program:
    def __init__(self, number):
        rng = random.Random(number)
        self.number = number
        self.clocks = rng.choice([["c"], ["c"], ["c", "d"]])
        self.has_parameter = rng.random() < 0.4
        self.routines = []
        for k in range(rng.choice([0, 0, 1, 2])):
            self.routines.append(Routine(rng, f"r{number}.{k}", self.clocks[: rng.choice([1, len(self.clocks)])]))
        scope = Scope(["n"] if self.has_parameter else [], self.clocks, ["x", "y"], self.routines)
        self.replicated = rng.random() < 0.65
        self.count = rng.choice(["n"] if self.has_parameter else [2, 3])
        scopes = [scope.with_name("i")] if self.replicated else [scope, scope]
        self.branches = [Body(rng, each, 2) for each in scopes]
        self.drops = [Drop(rng, each) if rng.random() < 0.1 else None for each in scopes]

    def lines(self):
        formals = ("VAL INT n, " if self.has_parameter else "") + "[]INT x, y"
        lines = [f"PROC p{self.number} ({formals})", f"  CLOCK {', '.join(self.clocks)}:"]
        head = f"PAR i = 0 FOR {self.count}" if self.replicated else "PAR"
        lines.append(f"  {head} ENROLL {', '.join(self.clocks)}")
        for branch, drop in zip(self.branches, self.drops):
            text = branch.lines() + (drop.lines() if drop else [])
            lines += indent(indent(block(text)))
        routines = [line for routine in self.routines for line in routine.lines()]
        return routines + lines + [":"]

    def processes(self, names):
        arrays = {"x": "x", "y": "y"}
        clocks = {name: name for name in self.clocks}
        names = {**names, "clocks": clocks}
        if self.replicated:
            runs = [(0, {**names, "i": i}) for i in range(evaluate(self.count, names))]
        else:
            runs = [(k, names) for k in range(len(self.branches))]
        processes = []
        for which, inner in runs:
            inner = {**inner, "phases": {clock: 0 for clock in self.clocks}}
            actions = list(self.branches[which].run(inner, arrays, clocks))
            if self.drops[which]:
                actions += list(self.drops[which].run(inner, arrays, clocks))
            processes.append(tuple(actions))
        return tuple(processes)

    def races(self):
        for value in [2, 3] if self.has_parameter else [0]:
            if explore(self.processes({"n": value}), tuple(self.clocks)):
                return True
        return False


# ---- the reference: who is enrolled, who has arrived, every interleaving ----
#
# A process is (actions left, children, clocks lent, arrivals): arrivals is a tuple of (clock, how often it has arrived)
# for the clocks it holds a registration of; while children run that hold one, it has none. A clock's phase is the least
# number of arrivals of those that are enrolled, and never goes back.


def members(process, found):
    actions, children, _, arrivals = process
    for clock, count in arrivals:
        found[clock] = min(found.get(clock, count), count)
    for child in children:
        members(child, found)


def phases_of(processes, before):
    found = {}
    for process in processes:
        members(process, found)
    return tuple((clock, max(phase, found.get(clock, phase))) for clock, phase in before)


def heads(process, out):
    actions, children, _, _ = process
    for child in children:
        heads(child, out)
    if not children and actions and actions[0][0] in ("read", "write"):
        out.append(actions[0])


def replace(items, at, item):
    return items[:at] + (item,) + items[at + 1 :]


def steps(process, phases):
    """Every process this one may become by one step."""
    actions, children, lent, arrivals = process
    if children:
        for k, child in enumerate(children):
            if is_over(child):
                held = dict(child[3])
                rest = children[:k] + children[k + 1 :]
                mine = dict(arrivals)
                for clock in lent:  # the last that holds it hands it back
                    if clock in held and not any(clock in dict(other[3]) for other in rest):
                        mine[clock] = held[clock]
                yield (actions, rest, lent if rest else (), tuple(sorted(mine.items())))
                return  # ending is no choice: nobody is held up by it
            for became in steps(child, phases):
                yield (actions, replace(children, k, became), lent, arrivals)
        return
    if not actions:
        return
    kind, *data = actions[0]
    rest = actions[1:]
    mine = dict(arrivals)
    if kind in ("read", "write"):
        yield (rest, (), (), arrivals)
    elif kind == "resume":
        for clock in data[0]:
            if clock in mine and mine[clock] % 2 == 0:
                mine[clock] += 1
        yield (rest, (), (), tuple(sorted(mine.items())))
    elif kind == "cross":
        clock = data[0]
        if clock not in mine:
            yield (rest, (), (), arrivals)
        elif dict(phases)[clock] >= mine[clock]:
            mine[clock] += 1
            yield (rest, (), (), tuple(sorted(mine.items())))
    elif kind == "drop":
        mine.pop(data[0], None)
        yield (rest, (), (), tuple(sorted(mine.items())))
    elif kind == "par":
        clocks, branches = data
        held = tuple(sorted((clock, mine[clock]) for clock in clocks if clock in mine))
        kept = tuple(sorted((clock, count) for clock, count in mine.items() if clock not in clocks))
        yield (rest, tuple((branch, (), (), held) for branch in branches), clocks, kept)


def is_over(process):
    return not process[0] and not process[1]


def conflict(found):
    used = {}
    for kind, cell in found:
        if cell in used and (kind == "write" or used[cell] == "write"):
            return True
        used[cell] = "write" if kind == "write" or used.get(cell) == "write" else kind
    return False


# Arrivals are counted twice: even while active, odd when resumed. Phase p has ended when all have at least 2 p + 1.


def settle(processes):
    return tuple((actions, children, lent, () if not actions and not children else arrivals)
                 for actions, children, lent, arrivals in processes)


def explore(actions, clocks):
    start = settle(tuple((each, (), (), tuple((clock, 0) for clock in clocks)) for each in actions))
    first = (start, phases_of(start, tuple((clock, 0) for clock in clocks)))
    seen = {first}
    todo = [first]
    while todo:
        processes, phases = todo.pop()
        found = []
        for process in processes:
            heads(process, found)
        if conflict(found):
            return True
        for k, process in enumerate(processes):
            for became in steps(process, phases):
                after = settle(replace(processes, k, became))
                state = (after, phases_of(after, phases))
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
                    if len(seen) > STATES:
                        raise TooLarge
    return False


def any_race(program):
    try:
        return program.races()
    except TooLarge:
        return True


# ---- the compiler ----


def verdicts(occc, programs):
    found = [None] * len(programs)
    for which, errors in enumerate(errors_of(occc, [program.lines() for program in programs])):
        for identity, _, _ in errors:
            if not identity.startswith("usage-"):
                found[which] = "skip " + identity
            elif not (found[which] or "").startswith("skip"):
                found[which] = identity if found[which] in (None, "usage-unproved") else found[which]
    return found


def judge(program, verdict, counts):
    if verdict and verdict.startswith("skip"):
        counts[verdict] = counts.get(verdict, 0) + 1
        return None
    try:
        races = program.races()
    except TooLarge:
        counts["too large"] = counts.get("too large", 0) + 1
        return None
    word = ("race" if races else "free") + (" accepted" if verdict is None else " " + verdict)
    counts[word] = counts.get(word, 0) + 1
    return "accepted, but branches race" if races and verdict is None else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--print", type=int, dest="show")
    parser.add_argument("--list-rejected", action="store_true", help="show what is rejected without a race")
    arguments = parser.parse_args()
    if arguments.show is not None:
        print("\n".join(Program(arguments.show).lines()))
        return 0
    counts = {}
    wrong = 0
    for start in range(arguments.seed, arguments.seed + arguments.count, 100):
        programs = [Program(number) for number in range(start, min(start + 100, arguments.seed + arguments.count))]
        for program, verdict in zip(programs, verdicts(arguments.occc, programs)):
            complaint = judge(program, verdict, counts)
            if complaint:
                wrong += 1
                print(f"program {program.number}: {complaint}", *program.lines(), sep="\n")
            elif arguments.list_rejected and verdict and not verdict.startswith("skip") and not any_race(program):
                print(f"program {program.number}: {verdict}", *program.lines(), sep="\n")
    for word in sorted(counts):
        print(f"{word}: {counts[word]}")
    print(f"{arguments.count} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
