#!/usr/bin/env python3
"""csp_agrees.py OCCC FOLDER NAME...: models in CSPm are read and all their states gone through, by the rules of the operational semantics; Spin
must come to the same verdict about the model in Promela. Only what occc export writes can be read: each process in brackets."""

import itertools
import os
import re
import subprocess
import sys
import tempfile

from spin_agrees import spin_finds_deadlock

TOKEN = re.compile(r"--[^\n]*|\s+|([A-Za-z_]\w*|\d+|->|\[>|\[\]|\|~\||\|\|\||\[\||\|\]|\{\||\|\}|\.\.|==|!=|<=|>=|[-+*/%<>=(){},;:@.?!])")
STATES_MOST = 400000


class Reader:
    def __init__(self, text):
        text = text.split("\nassert ")[0]
        assert TOKEN.sub("", text) == "", TOKEN.sub("", text)[:40]
        self.tokens = [token for token in TOKEN.findall(text) if token] + [""]
        self.at = 0
        self.domains, self.processes = {}, {}
        while self.peek():
            self.definition()

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self, wanted=None):
        token = self.peek()
        assert wanted in (None, token), f"{wanted} expected: {self.tokens[self.at - 9:self.at + 9]}"
        self.at += 1
        return token

    def definition(self):
        if self.peek() == "channel":
            self.next()
            names = [self.next()]
            while self.peek() == ",":
                self.next()
                names.append(self.next())
            fields = []
            while self.peek() in (":", "."):
                self.next()
                fields.append(self.range())
            for name in names:
                self.domains[name] = fields
            return
        self.define()

    def define(self):
        name = self.next()
        parameters = []
        if self.peek() == "(":
            while self.next() != ")":
                parameters.append(self.next())
        self.next("=")
        self.processes[name] = (parameters, self.process())

    def range(self):
        self.next("{")
        first = self.value()
        self.next("..")
        last = self.value()
        self.next("}")
        return first, last

    def value(self):
        token = self.next()
        if token != "(":
            return int(token) if token.isdigit() else token
        if self.peek() == "not":
            self.next()
            found = ("not", self.value())
        elif self.peek() == "-":
            self.next()
            found = ("-", 0, self.value())
        else:
            found = self.value()
            if self.peek() != ")":
                found = (self.next(), found, self.value())
        self.next(")")
        return found

    def event(self):
        fields = [self.next()]
        while self.peek() in (".", "!", "?"):
            if self.next() != "?":
                fields.append(self.value())
                continue
            self.next()
            fields.append(self.members() if self.peek() == ":" else "?")
        return tuple(fields)

    def members(self):
        self.next(":")
        self.next("{")
        found = []
        while self.peek() != "}":
            found.append(self.value())
            if self.peek() == ",":
                self.next()
        self.next()
        return ("in", *found)

    def process(self):
        token = self.next()
        if token != "(":
            arguments = []
            if self.peek() == "(":
                while self.next() != ")":
                    arguments.append(self.value())
            return ("call", token, tuple(arguments))
        found = self.inner()
        self.next(")")
        return found

    def inner(self):
        token = self.peek()
        if token == "if":
            self.next()
            condition = self.value()
            self.next("then")
            yes = self.process()
            self.next("else")
            return ("if", condition, yes, self.process())
        if token == "let":
            self.next()
            self.define()
            self.next("within")
            return self.process()
        if token == "|~|":
            self.next()
            name = self.next()
            self.next(":")
            values = self.range()
            self.next("@")
            return ("pick", name, values, self.process())
        if token != "(" and self.peek(1) in (".", "?", "!", "->"):
            event = self.event()
            self.next("->")
            return ("prefix", event, self.process())
        left = self.process()
        if self.peek() == ")":
            return left
        operator = self.next()
        if operator == "[|":
            return self.parallel(left)
        if operator == "|||":
            return ("par", frozenset(), left, self.process())
        return (operator, left, self.process())

    def parallel(self, left):
        self.next("{|")
        events = set()
        while self.peek() != "|}":
            events.add(self.event())
            if self.peek() == ",":
                self.next()
        self.next("|}")
        self.next("|]")
        return ("par", frozenset(events), left, self.process())


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a // b, "%": lambda a, b: a % b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "and": lambda a, b: a and b, "or": lambda a, b: a or b,
}  # fmt: skip

ENDED = ("ended",)


def value_of(value, names):
    if isinstance(value, tuple):
        return not value_of(value[1], names) if value[0] == "not" else OPERATORS[value[0]](value_of(value[1], names), value_of(value[2], names))
    return value if isinstance(value, int) else names[value]


class Semantics:
    """A state is a term: ("at", process, names) or an operator over terms; steps(term) are pairs of an event and a term."""

    def __init__(self, model):
        self.model = model
        self.memory = {}

    def at(self, process, names):
        while process[0] in ("if", "call") and process[1] not in ("SKIP", "STOP"):
            if process[0] == "if":
                process = process[2] if value_of(process[1], dict(names)) else process[3]
                continue
            parameters, body = self.model.processes[process[1]]
            arguments = [int(value_of(argument, dict(names))) for argument in process[2]]
            names = tuple(sorted({**dict(names), **dict(zip(parameters, arguments))}.items()))
            process = body
        if process[0] in (";", "[]", "[>"):
            right = ("at", process[2], names) if process[0] == ";" else self.at(process[2], names)
            return (process[0], self.at(process[1], names), right)
        if process[0] == "par":
            return ("par", process[1], self.at(process[2], names), self.at(process[3], names))
        return ("at", process, names)

    def steps(self, term):
        if term not in self.memory:
            self.memory[term] = list(getattr(self, "steps_" + {";": "seq", "[]": "choice", "[>": "slide"}.get(term[0], term[0]))(*term[1:]))
        return self.memory[term]

    def steps_ended(self):
        return []

    def steps_at(self, process, names):
        if process[0] == "call":
            return [("tick", ENDED)] if process[1] == "SKIP" else []
        if process[0] == "|~|":
            return [("tau", self.at(process[1], names)), ("tau", self.at(process[2], names))]
        if process[0] == "pick":
            _, name, (first, last), body = process
            known = dict(names)
            return [
                ("tau", self.at(body, tuple(sorted({**known, name: i}.items())))) for i in range(value_of(first, known), value_of(last, known) + 1)
            ]
        _, event, body = process
        domains = self.model.domains[event[0]]
        fields = [self.field(field, domain, names) for field, domain in zip(event[1:], domains)]
        assert len(fields) == len(event) - 1 == len(domains), event
        return [((event[0], *values), self.at(body, names)) for values in itertools.product(*fields)]

    @staticmethod
    def field(field, domain, names):
        if field == "?":
            return range(domain[0], domain[1] + 1)
        if isinstance(field, tuple) and field[0] == "in":
            return field[1:]
        return [int(value_of(field, dict(names)))]

    def steps_seq(self, left, right):
        for event, after in self.steps(left):
            yield ("tau", self.at(right[1], right[2])) if event == "tick" else (event, (";", after, right))

    def steps_choice(self, left, right):
        for event, after in self.steps(left):
            yield (event, ("[]", after, right) if event == "tau" else after)
        for event, after in self.steps(right):
            yield (event, ("[]", left, after) if event == "tau" else after)

    def steps_slide(self, left, right):
        for event, after in self.steps(left):
            yield (event, ("[>", after, right) if event == "tau" else after)
        yield ("tau", right)

    def steps_par(self, events, left, right):
        def is_common(event):
            return any(event[:length] in events for length in range(1, len(event) + 1))

        if left == right == ENDED:
            yield ("tick", ENDED)
        for event, after in self.steps(left):
            if event == "tick":
                yield ("tau", ("par", events, ENDED, right))
            elif event == "tau" or not is_common(event):
                yield (event, ("par", events, after, right))
            else:
                for other, then in self.steps(right):
                    if other == event:
                        yield (event, ("par", events, after, then))
        for event, after in self.steps(right):
            if event == "tick":
                yield ("tau", ("par", events, left, ENDED))
            elif event == "tau" or not is_common(event):
                yield (event, ("par", events, left, after))

    def settled(self, term):
        """A single silent step, or the first of those of one side of a parallel: nobody can see when it is made."""
        while True:
            steps = self.steps(term)
            if len(steps) != 1 or steps[0][0] != "tau":
                return term
            term = steps[0][1]

    def has_deadlock(self):
        first = self.at(("call", "SYSTEM", ()), ())
        seen, waiting = {first}, [first]
        while waiting:
            term = waiting.pop()
            steps = self.steps(term)
            if not steps and term != ENDED:
                return True
            for _, after in steps:
                after = self.settled(after)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > STATES_MOST:
                sys.exit("too many states")
        return False


def csp_finds_deadlock(occc, source):
    model = subprocess.run([occc, "export", "-w", "--csp", source], check=True, capture_output=True, text=True).stdout
    return Semantics(Reader(model)).has_deadlock()


def main():
    occc, folder, *names = sys.argv[1:]
    sys.setrecursionlimit(100000)
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            source = os.path.join(folder, name + ".occ")
            csp, spin = csp_finds_deadlock(occc, source), spin_finds_deadlock(occc, source, scratch)
            print(f"{'ok  ' if csp == spin else 'FAIL'} {name}: deadlock in CSP: {csp}, in Promela: {spin}")
            if csp != spin:
                sys.exit(1)


if __name__ == "__main__":
    main()
