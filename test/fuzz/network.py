"""Random networks whose result does not depend on the schedule: pipelines, rings, farms read by ALT, client and server.

Every channel has one sender and one receiver that agree on how many messages there are."""

from expression import INTS, SCALARS, Array, Expr, Name
from machine import Channel, Env, OccamError, box, copy
from statement import StatementMaker, Stmt, frozen, indent, run_all, without


class Counted:
    """count::[]element with at most `most` elements."""

    def __init__(self, count, element, most):
        self.count, self.element, self.most = count, element, most


class Protocol:
    """`text` after CHAN; `variants` is a list of (tag or None, items); `numbered`: its tags have values."""

    def __init__(self, text, variants, lines=(), numbered=False):
        self.text, self.variants, self.lines, self.numbered = text, variants, list(lines), numbered


class End:
    """A channel: its text without direction, how to find it."""

    def __init__(self, text, find):
        self.text, self.find = text, find


def named(name):
    return End(name, lambda env: env[name])


def element(name, text, at):
    return End(f"{name}[{text}]", lambda env: env[name][at(env)])


class NetworkMaker(StatementMaker):
    def __init__(self, rng, danger):
        super().__init__(rng, danger)
        self.protocols = []

    # -- protocols

    def item(self):
        if self.chance(0.2):
            return Counted(self.rng.choice(["INT", "BYTE", "INT16"]), self.rng.choice(SCALARS), self.rng.randint(2, 6))
        return self.some_type(1)

    def item_text(self, item):
        return f"{item.count}::[]{item.element}" if isinstance(item, Counted) else str(item)

    def make_protocol(self):
        pick, name = self.rng.random(), self.fresh("PR")
        if pick < 0.3:
            kind = self.some_type(1)
            return Protocol(str(kind), [(None, [kind])])
        if pick < 0.4:
            item = Counted(self.rng.choice(["INT", "BYTE", "INT16"]), self.rng.choice(SCALARS), self.rng.randint(2, 6))
            return Protocol(self.item_text(item), [(None, [item])])
        if pick < 0.45:
            return Protocol("ANY", [(None, [self.some_type(1) for _ in range(self.rng.randint(1, 2))])])
        if pick < 0.65:
            items = [self.item() for _ in range(self.rng.randint(2, 4))]
            return Protocol(name, [(None, items)], [f"PROTOCOL {name} IS {'; '.join(map(self.item_text, items))}:"])
        others = [p for p in self.protocols if p.text.startswith("PR")]
        if others and pick < 0.8:
            return self.protocol_of(name, self.rng.choice(others))
        variants = self.new_variants(self.rng.randint(1, 4))
        numbers = self.rng.sample(range(256), len(variants)) if self.chance(0.2) else None
        lines = [f"PROTOCOL {name}", "  CASE"]
        for k, (tag, items) in enumerate(variants):
            lines.append("    " + "; ".join([f"{tag} = {numbers[k]}" if numbers else tag] + [self.item_text(i) for i in items]))
        return Protocol(name, variants, lines + [":"], bool(numbers))

    def new_variants(self, count):
        return [(self.fresh("tag"), [self.item() for _ in range(self.rng.randint(0, 3))]) for _ in range(count)]

    def protocol_of(self, name, other):
        """A protocol made of another: an item of it, or with its tags and more."""
        if not other.variants[0][0]:
            before, after = [self.item()], [self.item()] if self.chance(0.5) else []
            text = [self.item_text(i) for i in before] + [other.text] + [self.item_text(i) for i in after]
            return Protocol(name, [(None, before + other.variants[0][1] + after)], [f"PROTOCOL {name} IS {'; '.join(text)}:"])
        if other.numbered:
            return Protocol(name, other.variants, [f"PROTOCOL {name} EXTENDS {other.text}:"], True)
        more = self.new_variants(self.rng.randint(1, 2))
        tags = ["    " + "; ".join([tag] + [self.item_text(i) for i in items]) for tag, items in more]
        heading = [f"PROTOCOL {name} EXTENDS {other.text}", "  CASE"]
        if self.chance(0.5):
            heading = [f"PROTOCOL {name}", "  CASE", f"    FROM {other.text}"]
        return Protocol(name, other.variants + more, heading + tags + [":"])

    # -- sending and receiving

    def send_item(self, scope, item):
        if not isinstance(item, Counted):
            return self.any_value(scope, item, 2)
        if self.danger and self.chance(0.2):
            count = self.integer(scope, item.count, 1)
        elif self.chance(0.5):
            count = self.constant(item.count, self.rng.randint(0, item.most))
        else:
            count = self.binary(item.count, "/\\", self.integer(scope, item.count, 1), self.constant(item.count, 1), 0, 1)
        array = self.any_value(scope, Array(item.most, item.element), 1)

        def value(env):
            n = count.value(env)
            if not 0 <= n <= item.most:
                raise OccamError("count")
            return [n, array.value(env)[:n]]
        return Expr(f"{count.operand}::{array.text}", value, count.reads | array.reads)

    def send_variant(self, scope, end, protocol, number):
        tag, kinds = protocol.variants[number]
        items = [self.send_item(scope, kind) for kind in kinds]

        def run(env):
            self.machine.step()
            yield ("out", end.find(env), (number, [copy(i.value(env)) for i in items]))
        return Stmt([f"{end.text} ! {'; '.join(([tag] if tag else []) + [i.text for i in items])}"], run)

    def send(self, scope, end, protocol):
        first = self.rng.randrange(len(protocol.variants))
        one = self.send_variant(scope, end, protocol, first)
        if len(protocol.variants) == 1 or self.chance(0.3):
            return one
        other = self.send_variant(scope, end, protocol, self.rng.randrange(len(protocol.variants)))
        test = self.boolean(scope, 2)

        def run(env):
            yield from (one if test.value(env) else other).run(env)
        lines = ["IF", f"  {test.text}"] + indent(indent(one.lines)) + ["  TRUE"] + indent(indent(other.lines))
        return Stmt(lines, run)

    def targets(self, scope, items):
        """(declarations, text, names, bind(env, values)) for the items of an input: new variables, or places of the scope."""
        lines, texts, names, binds, used = [], [], [], [], set()
        for item in items:
            name = self.fresh("r")
            place = None if isinstance(item, Counted) or self.chance(0.6) else self.place(without(scope, used), item, True)
            if place is not None:
                used |= {place.name} | place.reads
                texts.append(place.text)

                def bind(env, value, place=place):
                    place.slot(env).set(copy(value))
            elif isinstance(item, Counted):
                size = self.fresh("n")
                table = self.any_value([], Array(item.most, item.element), 0)
                lines += [f"{item.count} {size}:", f"INITIAL [{item.most}]{item.element} {name} IS {table.text}:"]
                texts.append(f"{size}::{name}")
                names += [Name(size, item.count, True), Name(name, Array(item.most, item.element), True)]

                def bind(env, value, name=name, size=size, table=table):
                    whole = table.value(env)
                    whole[:value[0]] = value[1]
                    env[size], env[name] = box(value[0]), box(whole)
            else:
                lines.append(f"{item} {name}:")
                texts.append(name)
                names.append(Name(name, item, True))

                def bind(env, value, name=name):
                    env[name] = box(value)
            binds.append(bind)
        return lines, texts, names, binds

    def receive(self, scope, end, protocol, body_of, guard=None):
        """An input and what follows it; with `guard` (a condition's text or "") the lines of an alternative.
        The process is `take(env, message)`; as a plain statement it waits first. Some inputs are extended."""
        cases, lines = [], []
        condition = f"{guard} & " if guard else ""
        extended = self.chance(0.15)
        mark = "??" if extended else "?"
        for tag, items in protocol.variants:
            decls, texts, names, binds = self.targets(scope, items)
            body = body_of(scope + names)
            if extended:
                during = self.statement(scope + names, 1)
                body = Stmt(during.lines + body.lines, run_all([during, body]))
            cases.append((binds, body))
            if tag:
                lines += indent(decls + ["; ".join([tag] + texts)] + indent(body.lines))
            elif guard is None and not extended:
                lines = decls + ["SEQ", f"  {end.text} ? {'; '.join(texts)}"] + indent(body.lines)
            else:
                lines = decls + [f"{condition}{end.text} {mark} {'; '.join(texts)}"] + indent(body.lines)
        if len(protocol.variants) == 1 and protocol.variants[0][0] and self.chance(0.5):
            at = len(decls)
            lines = [line[2:] for line in lines]
            lines[at] = f"{condition}{end.text} {mark} CASE {lines[at]}"
            if guard is None and not extended:
                lines = lines[:at] + ["SEQ", "  " + lines[at]] + lines[at + 1:]
        elif protocol.variants[0][0]:
            lines = [f"{condition}{end.text} {mark} CASE"] + lines

        def take(env, message):
            number, values = message
            local = Env(env)
            for bind, value in zip(cases[number][0], values):
                bind(local, value)
            yield from cases[number][1].run(local)

        def run(env):
            message = yield ("in", end.find(env))
            yield from take(env, message)
        return lines, take, run

    # -- networks

    def share(self, scope, count):
        """Scopes for `count` branches: each variable writable in one of them, or read by all."""
        owner = {n.name: self.rng.randrange(count + 1) for n in scope if n.writable}
        return [[n if owner.get(n.name) == b else n.as_value() for n in scope if owner.get(n.name, count) in (b, count)]
                for b in range(count)]

    def repeat(self, count, body_of, scope):
        """SEQ i = 0 FOR count"""
        name = self.fresh("m")
        body = body_of(scope + [Name(name, "INT", False, (0, max(count - 1, 0)))])

        def run(env):
            for k in range(count):
                local = Env(env)
                local[name] = box(k)
                yield from body.run(local)
        return Stmt([f"SEQ {name} = 0 FOR {count}"] + indent(body.lines), run)

    def sequence(self, *parts):
        return Stmt(["SEQ"] + indent([line for p in parts for line in p.lines]), run_all(parts))

    def with_state(self, scope, stmt_of):
        """A local variable that lives through a loop."""
        kind, name = self.rng.choice(INTS), self.fresh("s")
        first = self.literal(kind)
        body = stmt_of(scope + [Name(name, kind, True)])

        def run(env):
            local = Env(env)
            local[name] = box(first.value(env))
            yield from body.run(local)
        return Stmt([f"INITIAL {kind} {name} IS {first.text}:"] + body.lines, run)

    def source(self, scope, end, protocol, count, depth):
        return self.repeat(count, lambda inner: self.sequence(self.statement(inner, depth), self.send(inner, end, protocol)), scope)

    def sink(self, scope, end, protocol, count, depth):
        def body(inner):
            lines, _, run = self.receive(inner, end, protocol, lambda s: self.block(s, depth))
            return Stmt(lines, run)
        return self.repeat(count, body, scope)

    def stage(self, scope, source, target, protocols, count, depth):
        def body(inner):
            def after(s):
                return self.sequence(self.statement(s, depth), self.send(s, target, protocols[1]))
            lines, _, run = self.receive(inner, source, protocols[0], after)
            return Stmt(lines, run)
        return self.with_state(scope, lambda inner: self.repeat(count, body, inner))

    def channels(self, names, protocol, stmt, sizes=None):
        """CHAN declarations before `stmt`."""
        mark = f"[{sizes}]" if sizes else ""

        def run(env):
            local = Env(env)
            for name in names:
                local[name] = [Channel() for _ in range(sizes)] if sizes else Channel()
            yield from stmt.run(local)
        return Stmt([f"{mark}CHAN {protocol.text} {', '.join(names)}:"] + stmt.lines, run)

    def par(self, bodies):
        def run(env):
            yield ("par", [b.run(Env(env)) for b in bodies])
        return Stmt(["PAR"] + indent([line for b in bodies for line in b.lines]), run)

    def par_for(self, name, count, body):
        def branch(env, k):
            local = Env(env)
            local[name] = box(k)
            yield from body.run(local)

        def run(env):
            yield ("par", [branch(env, k) for k in range(count)])
        return Stmt([f"PAR {name} = 0 FOR {count}"] + indent(body.lines), run)

    def pipeline(self, scope, depth):
        """source, different stages, sink; each channel has a protocol of its own."""
        stages, count = self.rng.randint(0, 3), self.rng.randint(1, 5)
        names = [self.fresh("c") for _ in range(stages + 1)]
        protocols = [self.rng.choice(self.protocols) for _ in names]
        scopes = self.share(scope, stages + 2)
        bodies = [self.source(scopes[0], named(names[0]), protocols[0], count, depth)]
        for k in range(stages):
            ends = named(names[k]), named(names[k + 1])
            bodies.append(self.stage(scopes[k + 1], *ends, (protocols[k], protocols[k + 1]), count, depth))
        bodies.append(self.sink(scopes[-1], named(names[-1]), protocols[-1], count, depth))
        self.rng.shuffle(bodies)
        stmt = self.par(bodies)
        for name, protocol in zip(names, protocols):
            stmt = self.channels([name], protocol, stmt)
        return stmt

    def replicated_pipeline(self, scope, depth):
        """The same stage n times over an array of channels, as a PROC with channel parameters."""
        size, count, protocol = self.rng.randint(1, 6), self.rng.randint(1, 4), self.rng.choice(self.protocols)
        array, name, index = self.fresh("cs"), self.fresh("stage"), self.fresh("j")
        scopes = self.share(scope, 2)
        common = [n.as_value() for n in scope if not n.writable]
        inner = common + [Name("number", "INT", False)]
        body = self.stage(inner, named("in"), named("out"), (protocol, protocol), count, depth)
        last = element(array, str(size), lambda env: size)
        ends = self.source(scopes[0], element(array, "0", lambda env: 0), protocol, count, depth), \
            self.sink(scopes[1], last, protocol, count, depth)

        def call(env):
            local, k = Env(env[name]), env[index].get()
            local["in"], local["out"], local["number"] = env[array][k], env[array][k + 1], box(k)
            yield from body.run(local)
        marks = self.rng.choice([("?", "!", "?", "!"), ("", "", "", ""), ("?", "!", "", "")])
        text = f"{name} ({array}[{index}]{marks[2]}, {array}[{index} + 1]{marks[3]}, {index})"
        stages = self.par_for(index, size, Stmt([text], call))
        stmt = self.channels([array], protocol, self.par([ends[0], stages, ends[1]]), size + 1)
        lines = [f"PROC {name} (CHAN {protocol.text} in{marks[0]}, out{marks[1]}, VAL INT number)"] + indent(body.lines) + [":"]

        def run(env):
            local = Env(env)
            local[name] = env
            yield from stmt.run(local)
        return Stmt(lines + stmt.lines, run)

    def ring(self, scope, depth):
        """n nodes, each outputs to the next and inputs from the one before, in turn or in parallel."""
        arrays = [n for n in scope if n.writable and isinstance(n.kind, Array) and n.kind.count and n.kind.count > 1]
        if not arrays:
            return None
        array = self.rng.choice(arrays)
        size, rounds, protocol = array.kind.count, self.rng.randint(1, 4), self.rng.choice(self.protocols)
        chans, j, mine = self.fresh("cs"), self.fresh("j"), self.fresh("e")
        others = [n.as_value() for n in without(scope, {array.name})] + [Name(j, "INT", False, (0, size - 1))]
        state = Name(mine, array.kind.element, True)
        before = element(chans, j, lambda env: env[j].get())
        after = element(chans, f"({j} + 1) \\ {size}", lambda env: (env[j].get() + 1) % size)
        if self.chance(0.5):
            def turn(inner):
                return self.par([self.send(frozen(inner, {mine}), after, protocol),
                                 self.received(without(inner, {mine}), before, protocol, 1)])
            node = self.repeat(rounds, turn, others + [state])
        else:
            def first(inner):
                return self.sequence(self.send(inner, after, protocol), self.received(inner, before, protocol, depth))

            def second(inner):
                lines, _, run = self.receive(inner, before, protocol, lambda s: self.sequence(
                    self.statement(s, depth), self.send(s, after, protocol)))
                return Stmt(lines, run)
            one, two = self.repeat(rounds, first, others + [state]), self.repeat(rounds, second, others + [state])
            lines = ["IF", f"  {j} = 0"] + indent(indent(one.lines)) + ["  TRUE"] + indent(indent(two.lines))

            def run(env):
                yield from (one if env[j].get() == 0 else two).run(env)
            node = Stmt(lines, run)

        def with_mine(env):
            local = Env(env)
            local[mine] = self.walk_constant(array.name, env[j].get())(env)
            yield from node.run(local)
        body = Stmt([f"{mine} IS {array.name}[{j}]:"] + node.lines, with_mine)
        return self.channels([chans], protocol, self.par_for(j, size, body), size)

    def received(self, scope, end, protocol, depth):
        lines, _, run = self.receive(scope, end, protocol, lambda s: self.block(s, depth))
        return Stmt(lines, run)

    def farm(self, scope, depth):
        """n senders; one ALT takes whatever comes and keeps what it learns of each sender apart."""
        size, count, protocol = self.rng.randint(2, 5), self.rng.randint(1, 4), self.rng.choice(self.protocols)
        chans, j, sums, got = self.fresh("cs"), self.fresh("j"), self.fresh("v"), self.fresh("v")
        kind = self.rng.choice(INTS)
        common = [n.as_value() for n in scope]
        workers = self.par_for(j, size, self.repeat(count, lambda s: self.send(s, element(chans, j, lambda env: env[j].get()), protocol),
                                                    common + [Name(j, "INT", False, (0, size - 1))]))
        mine = self.fresh("e")

        def slot(env, k):
            local = Env(env)
            local[mine] = self.walk_constant(sums, k)(env)
            return local

        written_out = self.chance(0.5)
        guards = []
        for k in range(size if written_out else 1):
            index = self.fresh("g")
            end = element(chans, str(k), lambda env, k=k: k) if written_out else element(chans, index, None)
            text = f"({got}[{k if written_out else index}] < {count})" if self.chance(0.6) else ""
            where = k if written_out else index
            lines, take, _ = self.receive(common + [Name(mine, kind, True)], end, protocol,
                                          lambda s, w=where: self.counted(got, w, self.block(s, 1)), text)
            guards.append((index, [f"{mine} IS {sums}[{where}]:"] + lines, take, where))
        pri = self.rng.choice(["PRI ", ""])
        if written_out:
            lines = [f"{pri}ALT"] + [line for g in guards for line in indent(g[1])]
        else:
            lines = [f"{pri}ALT {guards[0][0]} = 0 FOR {size}"] + indent(guards[0][1])

        def choose(env):
            for _ in range(size * count):
                number, message = yield ("alt", list(env[chans]))
                yield from guards[number if written_out else 0][2](slot(env, number), message)
        collect = Stmt([f"SEQ {self.fresh('m')} = 0 FOR {size * count}"] + indent(lines), choose)
        body = self.par([workers, collect])
        after = self.block(scope + [Name(sums, Array(size, kind), True)], depth)
        stmt = self.channels([chans], protocol, body, size)
        zeros = f"[{', '.join([self.constant(kind, 0).text] * size)}]"
        nones = f"[{', '.join(['0'] * size)}]"

        def run(env):
            local = Env(env)
            local[sums] = box([0] * size)
            yield from stmt.run(local)
            yield from after.run(local)
        lines = [f"INITIAL [{size}]{kind} {sums} IS {zeros}:", f"INITIAL [{size}]INT {got} IS {nones}:", "SEQ"]
        return Stmt(lines + indent(stmt.lines) + indent(after.lines), run)

    def counted(self, got, where, body):
        """Counts a message, so that conditions switch off the senders that have ended."""
        return Stmt(["SEQ", f"  {got}[{where}] := {got}[{where}] + 1"] + indent(body.lines), body.run)

    def server(self, scope, depth):
        """A client asks, a server answers."""
        ask, reply = self.fresh("c"), self.fresh("c")
        protocols = self.rng.choice(self.protocols), self.rng.choice(self.protocols)
        count = self.rng.randint(1, 4)
        mine, yours = self.share(scope, 2)

        def client(inner):
            lines, _, run = self.receive(inner, named(reply), protocols[1], lambda s: self.block(s, depth))
            return self.sequence(self.send(inner, named(ask), protocols[0]), Stmt(lines, run))
        stmt = self.par([self.repeat(count, client, mine),
                         self.stage(yours, named(ask), named(reply), protocols, count, depth)])
        for name, protocol in zip((ask, reply), protocols):
            stmt = self.channels([name], protocol, stmt)
        return stmt

    def more_kinds(self, scope, depth):
        return [(lambda: self.pipeline(scope, depth - 2), 1.5), (lambda: self.replicated_pipeline(scope, depth - 2), 1.5),
                (lambda: self.ring(scope, depth - 2), 1.5), (lambda: self.farm(scope, depth - 2), 1.5),
                (lambda: self.server(scope, depth - 2), 1)]
