#!/usr/bin/env python3
"""The documents tell the truth: their occam compiles, their shell commands name what there is, their links lead somewhere.

Blocks in Markdown, by their first line:
  ```occam                  a whole unit: must compile (occc -fsyntax-only)
  ```occam body             specifications and a process: checked as the body of a main PROC
  ```occam rejected ID      a unit that must be refused with the diagnostic ID
  ```occam parse            a unit the compiler reads but does not support yet: must be refused with nothing worse
  ```sh                     every `make target` and every file of the tree in it must exist

The pages of docs/explain are check_explain.py's."""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```\s*$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
MAIN = "PROC main (CHAN BYTE keyboard?, screen!, error!)\n"


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def documents():
    pages = [path for path in glob.glob("docs/**/*.md", recursive=True) if not path.startswith("docs/explain/")]
    return sorted(["README.md", *pages, *glob.glob("*/README.md")])


def compile_text(occc, text, *flags):
    with tempfile.NamedTemporaryFile("w", suffix=".occ", encoding="utf-8") as unit:
        unit.write(text)
        unit.flush()
        done = subprocess.run(
            [occc, "-fsyntax-only", "-w", *flags, unit.name], capture_output=True, text=True, timeout=30
        )
    return done.returncode, done.stdout + done.stderr


def as_body(text):
    return MAIN + "".join("  " + line + "\n" if line else "\n" for line in text.splitlines()) + ":\n"


def occam_complaint(occc, info, text):
    """What is wrong with one block, or None."""
    words = info.split()[1:]
    if words[:1] == ["rejected"]:
        status, output = compile_text(occc, text)
        wanted = f"[{words[1]}]"
        return None if status == 1 and wanted in output else f"is not refused with {wanted}:\n{output}"
    if words[:1] == ["body"]:
        text = as_body(text)
    status, output = compile_text(occc, text)
    if words[:1] == ["parse"]:
        real = [line for line in output.splitlines() if "error[" in line and "[not-supported]" not in line]
        return "\n".join(real) if real else None
    return None if status == 0 else output


def shell_complaints(text):
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), re.M))
    for line in text.splitlines():
        command = line.split("#")[0]
        for target in re.findall(r"\bmake ((?:[a-z][\w-]* ?)+)", command):
            for word in target.split():
                if word not in targets:
                    yield f"make {word}: no such target"
        for path in re.findall(r"(?<![\w/.$-])((?:examples|docs|test|stdlib|build/bin)/[\w./-]+)", command):
            if not path.startswith("build/") and not os.path.exists(path.rstrip(".,")):
                yield f"{path}: no such file"


def complaints(occc):
    for path in documents():
        text = read(path)
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            info, body = match[1].strip(), match[2]
            if info.split()[:1] == ["occam"]:
                found = occam_complaint(occc, info, body)
                if found:
                    yield f"{path}:{line}: {found}"
            elif info == "sh":
                for found in shell_complaints(body):
                    yield f"{path}:{line}: {found}"
        prose = re.sub(r"`[^`\n]*`", lambda code: " " * len(code[0]), text)
        for match in LINK.finditer(prose):
            if not os.path.exists(os.path.join(os.path.dirname(path), match[1])):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: link to {match[1]}, which is not there"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--occc", default="build/bin/occc")
    occc = parser.parse_args().occc
    if not os.path.exists(occc):
        print(f"{occc} is not built")
        return 1
    found = list(complaints(os.path.abspath(occc)))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
