#!/usr/bin/env python3
"""Every construct with every specification in front of every part, as the first, between and as the last, with every construct inside.

A case is a PROC: a construct, where in it the part stands, the specification before it, and the construct inside. What stands around is
random, the tuples are gone through one after the other. Each leaf counts how often it is run; Python knows how often that is.
usage: shape.py --occc build/bin/occc [--step N] [--seed N] [--count N] [--save DIR] [--print N]"""

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

import options

SLOTS = 40
CASES = 48  # of one program
SECONDS = 60


class Node:
    """Lines of a process, and what it adds to the counts of its leaves (for a choice: whether it was taken)."""

    def __init__(self, lines, run):
        self.lines, self.run = lines, run


def deeper(lines):
    return ["  " + line for line in lines]


def each(nodes):
    return lambda counts: [node.run(counts) for node in nodes]


# Specifications by name: lines, and a condition that they make true.
SPECS = {
    "none": ([], "x = 3"), "val": (["VAL INT y IS x + 1:"], "y = 4"), "untyped": (["VAL y IS x + 1:"], "y = 4"), "constant": (["VAL y IS 7:"], "y = 7"),
    "list": (["VAL []INT y IS [x, 5]:"], "y[1] = 5"), "name": (["[5]INT w:", "y IS w[x]:"], "x = 3"), "segment": (["[9]INT w:", "y IS [w FROM x FOR 2]:"], "(SIZE y) = 2"),
    "variable": (["INT y:"], "x = 3"), "initial": (["INITIAL INT y IS x:"], "y = 3"), "array": (["[2000]INT y:"], "(SIZE y) = 2000"),
    "channel": (["CHAN INT y:"], "x = 3"), "channels": (["[3]CHAN INT y:"], "(SIZE y) = 3"), "timer": (["TIMER y:"], "x = 3"),
    "mobile": (["MOBILE []INT y:"], "x = 3"), "held": (["INITIAL MOBILE []INT y IS MOBILE [x]INT:"], "(SIZE y) = 3"),
    "proc": (["PROC y (VAL INT z)", "  SKIP", ":"], "x = 3"), "function": (["INT FUNCTION y (VAL INT z) IS z + 1:"], "y (x) = 4"),
    "valof": (["INT FUNCTION y (VAL INT z)", "  INT r:", "  VALOF", "    r := z", "    RESULT r", ":"], "y (x) = 3"),
    "type": (["DATA TYPE Y IS INT:"], "x = 3"), "record": (["DATA TYPE Y", "  RECORD", "    INT left:", ":", "Y y:"], "x = 3"),
    "protocol": (["PROTOCOL Y IS INT; BYTE:"], "x = 3"), "retypes": (["VAL INT y RETYPES x:"], "y = 3"), "clock": (["CLOCK y:"], "x = 3"),
    "two": (["VAL INT w IS x:", "VAL INT y IS w + 1:"], "y = 4"),
}
TRUE = ["x = 3", "x > 0", "TRUE", "(x = 3) AND (x < 9)"]
FALSE = ["x = 4", "x < 0", "FALSE", "(x = 4) OR (x > 9)"]


class Maker:
    def __init__(self, rng):
        self.rng, self.slots, self.names = rng, 0, 0
        self.constructs = {name[5:]: getattr(self, name) for name in dir(self) if name.startswith("make_")}

    # -- parts

    def leaf(self):
        if self.slots == SLOTS or self.rng.random() < 0.15:
            return Node(self.rng.choice([["SKIP"], ["SEQ"], ["PAR"], ["SEQ e = 0 FOR 0", "  SKIP"]]), lambda counts: True)
        slot = self.slots
        self.slots += 1

        def run(counts):
            counts[slot] += 1
        return Node([f"s[{slot}] := s[{slot}] + 1"], run)

    def condition(self, truth, spec=None):
        if truth and spec and self.rng.random() < 0.6:
            return SPECS[spec][1]
        return self.rng.choice(TRUE if truth else FALSE)

    def small(self, depth):
        if depth <= 0 or self.rng.random() < 0.5:
            return self.leaf()
        return self.constructs[self.rng.choice(sorted(self.constructs))](depth - 1, self.spec(), self.rng.randrange(3), None)

    def spec(self):
        return self.rng.choice(["none", "none", *sorted(SPECS)])

    def name(self):
        self.names += 1
        return f"n{self.names}"

    def row(self, depth, where, special, other):
        """Parts of which the first, a middle or the last is the special one."""
        before = {0: 0, 1: self.rng.randint(1, 2), 2: self.rng.randint(0, 2)}[where]
        after = {0: self.rng.randint(0, 2), 1: 1, 2: 0}[where]
        return [other(depth) for _ in range(before)] + [special] + [other(depth) for _ in range(after)]

    def under(self, spec, node):
        return Node(SPECS[spec][0] + node.lines, node.run)

    def body(self, depth, inner):
        return self.constructs[inner](depth - 1, self.spec(), self.rng.randrange(3), None) if inner else self.small(depth)

    # -- constructs: (depth, the specification, where the part with it stands, the construct inside)

    def make_seq(self, depth, spec, where, inner):
        parts = self.row(depth - 1, where, self.under(spec, self.body(depth, inner)), self.small)
        return Node(["SEQ"] + deeper(sum((part.lines for part in parts), [])), each(parts))

    def make_par(self, depth, spec, where, inner):
        node = self.make_seq(depth, spec, where, inner)
        return Node(["PAR"] + node.lines[1:], node.run)

    def make_seq_for(self, depth, spec, where, inner):
        count, body = self.rng.choice(["0", "1", "2", "x"]), self.under(spec, self.body(depth, inner))
        turns = 3 if count == "x" else int(count)
        return Node([f"SEQ {self.name()} = {where} FOR {count}"] + deeper(body.lines), lambda counts: [body.run(counts) for _ in range(turns)])

    def make_par_for(self, depth, spec, where, inner):
        count, body = self.rng.randrange(2), self.under(spec, self.body(depth, inner))
        return Node([f"PAR {self.name()} = {where} FOR {count}"] + deeper(body.lines), lambda counts: [body.run(counts) for _ in range(count)])

    def make_while(self, depth, spec, where, inner):
        name, body = self.name(), self.under(spec, self.body(depth, inner))
        lines = [f"INITIAL INT {name} IS {where}:", f"WHILE {name} > 0", "  SEQ", f"    {name} := {name} - 1"] + deeper(deeper(body.lines))
        return Node(lines, lambda counts: [body.run(counts) for _ in range(where)])

    def make_block(self, depth, spec, _, inner):
        return self.under(self.spec(), self.under("none", self.under(spec, self.body(depth, inner))))

    def make_call(self, depth, spec, _, inner):
        name, body = self.name(), self.under(spec, self.body(depth, inner))
        return Node([f"PROC {name} ()"] + deeper(body.lines) + [":", f"{name} ()"], body.run)

    # -- choices; `run` says whether one was taken

    def choice(self, depth, spec, inner=None, truth=None):
        truth = self.rng.random() < 0.4 if truth is None else truth
        body = self.body(depth, inner)
        lines = SPECS[spec][0] + [self.condition(truth, spec)] + deeper(body.lines)
        return Node(lines, lambda counts: truth and (body.run(counts), True)[1])

    def choices(self, depth, spec, where, inner, last):
        """An IF as a choice. `last`: it must take one."""
        kind = self.rng.randrange(4)
        if kind == 0:
            body = self.choice(depth - 1, spec, inner, last or None)
            count = 1 if last else self.rng.randrange(3)
            return Node([f"IF {self.name()} = {where} FOR {count}"] + deeper(body.lines), lambda counts: count > 0 and body.run(counts))
        special = self.nested(depth - 1, spec, where, inner, last and where == 2) if kind == 1 and depth > 0 else self.choice(depth - 1, spec, inner, True if last else None)
        parts = self.row(depth - 1, where, special, lambda d: self.choice(d, self.spec()))
        if last and where != 2:
            parts.append(self.choice(0, self.spec(), None, True))
        return Node(["IF"] + deeper(sum((part.lines for part in parts), [])), lambda counts: any(part.run(counts) for part in parts))

    def nested(self, depth, spec, where, inner, last):
        return self.under(spec, self.choices(depth, self.spec(), where, inner, last))

    def make_if(self, depth, spec, where, inner):
        special = self.choice(depth, spec, inner, True if where == 2 else None)
        return self.whole_if(depth, special, where)

    def make_if_in_if(self, depth, spec, where, inner):
        return self.whole_if(depth, self.nested(depth, spec, self.rng.randrange(3), inner, where == 2), where)

    def whole_if(self, depth, special, where):
        parts = self.row(depth - 1, where, special, lambda d: self.choice(d, self.spec()))
        if where != 2:
            parts.append(self.choice(0, self.spec(), None, True))
        return Node(["IF"] + deeper(sum((part.lines for part in parts), [])), lambda counts: any(part.run(counts) for part in parts))

    def make_case(self, depth, spec, where, inner):
        parts = self.row(depth - 1, where, self.under("none", self.body(depth, inner)), self.small)
        taken, has_else = self.rng.randrange(len(parts)), self.rng.random() < 0.5
        special = {0: 0, 2: len(parts) - 1}.get(where)
        lines = []
        for number, part in enumerate(parts):
            here = spec if special == number or (special is None and 0 < number < len(parts) - 1) else self.spec()
            value = "3" if number == taken else f"{10 + number}, {20 + number}"
            is_else = has_else and number == len(parts) - 1
            lines += SPECS[here][0] + ["ELSE" if is_else else value] + deeper(part.lines)
        return Node(["CASE x"] + deeper(lines), parts[taken].run)

    # -- alternatives

    def alternative(self, depth, spec, inner=None, truth=None):
        truth = self.rng.random() < 0.4 if truth is None else truth
        body = self.body(depth, inner)
        condition = self.condition(truth, spec)
        lines = SPECS[spec][0] + [f"({condition}) & SKIP"] + deeper(body.lines)
        return Node(lines, lambda counts: truth and (body.run(counts), True)[1])

    def alternatives(self, depth, spec, where, inner, last):
        if self.rng.random() < 0.3:
            body = self.alternative(depth - 1, spec, inner, last or None)
            count = 1 if last else self.rng.randrange(3)
            return Node([f"PRI ALT {self.name()} = {where} FOR {count}"] + deeper(body.lines), lambda counts: count > 0 and body.run(counts))
        special = self.alternative(depth - 1, spec, inner, True if last else None)
        parts = self.row(depth - 1, where, special, lambda d: self.alternative(d, self.spec()))
        if last and where != 2:
            parts.append(self.alternative(0, self.spec(), None, True))
        return Node(["PRI ALT"] + deeper(sum((part.lines for part in parts), [])), lambda counts: any(part.run(counts) for part in parts))

    def make_alt(self, depth, spec, where, inner):
        return self.alternatives(depth, spec, where, inner, True)

    def make_alt_in_alt(self, depth, spec, where, inner):
        nested = self.under(spec, self.alternatives(depth - 1, self.spec(), self.rng.randrange(3), inner, where == 2))
        parts = self.row(depth - 1, where, nested, lambda d: self.alternative(d, self.spec()))
        if where != 2:
            parts.append(self.alternative(0, self.spec(), None, True))
        return Node(["PRI ALT"] + deeper(sum((part.lines for part in parts), [])), lambda counts: any(part.run(counts) for part in parts))

    def make_input_guard(self, depth, spec, where, inner):
        body, name = self.body(depth, inner), self.name()
        guard = SPECS[spec][0] + [self.rng.choice([f"{name} ? {name}.v", f"(x = 3) & {name} ? {name}.v"])] + deeper(body.lines)
        other = [f"({self.condition(False)}) & SKIP"] + deeper(self.small(0).lines)
        guards = {0: guard + other, 1: other + guard + other, 2: other + guard}[where]
        lines = [f"CHAN INT {name}:", "PAR", f"  {name} ! 1", f"  INT {name}.v:", "  ALT"] + deeper(deeper(guards))
        return Node(lines, body.run)

    def make_variant(self, depth, spec, where, inner):
        body, name = self.body(depth, inner), self.name()
        lines, taken = [], self.rng.randrange(3)
        parts = [body if number == taken else self.small(0) for number in range(3)]
        for number, part in enumerate(parts):
            here = spec if number == where else self.spec()
            head = ["one", f"two; {name}.v", f"three; {name}.v; {name}.v"][number]
            lines += SPECS[here][0] + [head] + deeper(part.lines)
        message = ["one", "two; 5", "three; 5; 6"][taken]
        return Node([f"CHAN VARIANTS {name}:", "PAR", f"  {name} ! {message}", f"  INT {name}.v:", f"  {name} ? CASE"] + deeper(deeper(lines)),
                    parts[taken].run)


PLACES = range(3)


def cases():
    """All tuples: construct, specification, place, construct inside."""
    names = sorted(Maker(random.Random(0)).constructs)
    return list(itertools.product(names, sorted(SPECS), PLACES, [None, *names]))


def program(number, tuples):
    """(text, what it prints) of a program with a PROC for each tuple."""
    text = ["PROTOCOL VARIANTS", "  CASE", "    one", "    two; INT", "    three; INT; INT", ":"]
    calls, wanted = [], []
    for at, (construct, spec, where, inner) in enumerate(tuples):
        maker = Maker(random.Random(f"{number} {at}"))
        node = maker.constructs[construct](2, spec, where, inner)
        counts = [0] * SLOTS
        node.run(counts)
        wanted.append("".join(chr(ord("0") + count) for count in counts))
        text += [f"-- {construct}, {spec}, {where}, {inner}", f"PROC case{at} (VAL INT x, [{SLOTS}]INT s)"] + deeper(node.lines) + [":"]
        calls += [f"    case{at} (x, s)", "    show ()"]
    text += ["PROC main (CHAN BYTE key?, scr!)", f"  [{SLOTS}]INT s:", "  PROC show ()", "    SEQ", f"      SEQ i = 0 FOR {SLOTS}", "        SEQ",
             "          scr ! BYTE (s[i] + 48)", "          s[i] := 0", "      scr ! '*n'", "  :", "  BYTE none:", "  INITIAL INT x IS 0:", "  SEQ",
             "    key ? none", "    x := (INT none) - 48", f"    SEQ i = 0 FOR {SLOTS}", "      s[i] := 0"] + calls + [":"]
    return "\n".join(text) + "\n", wanted


def verdict(occc, words, folder, text, wanted):
    """What is wrong, or None."""
    source, target = f"{folder}/shape.occ", f"{folder}/shape"
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    done = subprocess.run([occc, "-w", *words, source, "-o", target], capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        return f"{' '.join(words)}: status {done.returncode}: {done.stderr[:1500]}"
    done = subprocess.run([target], input="3", capture_output=True, text=True, timeout=SECONDS, check=False)
    found = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or done.stderr:
        return f"{' '.join(words)}: ends with {done.returncode}: {done.stderr[:500]}"
    wrong = [f"case{at}: {have} for {want}" for at, (have, want) in enumerate(zip(found, wanted)) if have != want]
    return f"{' '.join(words)}: {wrong[0]}" if wrong else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=int, default=1, help="take every N-th of all cases")
    parser.add_argument("--count", type=int, default=10**9, help="programs at most")
    parser.add_argument("--ways", type=int, default=2, help="sets of options for each program")
    parser.add_argument("--save", help="where programs that are wrong are kept")
    parser.add_argument("--print", type=int, metavar="N", help="show program N")
    words = parser.parse_args()
    tuples = cases()[words.seed % words.step::words.step]
    random.Random(words.seed).shuffle(tuples)
    groups = [tuples[i:i + CASES] for i in range(0, len(tuples), CASES)][:words.count]
    if words.print is not None:
        print(program(words.seed * 100000 + words.print, groups[words.print])[0], end="")
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, group in enumerate(groups):
            text, wanted = program(words.seed * 100000 + number, group)
            for way in range(words.ways):
                flags = options.draw(f"{words.seed} {number} {way}", checks=False, levels=["-O0", "-O1"] if way == 0 else ["-O1", "-O2", "-O3", "-Os"])
                complaint = verdict(os.path.abspath(words.occc), flags, folder, text, wanted)
                if complaint:
                    wrong += 1
                    print(f"program {number}: {complaint}", flush=True)
                    if words.save:
                        os.makedirs(words.save, exist_ok=True)
                        with open(f"{words.save}/shape{words.seed}-{number}.occ", "w", encoding="ascii") as file:
                            file.write(text)
    print(f"{sum(map(len, groups))} cases in {len(groups)} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
