"""Every kind of output of every kind of input: each is made and holds what the input has, or is an error of usage.

    python3 output_kinds.py --occc build/bin/occc --llvm /usr/lib/llvm-19 --folder /tmp/kinds
"""

import argparse
import itertools
import pathlib
import subprocess
import sys

UNIT = "PROC quiet (VAL INT x, RESULT INT y)\n  y := x\n:\nINT FUNCTION twice (VAL INT x) IS x * 2:\n"
MOBILE = ("PROC TYPE WALK (VAL INT x):\nMOBILE PROC stepper (VAL INT x) IMPLEMENTS WALK\n  INT y:\n"
          "  SEQ\n    y := x\n    SUSPEND\n    y := y + x\n:\n")
TYPES = "DATA TYPE LENGTH IS INT:\nPROTOCOL P IS INT; BYTE:\nVAL LENGTH longest IS 3:\n"
PROGRAM = "PROC helper (CHAN BYTE out!)\n  out ! 'x'\n:\nPROC main (CHAN BYTE screen!)\n  helper (screen!)\n:\n"
USER = '#USE "unit"\nPROC main (CHAN BYTE screen!)\n  INT y:\n  SEQ\n    quiet (twice (32), y)\n    screen ! BYTE y\n:\n'
HOST = ('#INCLUDE "hostio.inc"\n#USE "hostio.lib"\nPROC tool (CHAN OF SP fs, ts)\n'
        '  so.write.string (fs, ts, "A")\n:\n')

# input -> (files, words of the command line, what must stand in the output, is it a program)
INPUTS = {
    "unit": ({"unit.occ": UNIT}, ["unit.occ"], ["unit.quiet", "unit.twice"], None),
    "mobile": ({"mobile.occ": MOBILE}, ["mobile.occ"], [], None),  # travels in the interface
    "types": ({"types.occ": TYPES}, ["types.occ"], [], None),
    "empty": ({"empty.occ": ""}, ["empty.occ"], [], None),
    "program": ({"program.occ": PROGRAM}, ["program.occ"], ["occ[._]program"], "x"),
    "user": ({"unit.occ": UNIT, "user.occ": USER}, ["user.occ"], ["occ[._]program"], "@"),
    "host": ({"host.occ": HOST}, ["host.occ"], ["occ[._]program"], "A"),
    "both": ({"unit.occ": UNIT, "program.occ": PROGRAM}, ["unit.occ", "program.occ"], None, "x"),
    "stdin-unit": ({"-": UNIT}, ["-x", "occam", "-"], ["stdin.quiet", "stdin.twice"], None),
    "stdin-program": ({"-": PROGRAM}, ["-x", "occam", "-"], ["occ[._]program"], "x"),
    "stdin-unnamed": ({"-": PROGRAM}, ["-"], "usage", None),
    "nothing": ({}, [], "usage", None),
}

# kind -> (words, suffix of what is made)
KINDS = {
    "object": (["-c"], ".o"),
    "assembly": (["-S"], ".s"),
    "text": (["-S", "-emit-llvm"], ".ll"),
    "bitcode": (["-c", "-emit-llvm"], ".bc"),
    "link": ([], None),
    "check": (["-fsyntax-only"], ""),
    "bare": (["-emit-llvm"], "usage"),
    "rule": (["-MM"], "rule"),
}
OUTPUTS = {"default": [], "named": ["-o", "made"], "stdout": ["-o", "-"]}
LEVELS = [["-O0"], ["-O2"], ["-O2", "-g"], ["-Os"], ["-fstop-mode"]]


class Judge:
    def __init__(self, arguments):
        self.arguments = arguments
        self.wrong = 0
        self.count = 0

    def tool(self, *words):
        done = subprocess.run([f"{self.arguments.llvm}/bin/{words[0]}", *words[1:]], capture_output=True)
        return done.returncode, done.stdout.decode(errors="replace")

    def complain(self, name, words):
        self.wrong += 1
        print(f"{name}: {words}")

    def names_in(self, path, suffix):
        """The names that a file defines, by the tool that reads it; None: it is no such file."""
        made = path
        if suffix in (".s", ".ll", ".bc"):
            made = path.with_name("again.o")
            language = "assembler" if suffix == ".s" else "ir"
            status, _ = self.tool("clang", "-Wno-override-module", "-c", "-x", language, str(path), "-o", str(made))
            if status != 0:
                return None
        status, text = self.tool("llvm-nm", "--defined-only", str(made))
        return text if status == 0 else None

    def check_file(self, name, path, suffix, wanted):
        if not path.exists() or path.stat().st_size == 0:
            self.complain(name, f"{path.name} is missing or empty")
            return
        names = self.names_in(path, suffix)
        if names is None:
            self.complain(name, f"{path.name} cannot be read as {suffix}")
            return
        for word in wanted or []:
            forms = [word.replace("[._]", mark) for mark in "._"]
            if not any(form in names for form in forms):
                self.complain(name, f"{path.name} has no {word}")

    def usage(self, name, done, new):
        lines = [line for line in done.stderr.decode().splitlines() if "error:" in line]
        if done.returncode != 2 or not lines:
            self.complain(name, f"status {done.returncode} where 2 and a message are due")
        if new or done.stdout:
            self.complain(name, f"an error of usage left {sorted(new)}")

    def check_program(self, name, done, path, shown):
        if shown is None:
            if done.returncode != 1 or b"error" not in done.stderr or path.exists():
                self.complain(name, f"status {done.returncode}, no program can be made of it")
        elif done.returncode != 0 or not path.exists():
            self.complain(name, f"status {done.returncode}, {done.stderr.decode()[:200]}")
        elif subprocess.run([str(path)], capture_output=True).stdout.decode() != shown:
            self.complain(name, "the program does not print what it should")

    def run(self, source, kind, output, level):
        files, inputs, wanted, shown = INPUTS[source]
        words, suffix = KINDS[kind]
        name = f"{source} {kind} {output} {' '.join(level)}"
        self.count += 1
        folder = pathlib.Path(self.arguments.folder) / name.replace(" ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for file, text in files.items():
            if file != "-":
                (folder / file).write_text(text)
        before = set(folder.iterdir())
        done = subprocess.run([self.arguments.occc, "-w", *words, *level, *OUTPUTS[output], *inputs], cwd=folder,
                              input=files.get("-", "").encode(), capture_output=True)
        new = set(folder.iterdir()) - before
        sources = [word for word in inputs if word.endswith(".occ") or word == "-"]
        many = len(sources) > 1 and output != "default" and suffix not in (None, "")
        if wanted == "usage" or suffix == "usage" or many or (suffix is None and output == "stdout"):
            self.usage(name, done, new)
        elif suffix is None:
            self.check_program(name, done, folder / ("made" if output == "named" else "a.out"), shown)
        elif done.returncode != 0:
            self.complain(name, f"status {done.returncode}: {done.stderr.decode()[:200]}")
        elif suffix == "rule":
            if b".o:" not in done.stdout + b"".join(p.read_bytes() for p in new):
                self.complain(name, "no rule")
        elif suffix == "":
            if new or done.stdout:
                self.complain(name, f"checking made {sorted(new)}")
        elif output == "stdout":
            (folder / "shown").write_bytes(done.stdout)
            self.check_file(name, folder / "shown", suffix, wanted)
        else:
            for file in sources:
                stem = "made" if output == "named" else pathlib.Path(file).stem + suffix
                self.check_file(name, folder / stem, suffix, wanted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--llvm", default="/usr/lib/llvm-19")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--long", action="store_true", help="every level with every output")
    arguments = parser.parse_args()
    judge = Judge(arguments)
    for source, kind, output in itertools.product(INPUTS, KINDS, OUTPUTS):
        index = judge.count % len(LEVELS)
        for level in LEVELS if arguments.long else [LEVELS[index]]:
            judge.run(source, kind, output, level)
    print(f"{judge.count} command lines, {judge.wrong} wrong")
    return 1 if judge.wrong else 0


sys.exit(main())
