"""Parts of arrays: segments as actuals and values, exchanges within one array, open abbreviations, strings; parameters of every mode and type."""

import re

from expression import Array, Expr, Name, Place
from local import LocalMaker
from machine import Segment, Slot, box, copy
from statement import Stmt, frozen, scoped, without


def named_type(kind, text):
    """The type in front of an abbreviation of `text`: a whole mobile array has another type than its contents."""
    return "" if re.fullmatch(r"mo\d+", text) else f"{kind} "


class PieceMaker(LocalMaker):
    # -- segments

    def cut(self, scope, place, least):
        """`place` or a segment of it of two elements or more, as a Place; the array has at least `least`."""
        count = self.rng.randint(2, max(least, 2))
        start = self.below(scope, max(least, 2) - count + 1)
        form = self.rng.randrange(5)
        if form < 2:
            return place
        if form == 2:
            text = f"[{place.text} FOR {count}]"
            start = self.constant("INT", 0)
        elif form == 3:
            count, text = None, f"[{place.text} FROM {start.text}]"
        else:
            text = f"[{place.text} FROM {start.text} FOR {self.constant('INT', count).text}]"

        def slot(env):
            array, first = place.slot(env).get(), start.value(env)
            return Slot([Segment(array, first, len(array) - first if count is None else count)])
        if form == 3 and not start.high <= max(least, 2) - 2:
            return place
        return Place(text, slot, place.name, place.reads | start.reads)

    def least_of(self, kind, path):
        for step in path:
            kind = kind.element if isinstance(step, Array) else kind.fields[step[1]][1]
        return kind.count or 2

    def open_value(self, scope, kind):
        if kind.element == "BYTE" and self.chance(0.1):
            return Expr('"a*n*#7Fz"', lambda env: [97, 10, 127, 122], (), atom=True)
        if self.chance(0.15):
            return self.any_value(scope, Array(self.rng.randint(2, 4), kind.element), 1)
        options = [(n, p) for n in scope for p in self.open_paths(n.kind, kind.element)]
        if not options:
            return None
        name, path = self.rng.choice(options)
        return self.segment_value(self.cut(scope, self.walk(scope, name, path), self.least_of(name.kind, path)))

    def reference(self, scope, kind, taken):
        if not (isinstance(kind, Array) and kind.count is None):
            return super().reference(scope, kind, taken)
        options = [(n, p) for n in scope if n.writable and n.name not in taken for p in self.open_paths(n.kind, kind.element)]
        if not options:
            return None
        name, path = self.rng.choice(options)
        rest = [n for n in scope if n.name not in taken | {name.name}]
        return self.cut(rest, self.walk(rest, name, path), self.least_of(name.kind, path))

    def abbreviate_open(self, scope, stmts_of):
        """VAL []T y IS a:, or []T y IS a: with all or a part of it."""
        element, name = self.some_type(1), self.fresh("y")
        kind = Array(None, element)
        if self.chance(0.5):
            value = self.open_value(scope, kind)
            if value is None:
                return None
            body = stmts_of(frozen(scope, value.reads) + [Name(name, kind, False)])

            def bind_value(env):
                env[name] = box(copy(value.value(env.outer)))
            return scoped([f"VAL {named_type(kind, value.text)}{name} IS {value.text}:"], bind_value, body)
        place = self.reference(scope, kind, set())
        if place is None:
            return None
        body = stmts_of(frozen(without(scope, {place.name}), place.reads) + [Name(name, kind, True)])

        def bind_place(env):
            env[name] = place.slot(env.outer)
        return scoped([f"{named_type(kind, place.text)}{name} IS {place.text}:"], bind_place, body)

    # -- within one array

    def exchange_elements(self, scope):
        """a[i], a[j] := e, f with different constants, or halves that change places."""
        options = [n for n in scope if n.writable and isinstance(n.kind, Array) and (n.kind.count or 0) >= 2]
        if not options:
            return None
        n = self.rng.choice(options)
        one, two = self.rng.sample(range(n.kind.count), 2)
        if self.chance(0.4):
            half = n.kind.count // 2
            texts = [f"[{n.name} FROM 0 FOR {half}]", f"[{n.name} FROM {n.kind.count - half} FOR {half}]"]
            places = [lambda array: Segment(array, 0, half), lambda array: Segment(array, n.kind.count - half, half)]

            def run_halves(env):
                array = env[n.name].get()
                news = [copy(place(array)) for place in places]
                for place, new in zip(places, reversed(news)):
                    box(place(array)).set(new)
                return
                yield
            return Stmt([f"{texts[0]}, {texts[1]} := {texts[1]}, {texts[0]}"], run_halves)
        values = [self.any_value(scope, n.kind.element, 2) for _ in range(2)]
        texts = [f"{n.name}[{one}]", f"{n.name}[{two}]"]

        def run(env):
            news = [copy(v.value(env)) for v in values]
            for at, new in zip((one, two), news):
                Slot(env[n.name].get(), at).set(new)
            return
            yield
        return Stmt([f"{texts[0]}, {texts[1]} := {values[0].text}, {values[1].text}"], run)

    # -- parameters

    def formal_kind(self, mode):
        del mode
        kind = self.some_type()
        return Array(None, kind.element) if type(kind) is Array and self.chance(0.5) else kind

    def assign_result(self, scope, name, kind):
        given = [n for n in scope if not n.writable]
        if isinstance(kind, Array) and kind.count is None:
            index, value = self.fresh("i"), self.any_value(given, kind.element, 1)

            def run_each(env):
                for k in range(len(env[name].get())):
                    Slot(env[name].get(), k).set(copy(value.value(env)))
                return
                yield
            return Stmt([f"SEQ {index} = 0 FOR SIZE {name}", f"  {name}[{index}] := {value.text}"], run_each)
        value = self.any_value(given, kind, 1)

        def run(env):
            env[name].set(copy(value.value(env)))
            return
            yield
        return Stmt([f"{name} := {value.text}"], run)

    def plain_kinds(self, scope, depth):
        def rest(inner):
            return self.block(inner, depth - 1)
        return super().plain_kinds(scope, depth) + [(lambda: self.exchange_elements(scope), 1), (lambda: self.abbreviate_open(scope, rest), 1.5)]
