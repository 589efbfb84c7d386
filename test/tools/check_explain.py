#!/usr/bin/env python3
"""Every message has its page docs/explain/<id>.md: a first sentence, a wrong program, the mended one.

Without --occc: there is a page for each id of diag_*.def, of the right form, and none besides. With it every program is
compiled as well: the wrong ones give that id and no other, the right ones nothing at all; of a remark, which is
asked for by -R, the right ones give it and the wrong ones do not. A fence may name a file for
the program to include (```occam shape.inc); "<!-- no program: reason -->" stands in place of programs where a short one
cannot show it."""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

DIAG = re.compile(r'^\s*DIAG\(\s*\w+\s*,\s*"([\w-]+)"', re.M)
FENCE = re.compile(r"^```occam ?(\S*)\n(.*?)^```$", re.M | re.S)
FOUND = re.compile(r"\b(?:error|warning|note)\[([\w-]+)\]")
ON_REQUEST = re.compile(r'^\s*DIAG\(\s*\w+\s*,\s*"([\w-]+)"\s*,\s*REMARK', re.M)
REASON = re.compile(r"<!-- no program: .+ -->")


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def ids():
    return {name for path in glob.glob("frontend/diag/diag_*.def") for name in DIAG.findall(read(path))}


def remarks():
    return {name for path in glob.glob("frontend/diag/diag_*.def") for name in ON_REQUEST.findall(read(path))}


def sections(text):
    """heading -> text, of the headings ## Wrong and ## Right."""
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def form_complaints(path, name, text):
    lines = text.split("\n")
    if lines[0] != f"# {name}" or lines[1] or not lines[2]:
        yield f"{path}: begins with '# {name}', an empty line and a first sentence"
    if REASON.search(text):
        return
    for heading in ("Wrong", "Right"):
        if not FENCE.search(sections(text).get(heading, "")):
            yield f"{path}: no program below '## {heading}'"
    if any(len(line) > 100 for line in lines):
        yield f"{path}: a line of more than 100 columns"


def compile_section(occc, text, *options):
    """(ids reported, all that was said) for the programs of one section."""
    found, words = set(), ""
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for number, (name, program) in enumerate(FENCE.findall(text)):
            path = os.path.join(folder, name or f"program{number}.occ")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            programs += [] if name else [path]
        for path in programs:
            command = [occc, *options, "-###", "-o", f"{folder}/out", path]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said = FOUND.findall(done.stderr)
            found |= set(said) or {"nothing"}
            words += done.stderr if said else ""
    return found, words


def program_complaints(occc, path, name, text):
    parts = sections(text)
    if "Wrong" not in parts:
        return
    if name in remarks():
        for heading, is_given in (("Wrong", False), ("Right", True)):
            found, words = compile_section(occc, parts[heading], f"-R{name}")
            if (name in found) != is_given:
                yield f"{path}: the program below {heading} gives {sorted(found)}\n{words}"
        return
    found, words = compile_section(occc, parts["Wrong"])
    if found != {name}:
        yield f"{path}: the wrong program gives {sorted(found)}\n{words}"
    found, words = compile_section(occc, parts["Right"])
    if found != {"nothing"}:
        yield f"{path}: the right program gives {sorted(found)}\n{words}"


def complaints(occc):
    pages = {os.path.basename(path)[:-3]: path for path in glob.glob("docs/explain/*.md")}
    known = ids()
    for name in sorted(known - set(pages)):
        yield f"docs/explain/{name}.md is missing: every message has its page (see docs/contributing.md)"
    for name in sorted(set(pages) - known):
        yield f"{pages[name]}: there is no message {name}"
    for name in sorted(known & set(pages)):
        text = read(pages[name])
        yield from form_complaints(pages[name], name, text)
        if occc:
            yield from program_complaints(occc, pages[name], name, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--occc")
    words = parser.parse_args()
    found = list(complaints(words.occc and os.path.abspath(words.occc)))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
