#!/usr/bin/env python3
"""Random PARs over arrays, records, segments, abbreviations and PROCs, against running every branch and comparing what it uses.

A program is a PROC with local variables, PROCs with parameters and free names, and a PAR, perhaps with PARs inside. Its meaning is
found by running it for every small value of its parameters: each branch gives the set of the smallest parts it reads and
writes. The compiler may accept only what never meets. What it refuses although nothing meets is counted, and for an error that is not
`usage-unproved` shown with --list. --seed and --count choose the programs; --print N shows one."""

import argparse
import random
import sys

from verdict import errors_of

INT = ("int",)
FIELDS = (("p", INT), ("q", ("arr", 4, INT)))
REC = ("rec",)
VARIABLES = {"a": ("arr", 12, INT), "b": ("arr", 12, INT), "g": ("arr", 4, ("arr", 5, INT)), "r": REC, "rs": ("arr", 5, REC),
             "s": INT, "t": INT}
TRIED = [0, 1, 2, 3, 4, 5]


class Stop(Exception):
    """The branch would end here with an error."""


def spell(kind):
    if kind == INT:
        return "INT"
    return "NODE" if kind == REC else f"[{'' if kind[1] is None else kind[1]}]{spell(kind[2])}"


class Ref:
    """A part of a variable: path of its first cell, type, offset of element 0."""

    def __init__(self, path, kind, offset=0):
        self.path, self.kind, self.offset = path, kind, offset

    def element(self, i):
        if not 0 <= i < self.kind[1]:
            raise Stop
        return Ref(self.path + (self.offset + i,), self.kind[2])

    def segment(self, start, count):
        if start < 0 or count < 0 or start + count > self.kind[1]:
            raise Stop
        return Ref(self.path, ("arr", count, self.kind[2]), self.offset + start)

    def field(self, name):
        return Ref(self.path + (name,), dict(FIELDS)[name])

    def cells(self):
        if self.kind == INT:
            yield self.path
        elif self.kind == REC:
            for name, _ in FIELDS:
                yield from self.field(name).cells()
        else:
            for i in range(self.kind[1]):
                yield from self.element(i).cells()


class Run:
    """One execution; `met` when two branches of a PAR did."""

    def __init__(self):
        self.met = None

    def par(self, branches, log):
        used = {}
        for number, branch in enumerate(branches):
            mine = {}
            try:
                branch(mine)
            except Stop:
                pass
            for cell, written in mine.items():
                for other, other_written in used.get(cell, ()):
                    if written or other_written:
                        self.met = self.met or (cell, other, number)
                used.setdefault(cell, []).append((number, written))
                log[cell] = log.get(cell, False) or written


def note(log, ref, written):
    for cell in ref.cells():
        log[cell] = log.get(cell, False) or written


class Maker:
    def __init__(self, number):
        self.rng = random.Random(number)
        self.number, self.count = number, 0
        self.parameters = self.rng.choice([[], [], ["n"], ["n", "w"]])
        self.procs = []
        self.run = Run()

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def chance(self, p):
        return self.rng.random() < p

    # -- numbers: (text, meaning of env)

    def number_of(self, names, depth=1):
        pick = self.rng.random()
        if not names or pick < 0.1:
            k = self.rng.randint(0, 5)
            return str(k), lambda env: k
        indices = [n for n in names if n[0] == "i"]
        one = indices[-1] if indices and self.chance(0.7) else self.rng.choice(names)
        if depth == 0 or pick < 0.5:
            return one, lambda env: env[one]
        if pick < 0.7:
            k, op = self.rng.randint(1, 3), self.rng.choice("+-")
            return f"{one} {op} {k}", lambda env: env[one] + (k if op == "+" else -k)
        if pick < 0.8:
            k = self.rng.randint(2, 4)
            return f"{one} * {k}", lambda env: env[one] * k
        if pick < 0.87:
            k, other = self.rng.randint(2, 5), self.rng.choice(names)
            return f"({one} * {k}) + {other}", lambda env: env[one] * k + env[other]
        if pick < 0.93:
            other, op = self.rng.choice(names), self.rng.choice("+-")
            return f"{one} {op} {other}", lambda env: env[one] + (env[other] if op == "+" else -env[other])
        k = self.rng.randint(2, 4)
        op = self.rng.choice("/\\")

        def divided(env):
            q = abs(env[one]) // k * (1 if env[one] >= 0 else -1)
            return q if op == "/" else env[one] - q * k
        return f"{one} {op} {k}", divided

    def condition(self, names):
        one = self.rng.choice(names)
        k, op = self.rng.randint(0, 4), self.rng.choice(["=", "<>", "<", ">="])
        half = self.chance(0.3)
        text = f"({one} \\ 2) {op} {k % 2}" if half else f"{one} {op} {k}"

        def holds(env):
            left = abs(env[one]) % 2 * (1 if env[one] >= 0 else -1) if half else env[one]
            right = k % 2 if half else k
            return {"=": left == right, "<>": left != right, "<": left < right, ">=": left >= right}[op]
        return text, holds

    # -- places: (text, ref of env, variable); scope is {name: type}

    def place(self, scope, names, wanted):
        """A part of type `wanted` of a random name; ("arr", None, INT) is any array of INT."""
        options = [(n, p) for n, kind in sorted(scope.items()) for p in self.paths(kind, wanted)]
        if not options:
            return None
        name, path = self.rng.choice(options)
        text, steps = name, []
        for part in path:
            if part == "[]":
                at, value = self.number_of(names)
                text += f"[{at}]"
                steps.append(lambda env, ref, v=value: ref.element(v(env)))
            elif part == "[FROM]":
                at, value = self.number_of(names)
                size, count = self.number_of(names, 0) if self.chance(0.4) else (str(wanted[1]), None)
                if wanted[1] is not None:
                    size, count = str(wanted[1]), lambda env: wanted[1]
                elif count is None:
                    k = self.rng.randint(1, 4)
                    size, count = str(k), lambda env, k=k: k
                text = f"[{text} FROM {at} FOR {size}]"
                steps.append(lambda env, ref, v=value, c=count: ref.segment(v(env), c(env)))
            else:
                text += f"[{part}]"
                steps.append(lambda env, ref, f=part: ref.field(f))

        def find(env):
            ref = env[name]
            for step in steps:
                ref = step(env, ref)
            return ref
        return text, find, name

    def paths(self, kind, wanted, depth=0):
        if kind == wanted or (wanted[0] == "arr" and wanted[1] is None and kind[0] == "arr" and kind[2] == wanted[2]):
            yield ()
        if wanted[0] == "arr" and kind[0] == "arr" and kind[2] == wanted[2] and depth < 3:
            if kind[1] is None or wanted[1] is None or kind[1] > wanted[1]:
                yield ("[FROM]",)
        if kind[0] == "arr":
            for rest in self.paths(kind[2], wanted, depth + 1):
                yield ("[]",) + rest
        if kind == REC:
            for field, part in FIELDS:
                for rest in self.paths(part, wanted, depth + 1):
                    yield (field,) + rest

    # -- processes: (lines, meaning of env and log)

    def assign(self, scope, names):
        target = self.place(scope, names, INT)
        if target is None:
            return None
        source = self.place(scope, names, INT) if self.chance(0.4) else None
        text = f"{target[0]} := {source[0] if source else 0}"

        def act(env, log):
            to = target[1](env)
            if source:
                note(log, source[1](env), False)
            note(log, to, True)
        return [text], act

    def read(self, scope, names):
        source = self.place(scope, names, INT)
        if source is None:
            return None
        return ["INT v:", f"v := {source[0]}"], lambda env, log: note(log, source[1](env), False)

    def whole(self, scope, names):
        """Assignment of a record or of a segment."""
        kind = self.rng.choice([REC, ("arr", 4, INT), ("arr", 2, INT)])
        target = self.place(scope, names, kind)
        value = {REC: "[0, [1, 2, 3, 4]](NODE)", 4: "[1, 2, 3, 4]", 2: "[1, 2]"}[kind if kind == REC else kind[1]]
        if target is None:
            return None
        return [f"{target[0]} := {value}"], lambda env, log: note(log, target[1](env), True)

    def loop(self, scope, names, depth):
        name = self.fresh("j")
        base = self.rng.choice([0, 0, 1])
        count = self.number_of(names, 0) if self.chance(0.4) else None
        if count is None:
            k = self.rng.randint(1, 4)
            count = str(k), lambda env: k
        step = self.rng.choice([1, 1, 1, 2, -1])
        base = 4 if step < 0 else base
        body = self.block(scope, names + [name], depth)
        tail = f" STEP {step}" if step != 1 else ""

        def act(env, log):
            for i in range(max(count[1](env), 0)):
                body[1]({**env, name: base + i * step}, log)
            if count[1](env) < 0:
                raise Stop
        return [f"SEQ {name} = {base} FOR {count[0]}{tail}"] + indent(body[0]), act

    def choice(self, scope, names, depth):
        if not names:
            return None
        text, holds = self.condition(names)
        one, two = self.block(scope, names, depth), self.block(scope, names, depth) if self.chance(0.4) else None
        lines = ["IF", "  " + text] + indent(indent(one[0])) + ["  TRUE"] + (indent(indent(two[0])) if two else ["    SKIP"])

        def act(env, log):
            if holds(env):
                one[1](env, log)
            elif two:
                two[1](env, log)
        return lines, act

    def case(self, scope, names, depth):
        if not names:
            return None
        one, k = self.rng.choice(names), self.rng.randint(0, 3)
        bodies = [self.block(scope, names, depth) for _ in range(2)]
        lines = [f"CASE {one}", f"  {k}, {k + 1}"] + indent(indent(bodies[0][0])) + ["  ELSE"] + indent(indent(bodies[1][0]))
        return lines, lambda env, log: bodies[0 if env[one] in (k, k + 1) else 1][1](env, log)

    def abbreviate(self, scope, names, depth):
        kind = self.rng.choice([INT, INT, REC, ("arr", 4, INT), ("arr", 5, INT), ("arr", None, INT)])
        found = self.place(scope, names, kind)
        if found is None:
            return None
        name = self.fresh("e")
        inner = {n: k for n, k in scope.items() if n != found[2]}
        inner[name] = kind
        body = self.block(inner, names, depth)
        head = f"{name} IS {found[0]}:" if self.chance(0.5) else f"{spell(kind)} {name} IS {found[0]}:"

        def act(env, log):
            ref = found[1](env)
            body[1]({**env, name: ref}, log)
        return [head] + body[0], act

    def value_name(self, scope, names, depth):
        name = self.fresh("k")
        value = self.number_of(names, 2)
        body = self.block(scope, names + [name], depth)
        return [f"VAL INT {name} IS {value[0]}:"] + body[0], lambda env, log: body[1]({**env, name: value[1](env)}, log)

    def par(self, scope, names, depth):
        if self.chance(0.5):
            count = self.rng.randint(2, 3)
            owner = {n: self.rng.randrange(count + 1) if self.chance(0.8) else None for n in scope}
            bodies = [self.block({n: k for n, k in scope.items() if owner[n] in (None, b)} or scope, names, depth) for b in range(count)]

            def act(env, log):
                self.run.par([lambda mine, b=b: b[1](env, mine) for b in bodies], log)
            return ["PAR"] + indent([line for b in bodies for line in b[0]]), act
        return self.replicated_par(scope, names, depth)

    def replicated_par(self, scope, names, depth):
        name = self.fresh("i")
        base, step = self.rng.choice([0, 0, 0, 1]), self.rng.choice([1, 1, 1, 2])
        k = self.rng.randint(2, 5)
        count = (self.rng.choice(self.parameters), None) if self.parameters and self.chance(0.6) else (str(k), k)
        arrays = {n: k for n, k in scope.items() if k[0] == "arr" or self.chance(0.15)}
        body = self.block(arrays or scope, names + [name], depth)
        tail = f" STEP {step}" if step != 1 else ""

        def act(env, log):
            many = env[count[0]] if count[1] is None else k
            self.run.par([lambda mine, i=i: body[1]({**env, name: base + i * step}, mine) for i in range(many)], log)
        return [f"PAR {name} = {base} FOR {count[0]}{tail}"] + indent(body[0]), act

    def call(self, scope, names):
        usable = [p for p in self.procs if p["free"] <= set(scope)]
        if not usable:
            return None
        proc = self.rng.choice(usable)
        rest = {n: k for n, k in scope.items() if n not in proc["free"]}
        actuals = []
        for mode, _, kind in proc["formals"]:
            if mode == "VAL":
                actuals.append(self.number_of(names))
                continue
            found = self.place(rest, names, kind)
            if found is None:
                return None
            rest = {n: k for n, k in rest.items() if n != found[2]}
            actuals.append(found)

        def act(env, log):
            inner = {n: env[n] for n in proc["free"]}
            inner.update({n: env[n] for n in self.parameters})
            for (_, name, _), actual in zip(proc["formals"], actuals):
                inner[name] = actual[1](env)
            proc["body"][1](inner, log)
        return [f"{proc['name']} ({', '.join(a[0] for a in actuals)})"], act

    def block(self, scope, names, depth):
        parts = [self.process(scope, names, depth - 1) for _ in range(self.rng.choice([1, 1, 1, 2]))]
        lines = ["SEQ"] + indent([line for p in parts for line in p[0]])

        def act(env, log):
            for part in parts:
                part[1](env, log)
        return lines, act

    def process(self, scope, names, depth):
        kinds = [lambda: self.assign(scope, names)] * 6 + [lambda: self.read(scope, names)] * 2
        kinds += [lambda: self.whole(scope, names), lambda: self.call(scope, names), lambda: self.call(scope, names)]
        if depth > 0:
            kinds += [lambda: self.loop(scope, names, depth), lambda: self.choice(scope, names, depth),
                      lambda: self.case(scope, names, depth), lambda: self.abbreviate(scope, names, depth),
                      lambda: self.abbreviate(scope, names, depth), lambda: self.value_name(scope, names, depth)]
        if depth > 1 and self.chance(0.5):
            kinds += [lambda: self.par(scope, names, depth - 1)]
        made = None
        while made is None:
            made = self.rng.choice(kinds)() if self.chance(0.98) else (["SKIP"], lambda env, log: None)
        return made

    def procedure(self, scope):
        """Formals, free names of `scope`."""
        name, formals = self.fresh("proc"), []
        for _ in range(self.rng.randint(0, 3)):
            mode = self.rng.choice(["VAL", "", ""])
            kind = INT if mode == "VAL" else self.rng.choice([INT, REC, ("arr", None, INT), ("arr", 4, INT), ("arr", 12, INT)])
            formals.append((mode, self.fresh("f"), kind))
        free = {n: k for n, k in scope.items() if self.chance(0.2)}
        inner = {**free, **{n: k for m, n, k in formals if m != "VAL"}}
        names = [n for m, n, _ in formals if m == "VAL"] + self.parameters
        if not inner:
            return []
        body = self.block(inner, names, 2)
        self.procs.append({"name": name, "formals": formals, "free": set(free), "body": body})
        heads = ", ".join(f"{m} {spell(k)} {n}".strip() for m, n, k in formals)
        return [f"PROC {name} ({heads})"] + indent(body[0]) + [":"]

    def program(self):
        """Lines; afterwards `meets` tries it."""
        formals = ", ".join(f"VAL INT {p}" for p in self.parameters)
        lines = [f"PROC p{self.number} ({formals})"]
        scope = {n: k for n, k in VARIABLES.items() if self.chance(0.5)} or {"a": VARIABLES["a"]}
        lines += [f"  {spell(k)} {n}:" for n, k in scope.items()]
        for _ in range(self.rng.randint(0, 2)):
            lines += indent(self.procedure(scope))
        made = self.replicated_par(scope, list(self.parameters), 3) if self.chance(0.6) else self.par(scope, list(self.parameters), 3)
        self.act = made[1]
        self.scope = scope
        return lines + indent(made[0]) + [":"]

    def meets(self):
        values = [{}]
        for name in self.parameters:
            values = [{**v, name: k} for v in values for k in TRIED]
        for value in values:
            env = {**value, **{n: Ref((n,), k) for n, k in self.scope.items()}}
            self.run.met = None
            try:
                self.act(env, {})
            except Stop:
                pass
            if self.run.met:
                return value, self.run.met
        return None


def indent(lines):
    return ["  " + line for line in lines]


HEAD = ["DATA TYPE NODE", "  RECORD", "    INT p:", "    [4]INT q:", ":"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--print", type=int, dest="show")
    parser.add_argument("--list", action="store_true", help="show what is refused although nothing meets")
    arguments = parser.parse_args()
    if arguments.show is not None:
        print("\n".join(HEAD + Maker(arguments.show).program()))
        return 0
    wrong, tally = 0, {}
    for start in range(arguments.seed, arguments.seed + arguments.count, 100):
        makers = [Maker(number) for number in range(start, min(start + 100, arguments.seed + arguments.count))]
        texts = [maker.program() for maker in makers]
        for maker, text, errors in zip(makers, texts, errors_of(arguments.occc, texts, HEAD)):
            met = maker.meets()
            kinds = {identity for identity, _, _ in errors}
            if any(not k.startswith("usage-") for k in kinds):
                word = "other error"
                odd = [e for e in errors if not e[0].startswith(("usage-", "alias-", "types-subscript", "types-segment", "types-array"))]
                if odd:
                    print(f"program {maker.number}: {odd[0]}")
            elif not kinds and met:
                word = "accepted, but branches meet"
                wrong += 1
                print(f"program {maker.number}: {word}: with {met[0]} branches {met[1][1]} and {met[1][2]} use {met[1][0]}", *text, sep="\n")
            elif not kinds:
                word = "apart, accepted"
            elif met:
                word = "meets, refused"
            else:
                word = "apart, unproved" if kinds <= {"usage-unproved"} else "apart, refused"
                if arguments.list and not kinds <= {"usage-unproved"}:
                    print(f"program {maker.number}: {word}: {errors[:2]}", *text, sep="\n")
            tally[word] = tally.get(word, 0) + 1
    print(", ".join(f"{n} {word}" for word, n in sorted(tally.items())))
    print(f"{arguments.count} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
