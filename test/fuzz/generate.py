#!/usr/bin/env python3
"""Random deterministic occam programs, run in every way there is: all must print what the reference machine says.

A program of a number is always the same. One in six is made to fail: then status 1 and the named error are expected.
A run is one program of these, compiled at one set of options and run to its end on one number of workers with one seed.
usage: generate.py --occc build/bin/occc [--seed N] [--count N] [--save DIR] [--quick | --drawn N]  run programs
       generate.py --print N                                                             show one and what it prints"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

import options
from disguise import MARKS, disguise
from expression import Array, Name, Record, is_int
from machine import Env, Machine, OccamError, TooLong, bits_of, box, copy
from piece import PieceMaker
from statement import Function, Mark, Stmt, indent, run_all

MESSAGE = {
    "overflow": "overflow in", "divide-by-zero": "by zero", "shift-count": "shift count", "index": "index", "segment": "segment",
    "conversion": "does not fit", "real-conversion": "does not fit", "no-choice": "no condition of this IF",
    "no-option": "no option of this CASE", "replicator-count": "replicator count", "count": "count",
    "size-mismatch": "array of"}
# an error of a constant
REFUSED = re.compile(r"error\[types-(overflow|constant|zero|shift|subscript|segment|replicator|counted)")
# words of occc, environment; `separate`: the definitions are a unit of their own; `fmt`: put in order first
WAYS = [(["-O2"], {}), (["-O0"], {}), (["-O3"], {}), (["-O2"], {"OCC_SEED": "1"}), (["-O2"], {"OCC_SEED": "2"}),
        (["-O2"], {"OCC_SEED": "3"}), (["-O2"], {"OCC_WORKERS": "4"}), (["-O2", "--no-checks"], {}), (["-Os"], {}), (["separate"], {}), (["-O1", "-g"], {}),
        (["-O2", "-fstop-mode"], {}), (["fmt"], {})]
SHOW = """
PROC show (VAL INT64 x, CHAN BYTE out!)
  VAL []BYTE digits IS "0123456789ABCDEF":
  [16]BYTE text:
  INITIAL INT64 rest IS x:
  INITIAL INT n IS 0:
  INITIAL BOOL more IS TRUE:
  SEQ
    WHILE more
      SEQ
        text[n] := digits[INT (rest /\\ 15)]
        rest := rest >> 4
        n := n + 1
        more := rest <> 0
    SEQ i = 0 FOR n
      out ! text[(n - 1) - i]
    out ! '*n'
:
PROC show.uint64 (VAL UINT64 x, CHAN BYTE out!)
  VAL INT64 bits RETYPES x:
  show (bits, out!)
:
PROC show.nan (CHAN BYTE out!)
  SEQ
    out ! 'n'
    out ! 'a'
    out ! 'n'
    out ! '*n'
:
PROC show.real32 (VAL REAL32 x, CHAN BYTE out!)
  VAL INT32 bits RETYPES x:
  IF
    x <> x
      show.nan (out!)
    TRUE
      show (INT64 bits, out!)
:
PROC show.real64 (VAL REAL64 x, CHAN BYTE out!)
  VAL INT64 bits RETYPES x:
  IF
    x <> x
      show.nan (out!)
    TRUE
      show (bits, out!)
:
""".strip("\n").split("\n")


# `error` is the one expected, or None; `certain` says that nothing else could go wrong first; `danger` that the compiler
# may find the error; `definitions`: how many lines go before the main process; `place`: first and last line of the process that fails
Program = namedtuple("Program", "text output error certain danger definitions place")


class ProgramMaker(PieceMaker):
    """A whole program: definitions, main process, what it prints."""

    def __init__(self, seed):
        rng = random.Random(seed)
        super().__init__(rng, rng.random() < 0.17)
        self.output = []
        self.is_dressed = True
        self.globals = Env()
        self.lines = []
        self.constants = []

    def make_record(self):
        name = self.fresh("REC")
        fields = [(self.fresh("h"), self.some_type(1)) for _ in range(self.rng.randint(1, 4))]
        packed = "PACKED " if self.chance(0.4) else ""
        self.records.append(Record(name, fields, packed=bool(packed)))
        self.lines += [f"DATA TYPE {name}", f"  {packed}RECORD"] + [f"    {kind} {field}:" for field, kind in fields] + [":"]

    def make_constant(self):
        name, kind = self.fresh("K"), self.some_type(1)
        danger, self.danger, self.constant_only = self.danger, False, True
        value = self.any_value(self.constants, kind, 2)
        self.danger, self.constant_only = danger, False
        known = value.value(self.globals)
        self.lines.append(f"VAL {kind} {name} IS {value.text}:")
        self.globals[name] = box(known)
        self.constants.append(Name(name, kind, False, (known, known) if is_int(kind) else None))

    def make_function(self):
        """One or two results; an expression list, or a VALOF with any process that is allowed there."""
        name = self.fresh("fun")
        results = [self.some_type(1) for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        formals = [(self.fresh("a"), self.some_type(1)) for _ in range(self.rng.randint(0, 3))]
        if self.chance(0.3):
            formals.append((self.fresh("a"), Array(None, self.some_type(1))))
        inner = self.constants + [Name(n, k, False) for n, k in formals]
        chained = [f for f in self.functions if len(f.results) > 1]
        if chained and self.chance(0.3):
            return self.chain_function(name, self.rng.choice(chained), formals, inner)
        head = f"{', '.join(map(str, results))} {self.rng.choice(['', '', 'INLINE '])}FUNCTION {name} ({', '.join(f'VAL {k} {n}' for n, k in formals)})"
        if self.chance(0.5):
            values, body, local = [self.any_value(inner, r, 3) for r in results], self.skip(), []
            lines = [f"{head} IS {', '.join(v.text for v in values)}:"]
        else:
            self.pure = True
            local = [(self.fresh("v"), k, self.any_value(inner, k, 2)) for k in results]
            scope = inner + [Name(n, k, True) for n, k, _ in local]
            body, values = self.block(scope, 3), [self.any_value(scope, r, 2) for r in results]
            self.pure = False
            lines = [head] + [f"  INITIAL {k} {n} IS {v.text}:" for n, k, v in local] + ["  VALOF"]
            lines += indent(indent(body.lines)) + [f"    RESULT {', '.join(v.text for v in values)}", ":"]

        def apply(actuals):
            env = Env(self.globals)
            for (formal, _), actual in zip(formals, actuals):
                env[formal] = box(copy(actual))
            for n, _, value in local:
                env[n] = box(copy(value.value(env)))
            for _ in body.run(env):
                raise AssertionError("a function waits")
            return [copy(v.value(env)) for v in values]
        mark = Mark(lines)
        self.lines += mark.lines
        self.functions.append(Function(name, results, [k for _, k in formals], lambda actuals: mark.call(apply, actuals)))

    def chain_function(self, name, other, formals, inner):
        """Its results are all those of another."""
        actuals = self.actuals(inner, other, 2)
        if actuals is None:
            return
        head = f"{', '.join(map(str, other.results))} FUNCTION {name} ({', '.join(f'VAL {k} {n}' for n, k in formals)})"
        call = f"{other.name} ({', '.join(a.text for a in actuals)})"
        mark = Mark([f"{head} IS {call}:"] if self.chance(0.5) else [head, "  VALOF", "    SKIP", f"    RESULT {call}", ":"])
        self.lines += mark.lines

        def apply(given):
            env = Env(self.globals)
            for (formal, _), actual in zip(formals, given):
                env[formal] = box(copy(actual))
            return other.invoke(env, [a.value(env) for a in actuals])
        self.functions.append(Function(name, other.results, [k for _, k in formals], lambda actuals: mark.call(apply, actuals)))

    # -- printing

    def show_lines(self, kind, text):
        if isinstance(kind, Array):
            i = self.fresh("x")
            return [f"SEQ {i} = 0 FOR SIZE {text}"] + indent(self.show_lines(kind.element, f"{text}[{i}]"))
        if isinstance(kind, Record):
            return ["SEQ"] + indent([line for f, k in kind.fields for line in self.show_lines(k, f"{text}[{f}]")])
        if self.bases.get(kind) == "UINT64":
            return [f"show.uint64 (UINT64 ({text}), out!)"]
        if kind in ("REAL32", "REAL64", "UINT64"):
            return [f"show.{kind.lower()} ({text}, out!)"]
        return [f"show ({text}, out!)" if kind == "INT64" else f"show (INT64 {text}, out!)"]

    def show_value(self, kind, value):
        if isinstance(kind, Array):
            for part in value:
                self.show_value(kind.element, part)
        elif isinstance(kind, Record):
            for (_, k), part in zip(kind.fields, value):
                self.show_value(k, part)
        else:
            self.output.append(bits_of(kind, value))

    def show(self, name):
        def run(env):
            self.show_value(name.kind, env[name.name].get())
            return
            yield
        return Stmt(self.show_lines(name.kind, name.name), run)

    # -- the program

    def program(self):
        for _ in range(self.rng.randint(0, 2)):
            self.lines += self.make_named()
        for _ in range(self.rng.randint(0, 2)):
            self.make_record()
        for _ in range(self.rng.randint(1, 3)):
            self.make_constant()
        for _ in range(self.rng.randint(0, 3)):
            self.lines += self.make_operator()
        for _ in range(self.rng.randint(0, 3)):
            self.make_function()
        for _ in range(self.rng.randint(2, 4)):
            self.protocols.append(self.make_protocol())
        for protocol in self.protocols:
            self.lines += protocol.lines
        scope, head, values = list(self.constants), [], []
        for _ in range(self.rng.randint(4, 8)):
            kind, name = self.some_type(), self.fresh("v")
            value = self.any_value(scope, kind, 1)
            head.append(f"INITIAL {kind} {name} IS {value.text}:")
            values.append((name, value))
            scope.append(Name(name, kind, True))
        parts = []
        for _ in range(self.rng.randint(2, 5)):
            parts.append(self.statement(scope, 5))
            parts += [self.show(n) for n in scope if n.writable and self.chance(0.5)]
        parts += [self.show(n) for n in scope if n.writable]
        body = run_all(parts)
        main = Mark(["PROC main (CHAN BYTE out!)"] + indent(head) + ["  SEQ"] + indent(indent([line for p in parts for line in p.lines])) + [":"])
        text = self.lines + SHOW + main.lines
        if self.is_dressed and self.chance(0.7):
            text = disguise(self.rng, text)

        def run():
            env = Env(self.globals)
            for name, value in values:
                env[name] = box(copy(value.value(env)))
            yield from body(env)
        self.machine = Machine()
        error, certain, stopped = None, True, []
        try:
            self.machine.run(run())
        except OccamError as caught:
            error, certain, stopped = caught.name, self.machine.alone, caught.places
        places = lines_of(text)
        place = next((number for number in stopped if number in places), main.number)
        return Program("\n".join(MARKS.sub("", line) for line in text) + "\n", "".join(line + "\n" for line in self.output), error, certain,
                       self.danger, places[main.number][0] - 1, places[place])


def lines_of(text):
    """{number of a mark: first and last line}"""
    places = {}
    for line, words in enumerate(text, 1):
        for kind, number in re.findall(r"([\x01\x02])(\d+)\x03", words):
            first, last = places.get(int(number), (line, line))
            places[int(number)] = (line, last) if kind == "\x01" else (first, line)
    return places


def make(seed):
    """The program of a number, or None when it runs for too long."""
    try:
        return ProgramMaker(seed).program()
    except (TooLong, RecursionError):
        return None


def judge(program, status, out, err):
    """What is wrong with a run, or None."""
    if status is None:
        return "does not end"
    if status != (1 if program.error else 0):
        return f"status {status}, not {1 if program.error else 0}: {err.strip()[:200]}"
    if program.error and program.certain and not re.search(MESSAGE[program.error], err):
        return f"another error than {program.error}: {err.strip()[:200]}"
    found = re.search(r"^\S*p\.occ:(\d+):\d+: error: ", err, re.M)
    if program.error and program.certain and found and not program.place[0] <= int(found.group(1)) <= program.place[1]:
        return f"error in line {found.group(1)}, not in {program.place[0]} to {program.place[1]}"
    return None if out == program.output else "wrong output"


def run(words, limit, environment=None):
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, check=False,
                              env=dict(os.environ, **(environment or {})))
        return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")
    except subprocess.TimeoutExpired:
        return None, "", ""


def build(occc, program, folder, flags):
    """(status, stderr) of making folder/p."""
    words = [occc, "-w", "-Wno-error=usage-unproved"]
    if flags == ["fmt"]:
        status, _, err = run([occc, "fmt", "-w", f"{folder}/p.occ"], 60)
        _, again, _ = run([occc, "fmt", "-l", f"{folder}/p.occ"], 60)
        if status != 0 or again:
            return 2, err or "not in order after occc fmt"
        flags = ["-O0"]
    if "separate" not in flags:
        # what a branch does with its part of an array may be beyond proof
        status, _, err = run([*words, *flags, "-o", f"{folder}/p", f"{folder}/p.occ"], 60)
        return status, err
    flags = [word for word in flags if word != "separate"]
    lines = program.text.split("\n")
    for name, part in (("unit", lines[:program.definitions]), ("m", ['#USE "unit"'] + lines[program.definitions:])):
        with open(f"{folder}/{name}.occ", "w", encoding="ascii") as file:
            file.write("\n".join(part) + "\n")
    status, _, err = run([*words, *flags, "-c", "-o", f"{folder}/unit.o", f"{folder}/unit.occ"], 60)
    if status == 0:
        status, _, err = run([*words, *flags, "-o", f"{folder}/p", f"{folder}/m.occ"], 60)
    return status, err


def drawn(program, seed, count, seeds=2):
    """`count` sets of options that change nothing of this program, on 1, 2 and 8 workers; of every fifth program the last is for two units."""
    is_real = program.text.count("REAL") != "\n".join(SHOW).count("REAL")
    found = options.ways(f"generate {seed}", count, seeds, checks=program.error is not None, reals=not is_real)
    last = found[-1][0]
    return [(flags + ["separate"] if flags is last and seed % 5 == 0 else flags, environment) for flags, environment in found]


def try_program(occc, program, folder, ways):
    """(the first thing that goes wrong, as 'way: what', or None; how many runs there were)"""
    source, binary = f"{folder}/p.occ", f"{folder}/p"
    with open(source, "w", encoding="ascii") as file:
        file.write(program.text)
    built, runs = None, 0
    for flags, environment in ways:
        if program.error and ("--no-checks" in flags or "-fstop-mode" in flags):
            continue
        if flags != built:
            status, err = build(occc, program, folder, flags)
            if status == 1 and program.danger and REFUSED.search(err):
                return None, runs
            if status != 0:
                return f"compiling {' '.join(flags)}: status {status}: {err.strip()[:300]}", runs
            built = flags
        runs += 1
        status, out, err = run([binary], 10, environment)
        fault = "a deadlock is reported" if "the others go on" in err else judge(program, status, out, err)
        if fault:
            return f"{' '.join(flags)} {' '.join(f'{k}={v}' for k, v in environment.items())}: {fault}", runs
    return None, runs


def main():
    sys.setrecursionlimit(5000)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that time")
    parser.add_argument("--save", help="where programs that go wrong are kept")
    parser.add_argument("--quick", action="store_true", help="-O0 and -O2 only")
    parser.add_argument("--drawn", type=int, metavar="N", help="N random sets of options for each program, each on 1, 2 and 8 workers")
    parser.add_argument("--seeds", type=int, default=2, help="of the scheduler, for each number of workers of --drawn")
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    if words.print is not None:
        program = make(words.print)
        print(program.text + "\n-- prints " + " ".join(program.output.split()) + f"\n-- error {program.error}" if program else "too long")
        return 0
    ran = failing = wrong = runs = 0
    end = time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(words.seed, words.seed + words.count):
            program = make(seed) if time.monotonic() < end else None
            if program is None:
                continue
            ran, failing = ran + 1, failing + (program.error is not None)
            ways = drawn(program, seed, words.drawn, words.seeds) if words.drawn else WAYS[:2] if words.quick else WAYS + drawn(program, seed, 1, 1)
            fault, count = try_program(words.occc, program, folder, ways)
            runs += count
            if fault:
                wrong += 1
                print(f"program {seed}: {fault}", flush=True)
                if words.save:
                    os.makedirs(words.save, exist_ok=True)
                    with open(f"{words.save}/{seed}.occ", "w", encoding="ascii") as file:
                        file.write(program.text)
                    with open(f"{words.save}/{seed}.txt", "w", encoding="ascii") as file:
                        file.write(f"{fault}\nerror {program.error} certain {program.certain}\n{program.output}")
    print(f"{ran} programs, {failing} of them meant to fail, {runs} runs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
