"""Units as sources, objects and archives in every order: accepted when they agree, refused when they differ.

    python3 archives.py --occc build/bin/occc --folder /tmp/archives

A unit `base` defines a type and routines; `left` and `right` use it, each compiled from its source or with its object; a
program uses some of the three. They come as objects in every order on the command line, as members of one archive in every
order, as an archive for each, beside the program, or mixed; and `base` is the same for all, or has changed in between.
"""

import argparse
import itertools
import pathlib
import shutil
import subprocess
import sys

BASE = """DATA TYPE AMOUNT IS INT:
DATA TYPE BOX
  RECORD
    AMOUNT value:
    %s pad:
:
INT FUNCTION double (VAL BOX b)
  INT r:
  VALOF
    r := (INT b[value]) * 2
    RESULT r
:
PROC fill (BOX b, VAL AMOUNT v)
  b[value] := v
:
"""
LEFT = '#USE "base"\nPROC put (BOX b)\n  fill (b, 3)\n:\n'
RIGHT = '#USE "base"\nINT FUNCTION get (VAL BOX b)\n  INT r:\n  VALOF\n    r := double (b)\n    RESULT r\n:\n'
MAIN = """%sPROC main (CHAN BYTE screen!)
  BOX b:
  SEQ
    put (b)
    screen ! BYTE (get (b) + (INT '0'))
    screen ! '*n'
:
"""
USES = [["left", "right"], ["right", "left"], ["base", "left", "right"], ["left", "base", "right"], ["left", "right", "base"]]


class Bench:
    def __init__(self, arguments):
        self.occc = arguments.occc
        self.folder = pathlib.Path(arguments.folder)
        self.wrong = 0
        self.count = 0

    def compile(self, folder, *words):
        return subprocess.run([self.occc, "-w", *words], cwd=folder, capture_output=True, text=True)

    def make(self, how_left, how_right, changed):
        """A folder with the three objects; `changed`: base is another one when right and base.o are made."""
        made = self.folder / f"{how_left}-{how_right}-{'changed' if changed else 'same'}"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        (made / "left.occ").write_text(LEFT)
        (made / "right.occ").write_text(RIGHT)
        for name, how in (("left", how_left), ("right", how_right)):
            (made / "base.occ").write_text(BASE % ("INT64" if changed and name == "right" else "INT"))
            if how == "object":
                self.compile(made, "-c", "base.occ")
            elif (made / "base.o").exists():
                (made / "base.o").unlink()
            self.compile(made, "-c", f"{name}.occ")
        self.compile(made, "-c", "base.occ")
        return made

    def judge(self, what, place, uses, words, agrees):
        """The program from its source, and by way of its object."""
        (place / "main.occ").write_text(MAIN % "".join(f'#USE "{unit}"\n' for unit in uses))
        self.count += 1
        for step in ("source", "object"):
            if step == "source":
                done = self.compile(place, "main.occ", *words, "-o", "main")
            else:
                done = self.compile(place, "-c", "main.occ", *words)
                if done.returncode == 0:
                    done = self.compile(place, "main.o", *words, "-o", "main")
            if agrees:
                shown = subprocess.run([str(place / "main")], capture_output=True, text=True).stdout if done.returncode == 0 else done.stderr
                if shown != "6\n":
                    self.wrong += 1
                    print(f"{what} {uses} {step}: {shown[:300]}")
            elif done.returncode == 0 or "'base'" not in done.stderr:
                self.wrong += 1
                print(f"{what} {uses} {step}: units that differ pass, or are not named: {done.stderr[:300]}")
        for old in ("main", "main.o"):
            (place / old).unlink(missing_ok=True)

    def place(self, made, files):
        """A folder that has nothing but these."""
        place = made / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for file in files:
            shutil.copy(made / file, place / file)
        return place

    def archive(self, place, name, members):
        subprocess.run(["ar", "qcs", name, *members], cwd=place, check=True)
        for member in members:
            (place / member).unlink()

    def run(self, made, what, agrees, has_copies, thorough):
        objects = ["base.o", "left.o", "right.o"]
        orders = list(itertools.permutations(objects))
        chosen = self.count % len(orders)
        for index, order in enumerate(orders):
            if not thorough and index != chosen:
                continue
            uses = USES if thorough else [USES[index % len(USES)]]
            for used in uses:
                place = self.place(made, objects)
                self.judge(f"{what} objects {order}", place, used, list(order), agrees)
                self.archive(place, "liball.a", order)
                self.judge(f"{what} archive {order}", place, used, ["liball.a"], agrees)
                self.judge(f"{what} -lall {order}", place, used, ["-L.", "-lall"], agrees)
                place = self.place(made, objects)
                self.archive(place, "libpair.a", order[:2])
                self.judge(f"{what} archive {order[:2]} and object", place, used, [order[2], "libpair.a"], agrees)
                self.judge(f"{what} object and archive {order[:2]}", place, used, ["libpair.a", order[2]], agrees)
                place = self.place(made, objects)
                for one in order:
                    self.archive(place, f"lib{one[:-2]}.a", [one])
                self.judge(f"{what} archives {order}", place, used, [f"lib{one[:-2]}.a" for one in order], agrees)
                self.judge(f"{what} archives beside {order}", place, used, [], agrees)
        for used in USES if thorough else USES[:2]:
            place = self.place(made, ["left.o", "right.o", "base.occ"])
            self.judge(f"{what} source and objects", place, used, ["left.o", "right.o"], agrees and has_copies)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--long", action="store_true", help="every program with every order")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    for left, right, changed in itertools.product(("source", "object"), ("source", "object"), (False, True)):
        made = bench.make(left, right, changed)
        bench.run(made, f"left from {left}, right from {right}, {'changed' if changed else 'same'}:", not changed,
                  left == "source" and right == "source", arguments.long)
    print(f"{bench.count} programs, {bench.wrong} wrong")
    return 1 if bench.wrong else 0


sys.exit(main())
