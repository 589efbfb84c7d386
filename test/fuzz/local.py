"""Definitions inside of processes: functions that read what is around them, types with their operators, protocols."""

from expression import Name
from machine import Env, box, copy
from statement import Function, Mark, Stmt, indent, scoped
from whole import WholeMaker


class LocalMaker(WholeMaker):
    def local_function(self, scope, stmts_of):
        """It may read variables and values of the scope, as they are when it is called."""
        name, results = self.fresh("fun"), [self.some_type(1) for _ in range(self.rng.choice([1, 1, 1, 2]))]
        formals = [(self.fresh("a"), self.some_type(1)) for _ in range(self.rng.randint(0, 3))]
        free = [n.as_value() for n in scope if self.chance(0.4)]
        inner = free + [Name(n, k, False) for n, k in formals]
        was, routines, self.pure, self.routines = self.pure, self.routines, True, []
        local = [(self.fresh("v"), k, self.any_value(inner, k, 1)) for k in results]
        whole = inner + [Name(n, k, True) for n, k, _ in local]
        body, values = self.block(whole, 2), [self.any_value(whole, r, 2) for r in results]
        self.pure, self.routines = was, routines
        heads = ", ".join(f"VAL {k} {n}" for n, k in formals)
        lines = [f"{', '.join(map(str, results))} FUNCTION {name} ({heads})"]
        lines += [f"  INITIAL {k} {n} IS {v.text}:" for n, k, v in local] + ["  VALOF"] + indent(indent(body.lines))
        mark = Mark(lines + [f"    RESULT {', '.join(v.text for v in values)}", ":"])

        def apply(around, actuals):
            self.machine.step()
            env = Env(around)
            for (formal, _), actual in zip(formals, actuals):
                env[formal] = box(copy(actual))
            for n, _, value in local:
                env[n] = box(copy(value.value(env)))
            for _ in body.run(env):
                raise AssertionError("a function waits")
            return [copy(v.value(env)) for v in values]

        def bind(env):
            env["." + name] = env.outer
        function = Function(name, results, [k for _, k in formals], lambda around, actuals: mark.call(apply, around, actuals),
                            {n.name for n in free})
        return self.inside(self.functions, [function], lambda: scoped(mark.lines, bind, stmts_of(scope)))

    def inside(self, known, more, make):
        """What `make` gives while `more` is known."""
        count = len(known)
        known += more
        made = make()
        del known[count:]
        return made

    def local_types(self, scope, stmts_of):
        """Types and operators that are known in one process, which has variables of them."""
        named, vectors, operators = len(self.named), len(self.vectors), len(self.operators)
        mark = Mark(self.make_named() + self.make_named())
        lines = mark.lines
        for _ in range(self.rng.randint(0, 2)):
            lines += self.make_operator()
        kinds = self.named[named:] + self.vectors[vectors:]
        names = [(self.fresh("v"), kind) for kind in kinds]
        values = [self.any_value(scope, kind, 1) for kind in kinds]
        body = stmts_of(scope + [Name(n, k, True) for n, k in names])
        del self.named[named:], self.vectors[vectors:], self.operators[operators:]
        lines = lines + [f"INITIAL {k} {n} IS {v.text}:" for (n, k), v in zip(names, values)]

        def bind(env):
            for (n, _), v in zip(names, values):
                env[n] = box(copy(v.value(env.outer)))
        return scoped(lines, bind, body)

    def local_protocol(self, scope, stmts_of):
        protocol = self.make_protocol()
        if not protocol.lines:
            return None
        body = self.inside(self.protocols, [protocol], lambda: stmts_of(scope))
        return Stmt(protocol.lines + body.lines, body.run)

    def plain_kinds(self, scope, depth):
        def rest(inner):
            return self.block(inner, depth - 1)
        return super().plain_kinds(scope, depth) + [
            (lambda: self.local_function(scope, rest), 1), (lambda: self.local_types(scope, rest), 0.7)]

    def more_kinds(self, scope, depth):
        def rest(inner):
            return self.block(inner, depth - 1)
        return super().more_kinds(scope, depth) + [(lambda: self.local_protocol(scope, rest), 0.5)]
