"""Random processes without channels: assignment, choice, loops, specifications, PROCs, PAR over disjoint variables.

A scope is the list of the names that may be used here; taking a name out of it, or making it read only, is how the rules
of aliasing and parallel usage are kept."""

from expression import SCALARS, Array, Expr, Maker, Name, Record, Segment, is_int
from machine import WIDTH, Env, OccamError, Slot, box, copy, unsigned, wrap


class Mark:
    """A place in the text: marks at the ends of its first and last line; an error takes the innermost."""

    count = 0

    def __init__(self, lines):
        Mark.count += 1
        self.number = Mark.count
        self.lines = list(lines)
        self.lines[0] += f"\x01{self.number}\x03"
        self.lines[-1] += f"\x02{self.number}\x03"

    def call(self, function, *words):
        try:
            return function(*words)
        except OccamError as error:
            error.places.append(self.number)
            raise


class Stmt(Mark):
    """Lines, and the process they are: `run(env)`."""

    def __init__(self, lines, run):
        super().__init__(lines)
        self.process = run

    def run(self, env):
        try:
            yield from self.process(env)
        except OccamError as error:
            error.places.append(self.number)
            raise


def indent(lines):
    return ["  " + line for line in lines]


def run_all(parts):
    def run(env):
        for part in parts:
            yield from part.run(env)
    return run


def scoped(lines, bind, stmt):
    """A specification before a process."""
    def run(env):
        inner = Env(env)
        bind(inner)
        yield from stmt.run(inner)
    return Stmt(lines + stmt.lines, run)


def without(scope, names):
    return [n for n in scope if n.name not in names]


def frozen(scope, names):
    return [n.as_value() if n.name in names else n for n in scope]


def default_of(kind):
    if isinstance(kind, Array):
        return [default_of(kind.element) for _ in range(kind.count)]
    if isinstance(kind, Record):
        return [default_of(part) for _, part in kind.fields]
    return None


class Function:
    """`apply (actuals)` gives the results; of one that stands in a process, and reads the variables `reads`, it is told where that was."""

    def __init__(self, name, results, formals, apply, reads=None):
        self.name, self.results, self.formals, self.apply, self.is_local = name, results, formals, apply, reads is not None
        self.reads = frozenset(reads or ())

    def invoke(self, env, actuals):
        return self.apply(env["." + self.name], actuals) if self.is_local else self.apply(actuals)

    def is_visible(self, scope):
        return self.reads <= {n.name for n in scope}


class Routine:
    """A PROC: formals as (mode, kind), the free names it uses, what it does."""

    def __init__(self, name, formals, reads, writes, body):
        self.name, self.formals, self.reads, self.writes, self.body = name, formals, reads, writes, body


class StatementMaker(Maker):
    def __init__(self, rng, danger):
        super().__init__(rng, danger)
        self.records = []
        self.machine = None
        self.pure = False
        self.routines = []

    # -- types

    def some_type(self, depth=2):
        pick = self.rng.random()
        if depth == 0 or pick < 0.55:
            return self.rng.choice(SCALARS)
        if pick > 0.985 and depth == 2:
            return Array(self.rng.choice([40, 700]), self.rng.choice(SCALARS))
        if pick < 0.85 or not self.records:
            return Array(self.rng.choice([1, 2, 3, 4, 5, 8]), self.some_type(depth - 1))
        return self.rng.choice(self.records)

    # -- variables

    def declare(self, scope, stmts_of, depth=2):
        """A new variable with a first value, and a process over the larger scope."""
        kind, name = self.some_type(), self.fresh("v")
        value = self.any_value(scope, kind, depth)
        inner = scope + [Name(name, kind, True)]
        body = stmts_of(inner)
        if self.chance(0.5):
            def bind(env):
                env[name] = box(copy(value.value(env.outer)))
            return scoped([f"INITIAL {kind} {name} IS {value.text}:"], bind, body)
        lines = [f"{kind} {name}:", "SEQ", f"  {name} := {value.text}"] + indent(body.lines)

        def run(env):
            local = Env(env)
            local[name] = box(copy(value.value(env)))
            yield from body.run(local)
        return Stmt(lines, run)

    def abbreviate(self, scope, stmts_of):
        """VAL, reference or segment abbreviation."""
        pick, name = self.rng.random(), self.fresh("y")
        if pick < 0.4:
            kind = self.some_type()
            value = self.any_value(scope, kind, 2)
            body = stmts_of(frozen(scope, value.reads) + [Name(name, kind, False)])

            def bind_value(env):
                env[name] = box(copy(value.value(env.outer)))
            return scoped([f"VAL {kind} {name} IS {value.text}:"], bind_value, body)
        if pick < 0.75:
            kind = self.some_type(1)
            place = self.place(scope, kind, True)
            if place is None:
                return None
            body = stmts_of(frozen(without(scope, {place.name}), place.reads) + [Name(name, kind, True)])

            def bind_place(env):
                env[name] = place.slot(env.outer)
            mark = f"{kind} " if self.chance(0.6) else ""
            return scoped([f"{mark}{name} IS {place.text}:"], bind_place, body)
        return self.abbreviate_segment(scope, name, stmts_of)

    def abbreviate_segment(self, scope, name, stmts_of):
        options = [(n, p, k) for n in scope if n.writable for k in SCALARS for p in self.open_paths(n.kind, k)]
        if not options:
            return None
        n, path, element = self.rng.choice(options)
        place = self.walk(without(scope, {n.name}), n, path)
        start, count = self.rng.randint(0, 1), self.rng.choice([1, 2])
        if start + count > 2:
            start = 0
        constant = self.chance(0.5)
        kind = Array(count, element) if constant else Array(None, element)
        if not constant and count == 1:
            count, start = 2, 0
        extra = self.masked(self.integer(without(scope, {n.name}), "INT", 1), "INT", 7)
        if self.danger and self.chance(0.2) and extra.low != extra.high:
            text, at, reads = f"[{place.text} FROM {extra.text} FOR {count}]", extra.value, extra.reads
        else:
            text, at, reads = f"[{place.text} FROM {start} FOR {count}]", lambda env: start, frozenset()
        reads = reads | place.reads
        body = stmts_of(frozen(without(scope, {n.name}), reads) + [Name(name, kind, True)])

        def bind(env):
            array = place.slot(env.outer).get()
            env[name] = box(Segment(array, at(env.outer), count))
        return scoped([f"{kind} {name} IS {text}:"], bind, body)

    # -- plain processes

    def skip(self):
        def run(env):
            return
            yield
        return Stmt(["SKIP"], run)

    def assign(self, scope):
        kind = self.some_type() if self.chance(0.3) else self.rng.choice(SCALARS)
        place = self.place(scope, kind, True)
        if place is None:
            return None
        if isinstance(kind, str):
            value = self.scalar(scope, kind, self.rng.randint(1, 4))
        else:
            value = self.any_value(scope, kind, 2)

        def run(env):
            self.machine.step()
            slot, new = place.slot(env), copy(value.value(env))
            slot.set(new)
            return
            yield
        if value.atom and value.text == place.text:
            return None
        return Stmt([f"{place.text} := {value.text}"], run)

    def assign_several(self, scope):
        """a, b := e, f with targets in different variables that no subscript uses."""
        targets, used = [], set()
        for _ in range(self.rng.randint(2, 3)):
            wanted = self.some_type(1)
            place = self.place(scope, wanted, True, used)
            if place is not None and not any(place.name in t[0].reads for t in targets) and not place.reads & {t[0].name for t in targets}:
                targets.append((place, wanted))
                used |= {place.name}
        if len(targets) < 2:
            return None
        values = [self.any_value(scope, kind, 2) for _, kind in targets]

        def run(env):
            slots, news = [t[0].slot(env) for t in targets], [copy(v.value(env)) for v in values]
            for slot, new in zip(slots, news):
                slot.set(new)
            return
            yield
        return Stmt([f"{', '.join(t[0].text for t in targets)} := {', '.join(v.text for v in values)}"], run)

    def block(self, scope, depth, size=None):
        """A SEQ (or a single process)."""
        parts = [self.statement(scope, depth - 1) for _ in range(size or self.rng.randint(1, 3))]
        if len(parts) == 1 and self.chance(0.7):
            return parts[0]
        return Stmt(["SEQ"] + indent([line for p in parts for line in p.lines]), run_all(parts))

    def choice(self, scope, depth):
        tests = [self.boolean(scope, 3) for _ in range(self.rng.randint(1, 3))]
        bodies = [self.block(scope, depth) for _ in tests]
        if not (self.danger and self.chance(0.3)):
            tests.append(Expr("TRUE", lambda env: True))
            bodies.append(self.block(scope, depth))
        lines = ["IF"]
        for test, body in zip(tests, bodies):
            lines += indent([test.text] + indent(body.lines))

        def run(env):
            for test, body in zip(tests, bodies):
                if test.value(env):
                    yield from body.run(env)
                    return
            raise OccamError("no-choice")
        return Stmt(lines, run)

    def case(self, scope, depth):
        kind = self.rng.choice(["INT", "BYTE", "INT16", "INT64"])
        e = self.integer(scope, kind, 2)
        if self.chance(0.7):
            e = self.masked(e, kind, 7)
        values = self.rng.sample(range(0, 8), self.rng.randint(2, 6))
        cut = self.rng.randint(1, len(values) - 1)
        options = [values[:cut], values[cut:]]
        bodies = [self.block(scope, depth) for _ in options]
        fallback = None if self.danger and self.chance(0.3) else self.block(scope, depth)
        lines = [f"CASE {e.text}"]
        for group, body in zip(options, bodies):
            lines += indent([", ".join(self.constant(kind, v).text for v in group)] + indent(body.lines))
        if fallback:
            lines += indent(["ELSE"] + indent(fallback.lines))

        def run(env):
            value = e.value(env)
            for group, body in zip(options, bodies):
                if value in group:
                    yield from body.run(env)
                    return
            if fallback is None:
                raise OccamError("no-option")
            yield from fallback.run(env)
        return Stmt(lines, run)

    def loop(self, scope, depth):
        """SEQ i = base FOR count STEP step; the count may be an expression."""
        name = self.fresh("i")
        base, step = self.rng.choice([0, 0, 0, 1, 5, -3]), self.rng.choice([1, 1, 1, 1, 2, -1, -2, 0])
        if self.chance(0.5):
            count = self.constant("INT", self.rng.randint(0, 6))
        else:
            count = self.masked(self.integer(scope, "INT", 1), "INT", 7)
            if count.low < 0 and not self.danger:
                count = self.binary("INT", "/\\", count, self.constant("INT", 3), 0, 3)
        ends = sorted([base, base + step * max(count.high - 1, 0)])
        body = self.block(scope + [Name(name, "INT", False, tuple(ends))], depth)
        tail = f" STEP {step}" if step != 1 else ""

        def run(env):
            n = count.value(env)
            if n < 0:
                raise OccamError("replicator-count")
            for k in range(n):
                self.machine.step()
                inner = Env(env)
                inner[name] = box(base + k * step)
                yield from body.run(inner)
        return Stmt([f"SEQ {name} = {base} FOR {count.text}{tail}"] + indent(body.lines), run)

    def while_loop(self, scope, depth):
        name, limit = self.fresh("w"), self.rng.randint(1, 6)
        test = self.boolean(scope + [Name(name, "INT", False)], 2)
        body = self.block(scope + [Name(name, "INT", False, (0, limit))], depth)
        lines = [f"INITIAL INT {name} IS 0:", f"WHILE ({name} < {limit}) AND {test.operand}", "  SEQ"]
        lines += indent(indent(body.lines)) + [f"    {name} := {name} + 1"]

        def run(env):
            inner = Env(env)
            inner[name] = box(0)
            while inner[name].get() < limit and test.value(inner):
                self.machine.step()
                yield from body.run(inner)
                inner[name].set(inner[name].get() + 1)
        return Stmt(lines, run)

    def replicated_if(self, scope, depth):
        name, n = self.fresh("i"), self.rng.randint(1, 5)
        inner = scope + [Name(name, "INT", False, (0, n - 1))]
        test, found, other = self.boolean(inner, 3), self.block(inner, depth), self.block(scope, depth)
        lines = ["IF", f"  IF {name} = 0 FOR {n}", f"    {test.text}"] + indent(indent(indent(found.lines)))
        lines += ["  TRUE"] + indent(indent(other.lines))

        def run(env):
            for k in range(n):
                local = Env(env)
                local[name] = box(k)
                if test.value(local):
                    yield from found.run(local)
                    return
            yield from other.run(env)
        return Stmt(lines, run)

    # -- PAR over disjoint variables

    def parallel(self, scope, depth):
        """Every writable variable goes to one branch, or may be read by all."""
        count = self.rng.randint(2, 3)
        owner = {n.name: self.rng.randrange(count + 1) for n in scope if n.writable}
        bodies = []
        for branch in range(count):
            mine = [n if owner.get(n.name) == branch else n.as_value() for n in scope if owner.get(n.name, count) in (branch, count)]
            bodies.append(self.block(mine, depth))
        lines = ["PAR"] + indent([line for b in bodies for line in b.lines])

        def run(env):
            yield ("par", [b.run(Env(env)) for b in bodies])
        return Stmt(lines, run)

    def parallel_elements(self, scope, depth):
        """PAR i = 0 FOR n: each branch has element i of an array for itself."""
        options = [n for n in scope if n.writable and isinstance(n.kind, Array) and n.kind.count]
        if not options:
            return None
        array = self.rng.choice(options)
        name, mine = self.fresh("p"), self.fresh("e")
        others = [n.as_value() for n in without(scope, {array.name})]
        inner = others + [Name(name, "INT", False, (0, array.kind.count - 1)), Name(mine, array.kind.element, True)]
        body = self.block(inner, depth)
        lines = [f"PAR {name} = 0 FOR {array.kind.count}", f"  {mine} IS {array.name}[{name}]:"] + indent(body.lines)

        def branch(env, k):
            local = Env(env)
            local[name] = box(k)
            local[mine] = self.walk_constant(array.name, k)(env)
            yield from body.run(local)

        def run(env):
            yield ("par", [branch(env, k) for k in range(array.kind.count)])
        return Stmt(lines, run)

    def walk_constant(self, name, k):
        return lambda env: Slot(env[name].get(), k)

    # -- PROCs

    def procedure(self, scope, stmts_of, depth):
        """A PROC with every mode of parameter, free names of this scope, called from the process that follows."""
        name, formals, inner = self.fresh("proc"), [], []
        free = [n for n in scope if self.chance(0.3)]
        for _ in range(self.rng.randint(0, 4)):
            mode = self.rng.choice(["VAL", "VAL", "", "", "RESULT", "INITIAL"])
            kind = self.formal_kind(mode)
            formal = self.fresh("f")
            formals.append((mode, kind, formal))
            inner.append(Name(formal, kind, mode != "VAL"))
        first = [self.assign_result(free, formal, kind) for mode, kind, formal in formals if mode == "RESULT"]
        body = self.block(free + inner, depth, 2)
        inline = self.rng.choice(["", "", "", "INLINE "])
        lines = [f"{inline}PROC {name} ({self.heading(formals)})", "  SEQ"]
        lines += indent(indent([line for s in first + [body] for line in s.lines])) + [":"]
        routine = Routine(name, formals, {n.name for n in free}, {n.name for n in free if n.writable}, run_all(first + [body]))
        self.routines.append(routine)
        after = stmts_of(scope, routine)
        self.routines.pop()

        def bind(env):
            env[name] = env.outer
        return scoped(lines, bind, after)

    def formal_kind(self, mode):
        kind = self.rng.choice(SCALARS) if mode in ("RESULT", "INITIAL") else self.some_type()
        return Array(None, kind.element) if type(kind) is Array and self.chance(0.5) else kind

    def heading(self, formals):
        """The text of formals; one of the mode and type of that before it may leave both out."""
        texts, before = [], None
        for mode, kind, formal in formals:
            same = before == (mode, str(kind)) and self.chance(0.6)
            texts.append(formal if same else f"{mode} {kind} {formal}".strip())
            before = (mode, str(kind))
        return ", ".join(texts)

    def call_known(self, scope):
        """A call of any PROC that is visible here."""
        return self.call_routine(scope, self.rng.choice(self.routines)) if self.routines else None

    def recursive(self, scope, stmts_of, depth):
        """REC PROC with a count of the calls still to come; the body calls once or twice."""
        name, left, acc = self.fresh("rec"), self.fresh("f"), self.fresh("f")
        kind, times, calls = self.rng.choice(SCALARS), self.rng.randint(1, 6), self.rng.randint(1, 2)
        common = [n.as_value() for n in scope if not n.writable]
        inner = common + [Name(left, "INT", False, (0, times)), Name(acc, kind, True)]
        parts = [self.block(inner, depth - 1) for _ in range(calls + 1)]
        again = f"{name} ({left} - 1, {acc})"
        body = parts[0].lines
        for part in parts[1:]:
            body = body + [again] + part.lines
        lines = [f"REC PROC {name} (VAL INT {left}, {kind} {acc})", "  IF", f"    {left} > 0", "      SEQ"]
        lines += ["        " + line for line in body] + ["    TRUE", "      SKIP", ":"]

        def work(env):
            self.machine.step()
            if env[left].get() <= 0:
                return
            yield from parts[0].run(env)
            for part in parts[1:]:
                local = Env(env[name])
                local[left], local[acc] = box(env[left].get() - 1), env[acc]
                yield from work(local)
                yield from part.run(env)
        routine = Routine(name, [("VAL", "INT", left), ("", kind, acc)], {n.name for n in common}, set(), work)
        place = self.place(scope, kind, True)
        if place is None:
            return None
        more = self.block(scope, depth)

        def run(env):
            local = Env(env)
            local[name] = local
            first = Env(local)
            first[left], first[acc] = box(times), place.slot(env)
            yield from routine.body(first)
            yield from more.run(local)
        call = [f"  {name} ({times}, {place.text})"]
        return Stmt(lines + ["SEQ"] + call + indent(more.lines), run)

    def assign_segment(self, scope):
        """[a FROM i FOR n] := [b FROM j FOR n] of different arrays."""
        kind = self.rng.choice(SCALARS)
        options = [(n, p) for n in scope if n.writable for p in self.open_paths(n.kind, kind)]
        if not options:
            return None
        name, path = self.rng.choice(options)
        rest = without(scope, {name.name})
        sources = [(n, p) for n in rest for p in self.open_paths(n.kind, kind)]
        if not sources:
            return None
        target, source = self.walk(rest, name, path), self.walk(rest, *self.rng.choice(sources))
        count = self.rng.randint(0, 2)
        if count and self.chance(0.4):
            size = self.masked(self.integer(rest, "INT", 1), "INT", 1)
            size = size if size.low >= 0 else self.binary("INT", "/\\", size, self.constant("INT", 1), 0, 1)
        else:
            size = self.constant("INT", count)
        at = [self.rng.randint(0, 2 - max(size.high, 0)) for _ in range(2)]
        texts = [f"[{p.text} FROM {a} FOR {size.text}]" for p, a in zip((target, source), at)]

        def run(env):
            n = size.value(env)
            new = copy(Segment(source.slot(env).get(), at[1], n))
            box(Segment(target.slot(env).get(), at[0], n)).set(new)
            return
            yield
        return Stmt([f"{texts[0]} := {texts[1]}"], run)

    def retype(self, scope, stmts_of):
        """An integer seen as bytes, or bytes seen as an integer."""
        name, kind = self.fresh("y"), self.rng.choice(["INT", "INT16", "INT32", "INT64"])
        count = WIDTH[kind] // 8
        old, new = self.rng.sample([kind, Array(count, "BYTE")], 2)
        place = self.place(scope, old)
        if place is None:
            return None
        e = self.read(place)
        body = stmts_of(frozen(scope, e.reads) + [Name(name, new, False)])

        def bind(env):
            value = e.value(env.outer)
            if old == kind:
                env[name] = box(list(unsigned(kind, value).to_bytes(count, "little")))
            else:
                env[name] = box(wrap(kind, int.from_bytes(bytes(value), "little")))
        return scoped([f"VAL {new} {name} RETYPES {e.text}:"], bind, body)

    def parallel_open(self, scope, depth):
        """A PROC that gives each element of an open array to a process of its own."""
        options = [(n, p, k) for n in scope if n.writable for k in SCALARS for p in self.open_paths(n.kind, k)]
        if not options:
            return None
        n, path, kind = self.rng.choice(options)
        place = self.walk(without(scope, {n.name}), n, path)
        name, formal, index, mine = self.fresh("proc"), self.fresh("f"), self.fresh("p"), self.fresh("e")
        common = [n.as_value() for n in scope if not n.writable]
        body = self.block(common + [Name(index, "INT", False, (0, 700)), Name(mine, kind, True)], depth)
        lines = [f"PROC {name} ([]{kind} {formal})", f"  PAR {index} = 0 FOR SIZE {formal}", f"    {mine} IS {formal}[{index}]:"]
        lines += indent(indent(body.lines)) + [":", f"{name} ({place.text})"]

        def branch(env, array, k):
            local = Env(env)
            local[index], local[mine] = box(k), Slot(array, k)
            yield from body.run(local)

        def run(env):
            array = place.slot(env).get()
            yield ("par", [branch(env, array, k) for k in range(len(array))])
        return Stmt(lines, run)

    def assign_result(self, scope, name, kind):
        value = self.scalar([n for n in scope if not n.writable], kind, 1)

        def run(env):
            env[name].set(value.value(env))
            return
            yield
        return Stmt([f"{name} := {value.text}"], run)

    def call_routine(self, scope, routine):
        """A call: reference actuals are different variables that nothing else of the call uses."""
        names = {n.name: n for n in scope}
        if not routine.reads <= set(names) or not all(names[w].writable for w in routine.writes):
            return None
        taken, actuals = set(routine.reads), [None] * len(routine.formals)
        subscripts = set()
        for number, (mode, kind, _) in enumerate(routine.formals):
            if mode in ("", "RESULT"):
                place = self.reference(scope, kind, taken | subscripts)
                if place is None or place.reads & taken:
                    return None
                actuals[number] = place
                taken.add(place.name)
                subscripts |= place.reads
        rest = [n for n in scope if n.name not in taken - (routine.reads - routine.writes)]
        for number, (mode, kind, _) in enumerate(routine.formals):
            if mode in ("VAL", "INITIAL"):
                actuals[number] = self.any_value(rest, kind, 2)
                if actuals[number] is None:
                    return None
        modes = [mode for mode, _, _ in routine.formals]

        def run(env):
            self.machine.step()
            local = Env(env[routine.name])
            for actual, mode, (_, _, formal) in zip(actuals, modes, routine.formals):
                local[formal] = actual.slot(env) if mode in ("", "RESULT") else box(copy(actual.value(env)))
            yield from routine.body(local)
        return Stmt([f"{routine.name} ({', '.join(a.text for a in actuals)})"], run)

    def reference(self, scope, kind, taken):
        if isinstance(kind, Array) and kind.count is None:
            options = [(n, p) for n in scope if n.writable and n.name not in taken for p in self.open_paths(n.kind, kind.element)]
            if not options:
                return None
            name, path = self.rng.choice(options)
            return self.walk([n for n in scope if n.name not in taken | {name.name}], name, path)
        return self.place([n for n in scope if n.name not in taken], kind, True)

    # -- everything

    def statement(self, scope, depth):
        if depth <= 0:
            return self.assign(scope) or self.skip()
        made = None
        for _ in range(4):
            made = self.compound(scope, depth)
            if made is not None:
                return made
        return self.assign(scope) or self.skip()

    def compound(self, scope, depth):
        def rest(inner):
            return self.block(inner, depth - 1)

        def rest_with(inner, routine):
            calls = [self.call_routine(inner, routine) for _ in range(2)]
            parts = [c for c in calls if c] + [self.statement(inner, depth - 1)]
            return Stmt(["SEQ"] + indent([line for p in parts for line in p.lines]), run_all(parts))

        kinds = [(lambda: self.assign(scope), 6), (lambda: self.assign_several(scope), 2), (lambda: self.choice(scope, depth - 1), 2),
                 (lambda: self.case(scope, depth - 1), 2), (lambda: self.loop(scope, depth - 1), 3),
                 (lambda: self.while_loop(scope, depth - 1), 2), (lambda: self.replicated_if(scope, depth - 1), 1),
                 (lambda: self.declare(scope, rest), 3), (lambda: self.abbreviate(scope, rest), 3),
                 (lambda: self.procedure(scope, rest_with, depth - 1), 3), (lambda: self.call_known(scope), 3),
                 (lambda: self.recursive(scope, rest, depth - 1), 1), (lambda: self.assign_segment(scope), 2),
                 (lambda: self.retype(scope, rest), 1)] + self.plain_kinds(scope, depth)
        if not self.pure:
            kinds += [(lambda: self.parallel(scope, depth - 1), 2), (lambda: self.parallel_elements(scope, depth - 1), 2)]
            kinds += [(lambda: self.parallel_open(scope, depth - 1), 1)] + self.more_kinds(scope, depth)
        return self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def plain_kinds(self, scope, depth):
        """More processes that a VALOF may have."""
        return []

    def more_kinds(self, scope, depth):
        """What a maker with channels adds."""
        return []


__all__ = ["Mark", "Stmt", "StatementMaker", "Function", "Routine", "indent", "run_all", "scoped", "without", "frozen", "is_int"]
