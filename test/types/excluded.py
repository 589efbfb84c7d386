"""What constants switch off: every error of values in every such place is a warning, the program runs; elsewhere an error.

    python3 excluded.py --occc build/bin/occc --folder /tmp/excluded
"""

import argparse
import pathlib
import subprocess
import sys

# statements that could not be done, of [4]INT a, INT x, BYTE y, CHAN INT::[]BYTE c
FAULTS = ["x := a[9]", "x := a[-1]", "a[four] := 1", "x := m[1][7]", "x := 7 / 0", "x := x \\ 0", "x := 2147483647 + four", "x := x << 33",
          "y := BYTE 300", "x := SIZE [a FROM 3 FOR 9]", "[a FROM 3 FOR 4] := [1, 2, 3, 4]", "[a FROM 0 FOR 2] := [a FROM 3 FOR 2]",
          "x := SIZE [a FROM -1 FOR 2]", "take ([a FROM 2 FOR 4])", "c ! 9::\"four\"", "x := - (MOSTNEG INT)"]
# conditions that could not be decided
QUESTIONS = ["a[9] = 3", "(7 / 0) = x", "a[x << 40] = 1", "(BYTE 300) = y", "(SIZE [a FROM 2 FOR 3]) = x"]
TYPES = ["x := TRUE", "x := nobody", "take (x)", "a[1.0 (REAL32)] := 2"]

# how the text round a statement looks; %s: the statement, two columns deeper than its head
PLACES = {
    "choice": ["IF", "  off", "    %s", "  TRUE", "    SKIP"],
    "choice behind TRUE": ["IF", "  TRUE", "    SKIP", "  x = 3", "    %s"],
    "choice behind a constant": ["IF", "  NOT off", "    SKIP", "  TRUE", "    %s"],
    "inner choice": ["IF", "  off", "    IF", "      x = 1", "        SKIP", "      TRUE", "        %s", "  TRUE", "    SKIP"],
    "option": ["CASE four", "  3, 5", "    %s", "  4", "    SKIP"],
    "ELSE": ["CASE four", "  4", "    SKIP", "  ELSE", "    %s"],
    "loop": ["WHILE off", "  %s"],
    "loop in a choice": ["IF", "  off", "    SEQ i = 0 FOR x", "      %s", "  TRUE", "    SKIP"],
    "alternative": ["PRI ALT", "  off & SKIP", "    %s", "  TRUE & SKIP", "    SKIP"],
    "routine": ["IF", "  off", "    PROC inner ()", "      %s", "    :", "    inner ()", "  TRUE", "    SKIP"],
}
CONDITIONS = {
    "AND": ["b := FALSE AND (%s)"],
    "AND of a name": ["b := off AND (%s)"],
    "OR": ["b := (NOT off) OR (%s)"],
    "chain": ["b := b AND (off AND (%s))"],
    "choice behind TRUE": ["IF", "  TRUE", "    SKIP", "  %s", "    SKIP"],
    "loop": ["WHILE off AND (%s)", "  SKIP"],
    "guard": ["PRI ALT", "  off AND (%s) & SKIP", "    SKIP", "  TRUE & SKIP", "    SKIP"],
}
HEAD = """PROC take ([4]INT a)
  a[0] := 1
:
PROC main (CHAN BYTE screen!)
  VAL off IS FALSE:
  VAL INT four IS 4:
  [4]INT a:
  [2][4]INT m:
  INT x:
  BYTE y:
  BOOL b:
  CHAN INT::[]BYTE c:
  SEQ
    a, x, y, b := [1, 2, 3, 4], 2, 'y', TRUE
    m := [a, a]
"""
TAIL = """    take (a)
    IF
      b OR (y = 'y')
        screen ! BYTE (48 + (x + a[3]))
      TRUE
        screen ! BYTE m[0][0]
    IF
      off
        [8]BYTE text:
        INT n:
        c ? n::text
      TRUE
        screen ! '*n'
"""


class Judge:
    def __init__(self, arguments):
        self.occc = arguments.occc
        self.folder = pathlib.Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.count = 0
        self.wrong = 0

    def compile(self, lines, *words):
        text = HEAD + "".join(f"    {line}\n" for line in lines) + TAIL + ":\n"
        (self.folder / "one.occ").write_text(text)
        self.count += 1
        return subprocess.run([self.occc, *words, "one.occ", "-o", "one"], cwd=self.folder, capture_output=True, text=True)

    def complain(self, what, words):
        self.wrong += 1
        print(f"{what}: {words}")

    def errors(self, done):
        return [line for line in done.stderr.splitlines() if " error[" in line]

    def excluded(self, what, lines, faults):
        done = self.compile(lines, "-fsyntax-only", "-Wno-usage-self")
        warned = done.stderr.count("warning[unreachable-error]")
        if done.returncode != 0 or warned != faults:
            self.complain(what, f"{warned} warnings for {faults} faults, {self.errors(done)}")
            return
        if "unreachable-error" in self.compile(lines, "-fsyntax-only", "-Wno-unreachable-error").stderr:
            self.complain(what, "the warning is not switched off")
        for level in ("-O0", "-O2"):
            done = self.compile(lines, "-w", level)
            shown = subprocess.run([str(self.folder / "one")], capture_output=True, text=True) if done.returncode == 0 else None
            if shown is None or shown.stdout != "6\n":
                self.complain(what, f"{level}: {done.stderr[:300]} {shown}")

    def rejected(self, what, lines, faults):
        found = len(self.errors(self.compile(lines, "-fsyntax-only", "-w", "-ferror-limit=0")))
        if found != faults:
            self.complain(what, f"{found} errors for {faults}")


def spread(place, statements):
    """The place with all statements, each where %s stands."""
    lines = []
    for line in place:
        if line.strip() == "%s":
            margin = line[: len(line) - len(line.lstrip())]
            lines += [f"{margin}SEQ", *(f"{margin}  {statement}" for statement in statements)]
        else:
            lines.append(line)
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--folder", required=True)
    judge = Judge(parser.parse_args())
    for name, place in PLACES.items():
        judge.excluded(f"{name}: all", spread(place, FAULTS), len(FAULTS))
        judge.rejected(f"{name}: types", spread(place, TYPES), len(TYPES))
        reached = [line.replace("off", "b").replace("TRUE", "b").replace("four", "x") for line in place]
        judge.rejected(f"{name}: reached", spread(reached, FAULTS), len(FAULTS))
    for name, place in CONDITIONS.items():
        lines = [line.replace("%s", question) for question in QUESTIONS for line in place]
        judge.excluded(f"{name}: all", lines, len(QUESTIONS))
        reached = [line.replace("FALSE", "b").replace("TRUE", "b").replace("off", "b") for line in lines]
        judge.rejected(f"{name}: reached", reached, len(QUESTIONS))
    print(f"{judge.count} programs, {judge.wrong} wrong")
    return 1 if judge.wrong else 0


sys.exit(main())
