"""Random choices: IF in IF, replicated ones, specifications and list comparison in them; CASE on any type, its options written anyhow."""

from expression import INTS, SCALARS, Expr, Name
from machine import Env, OccamError, box
from pi import PiMaker
from statement import Stmt, frozen, indent


class ConditionMaker(PiMaker):
    def __init__(self, rng, danger):
        super().__init__(rng, danger)
        self.named = []

    def choices(self, scope, depth, level, last):
        """(lines, run) of the components of an IF; `run` is told whether one was taken. `last`: one always is."""
        parts = []
        for _ in range(self.rng.randint(1, 2)):
            pick = self.rng.random()
            if pick < 0.25 and level < 2:
                lines, run = self.choices(scope, depth, level + 1, False)
                parts.append((["IF"] + indent(lines), run))
            elif pick < 0.45:
                parts.append(self.replicated_choice(scope, depth))
            else:
                parts.append(self.one_choice(scope, depth, None))
        if last:
            parts.append(self.one_choice(scope, depth, Expr("TRUE", lambda env: True)))

        def run(env):
            for _, part in parts:
                taken = yield from part(env)
                if taken:
                    return True
            return False
        return [line for lines, _ in parts for line in lines], run

    def comparison(self, scope):
        """(a, b) = (c, d)"""
        kinds = [self.rng.choice(SCALARS) for _ in range(self.rng.randint(2, 3))]
        left, right = ([self.scalar(scope, k, 1) for k in kinds] for _ in range(2))
        if self.chance(0.5):  # else they are seldom equal
            right = left
        texts = [f"({', '.join(e.operand for e in side)})" for side in (left, right)]
        return Expr(f"{texts[0]} = {texts[1]}", lambda env: all(a.value(env) == b.value(env) for a, b in zip(left, right)),
                    frozenset().union(*(e.reads for e in left + right)))

    def one_choice(self, scope, depth, test):
        head, binds = [], []
        if self.chance(0.25):
            name, kind = self.fresh("y"), self.rng.choice(SCALARS)
            value = self.scalar(scope, kind, 2)
            head.append(f"VAL {kind} {name} IS {value.text}:")
            scope = frozen(scope, value.reads) + [Name(name, kind, False)]
            binds.append((name, value))
        if test is None:
            test = self.comparison(scope) if self.chance(0.2) else self.boolean(scope, 3)
        body = self.block(scope, depth)

        def run(env):
            local = Env(env)
            for name, value in binds:
                local[name] = box(value.value(env))
            if test.value(local):
                yield from body.run(local)
                return True
            return False
        return head + [test.text] + indent(body.lines), run

    def replicated_choice(self, scope, depth):
        name, count = self.fresh("i"), self.rng.randint(0, 4)
        inner = scope + [Name(name, "INT", False, (1, max(count, 1)))]
        lines, part = self.one_choice(inner, depth, None)

        def run(env):
            for k in range(count):
                local = Env(env)
                local[name] = box(1 + k)
                taken = yield from part(local)
                if taken:
                    return True
            return False
        return [f"IF {name} = 1 FOR {count}"] + indent(lines), run

    def choice_of_choices(self, scope, depth):
        lines, part = self.choices(scope, depth, 0, not (self.danger and self.chance(0.3)))

        def run(env):
            taken = yield from part(env)
            if not taken:
                raise OccamError("no-choice")
        return Stmt(["IF"] + indent(lines), run)

    def case_of_any(self, scope, depth):
        """Options are constants however written; ELSE stands anywhere; a specification may stand before an option."""
        kind = self.rng.choice(INTS + ["BOOL"] + self.named)
        values = [0, 1] if kind == "BOOL" else self.rng.sample(range(0, 12), self.rng.randint(2, 7))
        e = self.boolean(scope, 2) if kind == "BOOL" else self.integer(scope, kind, 2)
        if kind != "BOOL" and self.chance(0.8):
            e = self.masked(e, kind, 7)
        groups, left = [], list(values)
        while left:
            n = self.rng.randint(1, len(left))
            groups.append(left[:n])
            left = left[n:]
        bodies = [(g, self.block(scope, depth)) for g in groups]
        if kind != "BOOL" or self.chance(0.3):
            bodies.insert(self.rng.randint(0, len(bodies)), (None, self.block(scope, depth)))
        lines = [f"CASE {e.text}"]
        for group, body in bodies:
            if self.chance(0.2):
                lines += indent([f"VAL INT {self.fresh('y')} IS {self.integer([n for n in scope if not n.writable], 'INT', 1).text}:"]) if not self.danger else []
            texts = ["ELSE"] if group is None else [", ".join(self.option(kind, v) for v in group)]
            lines += indent(texts + indent(body.lines))

        def run(env):
            value = e.value(env)
            for group, body in bodies:
                if group is not None and value in group:
                    yield from body.run(env)
                    return
            for group, body in bodies:
                if group is None:
                    yield from body.run(env)
                    return
        return Stmt(lines, run)

    def option(self, kind, value):
        if kind == "BOOL":
            return "TRUE" if value else "FALSE"
        if value and self.chance(0.2):
            one = self.constant(kind, 1)
            return f"{self.constant(kind, value - 1).operand} + {one.operand}"
        return self.constant(kind, value).text

    def plain_kinds(self, scope, depth):
        return super().plain_kinds(scope, depth) + [(lambda: self.choice_of_choices(scope, depth - 2), 2), (lambda: self.case_of_any(scope, depth - 2), 2)]
