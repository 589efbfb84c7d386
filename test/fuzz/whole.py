"""The rest of the sequential language: named types and operators on them, tables, strings and constructors that are subscripted,
lists of declarations and of results, predefined routines, RETYPES of any layout, definitions inside of processes.

A named integer type has its range in machine.RANGE while its program is made; a named array is an Array equal only to itself."""

import struct

import predefined
from condition import ConditionMaker
from expression import INTS, SCALARS, Array, Expr, Name, Record, is_int, is_real
from machine import RANGE, WIDTH, Env, box, copy, unsigned, wrap
from statement import Function, Mark, Stmt, frozen, indent, scoped, without

SPELLED = {"/\\": "BITAND", "\\/": "BITOR", "\\": "REM"}
OPERATORS = ["+", "-", "*", "/", "\\", "/\\", "\\/", "><", "@@", "%%", "&&", "++", "<%", "%>", "<@", "^", "!!"]
MONADIC = ["-", "~", "@@", "%%", "&&"]
ORDERS = ["<", ">", "<=", ">=", "="]


class NamedArray(Array):
    """DATA TYPE name IS [count]element: no other array is of its type."""

    def __init__(self, name, count, element):
        super().__init__(count, element)
        self.name = name

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name


class Operator(Function):
    """`formals` has one kind, or two that may differ."""


# -- layout in memory, for RETYPES


def size_of(kind):
    """Bytes of a type without padding, or None."""
    if isinstance(kind, Array):
        part = size_of(kind.element)
        return kind.count * part if kind.count and part else None
    if isinstance(kind, Record):
        parts = [size_of(part) for _, part in kind.fields]
        return sum(parts) if kind.packed and None not in parts else None
    return {"BOOL": 1, "REAL32": 4, "REAL64": 8}.get(kind) or WIDTH[kind] // 8


def bytes_of(kind, value):
    if isinstance(kind, Array):
        return b"".join(bytes_of(kind.element, part) for part in value)
    if isinstance(kind, Record):
        return b"".join(bytes_of(k, part) for (_, k), part in zip(kind.fields, value))
    if is_real(kind):
        return struct.pack("<f" if kind == "REAL32" else "<d", value)
    return bytes([value]) if kind == "BOOL" else unsigned(kind, value).to_bytes(WIDTH[kind] // 8, "little")


def value_of(kind, data):
    """Of a type whose every byte is good."""
    if isinstance(kind, Array):
        size = size_of(kind.element)
        return [value_of(kind.element, data[i * size:(i + 1) * size]) for i in range(kind.count)]
    if isinstance(kind, Record):
        parts, at = [], 0
        for _, part in kind.fields:
            parts.append(value_of(part, data[at:at + size_of(part)]))
            at += size_of(part)
        return parts
    return wrap(kind, int.from_bytes(data, "little"))


def all_integers(kind):
    if isinstance(kind, Array):
        return all_integers(kind.element)
    return all(all_integers(k) for _, k in kind.fields) if isinstance(kind, Record) else is_int(kind)


def has_real(kind):
    if isinstance(kind, Array):
        return has_real(kind.element)
    return any(has_real(k) for _, k in kind.fields) if isinstance(kind, Record) else is_real(kind)


class WholeMaker(ConditionMaker):
    def __init__(self, rng, danger):
        super().__init__(rng, danger)
        self.named, self.vectors, self.bases = [], [], {}
        self.constant_only = False  # a call of a predefined routine is not

    # -- types of one's own

    def make_named(self):
        name = self.fresh("TY")
        if self.chance(0.6):
            base = self.rng.choice(INTS)
            RANGE[name], WIDTH[name] = RANGE[base], WIDTH[base]
            self.named.append(name)
            self.bases[name] = base
            return [f"DATA TYPE {name} IS {base}:"]
        count, element = self.rng.randint(1, 4), self.some_type(1)
        self.vectors.append(NamedArray(name, count, element))
        return [f"DATA TYPE {name} IS [{count}]{element}:"]

    def some_type(self, depth=2):
        if self.named and self.chance(0.15):
            return self.rng.choice(self.named)
        if self.vectors and depth and self.chance(0.08):
            return self.rng.choice(self.vectors)
        return super().some_type(depth)

    def open_paths(self, kind, element):
        if isinstance(kind, NamedArray):
            return (p for p in super().open_paths(kind, element) if p != ())
        return super().open_paths(kind, element)

    # -- operators

    def operand_kinds(self):
        return [r for r in self.records if not r.mobile] + self.vectors + self.named

    def make_operator(self):
        """On records, named arrays, named integers (with symbols that mean nothing there yet), two types, or one operand."""
        kinds = self.operand_kinds()
        if not kinds:
            return []
        first = self.rng.choice(kinds)
        symbol = self.rng.choice(OPERATORS)
        formals, result = [first, self.rng.choice([first, first, self.rng.choice(kinds), self.rng.choice(SCALARS)])], self.rng.choice(kinds)
        if self.chance(0.25):
            symbol, formals = self.rng.choice(MONADIC), [first]
        elif self.chance(0.3):
            symbol, result = self.rng.choice(ORDERS), "BOOL"
        if all(is_int(k) for k in formals) and (len(formals) == 1 or formals[0] == formals[1]):
            symbol = self.rng.choice(["@@", "%%", "&&"])
        if any(o.name == symbol and o.formals == formals for o in self.operators):
            return []
        names = [self.fresh("a") for _ in formals]
        value = self.any_value([Name(n, k, False) for n, k in zip(names, formals)], result, 2)

        def apply(actuals):
            env = Env(self.globals)
            for n, actual in zip(names, actuals):
                env[n] = box(copy(actual))
            return [copy(value.value(env))]
        spelled, inline = symbol.replace("*", "**"), self.rng.choice(["", "INLINE "])
        heads = ", ".join(f"VAL {k} {n}" for n, k in zip(names, formals))
        mark = Mark([f"{result} {inline}FUNCTION \"{spelled}\" ({heads}) IS {value.text}:"])
        self.operators.append(Operator(symbol, [result], formals, lambda actuals: mark.call(apply, actuals)))
        return mark.lines

    def operation(self, scope, kind, depth):
        """A use of one of them that gives `kind`, or None."""
        options = [o for o in self.operators if (o.results[0] is kind or (isinstance(kind, str) and o.results[0] == kind)) and o.is_visible(scope)]
        if not options:
            return None
        o = self.rng.choice(options)
        made = [self.any_value(scope, k, depth - 1) for k in o.formals]
        text = f"{o.name} {made[0].operand}" if len(made) == 1 else f"{made[0].operand} {o.name} {made[1].operand}"
        low, high = RANGE[kind] if is_int(kind) else (None, None)
        return Expr(text, lambda env: o.invoke(env, [m.value(env) for m in made])[0], o.reads.union(*(m.reads for m in made)), low, high)

    def any_value(self, scope, kind, depth):
        if not isinstance(kind, str) and depth > 0 and self.chance(0.3):
            found = self.operation(scope, kind, depth)
            if found:
                return found
        return super().any_value(scope, kind, depth)

    # -- expressions

    def binary(self, kind, operator, a, b, low=None, high=None):
        made = super().binary(kind, operator, a, b, low, high)
        if operator in SPELLED and self.chance(0.15):
            made.text = f"{a.operand} {SPELLED[operator]} {b.operand}"
        return made

    def constant(self, kind, value):
        if value >= 0 and self.chance(0.1):
            mark = "" if kind == "INT" else f" ({kind})"
            return Expr(f"#{value:X}{mark}", lambda env: value, (), value, value, True)
        if self.chance(0.1) and value in RANGE[kind] and not (value == RANGE[kind][0] == 0):
            word = "MOSTPOS" if value == RANGE[kind][1] else "MOSTNEG"
            return Expr(f"{word} {kind}", lambda env: value, (), value, value)
        return super().constant(kind, value)

    def below(self, scope, count, depth=1):
        """An INT from 0 to count - 1."""
        if count == 1 or self.chance(0.2):
            return self.constant("INT", self.rng.randrange(count))
        e = self.masked(self.integer(scope, "INT", depth), "INT", 32767)
        return self.binary("INT", "\\", e, self.constant("INT", count), 0, count - 1)

    def integer(self, scope, kind, depth):
        if depth > 0 and self.chance(0.14):
            made = self.rng.choice([self.of_string, self.of_constructor, self.of_call, self.of_segment, self.of_size, self.of_predefined,
                                    self.of_operator, self.of_limit])(scope, kind, depth - 1)
            if made is not None:
                return made
        return super().integer(scope, kind, depth)

    def boolean(self, scope, depth):
        made = self.operation(scope, "BOOL", depth) if depth > 0 and self.chance(0.08) else None
        return made or super().boolean(scope, depth)

    def real(self, scope, kind, depth):
        if depth > 0 and self.chance(0.15) and not self.constant_only:
            return predefined.real(self, scope, kind, min(depth - 1, 2))
        return super().real(scope, kind, depth)

    def of_string(self, scope, kind, depth):
        if kind != "BYTE":
            return None
        parts = [self.rng.choice([("a", 97), ("Z", 90), ("*n", 10), ("*s", 32), ("**", 42), ("*'", 39), ("*#7F", 127), ("-", 45), ("*c", 13)])
                 for _ in range(self.rng.randint(1, 6))]
        at = self.below(scope, len(parts), depth)
        text = "".join(p[0] for p in parts)
        return Expr(f'"{text}"[{at.text}]', lambda env: parts[at.value(env)][1], at.reads, 0, 255, True)

    def of_constructor(self, scope, kind, depth):
        name, count = self.fresh("q"), self.rng.randint(1, 5)
        base, step = self.rng.randint(-3, 3), self.rng.choice([1, 1, 2, -1, 0, 5])
        ends = sorted([base, base + step * (count - 1)])
        part = self.integer(scope + [Name(name, "INT", False, tuple(ends))], kind, min(depth, 2))
        at = self.below(scope, count, 1)
        tail = f" STEP {self.constant('INT', step).text}" if step != 1 else ""

        def value(env):
            k, found = at.value(env), []
            for i in range(count):
                local = Env(env)
                local[name] = box(base + i * step)
                found.append(part.value(local))
            return found[k]
        return Expr(f"[{name} = {self.constant('INT', base).text} FOR {count}{tail} | {part.text}][{at.text}]", value,
                    (part.reads - {name}) | at.reads, *RANGE[kind], atom=True)

    def of_call(self, scope, kind, depth):
        """f (...)[i]"""
        options = [f for f in self.functions if len(f.results) == 1 and isinstance(f.results[0], Array) and f.results[0].element == kind
                   and f.is_visible(scope)]
        called = self.call(scope, self.rng.choice(options).results[0], depth) if options else None
        if called is None or not called.text.endswith(")"):
            return None
        at = self.below(scope, min(f.results[0].count for f in options), 1)
        return Expr(f"{called.text}[{at.text}]", lambda env: called.value(env)[at.value(env)], called.reads | at.reads, *RANGE[kind], atom=True)

    def of_segment(self, scope, kind, depth):
        """[[a, b, c] FROM i FOR 2][j]"""
        parts = [self.integer(scope, kind, min(depth, 1)) for _ in range(self.rng.randint(2, 5))]
        count = self.rng.randint(1, len(parts))
        start, at = self.below(scope, len(parts) - count + 1, 1), self.below(scope, count, 1)
        whole = f"[{', '.join(p.text for p in parts)}]"
        cut = f"[{whole} FROM {start.text} FOR {count}]"
        if self.chance(0.3):
            start, cut = self.constant("INT", 0), f"[{whole} FOR {count}]"
        return Expr(f"{cut}[{at.text}]", lambda env: [p.value(env) for p in parts][start.value(env) + at.value(env)],
                    start.reads | at.reads | frozenset().union(*(p.reads for p in parts)), *RANGE[kind], atom=True)

    def of_size(self, scope, kind, depth):
        if kind != "INT":
            return None
        del scope, depth
        n = self.rng.randint(1, 9)
        text, value = self.rng.choice([(f"SIZE [{n}]{self.rng.choice(SCALARS)}", n), ('SIZE "*nabc"', 4), (f"SIZE [{', '.join('7' * n)}]", n)])
        whole = [k for k in [self.some_type() for _ in range(3)] if size_of(k)]
        if whole and self.chance(0.5):
            kind = whole[0]
            text, value = f"BYTESIN ({kind})", size_of(kind)
        return Expr(text, lambda env: value, (), value, value, text.startswith("BYTESIN"))

    def of_predefined(self, scope, kind, depth):
        return predefined.single(self, scope, min(depth, 2)) if kind == "INT" and not self.constant_only else None

    def of_operator(self, scope, kind, depth):
        return self.operation(scope, kind, depth) if depth > 0 else None

    def of_limit(self, scope, kind, depth):
        del scope, depth
        low, high = RANGE[kind]
        word, value = self.rng.choice([("MOSTPOS", high), ("MOSTNEG", low)])
        return Expr(f"{word} {kind}", lambda env: value, (), value, value)

    # -- several results

    def assign_words(self, scope):
        """high, low := LONGPROD (a, b, c)"""
        text, value, count = predefined.several(self, scope, 1)
        return self.assign_all(scope, text, value, ["INT"] * count)

    def assign_all(self, scope, text, value, kinds):
        places, used = [], set()
        for kind in kinds:
            place = self.place([n for n in scope if n.name not in used], kind, True, used)
            if place is None:
                return None
            places.append(place)
            used |= {place.name} | place.reads
        names = [p.name for p in places]
        if any(n in p.reads for n in names for p in places):
            return None

        def run(env):
            slots, news = [p.slot(env) for p in places], copy(value(env))
            for slot, new in zip(slots, news):
                slot.set(new)
            return
            yield
        return Stmt([f"{', '.join(p.text for p in places)} := {text}"], run)

    def assign_results(self, scope):
        """a, b, c := f (...)"""
        options = [f for f in self.functions if len(f.results) > 1 and f.is_visible(scope)]
        if not options:
            return None
        f = self.rng.choice(options)
        actuals = self.actuals(scope, f, 2)
        if actuals is None:
            return None
        return self.assign_all(scope, f"{f.name} ({', '.join(a.text for a in actuals)})", lambda env: f.invoke(env, [a.value(env) for a in actuals]), f.results)

    # -- declarations of several names

    def declare_list(self, scope, stmts_of):
        kind = self.some_type(1)
        names = [self.fresh("v") for _ in range(self.rng.randint(2, 3))]
        values = [self.any_value(scope, kind, 2) for _ in names]
        body = stmts_of(scope + [Name(n, kind, True) for n in names])

        def bind(env):
            for n, v in zip(names, values):
                env[n] = box(copy(v.value(env.outer)))
        targets, sources = ", ".join(names), ", ".join(v.text for v in values)
        if self.chance(0.5):
            return scoped([f"INITIAL {kind} {targets} IS {sources}:"], bind, body)
        lines = [f"{kind} {targets}:", "SEQ", f"  {targets} := {sources}"] + indent(body.lines)
        return Stmt(lines, scoped([], bind, body).run)

    def value_untyped(self, scope, stmts_of):
        """VAL y IS e:"""
        name, kind = self.fresh("y"), self.rng.choice(SCALARS)
        value = self.scalar(scope, kind, 3)
        body = stmts_of(frozen(scope, value.reads) + [Name(name, kind, False)])

        def bind(env):
            env[name] = box(value.value(env.outer))
        return scoped([f"VAL {name} IS {value.text}:"], bind, body)

    # -- the same storage under another type

    def retype_any(self, scope, stmts_of, depth):
        """Any data as bytes, for reading; data of integers as other integers of the same size, to change."""
        kinds = [k for k in [self.some_type() for _ in range(6)] if size_of(k) and self.place(scope, k) and not (isinstance(k, Record) and k.mobile)]
        if not kinds:
            return None
        kind, name = kinds[0], self.fresh("y")
        size = size_of(kind)
        if not all_integers(kind) or self.chance(0.4):
            if has_real(kind):  # the bits of a NaN are its own
                return None
            place = self.place(scope, kind)
            e = self.read(place)
            body = stmts_of(frozen(scope, e.reads) + [Name(name, Array(size, "BYTE"), False)])

            def bind(env):
                env[name] = box(list(bytes_of(kind, copy(e.value(env.outer)))))
            mark = self.rng.choice([f"[{size}]BYTE", "[]BYTE"])
            return scoped([f"VAL {mark} {name} RETYPES {e.text}:"], bind, body)
        place = self.place(scope, kind, True)
        part = self.rng.choice([k for k in INTS if size % (WIDTH[k] // 8) == 0])
        new = Array(size * 8 // WIDTH[part], part)
        inner = [n.as_value() for n in without(scope, {place.name} if place else ())]
        if place is None:
            return None
        body = self.block(inner + [Name(name, new, True)], depth)

        def run(env):
            slot, local = place.slot(env), Env(env)
            local[name] = box(value_of(new, bytes_of(kind, copy(slot.get()))))
            try:
                yield from body.run(local)
            finally:
                slot.set(value_of(kind, bytes_of(new, local[name].get())))
        mark = self.rng.choice([f"[]{part}", str(new)])
        return Stmt([f"{mark} {name} RETYPES {place.text}:"] + body.lines, run)

    def plain_kinds(self, scope, depth):
        def rest(inner):
            return self.block(inner, depth - 1)
        return super().plain_kinds(scope, depth) + [
            (lambda: self.assign_words(scope), 1), (lambda: self.declare_list(scope, rest), 1), (lambda: self.value_untyped(scope, rest), 1),
            (lambda: self.retype_any(scope, rest, depth - 1), 2)]
