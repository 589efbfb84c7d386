"""Random well-typed expressions and places, each with its text and its meaning (see machine.py).

Every integer expression carries the range of its values, so a checked operation is only written down where it cannot
fail - except in a program that is meant to fail (`Maker.danger`)."""

from machine import (COMPARE, INTEGER, RANGE, REAL, WIDTH, Env, OccamError, Segment, Slot, box, copy, divide, fit, index,
                     integer_of, real_of, single, unsigned, wrap)

INTS = ["INT", "INT", "INT", "INT", "BYTE", "BYTE", "INT16", "INT32", "INT64", "UINT", "UINT16", "UINT32", "UINT64"]
REALS = ["REAL32", "REAL64"]
SCALARS = INTS + ["BOOL"] + REALS


class Array:
    """[count]element; `count` None is an open array of at least two elements."""

    def __init__(self, count, element):
        self.count, self.element = count, element

    def __eq__(self, other):
        return isinstance(other, Array) and (self.count, self.element) == (other.count, other.element)

    def __str__(self):
        return f"[{'' if self.count is None else self.count}]{self.element}"


class Record:
    def __init__(self, name, fields, mobile=False, packed=False):
        self.name, self.fields, self.mobile, self.packed = name, fields, mobile, packed

    def __str__(self):
        return self.name


def is_int(kind):
    return isinstance(kind, str) and kind in RANGE


def is_real(kind):
    return isinstance(kind, str) and kind in REALS


class Expr:
    """Text, meaning, range, the variables it reads, whether it can be an operand as it is."""

    def __init__(self, text, value, reads=frozenset(), low=None, high=None, atom=False):
        self.text, self.value, self.reads, self.low, self.high, self.atom = text, value, frozenset(reads), low, high, atom

    @property
    def operand(self):
        return self.text if self.atom else f"({self.text})"


class Place:
    """A variable or a part of one: text, slot at run time, the variable, what its subscripts read."""

    def __init__(self, text, slot, name, reads, low=None, high=None):
        self.text, self.slot, self.name, self.reads, self.low, self.high = text, slot, name, frozenset(reads), low, high


class Name:
    """A variable (or VAL) of a scope. `known`: the range of an index or constant."""

    def __init__(self, name, kind, writable, known=None):
        self.name, self.kind, self.writable, self.known = name, kind, writable, known

    def as_value(self):
        return Name(self.name, self.kind, False, self.known)


class Maker:
    """Makes expressions over a scope: a list of Name, a list of functions, `rng`."""

    def __init__(self, rng, danger):
        self.rng, self.danger, self.count = rng, danger, 0
        self.functions = []

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def chance(self, p):
        return self.rng.random() < p

    # -- places

    def paths(self, kind, wanted, depth=0):
        """Ways from a value of `kind` to a part of type `wanted`."""
        if kind == wanted:
            yield ()
        if isinstance(kind, Array) and depth < 4:
            for rest in self.paths(kind.element, wanted, depth + 1):
                yield (kind,) + rest
        if isinstance(kind, Record):
            for number, (field, part) in enumerate(kind.fields):
                for rest in self.paths(part, wanted, depth + 1):
                    yield ((field, number),) + rest

    def subscript(self, scope, array, text, find):
        """An index into `array`; `find(env)` gives it at run time."""
        least = 2 if array.count is None else array.count
        names = [n for n in scope if n.known and n.kind == "INT" and n.known[0] >= 0 and n.known[1] < least]
        if self.danger and self.chance(0.15):
            return self.integer(scope, "INT", 1)
        if names and self.chance(0.6):
            return self.name_of(self.rng.choice(names))
        if self.chance(0.4):
            return self.constant("INT", self.rng.randrange(least))
        inner = self.masked(self.integer(scope, "INT", 1), "INT", 32767)
        if array.count is None:
            return Expr(f"{inner.operand} \\ (SIZE {text})", lambda env: inner.value(env) % len(find(env)), inner.reads, 0, None)
        n = array.count
        return Expr(f"{inner.operand} \\ {n}", lambda env: inner.value(env) % n, inner.reads, 0, n - 1)

    def walk(self, scope, name, path):
        text, reads = name.name, set()
        steps = []

        def find(env, upto=None):
            value = env[name.name].get()
            for step in steps[:upto]:
                value = value[step(env, value)]
            return value

        for part in path:
            if isinstance(part, Array):
                before = len(steps)
                sub = self.subscript(scope, part, text, lambda env, n=before: find(env, n))
                steps.append(lambda env, value, s=sub: index(value, s.value(env)))
                reads |= sub.reads
                text += f"[{sub.text}]"
            else:
                steps.append(lambda env, value, k=part[1]: k)
                text += f"[{part[0]}]"

        def slot(env):
            if not steps:
                return env[name.name]
            value = find(env, len(steps) - 1)
            return Slot(value, steps[-1](env, value))

        low, high = name.known or (RANGE[name.kind] if is_int(name.kind) else (None, None)) if not path else (None, None)
        return Place(text, slot, name.name, reads, low, high)

    def place(self, scope, kind, writable=False, avoid=frozenset()):
        """A random place of type `kind`, or None."""
        options = [(n, p) for n in scope if (n.writable or not writable) and n.name not in avoid for p in self.paths(n.kind, kind)]
        if not options:
            return None
        name, path = self.rng.choice(options)
        inner = [n for n in scope if n.name != name.name] if writable else scope
        found = self.walk(inner, name, path)
        if found.low is None and is_int(kind):
            found.low, found.high = RANGE[kind]
        return found

    def read(self, place):
        return Expr(place.text, lambda env: place.slot(env).get(), place.reads | {place.name}, place.low, place.high, True)

    def name_of(self, name):
        low, high = name.known or (RANGE[name.kind] if is_int(name.kind) else (None, None))
        return Expr(name.name, lambda env: env[name.name].get(), {name.name}, low, high, True)

    # -- integers

    def constant(self, kind, value):
        low, _ = RANGE[kind]
        if kind == "BYTE":
            text = f"'{chr(value)}'" if chr(value).isalnum() and value < 127 else f"{value} (BYTE)"
            return Expr(text, lambda env: value, (), value, value, True)
        if value == low:
            return Expr(f"MOSTNEG {kind}", lambda env: value, (), value, value)
        mark = "" if kind == "INT" else f" ({kind})"
        if value >= 0:
            return Expr(f"{value}{mark}", lambda env: value, (), value, value, True)
        return Expr(f"-{-value}{mark}", lambda env: value, (), value, value)

    def literal(self, kind):
        low, high = RANGE[kind]
        edge = [0, 1, 2, 3, 7, 10, 100, high, high - 1, low, low + 1, -1, -2, -7, 1 << self.rng.randrange(WIDTH[kind] - 1)]
        value = self.rng.choice(edge) if self.chance(0.6) else self.rng.randint(low, high)
        return self.constant(kind, min(high, max(low, value)))

    def masked(self, e, kind, limit):
        """`e` brought into -limit..limit, or 0..limit."""
        if -limit <= e.low and e.high <= limit and not (e.low < 0 and limit == 32767):
            return e
        mask = (1 << (limit + 1).bit_length() - 1) - 1
        if e.low < 0 and self.chance(0.4) and limit != 32767:
            n = self.constant(kind, max(mask, 2))
            top = n.low - 1
            return Expr(f"{e.operand} \\ {n.operand}", lambda env: INTEGER["\\"](kind, e.value(env), n.low), e.reads, -top, top)
        m = self.constant(kind, mask)
        return Expr(f"{e.operand} /\\ {m.operand}", lambda env: wrap(kind, e.value(env) & m.low), e.reads, 0, mask)

    def binary(self, kind, operator, a, b, low=None, high=None):
        least, most = RANGE[kind]
        f = INTEGER[operator]
        return Expr(f"{a.operand} {operator} {b.operand}", lambda env: f(kind, a.value(env), b.value(env)), a.reads | b.reads,
                    least if low is None else low, most if high is None else high)

    def checked_operation(self, scope, kind, depth):
        operator = self.rng.choice(["+", "-", "*", "/", "\\"])
        a, b = self.integer(scope, kind, depth), self.integer(scope, kind, depth)
        least, most = RANGE[kind]
        if self.danger and self.chance(0.1):
            return self.binary(kind, operator, a, b)
        if operator in "/\\":
            b = self.masked(b, kind, 31)
            if b.low <= 0 <= b.high:
                if b.high == most or b.low < 0:
                    b = self.masked(Expr(b.text, b.value, b.reads, *RANGE[kind], atom=b.atom), kind, 15)
                    b = b if b.low >= 0 else self.constant(kind, 3)
                one = self.constant(kind, 1)
                b = b if b.low > 0 else self.binary(kind, "+", b, one, b.low + 1, b.high + 1)
            if b.low <= -1 and a.low == least:
                a = self.masked(a, kind, 100)
            if operator == "\\":
                top = max(abs(b.low), abs(b.high)) - 1
                return self.binary(kind, operator, a, b, 0 if a.low >= 0 else -top, top)
            wide = "INT64" if least < 0 else "UINT64"
            ends = [divide(wide, x, y) if x > -2**63 else x for x in (a.low, a.high, 0 if a.low <= 0 <= a.high else a.low)
                    for y in (b.low, b.high)]
            return self.binary(kind, operator, a, b, max(least, min(ends)), min(most, max(ends)))
        for limit in (None, (15 if kind == "BYTE" else 100), 7):
            if limit is not None:
                a, b = self.masked(a, kind, limit), self.masked(b, kind, limit)
            ends = [{"+": x + y, "-": x - y, "*": x * y}[operator] for x in (a.low, a.high) for y in (b.low, b.high)]
            if operator == "-":
                ends = [a.low - b.high, a.high - b.low]
            if least <= min(ends) and max(ends) <= most:
                return self.binary(kind, operator, a, b, min(ends), max(ends))
        return self.binary(kind, {"+": "PLUS", "-": "MINUS", "*": "TIMES"}[operator], a, b)

    def shift_operation(self, scope, kind, depth):
        a = self.integer(scope, kind, depth)
        n = self.integer(scope, "INT", depth - 1)
        width = WIDTH[kind]
        if self.danger and self.chance(0.1):
            pass
        elif self.chance(0.5):
            n = self.constant("INT", self.rng.choice([0, 1, 3, width - 1, width]))
        elif n.low < 0 or n.high > width:
            n = self.binary("INT", "/\\", n, self.constant("INT", width - 1), 0, width - 1)
        return self.binary(kind, self.rng.choice(["<<", ">>"]), a, n)

    def conversion_text(self, kind, e):
        """To a type of one's own without brackets only where a name stands."""
        return f"{kind} {e.operand}" if kind in INTS or e.text.isalnum() else f"{kind} ({e.text})"

    def converted(self, scope, kind, depth):
        """From another type."""
        low, high = RANGE[kind]
        source = self.rng.choice([k for k in INTS + ["BOOL", "REAL64", "REAL32"] if k != kind])
        if source == "BOOL":
            e = self.boolean(scope, depth)
            return Expr(self.conversion_text(kind, e), lambda env: int(e.value(env)), e.reads, 0, 1)
        if is_real(source):
            inner = self.masked(self.integer(scope, "INT", depth), "INT", 100)
            half = self.rng.choice([0.5, 1.5, 0.25, 1.0])
            mode = self.rng.choice(["ROUND", "TRUNC"])
            wide = Expr(f"({source} ROUND {inner.operand}) * {half} ({source})",
                        lambda env: float(inner.value(env)) * half, inner.reads)
            if inner.low < low or not -100 <= inner.low or inner.high > 80:
                inner = self.binary("INT", "/\\", inner, self.constant("INT", 63), 0, 63)
                wide = Expr(f"({source} ROUND {inner.operand}) * {half} ({source})",
                            lambda env: float(inner.value(env)) * half, inner.reads)
            return Expr(f"{kind} {mode} {wide.operand}", lambda env: integer_of(kind, wide.value(env), mode), wide.reads,
                        *((max(low, -151), 151) if low < 0 else (0, 151)))
        e = self.integer(scope, source, depth)
        if not (low <= e.low and e.high <= high) and not (self.danger and self.chance(0.15)):
            e = self.masked(e, source, 127)
            if e.low < low:
                e = self.binary(source, "/\\", e, self.constant(source, 63), 0, 63)

        def value(env):
            v = e.value(env)
            if not low <= v <= high:
                raise OccamError("conversion")
            return v
        least, most = max(low, e.low), min(high, e.high)
        if least > most:
            least, most = low, high  # it always fails
        return Expr(self.conversion_text(kind, e), value, e.reads, least, most)

    def integer(self, scope, kind, depth):
        pick = self.rng.random()
        if depth <= 0 or pick < 0.2:
            found = self.place(scope, kind) if self.chance(0.8) else None
            return self.read(found) if found else self.literal(kind)
        if pick < 0.45:
            return self.checked_operation(scope, kind, depth - 1)
        if pick < 0.65:
            operator = self.rng.choice(["PLUS", "MINUS", "TIMES", "/\\", "\\/", "><"])
            a, b = self.integer(scope, kind, depth - 1), self.integer(scope, kind, depth - 1)
            low = high = None
            if operator == "/\\" and min(a.low, b.low) >= 0:
                low, high = 0, min(a.high, b.high)
            return self.binary(kind, operator, a, b, low, high)
        if pick < 0.73:
            return self.shift_operation(scope, kind, depth)
        if pick < 0.78:
            a = self.integer(scope, kind, depth - 1)
            return Expr(f"~ {a.operand}", lambda env: wrap(kind, ~a.value(env)), a.reads, *RANGE[kind])
        if pick < 0.82 and RANGE[kind][0] < 0:
            a = self.masked(self.integer(scope, kind, depth - 1), kind, 1000)
            return Expr(f"- {a.operand}", lambda env: -a.value(env), a.reads, -a.high, -a.low)
        if pick < 0.9:
            return self.converted(scope, kind, depth - 1)
        if pick < 0.92 and kind == "INT":
            arrays = [n for n in scope if isinstance(n.kind, Array)]
            if arrays:
                n = self.rng.choice(arrays)
                # SIZE is no use of the array, but the scope may not have it later
                return Expr(f"SIZE {n.name}", lambda env: len(env[n.name].get()), {n.name}, 1, 700)
        if pick < 0.94 and depth >= 2:
            return self.from_table(scope, kind)
        return self.call(scope, kind, depth - 1) or self.integer(scope, kind, depth - 1)

    def from_table(self, scope, kind):
        """An element of a table, which stays where it is."""
        parts = [self.integer(scope, kind, 1) for _ in range(self.rng.randint(2, 5))]
        sub = self.binary("INT", "\\", self.masked(self.integer(scope, "INT", 1), "INT", 32767), self.constant("INT", len(parts)),
                          0, len(parts) - 1)
        return Expr(f"[{', '.join(p.text for p in parts)}][{sub.text}]",
                    lambda env: [p.value(env) for p in parts][sub.value(env)],
                    sub.reads.union(*(p.reads for p in parts)), *RANGE[kind], atom=True)

    # -- functions

    def call(self, scope, kind, depth):
        options = [f for f in self.functions if f.results == [kind] and f.is_visible(scope)]
        if not options:
            return None
        f = self.rng.choice(options)
        actuals = self.actuals(scope, f, depth)
        if actuals is None:
            return None
        low, high = RANGE[kind] if is_int(kind) else (None, None)
        return Expr(f"{f.name} ({', '.join(a.text for a in actuals)})", lambda env: f.invoke(env, [a.value(env) for a in actuals])[0],
                    f.reads.union(*(a.reads for a in actuals)), low, high, True)

    def actuals(self, scope, f, depth):
        actuals = [self.any_value(scope, kind, depth) for kind in f.formals]
        return None if None in actuals else actuals

    # -- truth values

    def boolean(self, scope, depth):
        pick = self.rng.random()
        if depth <= 0 or pick < 0.15:
            found = self.place(scope, "BOOL") if self.chance(0.8) else None
            if found:
                return self.read(found)
            value = self.chance(0.5)
            return Expr("TRUE" if value else "FALSE", lambda env: value, (), atom=True)
        if pick < 0.6:
            kind = self.rng.choice(SCALARS)
            a, b = self.scalar(scope, kind, depth - 1), self.scalar(scope, kind, depth - 1)
            operator = self.rng.choice(["=", "<>"] if kind == "BOOL" else list(COMPARE))
            return Expr(f"{a.operand} {operator} {b.operand}", lambda env: COMPARE[operator](a.value(env), b.value(env)),
                        a.reads | b.reads)
        if pick < 0.68:
            kind = self.rng.choice(["INT", "INT64", "INT16"])
            a, b = self.integer(scope, kind, depth - 1), self.integer(scope, kind, depth - 1)
            return Expr(f"{a.operand} AFTER {b.operand}", lambda env: wrap(kind, a.value(env) - b.value(env)) > 0,
                        a.reads | b.reads)
        if pick < 0.78:
            a = self.boolean(scope, depth - 1)
            return Expr(f"NOT {a.operand}", lambda env: not a.value(env), a.reads)
        parts = [self.boolean(scope, depth - 1) for _ in range(self.rng.randint(2, 3))]
        word = self.rng.choice(["AND", "OR"])
        test = all if word == "AND" else any
        return Expr(f" {word} ".join(p.operand for p in parts), lambda env: test(p.value(env) for p in parts),
                    frozenset().union(*(p.reads for p in parts)))

    # -- reals

    def real(self, scope, kind, depth):
        pick = self.rng.random()
        if depth <= 0 or pick < 0.35:
            found = self.place(scope, kind) if self.chance(0.7) else None
            if found:
                return self.read(found)
            value = self.rng.choice([0.0, 1.0, 0.5, 2.0, 0.1, 3.25, 100.0, 1.0e10, 1.0e-3])
            exact = fit(kind, value)
            text = {1.0e10: "1.0E+10", 1.0e-3: "1.0E-3"}.get(value, str(value))
            return Expr(f"{text} ({kind})", lambda env: exact, (), atom=True)
        if pick < 0.75:
            operator = self.rng.choice(list(REAL))
            a, b = self.real(scope, kind, depth - 1), self.real(scope, kind, depth - 1)
            return Expr(f"{a.operand} {operator} {b.operand}", lambda env: fit(kind, REAL[operator](a.value(env), b.value(env))),
                        a.reads | b.reads)
        if pick < 0.82:
            a = self.real(scope, kind, depth - 1)
            return Expr(f"- {a.operand}", lambda env: -a.value(env), a.reads)
        if pick < 0.9:
            other = "REAL64" if kind == "REAL32" else "REAL32"
            a = self.real(scope, other, depth - 1)
            word = " ROUND" if kind == "REAL32" else ""
            return Expr(f"{kind}{word} {a.operand}", lambda env: fit(kind, a.value(env)), a.reads)
        source, mode = self.rng.choice(INTS), self.rng.choice(["ROUND", "TRUNC"])
        a = self.integer(scope, source, depth - 1)
        return Expr(f"{kind} {mode} {a.operand}", lambda env: real_of(kind, a.value(env), mode), a.reads)

    # -- any type

    def scalar(self, scope, kind, depth):
        if is_int(kind):
            return self.integer(scope, kind, depth)
        return self.boolean(scope, depth) if kind == "BOOL" else self.real(scope, kind, depth)

    def any_value(self, scope, kind, depth):
        """An expression of any type; None when there is no open array to be had."""
        if isinstance(kind, str):
            return self.scalar(scope, kind, depth)
        found = None
        if isinstance(kind, Array) and kind.count is None:
            return self.open_value(scope, kind)
        called = self.call(scope, kind, depth - 1) if depth > 0 and self.chance(0.3) else None
        if called is not None:
            return called
        if self.chance(0.5):
            found = self.place(scope, kind)
        if found:
            return Expr(found.text, lambda env: copy(found.slot(env).get()), found.reads | {found.name}, atom=True)
        if type(kind) is Array and self.chance(0.3):
            return self.constructor(scope, kind, depth)
        kinds = [kind.element] * kind.count if isinstance(kind, Array) else [part for _, part in kind.fields]
        parts = [self.any_value(scope, k, min(depth, 1)) for k in kinds]
        mark = "" if type(kind) is Array else f" ({kind.name})"
        return Expr(f"[{', '.join(p.text for p in parts)}]{mark}", lambda env: [p.value(env) for p in parts],
                    frozenset().union(*(p.reads for p in parts)), atom=True)

    def constructor(self, scope, kind, depth):
        name = self.fresh("q")
        base = self.rng.randint(0, 3)
        inner = scope + [Name(name, "INT", False, (base, base + kind.count - 1))]
        part = self.any_value(inner, kind.element, min(depth, 1))

        def value(env):
            parts = []
            for i in range(kind.count):
                local = Env(env)
                local[name] = box(base + i)
                parts.append(part.value(local))
            return parts
        return Expr(f"[{name} = {base} FOR {kind.count} | {part.text}]", value, part.reads - {name}, atom=True)

    def open_value(self, scope, kind):
        """A whole array, or a segment of one, for an open array."""
        options = [(n, p) for n in scope for p in self.open_paths(n.kind, kind.element)]
        if not options:
            return None
        place = self.walk(scope, *self.rng.choice(options))
        return self.segment_value(place)

    def segment_value(self, place):
        return Expr(place.text, lambda env: copy(place.slot(env).get()), place.reads | {place.name}, atom=True)

    def open_paths(self, kind, element):
        """Ways to arrays of `element` of at least two."""
        if isinstance(kind, Array):
            if kind.element == element and kind.count != 1:
                yield ()
            for rest in self.open_paths(kind.element, element):
                yield (kind,) + rest
        if isinstance(kind, Record):
            for number, (field, part) in enumerate(kind.fields):
                for rest in self.open_paths(part, element):
                    yield ((field, number),) + rest


__all__ = ["Array", "Record", "Expr", "Place", "Name", "Maker", "Segment", "SCALARS", "INTS", "REALS", "is_int", "is_real",
           "single", "unsigned"]
