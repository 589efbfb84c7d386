#!/usr/bin/env python3
"""Feed the compiler damaged programs: whatever it reads, it must end in time with status 0 or 1 and say where.

Each mutant is a program of the seeds (tests, examples, library) with one to four changes of token, line, layout or byte.
A run is wrong when the compiler crashes, takes more than the limit of CPU time, rejects without file:line:col, reports
more than 20 errors (--cascade: for one change of a program without errors), or leaves an output file behind; an accepted mutant must come
through code generation as well, at options that the seed draws.
What is wrong is written to --save with the compiler's words, and the status is 1. A seed repeats its mutants.
usage: mutate.py --occc build/bin/occc [--seed N] [--count N] [--save DIR] [FILE or FOLDER ...]"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

import options

TOKEN = re.compile(r'"(?:\*.|[^"*\n])*"|\'(?:\*#?..?|[^\'\n])\'|[A-Za-z][A-Za-z0-9.]*|#[0-9A-F]+|\d+(?:\.\d+(?:E[+-]\d+)?)?'
                   r"|:=|::|\?\?|<>|<=|>=|<<|>>|><|/\\|\\/|\[\]|\S")
TYPES = ["BOOL", "BYTE", "INT", "INT16", "INT32", "INT64", "REAL32", "REAL64", "TIMER", "ANY", "[]INT", "[3]BYTE", "[2][2]INT",
         "CHAN INT", "CHAN BYTE", "[4]CHAN INT"]
WORDS = ("SEQ PAR ALT IF CASE WHILE SKIP STOP VAL IS RESULT INITIAL RETYPES RESHAPES PROC FUNCTION VALOF PROTOCOL DATA TYPE "
         "RECORD PACKED FROM FOR STEP SIZE AFTER AND OR NOT TRUE FALSE ELSE ROUND TRUNC MOSTPOS MOSTNEG PRI PLACED REC INLINE "
         "MOBILE CLONE FORK FORKING CLAIM SHARED BARRIER SYNC ENROLL CLOCK MUTEX NEXT RESUME DROP CLOSE CLOSED PHASE ANY CHAN "
         "PORT PLACE AT ASM GUY EXTENDS BYTESIN OFFSETOF TIMES PLUS MINUS REM BITNOT #INCLUDE #USE #IF #ENDIF #ELSE #PRAGMA "
         "#DEFINE #OPTION ( ) [ ] [] , ; : := :: ? ?? ! & | = <> < > + - * / \\ ~ << >> /\\ >< ' \" * **").split()
NUMBERS = ["0", "1", "-1", "255", "256", "32768", "2147483647", "2147483648", "4294967296", "9223372036854775807", "#FFFFFFFF",
           "99999999999999999999", "1.0", "1.0E+999", "0.0 (REAL32)", "#8000000000000000", "1000000000"]
PLACE = re.compile(r"^[^\s:][^:]*:\d+:\d+: error")
ERROR = re.compile(r"^\S.*\berror(\[[a-z0-9-]+\])?: ")


def read_seeds(paths):
    """{path: text} of the programs below `paths`."""
    found = []
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                found += [os.path.join(folder, name) for name in sorted(names) if name.endswith((".occ", ".module", ".inc"))]
        else:
            found.append(path)
    texts = {}
    for path in found:
        with open(path, encoding="latin-1") as text:
            texts[path] = text.read()
    return texts


class Mutator:
    """The kinds of damage; each takes a text and gives another."""

    def __init__(self, rng, texts):
        self.rng = rng
        self.texts = texts
        self.kinds = [self.delete_token, self.double_token, self.swap_tokens, self.replace_token, self.insert_word,
                      self.change_type, self.change_number, self.change_name, self.swap_direction, self.shift_line,
                      self.shift_block, self.delete_line, self.double_line, self.swap_lines, self.splice, self.nest,
                      self.random_byte, self.truncate]

    def spans(self, text, pattern=TOKEN):
        """Where the tokens of one line, chosen at random, lie in the text."""
        lines = [m for m in re.finditer(r"[^\n]+", text) if not m.group().lstrip().startswith("--")]
        if not lines:
            return []
        line = self.rng.choice(lines)
        return [(line.start() + m.start(), line.start() + m.end()) for m in pattern.finditer(line.group())]

    def replace(self, text, pattern, words):
        spans = list(pattern.finditer(text))
        if not spans:
            return text
        m = self.rng.choice(spans)
        return text[:m.start()] + self.rng.choice(words) + text[m.end():]

    def delete_token(self, text):
        spans = self.spans(text)
        if not spans:
            return text
        a, b = self.rng.choice(spans)
        return text[:a] + text[b:]

    def double_token(self, text):
        spans = self.spans(text)
        if not spans:
            return text
        a, b = self.rng.choice(spans)
        return text[:b] + " " + text[a:b] + text[b:]

    def swap_tokens(self, text):
        spans = self.spans(text)
        if len(spans) < 2:
            return text
        (a, b), (c, d) = sorted(self.rng.sample(spans, 2))
        return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]

    def replace_token(self, text):
        spans, other = self.spans(text), self.rng.choice(list(self.texts.values()))
        source = self.spans(other)
        if not spans or not source:
            return text
        (a, b), (c, d) = self.rng.choice(spans), self.rng.choice(source)
        return text[:a] + other[c:d] + text[b:]

    def insert_word(self, text):
        spans = self.spans(text)
        if not spans:
            return text
        a, _ = self.rng.choice(spans)
        return text[:a] + self.rng.choice(WORDS) + " " + text[a:]

    def change_type(self, text):
        return self.replace(text, re.compile(r"\b(BOOL|BYTE|INT|INT16|INT32|INT64|REAL32|REAL64|TIMER)\b"), TYPES)

    def change_number(self, text):
        return self.replace(text, re.compile(r"(?<![A-Za-z0-9.#])\d+(\.\d+)?"), NUMBERS)

    def change_name(self, text):
        names = re.compile(r"\b[a-z][A-Za-z0-9.]*\b")
        return self.replace(text, names, [m.group() for m in names.finditer(text)] or ["x"])

    def swap_direction(self, text):
        spans = [m for m in re.finditer(r"[?!]", text)]
        if not spans:
            return text
        m = self.rng.choice(spans)
        return text[:m.start()] + ("!" if m.group() == "?" else "?") + text[m.end():]

    def lines(self, text):
        lines = text.split("\n")
        return lines, self.rng.randrange(len(lines))

    def shift(self, line, by):
        return " " * by + line if by > 0 else line[min(-by, len(line) - len(line.lstrip(" "))):]

    def shift_line(self, text):
        lines, i = self.lines(text)
        lines[i] = self.shift(lines[i], self.rng.choice([-2, -1, 1, 2]))
        return "\n".join(lines)

    def shift_block(self, text):
        lines, i = self.lines(text)
        by = self.rng.choice([-2, -1, 1, 2])
        for j in range(i, min(len(lines), i + self.rng.randint(2, 8))):
            lines[j] = self.shift(lines[j], by)
        return "\n".join(lines)

    def delete_line(self, text):
        lines, i = self.lines(text)
        del lines[i]
        return "\n".join(lines)

    def double_line(self, text):
        lines, i = self.lines(text)
        lines.insert(i, lines[i])
        return "\n".join(lines)

    def swap_lines(self, text):
        lines, i = self.lines(text)
        j = self.rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
        return "\n".join(lines)

    def splice(self, text):
        """A few lines of another program."""
        lines, i = self.lines(text)
        other, j = self.lines(self.rng.choice(list(self.texts.values())))
        lines[i:i] = other[j:j + self.rng.randint(1, 6)]
        return "\n".join(lines)

    def nest(self, text):
        """An expression in many brackets, or a process deep in constructs."""
        depth = self.rng.choice([10, 100, 1000])
        numbers = list(re.finditer(r"(?<![A-Za-z0-9.#])\d+", text))
        if self.rng.random() < 0.5 and numbers:
            m = self.rng.choice(numbers)
            left, right = self.rng.choice([("(", ")"), ("[", "]"), ("(- ", ")"), ("(SIZE [", "])"), ("(1 + ", ")")])
            return text[:m.start()] + left * depth + m.group() + right * depth + text[m.end():]
        lines, i = self.lines(text)
        column = len(lines[i]) - len(lines[i].lstrip(" "))
        word = self.rng.choice(["SEQ", "PAR", "IF", "ALT", "WHILE TRUE", "SEQ i = 0 FOR 2", "PAR i = 0 FOR 2"])
        depth = min(depth, 300)
        lines[i:i + 1] = [" " * (column + 2 * k) + word for k in range(depth)] + [" " * (2 * depth) + lines[i]]
        return "\n".join(lines)

    def random_byte(self, text):
        i = self.rng.randrange(len(text) + 1)
        return text[:i] + chr(self.rng.randrange(256)) + text[i + self.rng.randint(0, 1):]

    def truncate(self, text):
        return text[:self.rng.randrange(len(text) + 1)]

    def mutate(self, text):
        """(the damaged text, how many changes were made)"""
        changes = self.rng.choice([1, 1, 1, 2, 2, 3, 4])
        for _ in range(changes):
            text = self.rng.choice(self.kinds)(text) or "\n"
        return text, changes


def fault_of(status, words, seconds, limit, left, most):
    """What was wrong with a run, or None; `most` errors are allowed."""
    if status is None:
        return "hang"
    # the leak checker itself fails now and then
    if ("Sanitizer" in words and "has encountered a fatal error" not in words) or "runtime error:" in words:
        return "sanitizer"
    if status not in (0, 1) and "has encountered a fatal error" not in words:
        return f"status {status}"
    if seconds > limit:
        return "slow"
    if status not in (0, 1):
        return None
    errors = [line for line in words.split("\n") if ERROR.match(line)]
    if status == 0:
        return None if left and not errors else "accepted with errors" if errors else "accepted without output"
    if left:
        return "output left"
    if not errors:
        return "rejected without a word"
    if any(not PLACE.match(line) for line in errors):
        return "rejected without a place"
    return f"{len(errors)} errors" if len(errors) > most else None


def run(occc, path, out, include, flags):
    """(status or None, stderr, CPU seconds) of one compilation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:exitcode=99", UBSAN_OPTIONS="halt_on_error=1:exitcode=99")
    try:
        done = subprocess.run([occc, "-c", *flags, "-I", include or ".", "-o", out, path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, env=environment, check=False)
        status, words = done.returncode, done.stderr.decode("latin-1")
    except subprocess.TimeoutExpired:
        status, words = None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, words, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def is_sound(occc, path, out):
    """The undamaged program compiles."""
    status, _, _ = run(occc, path, out, os.path.dirname(path), ["-O0"])
    if os.path.exists(out):
        os.unlink(out)
    return status == 0


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--limit", type=float, default=2.0, help="CPU seconds a compilation may take")
    parser.add_argument("--cascade", type=int, default=20, help="errors that one change of a sound program may cause")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no mutant after that time")
    parser.add_argument("--save", help="where wrong mutants are kept")
    parser.add_argument("seeds", nargs="*", default=[f"{root}/{d}" for d in ("test", "examples", "stdlib")])
    words = parser.parse_args()
    texts = read_seeds(words.seeds)
    tally = {}
    end = time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        for number in range(words.seed, words.seed + words.count):
            if time.monotonic() > end:
                break
            rng = random.Random(number)
            origin = rng.choice(list(texts))
            text, changes = Mutator(rng, texts).mutate(texts[origin])
            most = 20
            path, out = f"{folder}/mutant{number}.occ", f"{folder}/mutant.o"
            with open(path, "w", encoding="latin-1") as file:
                file.write(text)
            flags = options.any_of_all(f"mutate {number}")
            status, report, seconds = run(words.occc, path, out, os.path.dirname(origin), flags)
            left = os.path.exists(out)
            if left:
                os.unlink(out)
            if status == 1 and changes == 1 and words.cascade < most and is_sound(words.occc, origin, out):
                most = words.cascade
            fault = fault_of(status, report, seconds, words.limit, left, most)
            verdict = fault or ("accepted" if status == 0 else "rejected")
            tally[verdict] = tally.get(verdict, 0) + 1
            if fault:
                print(f"mutant {number} of {os.path.relpath(origin, root)}: {fault} ({seconds:.1f} s, {' '.join(flags)})", flush=True)
                if words.save:
                    os.makedirs(words.save, exist_ok=True)
                    os.replace(path, f"{words.save}/mutant{number}.occ")
                    with open(f"{words.save}/mutant{number}.txt", "w", encoding="latin-1") as file:
                        file.write(f"{fault}\n{' '.join(flags)}\n{report}")
            if os.path.exists(path):
                os.unlink(path)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    return 0 if set(tally) <= {"accepted", "rejected"} else 1


if __name__ == "__main__":
    sys.exit(main())
