"""Random uses of occam-pi: mobile arrays and records, FORK, shared ends and CLAIM, bundles, closing; VALOF
in expressions, RETYPES and RESHAPES by reference, protocols that extend others.

Mobiles are followed while the text is made, so that only what is defined is used."""

from expression import INTS, SCALARS, Array, Expr, Name, Record
from machine import WIDTH, Channel, Env, box, copy, unsigned, wrap
from network import NetworkMaker, named
from statement import Stmt, indent, without


def once(action):
    """A process that does `action` to the environment and does not wait."""
    def run(env):
        action(env)
        return
        yield
    return run


class Mobiles:
    """The text and meaning of a block with mobile arrays of one element type; `size` None where one is undefined."""

    def __init__(self, maker, scope, depth):
        self.maker, self.scope, self.depth = maker, scope, depth
        self.kind = maker.rng.choice(SCALARS)
        self.size = {maker.fresh("mo"): None for _ in range(maker.rng.randint(2, 3))}
        self.parts = []

    def add(self, lines, run):
        self.parts.append(Stmt(lines, run))

    def defined(self):
        return [n for n, size in self.size.items() if size is not None]

    def names(self, writable=True):
        return [Name(n, Array(None, self.kind), writable) for n in self.defined() if self.size[n] >= 2]

    def define(self):
        maker, name = self.maker, self.maker.rng.choice(list(self.size))
        others = self.scope + [n for n in self.names() if n.name != name]
        count = maker.rng.randint(2, 5)
        if maker.chance(0.5):
            value = maker.any_value(others, Array(count, self.kind), 1)
            self.add([f"{name} := {value.text}"], once(lambda env: env.__setitem__(name, box(copy(value.value(env))))))
        else:
            index, value = maker.fresh("i"), None
            value = maker.scalar(others + [Name(index, "INT", False, (0, count - 1))], self.kind, 2)

            def fill(env):
                whole = []
                for k in range(count):
                    local = Env(env)
                    local[index] = box(k)
                    whole.append(value.value(local))
                env[name] = box(whole)
            self.add([f"{name} := MOBILE [{count}]{self.kind}", f"SEQ {index} = 0 FOR {count}", f"  {name}[{index}] := {value.text}"],
                     once(fill))
        self.size[name] = count

    def pair(self):
        """A defined one and another."""
        source = self.maker.rng.choice(self.defined())
        return source, self.maker.rng.choice([n for n in self.size if n != source])

    def move(self):
        source, target = self.pair()
        self.add([f"{target} := {source}"], once(lambda env: env.__setitem__(target, env[source])))
        self.size[target], self.size[source] = self.size[source], None

    def clone(self):
        source, target = self.pair()
        self.add([f"{target} := CLONE {source}"], once(lambda env: env.__setitem__(target, box(copy(env[source].get())))))
        self.size[target] = self.size[source]

    def exchange(self):
        source, target = self.pair()
        if self.size[target] is None:
            return

        def run(env):
            env[source], env[target] = env[target], env[source]
        self.add([f"{source}, {target} := {target}, {source}"], once(run))
        self.size[source], self.size[target] = self.size[target], self.size[source]

    def segment(self):
        source, target = self.pair()
        count = self.maker.rng.randint(1, self.size[source])
        start = self.maker.rng.randint(0, self.size[source] - count)
        self.add([f"{target} := [{source} FROM {start} FOR {count}]"],
                 once(lambda env: env.__setitem__(target, box(copy(env[source].get())[start:start + count]))))
        self.size[target] = count

    def communicate(self):
        source, target = self.pair()
        name = self.maker.fresh("c")
        copied = self.maker.chance(0.3)

        def run(env):
            env[target] = box(copy(env[source].get()))
        self.add([f"CHAN MOBILE []{self.kind} {name}:", "PAR", f"  {name} ! {'CLONE ' if copied else ''}{source}", f"  {name} ? {target}"],
                 once(run))
        self.size[target] = self.size[source]
        if not copied:
            self.size[source] = None

    def resize(self):
        name = self.maker.rng.choice(self.defined())
        count = self.maker.rng.randint(1, self.size[name])
        self.add([f"RESIZE.MOBILE.ARRAY.1D ({name}, {count})"],
                 once(lambda env: env.__setitem__(name, box(env[name].get()[:count]))))
        self.size[name] = count

    def ask(self):
        """DEFINED and SIZE of anything, defined or not."""
        name = self.maker.rng.choice(list(self.size))
        place = self.maker.place(self.scope, "INT", True)
        if place is None:
            return
        known = self.size[name]
        if self.maker.chance(0.5):
            self.add([f"{place.text} := SIZE {name}"], once(lambda env: place.slot(env).set(known or 0)))
        else:
            self.add(["IF", f"  DEFINED {name}", f"    {place.text} := 1", "  TRUE", f"    {place.text} := 2"],
                     once(lambda env: place.slot(env).set(2 if known is None else 1)))

    def use(self):
        """Any process that takes the contents for an array."""
        self.parts.append(self.maker.statement(self.scope + self.names(), self.depth))

    def made(self):
        rng = self.maker.rng
        self.define()
        for _ in range(rng.randint(3, 8)):
            if not self.defined() or self.maker.chance(0.25):
                self.define()
            else:
                rng.choice([self.move, self.clone, self.exchange, self.segment, self.communicate, self.resize, self.ask, self.use, self.use])()
        self.use()
        parts = self.parts

        def run(env):
            local = Env(env)
            for name in self.size:
                local[name] = box([])
            for part in parts:
                yield from part.run(local)
        lines = [f"MOBILE []{self.kind} {', '.join(self.size)}:", "SEQ"] + indent([line for p in parts for line in p.lines])
        return Stmt(lines, run)


class PiMaker(NetworkMaker):
    def __init__(self, rng, danger):
        super().__init__(rng, danger)
        self.operators = []

    # -- VALOF in an expression

    def assign_valof(self, scope, depth):
        kind = self.rng.choice(SCALARS)
        place = self.place(scope, kind, True)
        if place is None:
            return None
        name, first = self.fresh("v"), self.scalar(scope, kind, 1)
        was, self.pure = self.pure, True
        inner = [n.as_value() for n in scope] + [Name(name, kind, True)]
        body = self.block(inner, depth)
        self.pure = was
        result = self.scalar(inner, kind, 2)
        pad = " " * len(f"{place.text} := ")
        lines = [f"{place.text} := (INITIAL {kind} {name} IS {first.text}:", f"{pad} VALOF"]
        lines += [f"{pad}   {line}" for line in body.lines] + [f"{pad}   RESULT {result.text}", f"{pad})"]

        def run(env):
            local = Env(env)
            local[name] = box(first.value(env))
            slot = place.slot(env)
            yield from body.run(local)
            slot.set(result.value(local))
        return Stmt(lines, run)

    # -- the same storage under another type

    def retype_reference(self, scope, depth):
        """An integer as bytes that can be changed, or the elements of an array in other dimensions."""
        if self.chance(0.5):
            return self.reshape(scope, depth)
        kind = self.rng.choice(["INT", "INT16", "INT32", "INT64"])
        place = self.place(scope, kind, True)
        if place is None:
            return None
        name, count = self.fresh("y"), WIDTH[kind] // 8
        part = self.rng.choice(["BYTE", "INT16"]) if count > 2 else "BYTE"
        size = WIDTH[part] // 8
        count //= size
        inner = [n.as_value() for n in without(scope, {place.name})]
        body = self.block(inner + [Name(name, Array(count, part), True)], depth)

        def run(env):
            slot = place.slot(env)
            whole = unsigned(kind, slot.get()).to_bytes(count * size, "little")
            parts = [int.from_bytes(whole[k * size:k * size + size], "little") for k in range(count)]
            local = Env(env)
            local[name] = box([wrap(part, p) for p in parts])
            yield from body.run(local)
            joined = b"".join(unsigned(part, p).to_bytes(size, "little") for p in local[name].get())
            slot.set(wrap(kind, int.from_bytes(joined, "little")))
        mark = self.rng.choice([f"[{count}]{part}", f"[]{part}"])
        return Stmt([f"{mark} {name} RETYPES {place.text}:"] + body.lines, run)

    def reshape(self, scope, depth):
        kind = self.rng.choice(SCALARS)
        old, new = self.rng.choice([(Array(4, kind), Array(2, Array(2, kind))), (Array(8, kind), Array(2, Array(4, kind))),
                                    (Array(4, Array(2, kind)), Array(8, kind)), (Array(2, Array(2, kind)), Array(4, kind)),
                                    (Array(8, kind), Array(4, Array(2, kind)))])
        place = self.place(scope, old, True)
        if place is None:
            return None
        name = self.fresh("y")
        inner = [n.as_value() for n in without(scope, {place.name})]
        body = self.block(inner + [Name(name, new, True)], depth)

        def flat(value):
            return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]

        def shaped(kinds, values):
            if not isinstance(kinds, Array):
                return values.pop(0)
            return [shaped(kinds.element, values) for _ in range(kinds.count)]

        def run(env):
            slot = place.slot(env)
            local = Env(env)
            local[name] = box(shaped(new, flat(copy(slot.get()))))
            yield from body.run(local)
            slot.set(shaped(old, flat(copy(local[name].get()))))
        return Stmt([f"{new} {name} RESHAPES {place.text}:"] + body.lines, run)

    # -- processes that are started, ends that are shared

    def forks(self, scope, depth):
        """n forked processes each give one number to a shared channel; their sum does not depend on the order."""
        if not self.chance(0.7):
            return None
        name, chan, kind = self.fresh("proc"), self.fresh("c"), self.rng.choice(INTS)
        count, index, formal, given = self.rng.randint(1, 5), self.fresh("i"), self.fresh("f"), self.fresh("f")
        place = self.place(scope, kind, True)
        if place is None:
            return None
        inner = [Name(formal, kind, True), Name(index + "n", "INT", False, (0, count - 1))]
        body = self.block(inner, depth)
        rest = [n.as_value() for n in without(scope, {place.name})]
        value = self.integer(rest + [Name(index, "INT", False, (0, count - 1))], kind, 2)
        lines = [f"PROC {name} (VAL INT {index}n, INITIAL {kind} {formal}, SHARED CHAN {kind} {given}!)", "  SEQ"]
        lines += indent(indent(body.lines)) + [f"    CLAIM {given} ! {formal}", ":"]
        lines += [f"SHARED! CHAN {kind} {chan}:", "PAR", "  FORKING", f"    SEQ {index} = 0 FOR {count}",
                  f"      FORK {name} ({index}, {value.text}, {chan}!)", f"  SEQ {self.fresh('i')} = 0 FOR {count}", f"    {kind} {given}x:",
                  "    SEQ", f"      {chan} ? {given}x", f"      {place.text} := {place.text} PLUS {given}x"]

        def work(env, k):
            local = Env(env)
            local[index] = box(k)
            called = Env(env)
            called[index + "n"], called[formal] = box(k), box(value.value(local))
            yield from body.run(called)
            slot = place.slot(env)
            slot.set(wrap(kind, slot.get() + called[formal].get()))

        def run(env):
            for k in range(count):
                yield from work(env, k)
        return Stmt(lines, run) if place.reads == frozenset() else None

    def bundle(self, scope, depth):
        """A client and a server at the ends of a bundle, as PROCs or in place."""
        kind, other = self.rng.choice(SCALARS), self.rng.choice(SCALARS)
        bundle, client, server = self.fresh("BUN"), self.fresh("x"), self.fresh("x")
        count = self.rng.randint(1, 4)
        mine, yours = self.share(scope, 2)
        ask, answer, got, reply = self.fresh("h"), self.fresh("h"), self.fresh("r"), self.fresh("r")
        question = self.scalar(mine, kind, 2)
        after = self.block(mine + [Name(reply, other, True)], depth)
        thought = self.statement(yours + [Name(got, kind, True)], depth)
        result = self.scalar(yours + [Name(got, kind, True)], other, 2)
        closing = self.chance(0.4)
        head = [f"CHAN TYPE {bundle}", "  MOBILE RECORD", f"    CHAN {kind} {ask}?:", f"    CHAN {other} {answer}!:", ":",
                f"{bundle}! {client}:", f"{bundle}? {server}:", "SEQ", f"  {client}, {server} := MOBILE {bundle}", "  PAR"]
        loop = self.fresh("m")
        one = [f"SEQ {loop} = 0 FOR {count}", f"  {other} {reply}:", "  SEQ", f"    {client}[{ask}] ! {question.text}",
               f"    {client}[{answer}] ? {reply}"] + indent(indent(after.lines))
        if closing:
            one = ["SEQ"] + indent(one) + [f"  CLOSE {client}[{ask}]!"]
            two = [f"{kind} {got}:", f"WHILE {server}[{ask}] ? {got}", "  SEQ"]
        else:
            two = [f"SEQ {loop} = 0 FOR {count}", f"  {kind} {got}:", "  SEQ", f"    {server}[{ask}] ? {got}"]
        two += indent(indent(thought.lines)) + [f"    {server}[{answer}] ! {result.text}"]

        def ask_all(env, channels):
            for _ in range(count):
                yield ("out", channels[0], (0, [question.value(env)]))
                _, (value,) = yield ("in", channels[1])
                local = Env(env)
                local[reply] = box(value)
                yield from after.run(local)

        def serve(env, channels):
            for _ in range(count):
                _, (value,) = yield ("in", channels[0])
                local = Env(env)
                local[got] = box(value)
                yield from thought.run(local)
                yield ("out", channels[1], (0, [result.value(local)]))

        def run(env):
            channels = Channel(), Channel()
            yield ("par", [ask_all(Env(env), channels), serve(Env(env), channels)])
        return Stmt(head + indent(indent(one + two)), run)

    def closing(self, scope, depth):
        """A source that closes its channel, and WHILE c ? x."""
        name, count = self.fresh("c"), self.rng.randint(0, 4)
        plain = [p for p in self.protocols if len(p.variants) == 1 and not p.variants[0][0]]
        if not plain:
            return None
        protocol = self.rng.choice(plain)
        mine, yours = self.share(scope, 2)
        source = self.repeat(count, lambda s: self.sequence(self.statement(s, depth), self.send(s, named(name), protocol)), mine)
        decls, texts, names, binds = self.targets([], protocol.variants[0][1])
        body = self.block(yours + names, depth)
        lines = [f"CHAN {protocol.text} {name}:", "PAR", "  SEQ"] + indent(indent(source.lines)) + [f"    CLOSE {name}!"]
        lines += indent(decls + [f"WHILE {name} ? {'; '.join(texts)}"] + indent(body.lines))

        def sink(env):
            for _ in range(count):
                _, values = yield ("in", env[name])
                local = Env(env)
                for bind, value in zip(binds, values):
                    bind(local, value)
                yield from body.run(local)

        def run(env):
            local = Env(env)
            local[name] = Channel()
            yield ("par", [source.run(Env(local)), sink(Env(local))])
        return Stmt(lines, run)

    def timed(self, scope):
        """A timer is read and waited for; nothing of it is seen."""
        name, now = self.fresh("t"), self.fresh("z")
        later = self.rng.randint(0, 30)
        how = self.rng.choice([[f"{name} ? AFTER {now} PLUS {later}"],
                               ["ALT", f"  {name} ? AFTER {now} PLUS {later}", "    SKIP"],
                               ["PRI ALT", f"  FALSE & {name} ? AFTER {now}", "    STOP", "  SKIP", "    SKIP"]])
        return Stmt([f"TIMER {name}:", f"INT {now}:", "SEQ", f"  {name} ? {now}"] + indent(how), self.skip().run)

    def exchange_both(self, scope, depth):
        """Two processes that choose between input and output until each has sent and received."""
        one, two, kind = self.fresh("c"), self.fresh("c"), self.rng.choice(INTS)
        mine, yours = self.share(scope, 2)
        values = self.integer(mine, kind, 1), self.integer(yours, kind, 1)
        targets = self.place(mine, kind, True), self.place(yours, kind, True)
        if None in targets or any(v.reads & {t.name} or t.reads for v, t in zip(values, targets)):
            return None

        def side(out, source, value, target):
            sent, got = self.fresh("z"), self.fresh("z")
            return [f"INITIAL BOOL {sent}, {got} IS FALSE, FALSE:", f"WHILE NOT ({sent} AND {got})", f"  {self.rng.choice(['', 'PRI '])}ALT",
                    f"    (NOT {sent}) & {out} ! {value.text}", f"      {sent} := TRUE", f"    (NOT {got}) & {source} ? {target.text}",
                    f"      {got} := TRUE"]

        def run(env):
            results = [v.value(env) for v in values]
            targets[0].slot(env).set(results[1])
            targets[1].slot(env).set(results[0])
            return
            yield
        lines = [f"CHAN {kind} {one}, {two}:", "PAR"]
        lines += indent(side(one, two, values[0], targets[0]) + side(two, one, values[1], targets[1]))
        return Stmt(lines, run)

    def mobiles(self, scope, depth):
        return Mobiles(self, [n for n in scope if not (isinstance(n.kind, Record) and n.kind.mobile)], depth).made()

    def more_kinds(self, scope, depth):
        return super().more_kinds(scope, depth) + [
            (lambda: self.mobiles(scope, depth - 2), 2), (lambda: self.assign_valof(scope, depth - 2), 1),
            (lambda: self.retype_reference(scope, depth - 1), 2), (lambda: self.forks(scope, depth - 2), 1),
            (lambda: self.bundle(scope, depth - 2), 1), (lambda: self.closing(scope, depth - 2), 1), (lambda: self.timed(scope), 0.3),
            (lambda: self.exchange_both(scope, depth - 2), 0.7)]

