"""Programs that are compiled twice, with every check (-O0) and optimised (at options that a seed draws), and must do the same.

Shared by bounds.py, ends.py and strips.py: each has a Maker of programs and says which inputs both are given."""

import argparse
import os
import subprocess
import sys
import tempfile

import options

LIMIT_SECONDS = 10
LOOPS = 25


def lengthen(text, seed):
    """Of every fourth program the PROCs that are tested have so many loops that each becomes a routine (codegen/loop/outline.h)."""
    if seed % 4 != 0:
        return text
    loop = ["    INT turns:", "    SEQ", "      turns := 3", "      WHILE turns > 0", "        turns := turns - 1"]
    lines, at = [], ""
    for line in text.split("\n"):
        if line == ":" and at == "  SEQ":
            lines += LOOPS * loop
        if line.startswith("PROC work"):
            at = "PROC"
        elif at and line[:3].strip():
            at = line if line != ":" else ""
        lines.append(line)
    return "\n".join(lines)


def flags_of(seed):
    """The options of the two programs of a seed: only the first are sure to keep every check."""
    checked = ["-O0"] + [word for word in options.draw(f"checked {seed}") if word in ("-g", "-march=native")]
    return checked, options.draw(f"optimised {seed}", levels=options.FAST, reals=True)


def build(occc, folder, text, seed):
    """The two programs, or what the compiler says of them: (programs, None) or (None, (options, status, messages))."""
    source = os.path.join(folder, "twice.occ")
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    programs = [os.path.join(folder, name) for name in ("checked", "optimised")]
    for program, flags in zip(programs, flags_of(seed)):
        done = subprocess.run([occc, "-w", *flags, source, "-o", program], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            return None, (" ".join(flags), done.returncode, done.stderr)
    return programs, None


def run(program, words):
    """(status, output, messages); one that does not end is wrong too."""
    try:
        done = subprocess.run([program], input=words, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=dict(os.environ, NO_COLOR="1"))
    except subprocess.TimeoutExpired:
        return "does not end", "", ""
    return done.returncode, done.stdout, done.stderr


def main(name, text_of, compare, count):
    """The command: text_of(seed) is a program, compare(occc, folder, seed) is (complaint or None, how many runs ended
    well, how many in an error). A batch in which nothing ended well, or nothing in an error, has tested nothing."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", default="build/bin/occc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--save", help="where programs that differ are kept")
    parser.add_argument("--print", type=int, metavar="N", help="show the program of a number")
    arguments = parser.parse_args()
    if arguments.print is not None:
        print(text_of(arguments.print), end="")
        return 0
    well = failed = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            complaint, good, bad = compare(os.path.abspath(arguments.occc), folder, seed)
            well, failed = well + good, failed + bad
            if complaint is not None:
                wrong += 1
                print(f"WRONG: seed {seed} ({' '.join(flags_of(seed)[1])}): {complaint}", flush=True)
                keep(arguments.save, f"{name}-{seed}.occ", text_of(seed))
    print(f"{arguments.count} programs: {well} runs ended well, {failed} in an error, {wrong} wrong")
    return 1 if wrong or well == 0 or failed == 0 else 0


def keep(folder, name, text):
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
