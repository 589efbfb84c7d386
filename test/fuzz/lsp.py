#!/usr/bin/env python3
"""Random edits in an editor: after each, `occc lsp` says of the text what `occc check` says; no question ends it or waits for
more than --limit seconds.

    lsp.py --occc build/bin/occc [--seed 1] [--count 20] [--edits 30] [FILE...]

Each of --count sessions opens one of the files (by default the examples), edits it --edits times and asks questions
at random places, sometimes before the diagnostics of the edit have come."""

import argparse
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
from lsp_client import Client, Gone  # noqa: E402

PLACE_QUESTIONS = ["hover", "definition", "typeDefinition", "documentHighlight", "prepareRename", "completion", "signatureHelp"]
WHOLE_QUESTIONS = ["documentSymbol", "foldingRange", "semanticTokens/full"]
PIECES = ["SEQ\n", "PAR\n", "IF\n", "ALT\n", "  ", " ", "\n", ":", ":\n", "(", ")", "[", "]", "x", " := ", " ! ", " ? ", "CASE\n", "INT x:\n", "PROC p ()\n",
          "WHILE TRUE\n", '"', "'", "--", "--{{{\n", "\t", "\u00e9", "\U0001d11e", "\r\n", "#INCLUDE \"consts.inc\"\n", "#USE \"text\"\n", "#IF", "VALOF\n", ",", ";",
          "::", "0", "#FF", "TRUE", "RESULT x\n", "\0"]


def units(text):
    """The length of a text in units of UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def position(text, index):
    before = text[:index].split("\n")
    return {"line": len(before) - 1, "character": units(before[-1])}


def edit(rng, text):
    """(start, end, new text) of an edit as people make them, or as nobody does."""
    size = len(text)
    start = rng.randrange(size + 1)
    kind = rng.randrange(6)
    if kind == 0:  # a few characters less
        return start, min(size, start + rng.randrange(1, 12)), ""
    if kind == 1:  # lines less
        end = start
        for _ in range(rng.randrange(1, 4)):
            end = text.find("\n", end) + 1 or size
        return start, end, ""
    if kind == 2:  # a piece of the text again, elsewhere
        other = rng.randrange(size + 1)
        return start, start, text[other : other + rng.randrange(1, 200)]
    if kind == 3:  # a character changed
        return start, min(size, start + 1), rng.choice(PIECES)
    if kind == 4:  # a line typed
        line = text.rfind("\n", 0, start) + 1
        return line, line, " " * rng.randrange(0, 12) + "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 5)))
    return start, start, rng.choice(PIECES)


def said_by_check(occc, path, text):
    """(severity, id, line, column in UTF-16 units, message) of each diagnostic in the text itself."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    done = subprocess.run([occc, "check", "-fdiagnostics-format=json", path], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise Gone(f"occc check ended with status {done.returncode}")
    lines = text.split("\n")
    said = []
    for line in done.stderr.decode().splitlines():
        each = json.loads(line)
        if "id" not in each:
            continue
        place = each.get("location")
        if place and place["file"] == path:
            row = place["line"] - 1
            before = lines[row][: place["column"] - 1] if row < len(lines) else ""
            start = (row, units(before))
        else:
            start = None
        said.append((each["severity"], each["id"], start, each["message"]))
    return said


def said_by_server(diagnostics, wanted):
    names = ["", "error", "warning", "note"]
    said = []
    for i, each in enumerate(diagnostics):
        start = (each["range"]["start"]["line"], each["range"]["start"]["character"])
        message = wanted[i][3] if i < len(wanted) and each["message"].startswith(wanted[i][3]) else each["message"]
        if i < len(wanted) and wanted[i][2] is None:
            start = None  # it is about another file: the server shows it at the directive
        said.append((names[each["severity"]], each["code"], start, message))
    return said


class Session:
    def __init__(self, arguments, seed, path, text):
        self.rng = random.Random(seed)
        self.arguments, self.path, self.text = arguments, path, text
        self.client = Client(arguments.occc, timeout=30)
        self.uri = self.client.open(path, text)
        self.slowest = 0

    def ask(self):
        method = self.rng.choice(PLACE_QUESTIONS + WHOLE_QUESTIONS)
        more = {}
        if method in PLACE_QUESTIONS:
            more["position"] = position(self.text, self.rng.randrange(len(self.text) + 1))
        start = time.monotonic()
        self.client.about(method, self.uri, **more)
        self.slowest = max(self.slowest, time.monotonic() - start)

    def step(self):
        start, end, new = edit(self.rng, self.text)
        if "\r" in self.text[max(0, start - 1) : end + 1]:
            start = end = 0
        new = "".join(new)
        span = {"start": position(self.text, start), "end": position(self.text, end)}
        self.text = self.text[:start] + new + self.text[end:]
        self.client.change(self.uri, {"range": span, "text": new})
        if self.rng.randrange(3) == 0:
            self.ask()
        if self.rng.randrange(4) == 0:
            return None  # the next edit comes before anything was said
        wanted = said_by_check(self.arguments.occc, self.path, self.text)
        found = said_by_server(self.client.published(self.uri), wanted)
        self.ask()
        return None if found == wanted else (wanted, found)

    def run(self):
        for _ in range(self.arguments.edits):
            try:
                differs = self.step()
            except Gone as gone:
                return f"the server: {gone}"
            if differs:
                return f"check says {differs[0]}\nserver says {differs[1]}"
        if self.slowest > self.arguments.limit:
            return f"an answer took {self.slowest:.2f} s"
        return None if self.client.quit() == 0 else "the server did not end well"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--limit", type=float, default=1.0)
    parser.add_argument("--save", default=tempfile.gettempdir())
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    files = arguments.files or sorted(glob.glob(os.path.join(HERE, "../../examples/*.occ")))
    failed = 0
    slowest = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            path = os.path.join(folder, f"edited{seed}.occ")
            with open(random.Random(seed).choice(files), encoding="utf-8") as file:
                session = Session(arguments, seed, path, file.read())
            fault = session.run()
            slowest = max(slowest, session.slowest)
            if fault:
                failed += 1
                saved = os.path.join(arguments.save, f"lsp-{seed}.occ")
                os.makedirs(arguments.save, exist_ok=True)
                with open(saved, "w", encoding="utf-8", newline="") as file:
                    file.write(session.text)
                print(f"seed {seed}: {fault}\n  the text is {saved}")
                session.client.server.kill()
    print(f"lsp: {arguments.count} sessions of {arguments.edits} edits, {failed} failed; the slowest answer took {slowest * 1000:.0f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
