#!/usr/bin/env python3
"""Variables that are read before, after and while they are written: what has no value reads as zero, at every level.

Each PROC declares variables of many shapes over memory that another one has filled with rubbish, writes them in part
or whole by every kind of process, and prints a checksum of what it reads. A model in Python says which. --seed and
--count choose the programs; options are drawn at random, and shown where a program is wrong."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import options

RUBBISH = """
PROC rubbish (INT sum)
  [700]INT a:
  [3000]INT large:
  SEQ
    SEQ i = 0 FOR SIZE a
      a[i] := (i * 7) + 123456
    SEQ i = 0 FOR SIZE large
      large[i] := i + 777
    sum := sum >< (a[sum /\\ 63] >< large[sum /\\ 2047])
:
PROC fill (VAL INT x, [8]INT a)
  SEQ i = 0 FOR 8
    a[i] := x + i
:
PROC fill.open (VAL INT x, []INT a)
  SEQ i = 0 FOR SIZE a
    a[i] := x - i
:
PROC fill.some (VAL INT x, []INT a)
  SEQ i = 0 FOR (SIZE a) - 1
    a[i] := x \\/ i
:
PROC fill.if (VAL INT x, []INT a)
  IF
    (x /\\ 1) = 0
      SEQ i = 0 FOR SIZE a
        a[i] := x
    TRUE
      a[1] := x
:
PROC sum.of (VAL []INT a, INT sum)
  SEQ i = 0 FOR SIZE a
    sum := (sum TIMES 31) PLUS a[i]
:
PROC grow (VAL INT x, []INT a)
  SEQ
    a[0] := x
    SEQ i = 1 FOR (SIZE a) - 1
      a[i] := a[i - 1] PLUS x
:
PROC put (VAL INT x, INT v)
  v := x
:
PROC put.if (VAL INT x, INT v)
  IF
    x > 5
      v := x
    TRUE
      SKIP
:
"""
MASK = 0xFFFFFFFF
ROUNDS = 20000


def wrap(x):
    x &= MASK
    return x - (1 << 32) if x >> 31 else x


class Var:
    def __init__(self, name, shape):
        self.name, self.shape = name, shape
        self.size = 1
        for n in shape:
            self.size *= n


class Maker:
    """One PROC: text, and a model that runs beside it. Every step is (lines, action on the memory)."""

    def __init__(self, rng):
        self.rng = rng
        self.variables = []
        self.names = 0
        self.depth = 0
        self.rounds = 1  # of the loops around

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # ---- expressions: (text, function of env) ----

    def value(self, loops, reads=True):
        rng = self.rng
        kind = rng.randrange(6 if reads else 3)
        if kind == 0 or (kind == 1 and not loops):
            n = rng.randrange(50)
            return str(n), lambda env: n
        if kind == 1:
            name = rng.choice(loops)[0]
            return name, lambda env: env[name]
        if kind == 2:
            return "x", lambda env: env["x"]
        text, get = self.element(loops)
        if kind == 3:
            return text, get
        other, left = self.value(loops, False)
        return f"({text} PLUS {other})", lambda env: wrap(get(env) + left(env))

    def index(self, loops, n):
        """A subscript that is always below n."""
        rng = self.rng
        usable = [(name, first, end) for name, first, end in loops if 0 <= first and end <= n]
        kind = rng.randrange(4)
        if usable and kind < 2:
            name, first, end = rng.choice(usable)
            low, high = -first, n - end
            k = rng.choice([0, 0, 0, rng.randint(low, high)])
            if k == 0:
                return name, lambda env: env[name]
            sign = "+" if k > 0 else "-"
            return f"{name} {sign} {abs(k)}", lambda env: env[name] + k
        if usable and kind == 2:
            name, first, end = rng.choice(usable)
            top = rng.randint(end - 1, min(n - 1 + first, n + first))
            if 0 <= top - (end - 1) and top - first < n:
                return f"{top} - {name}", lambda env: top - env[name]
        if rng.random() < 0.15 and n & (n - 1) == 0:
            return f"x /\\ {n - 1}", lambda env: env["x"] & (n - 1)
        k = rng.choice([0, n - 1, rng.randrange(n)])
        return str(k), lambda env: k

    def place(self, loops, variable=None, rest=0):
        """(text, function to the key) of an element; `rest` dimensions are left."""
        fits = [v for v in self.variables if len(v.shape) >= rest]
        variable = variable or self.rng.choice(fits)
        text, parts = variable.name, []
        for n in variable.shape[:len(variable.shape) - rest]:
            word, at = self.index(loops, n)
            text += f"[{word}]"
            parts.append((n, at))
        below = 1
        for n in variable.shape[len(variable.shape) - rest:]:
            below *= n

        def key(env):
            at = 0
            for n, where in parts:
                at = at * n + where(env)
            return env["memory"][variable.name], at * below, below
        return text, key, variable

    def element(self, loops):
        text, key, _ = self.place(loops)

        def get(env):
            memory, at, _ = key(env)
            return memory[at]
        return text, get

    # ---- processes: (lines, run) ----

    def assign(self, loops):
        text, key, _ = self.place(loops)
        value, get = self.value(loops)

        def run(env):
            memory, at, _ = key(env)
            memory[at] = get(env)
        return [f"{text} := {value}"], run

    def scan(self, loops):
        """A loop over the elements of a variable, whole or not, upwards or down, SEQ or PAR."""
        rng = self.rng
        fits = [v for v in self.variables if v.shape and self.rounds * v.size <= ROUNDS]
        if not fits:
            return self.assign(loops)
        variable = rng.choice(fits)
        n = variable.shape[0]
        self.rounds *= n
        lines = self.loop(loops, variable, n)
        self.rounds //= n
        return lines

    def loop(self, loops, variable, n):
        rng = self.rng
        i = self.name("i")
        first, count = rng.choice([(0, n), (0, n), (0, n), (1, n - 1), (0, n - 1), (n // 2, n - n // 2)])
        downward = rng.random() < 0.15
        is_par = rng.random() < 0.15 and len(variable.shape) == 1 and count <= 12
        inner = loops + [(i, first, first + count)]
        shift = ""
        if len(variable.shape) == 1 and is_par:
            value, get = self.value(inner, False)
            body, run_body = [f"{variable.name}[{i}] := {value}"], None

            def run_body(env):
                env["memory"][variable.name][env[i]] = get(env)
        elif len(variable.shape) == 2 and rng.random() < 0.7:
            j = self.name("j")
            m = variable.shape[1]
            value, get = self.value(inner + [(j, 0, m)])
            if rng.random() < 0.3:
                row = self.name("row")
                body = [f"{row} IS {variable.name}[{i}]:", f"SEQ {j} = 0 FOR {m}", f"  {row}[{j}] := {value.replace(variable.name, 'x') if variable.name in value else value}"]
                if variable.name in value:
                    get = None
                    body[-1] = f"  {row}[{j}] := x"
            else:
                body = [f"SEQ {j} = 0 FOR {m}", f"  {variable.name}[{i}][{j}] := {value}"]
            keep = get

            def run_body(env):
                for env[j] in range(m):
                    env["memory"][variable.name][env[i] * m + env[j]] = keep(env) if keep else env["x"]
        elif rng.random() < 0.6 and len(variable.shape) == 1:
            value, get = self.value(inner)
            text, at = self.index([(i, first, first + count)], n)
            body = [f"{variable.name}[{text}] := {value}"]

            def run_body(env):
                value = get(env)
                env["memory"][variable.name][at(env)] = value
        else:
            body, run_body = self.process(inner)
        step = f" STEP -1" if downward else ""
        base = first + count - 1 if downward else first
        size = f"SIZE {variable.name}" if (first, count) == (0, n) and not downward and rng.random() < 0.4 else str(count)
        lines = [f"{'PAR' if is_par else 'SEQ'} {i} = {base} FOR {size}{step}"] + ["  " + line for line in body]

        def run(env):
            indices = range(first, first + count)
            for env[i] in reversed(indices) if downward else indices:
                run_body(env)
        return lines, run

    def whole(self, loops):
        """A call or a whole assignment."""
        rng = self.rng
        ones = [v for v in self.variables if v.shape and self.rounds * v.shape[-1] <= ROUNDS]
        if not ones:
            return self.assign(loops)
        text, key, variable = self.place(loops, rng.choice(ones), 1)
        n = variable.shape[-1]
        value, get = self.value(loops, False)
        forms = ["fill.open", "fill.some", "fill.if", "grow"] + (["fill"] if n == 8 else []) + ["table", "segment"]
        form = rng.choice(forms)
        cut = n
        if form == "segment":
            cut = rng.randint(2, n) if n > 2 else n
            start = rng.choice([0, 0, n - cut])
            line = f"fill.open ({value}, [{text} FROM {start} FOR {cut}])"
        elif form == "table":
            start = 0
            line = f"{text} := [{self.name('k')} = 0 FOR {n} | {value}]"
        else:
            start = 0
            line = f"{form} ({value}, {text})"

        def run(env):
            memory, at, _ = key(env)
            x = get(env)
            at += start
            if form == "fill":
                for k in range(n):
                    memory[at + k] = x + k
            elif form in ("fill.open", "segment"):
                for k in range(cut):
                    memory[at + k] = x - k
            elif form == "fill.some":
                for k in range(n - 1):
                    memory[at + k] = x | k
            elif form == "fill.if":
                if x & 1 == 0:
                    for k in range(n):
                        memory[at + k] = x
                else:
                    memory[at + 1] = x
            elif form == "grow":
                memory[at] = x
                for k in range(1, n):
                    memory[at + k] = wrap(memory[at + k - 1] + x)
            else:
                for k in range(n):
                    memory[at + k] = x
        return [line], run

    def put(self, loops):
        text, key, _ = self.place(loops)
        value, get = self.value(loops)
        form = self.rng.choice(["put", "put.if"])
        if self.names and text.split("[")[0] in value:
            value, get = "x", lambda env: env["x"]

        def run(env):
            memory, at, _ = key(env)
            x = get(env)
            if form == "put" or x > 5:
                memory[at] = x
        return [f"{form} ({value}, {text})"], run

    def condition(self, loops):
        value, get = self.value(loops)
        k = self.rng.randrange(4)
        return f"({value} /\\ 3) = {k}", lambda env: get(env) & 3 == k

    def choice(self, loops):
        rng = self.rng
        if rng.random() < 0.5:
            parts = [(self.condition(loops), self.process(loops)) for _ in range(rng.randint(1, 2))]
            last, run_last = self.process(loops)
            lines = ["IF"]
            for (text, _), (body, _) in parts:
                lines += ["  " + text] + ["    " + line for line in body]
            lines += ["  TRUE"] + ["    " + line for line in last]

            def run(env):
                for (_, test), (_, act) in parts:
                    if test(env):
                        act(env)
                        return
                run_last(env)
            return lines, run
        value, get = self.value(loops)
        one, run_one = self.process(loops)
        other, run_other = self.process(loops)
        lines = [f"CASE {value} /\\ 1", "  1"] + ["    " + line for line in one] + ["  ELSE"] + ["    " + line for line in other]
        return lines, lambda env: (run_one if get(env) & 1 else run_other)(env)

    def repeat(self, loops):
        n = self.name("n")
        self.rounds *= 3
        body, run_body = self.process(loops)
        self.rounds //= 3
        count, get = self.value(loops, False)
        lines = [f"INITIAL INT {n} IS {count} /\\ 3:", f"WHILE {n} > 0", "  SEQ"] + ["    " + line for line in body] + [f"    {n} := {n} - 1"]

        def run(env):
            for _ in range(get(env) & 3):
                run_body(env)
        return lines, run

    def inside(self, loops):
        """A variable of its own scope, in a loop perhaps: each time anew."""
        variable = self.declare()
        self.variables.append(variable)
        body, run_body = self.sequence(loops, self.rng.randint(1, 3))
        self.variables.pop()
        dims = "".join(f"[{n}]" for n in variable.shape)
        lines = [f"{dims}INT {variable.name}:"] + body

        def run(env):
            env["memory"][variable.name] = [0] * variable.size
            run_body(env)
        return lines, run

    def report(self, loops):
        text, key, variable = self.place(loops, None, 0)
        if variable.shape and self.rounds * variable.shape[-1] <= ROUNDS and self.rng.random() < 0.4:
            text, key, variable = self.place(loops, variable, 1)

            def run(env):
                memory, at, n = key(env)
                for k in range(n):
                    env["sum"] = wrap(env["sum"] * 31 + memory[at + k])
            return [f"sum.of ({text}, sum)"], run

        def run(env):
            memory, at, _ = key(env)
            env["sum"] = wrap(env["sum"] * 31 + memory[at])
        return [f"sum := (sum TIMES 31) PLUS {text}"], run

    def process(self, loops):
        self.depth += 1
        deep = self.depth > 3
        forms = [self.assign, self.whole, self.report, self.put] + ([] if deep else [self.scan, self.scan, self.choice, self.repeat, self.inside])
        result = self.rng.choice(forms)(loops)
        self.depth -= 1
        return result

    def sequence(self, loops, count):
        parts = [self.process(loops) for _ in range(count)]
        lines = ["SEQ"] + ["  " + line for body, _ in parts for line in body]

        def run(env):
            for _, act in parts:
                act(env)
        return lines, run

    def declare(self):
        rng = self.rng
        shape = rng.choice([[], [], [8], [8], [4], [32], [3, 4], [5, 8], [2000], [40, 40]])
        return Var(self.name("v"), shape)

    def proc(self, name):
        variables = [self.declare() for _ in range(self.rng.randint(1, 4))]
        self.variables = list(variables)
        body, run_body = self.sequence([], self.rng.randint(2, 7))
        ends = [(f"sum.of ({v.name}, sum)" if len(v.shape) == 1 else None, v) for v in variables if self.rng.random() < 0.5]
        lines = [f"PROC {name} (VAL INT x, INT sum)"]
        lines += [f"  {''.join(f'[{n}]' for n in v.shape)}INT {v.name}:" for v in variables]
        lines += ["  " + line for line in body] + [f"    {text}" for text, _ in ends if text] + [":"]

        def run(x, total):
            env = {"x": x, "sum": total, "memory": {v.name: [0] * v.size for v in variables}}
            run_body(env)
            for text, v in ends:
                if text:
                    for item in env["memory"][v.name]:
                        env["sum"] = wrap(env["sum"] * 31 + item)
            return env["sum"]
        return lines, run


class Program:
    def __init__(self, number, procs=24):
        self.number = number
        rng = random.Random(f"undefined {number}")
        self.procs = [Maker(rng).proc(f"p{i}") for i in range(procs)]
        self.inputs = [rng.randrange(20) for _ in self.procs]

    def text(self):
        lines = ['#USE "course"', RUBBISH]
        for body, _ in self.procs:
            lines += body
        lines += ["PROC main (CHAN BYTE out!)", "  INITIAL INT sum IS 1:", "  INITIAL INT other IS 1:", "  SEQ"]
        for i, x in enumerate(self.inputs):
            lines += ["    rubbish (other)", "    sum := 1", f"    p{i} ({x}, sum)", "    out.int (sum, 0, out!)", '    out.string ("*n", 0, out!)']
        return "\n".join(lines + [":", ""])

    def expected(self):
        return [str(run(x, 1)) for (_, run), x in zip(self.procs, self.inputs)]


def try_one(occc, number, folder):
    program = Program(number)
    source, binary = os.path.join(folder, "u.occ"), os.path.join(folder, "u")
    with open(source, "w") as file:
        file.write(program.text())
    words = options.draw(number, checks=False)
    made = subprocess.run([occc, "-w", *words, source, "-o", binary], capture_output=True, text=True)
    if made.returncode != 0:
        return f"program {number} {' '.join(words)}: {made.stderr[:600]}"
    ran = subprocess.run([binary], capture_output=True, text=True, timeout=60)
    wanted, seen = program.expected(), ran.stdout.split()
    wrong = [i for i, (a, b) in enumerate(zip(wanted, seen)) if a != b]
    if ran.returncode != 0 or len(wanted) != len(seen) or wrong:
        return f"program {number} {' '.join(words)}: status {ran.returncode}, wrong: {[f'p{i} {seen[i]} for {wanted[i]}' for i in wrong][:5]} {ran.stderr[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--show", action="store_true", help="the text of the program --seed")
    arguments = parser.parse_args()
    if arguments.show:
        print(Program(arguments.seed).text())
        return 0
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.seed, arguments.seed + arguments.count):
            fault = try_one(arguments.occc, number, folder)
            if fault:
                failures += 1
                print(fault)
    print(f"{arguments.count} programs of 24 routines, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
