#!/usr/bin/env python3
"""Random sentences of the grammar: each is parsed, and then compiled or refused by a check, without a crash.

Every production of grammar.y that is no recovery from an error is used in turn, between random other ones, at several depths. Names
are chosen by where they stand, among those of a preamble, so that many a sentence comes far. A run is wrong when the compiler
crashes, is too slow, has an internal error, gives no place, or a syntax error that the grammar does not know of.
usage: grammar.py --occc build/bin/occc [--seed N] [--count N] [--save DIR] [--grammar FILE]
       grammar.py --print N                                                      show the sentence of a number"""

import argparse
import os
import random
import re
import sys
import tempfile
import time

import options
from mutate import PLACE, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT_SECONDS = 3.0
# what the grammar takes and the parser then refuses
ALLOWED = re.compile(r"syntax-(assign-type|compare|formal-type|function-body|initial-count|items|lone-name|one-component|one-process|"
                     r"operator-name|operator-unknown|outermost|parentheses|precedence|result-type|semicolon|specification-last|tag|"
                     r"two-processes|type-as-value|word-form|function-mark|no-result|depth|declaration-value|loop)")
# words of our own that are names where no simple element follows; a list in brackets that begins like a declaration
EITHER = re.compile(r"\b(CLOSED?|DROP|RESUME|NEXT|PHASE) \[|\bPHASE \w+, |\(\w+ \w+, ")
SYNTAX = re.compile(r"error\[((?:syntax|layout|lexical)-[a-z-]+)\]")
# recovery; what stands in interfaces only; words of a position that the grammar does not know
UNUSED = ("error", '"#BODY"', '"UNDEFINED"', '"PROCESSOR"')
PREAMBLE = """DATA TYPE LEN IS INT:
DATA TYPE RC
  RECORD
    INT f:
    [4]BYTE g:
:
PROTOCOL PR IS INT; BYTE:
PROTOCOL CA
  CASE
    one; INT
    two
:
CHAN TYPE BU
  MOBILE RECORD
    CHAN INT in?:
    CHAN INT out!:
:
VAL INT K IS 3:
VAL []BYTE S IS "text":
INT FUNCTION fun (VAL INT p, q) IS p PLUS q:
INT FUNCTION "%%" (VAL INT p, q) IS p:
INT FUNCTION "&&" (VAL INT p, q) IS p:
INT FUNCTION "@@" (VAL INT p) IS p:
PROC proc (VAL INT p, INT q)
  q := p
:
""".split("\n")[:-1]
LOCAL = """INT x, y:
[4]INT a:
[3][4]INT m:
[4]BYTE b:
BOOL z:
REAL32 r:
RC s:
LEN l:
CHAN INT c:
[2]CHAN INT d:
CHAN CA e:
CHAN PR g:
TIMER t:
MOBILE []INT o:
BU! u:
BU? w:
BARRIER h:
CLOCK k:
MUTEX n:""".split("\n")
NEW = ["v0", "v1", "v2", "v3", "v4", "x", "c"]
VARIABLES = ["x", "x", "y", "y", "a", "m", "b", "z", "r", "s", "l", "o", "K", "S", "v0", "v1", "f"]
CHANNELS = ["c", "c", "d", "e", "g", "t", "u", "w", "x"]
NAMES = {  # by the left side of the production, or that and the word before or after the name
    "type": ["LEN", "RC", "BU", "CA", "PR"], "ptype": ["LEN", "RC", "PR", "CA"], "atype": ["LEN", "RC", "BU"], "spec0": ["LEN", "RC", "BU"],
    "dectype": ["LEN", "RC"], "mtype": ["LEN"], "arrtype2": ["LEN", "RC"], "alloctype": ["BU", "RC"], "table": ["RC", "LEN"],
    "literal": ["LEN"], "conversion": ["LEN", "fun"], "call": ["fun", "fun", "LONGPROD", "ABS", "proc"],
    "action": CHANNELS, "input": CHANNELS, "alternative_head": CHANNELS, "procdef": NEW, "fundef": NEW,
    "variant_head": ["one", "two"], "tag": ["v0", "v1", "one"], "lhs": VARIABLES, "lhsitem": VARIABLES, "element": VARIABLES + CHANNELS,
    "subel": ["a", "m", "b", "s", "d", "u", "w", "S", "o"], "replicator": ["i", "j"], "nonel": ["RC", "f"]}


class Grammar:
    """The productions of a bison file, without what recovers from errors."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        body = re.sub(r"/\*.*?\*/", " ", text.split("\n%%", 2)[1] if text.startswith("/*") else text, flags=re.S)
        tokens = dict(re.findall(r'(T_[A-Z0-9_]+) ("(?:\\.|[^"])*")', text))
        self.rules = {}
        left, right = None, []
        for word in self.words(body):
            if word.endswith(":") and len(word) > 1 and word[0] != '"':
                left, right = word[:-1].strip(), []
            elif word in ("|", ";"):
                self.rules.setdefault(left, []).append(tuple(right))
                right = []
            elif word != "%empty":
                right.append(tokens.get(word, word))
        self.rules = {left: [r for r in rights if self.is_whole(r)] for left, rights in self.rules.items()}
        # types that are read as an expression, directly behind '(': INT v9: stands there in a sentence
        self.rules["specs0"] = [r for r in self.rules["specs0"] if r[0] != "expr"]
        self.measure()
        for left, rights in self.rules.items():
            self.rules[left] = [r for r in rights if all(w[0] == '"' or w in self.height for w in r)]

    @staticmethod
    def words(body):
        """Words of the rules; actions and %prec are left out."""
        depth = 0
        for m in re.finditer(r"\{|\}|\"(?:\\.|[^\"])*\"|'.'|%prec\s+\S+|%empty|\w+\s*:|[A-Za-z_]\w*|[|;]", body):
            word = m.group()
            if word == "{":
                depth += 1
            elif word == "}":
                depth -= 1
            elif depth == 0 and not word.startswith("%prec"):
                yield word

    @staticmethod
    def is_whole(right):
        return not any(w in UNUSED or "BROKEN" in w for w in right) and right[-2:] != ("process", '"OUTDENT"')

    def measure(self):
        """The least height of a tree of each left side; and which production gives it."""
        self.height = {}
        changed = True
        while changed:
            changed = False
            for left, rights in self.rules.items():
                for right in rights:
                    if all(w[0] == '"' or w in self.height for w in right):
                        height = 1 + max([self.height[w] for w in right if w[0] != '"'], default=0)
                        if height < self.height.get(left, 10**6):
                            self.height[left], changed = height, True

    def height_of(self, right):
        return 1 + max([self.height[w] for w in right if w[0] != '"'], default=0)


class Sentence:
    """One derivation: text with its layout."""

    def __init__(self, grammar, rng, depth):
        self.grammar, self.rng, self.depth = grammar, rng, depth
        self.budget = 350
        self.text, self.column, self.indents, self.at_start = [], 0, [0], True

    def steps_to(self, start, goal):
        """How many productions from `start` to `goal`: {left: steps}."""
        steps, changed = {goal: 0}, True
        while changed:
            changed = False
            for left, rights in self.grammar.rules.items():
                least = min((steps[w] + 1 for right in rights for w in right if w in steps), default=10**6)
                if least < steps.get(left, 10**6):
                    steps[left], changed = least, True
        return steps if start in steps else None

    def derive(self, start, goal, production):
        """From `start`, by the shortest way through `production` of `goal`."""
        self.steps, self.goal, self.production = self.steps_to(start, goal), goal, production
        if self.steps is None:
            return False
        self.expand(start, self.depth, True)
        return True

    def choose(self, left, depth, wanted):
        rights = self.grammar.rules[left]
        if wanted and left == self.goal:
            return self.production
        if wanted:
            near = [r for r in rights if any(self.steps.get(w, 10**6) == self.steps[left] - 1 for w in r)]
            return self.rng.choice(near)
        low = [r for r in rights if self.grammar.height_of(r) <= max(depth, self.grammar.height[left])]
        if self.budget <= 0:
            low = [r for r in rights if self.grammar.height_of(r) == self.grammar.height[left]]
        return self.rng.choice(low)

    def expand(self, left, depth, wanted=False):
        right = self.choose(left, depth, wanted)
        self.budget -= 1
        on_way = None
        if wanted and not (left == self.goal and right is self.production):
            on_way = next(i for i, w in enumerate(right) if self.steps.get(w, 10**6) == self.steps[left] - 1)
        in_layout = "valof" in right and right[0] == '"("'
        if in_layout:
            self.emit("(")
            opened = self.column - 1
            self.indents.append(self.column)
            self.emit("INT v9:")  # only after a ':' or VALOF do lines count in brackets
            self.newline()
        for i, word in enumerate(right):
            if in_layout and word in ('"("', '")"'):
                continue
            if word[0] == '"':
                self.terminal(word[1:-1], left, right, i)
            else:
                self.expand(word, depth - 1 if left != word else depth, i == on_way)
        if in_layout:
            self.indents.pop()
            self.newline()
            self.indents.append(opened)
            self.emit(")")
            self.indents.pop()

    # -- text

    def newline(self):
        if not self.at_start:
            self.text.append("\n")
            self.column, self.at_start = 0, True

    def emit(self, text):
        if self.at_start:
            self.text.append(" " * self.indents[-1])
            self.column, self.at_start = self.indents[-1], False
        elif self.text[-1] not in ("(", "[") and text not in (")", "]", ",", ";"):
            self.text.append(" ")
            self.column += 1
        self.text.append(text)
        self.column += len(text)

    def terminal(self, word, left, right, i):
        rng = self.rng
        if word == "NL":
            self.newline()
        elif word == "INDENT":
            self.indents.append(self.indents[-1] + 2)
        elif word == "OUTDENT":
            self.indents.pop()
        elif word == "NAME":
            self.emit(rng.choice(self.names(left, right, i)))
        elif word == "INTEGER":
            self.emit(rng.choice(["0", "1", "2", "3", "7", "255", "256", "#FF", "2147483647", "#FFFFFFFF", "70000"]))
        elif word == "REAL":
            self.emit(rng.choice(["0.0", "1.5", "1.0E+10", "1.0E-40"]))
        elif word == "BYTE_LITERAL":
            self.emit(rng.choice(["'a'", "'*n'", "'*#FF'", "'**'"]))
        elif word == "STRING":
            self.emit(rng.choice(['"+"', '"-"', '"<"', '"%%"']) if left == "fundef" else rng.choice(['""', '"text"', '"*lab"', '"a*nb"']))
        elif word == "USER_OPERATOR":
            self.emit(rng.choice(["%%", "@@", "&&"]))
        elif word == "#PRAGMA" and left != "spec0":
            self.emit("BYTE f9 :" if left == "field" else "v9")
        elif word == "#PRAGMA":
            self.emit(rng.choice(["#PRAGMA SHARED x", "#PRAGMA DEFINED x", "#PRAGMA PERMITALIASES a", "#PRAGMA ODD x"]))
        elif word == "[|":
            self.emit("[")
        else:
            self.emit(word.replace("\\\\", "\\"))

    def names(self, left, right, i):
        before, after = (right[i - 1] if i else ""), (right[i + 1] if i + 1 < len(right) else "")
        if left in ("spec0", "declnames", "namelist", "initials", "procdef", "protdef", "typedef", "placement", "fundef", "fspec") \
                and not (i == 0 and left in ("spec0", "fspec") and len(right) > 1 and after != '"IS"') and before not in ('"IMPLEMENTS"',):
            return NEW
        if left == "fspec":
            return ["LEN", "RC", "BU"]
        if left == "action" and '"("' in right:
            return ["proc", "proc", "ASSERT", "CAUSEERROR", "fun", "v0"]
        return NAMES.get(left, VARIABLES)


def productions(grammar):
    reached, todo = {"program"}, ["program"]
    while todo:
        for right in grammar.rules[todo.pop()]:
            for word in right:
                if word[0] != '"' and word not in reached:
                    reached.add(word)
                    todo.append(word)
    return [(left, right) for left in sorted(reached) for right in grammar.rules[left]]


def sentence(grammar, number):
    """The program of a number, or None when its production is not to be reached from there."""
    rng = random.Random(number)
    every = productions(grammar)
    goal, production = every[number % len(every)]
    start = rng.choice(["unit", "process", "process", "process", "expr"])
    made = Sentence(grammar, rng, rng.choice([2, 4, 6, 8, 11]))
    if start == "unit":
        ok = made.derive("unit", goal, production)
        return "\n".join(PREAMBLE) + "\n" + "".join(made.text) if ok else None
    made.indents = [2]
    if start == "expr":
        made.emit("x :=")
    if not made.derive(start, goal, production):
        return sentence_of_unit(grammar, number, goal, production)
    made.newline()
    lines = PREAMBLE + ["PROC main ()"] + ["  " + line for line in LOCAL] + ["".join(made.text).rstrip("\n"), ":"]
    return "\n".join(lines) + "\n"


def sentence_of_unit(grammar, number, goal, production):
    made = Sentence(grammar, random.Random(number), 6)
    return "\n".join(PREAMBLE) + "\n" + "".join(made.text) if made.derive("program", goal, production) else None


def fault_of(text, status, words, seconds):
    if status is None:
        return "hang"
    if ("Sanitizer" in words and "has encountered a fatal error" not in words) or "runtime error:" in words:
        return "sanitizer"
    if status not in (0, 1):
        return f"status {status}"
    if seconds > LIMIT_SECONDS:
        return "slow"
    if "internal" in words:
        return "internal error"
    refused = [id_ for id_ in SYNTAX.findall(words) if not ALLOWED.fullmatch(id_)]
    if refused and not EITHER.search(text):
        return refused[0]
    errors = [line for line in words.split("\n") if re.match(r"^\S.*\berror(\[[a-z0-9-]+\])?: ", line)]
    if status == 1 and not errors:
        return "rejected without a word"
    return "rejected without a place" if any(not PLACE.match(line) for line in errors) else None


def main():
    sys.setrecursionlimit(5000)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    parser.add_argument("--grammar", default=f"{ROOT}/frontend/parse/grammar.y")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no sentence after that time")
    parser.add_argument("--save", help="where wrong ones are kept")
    parser.add_argument("--print", type=int, metavar="N")
    words = parser.parse_args()
    grammar = Grammar(words.grammar)
    if words.print is not None:
        print(sentence(grammar, words.print))
        return 0
    tally, end = {}, time.monotonic() + words.seconds
    with tempfile.TemporaryDirectory() as folder:
        path, out = f"{folder}/sentence.occ", f"{folder}/sentence.o"
        for number in range(words.seed, words.seed + words.count):
            text = sentence(grammar, number) if time.monotonic() < end else None
            if text is None:
                continue
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            status, report, seconds = run(words.occc, path, out, None, options.any_of_all(f"grammar {number}"))
            fault = fault_of(text, status, report, seconds)
            verdict = fault or ("accepted" if status == 0 else "refused")
            tally[verdict] = tally.get(verdict, 0) + 1
            if fault:
                print(f"sentence {number}: {fault} ({seconds:.1f} s)", flush=True)
                if words.save:
                    os.makedirs(words.save, exist_ok=True)
                    os.replace(path, f"{words.save}/sentence{number}.occ")
                    with open(f"{words.save}/sentence{number}.txt", "w", encoding="latin-1") as file:
                        file.write(f"{fault}\n{report}")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    return 0 if set(tally) <= {"accepted", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())
