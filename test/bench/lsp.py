#!/usr/bin/env python3
"""How fast `occc lsp` answers: lsp.py --occc build/bin/occc

A text of 2 000 lines is edited 200 times, as by keys: from the key to its diagnostics; then hover, definition and completion
at random names. A folder of 50 000 lines is searched for a symbol: what the server holds then. p50, p95 in ms, and MB."""

import argparse
import os
import random
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from lsp_client import Client  # noqa: E402

ROUTINE = """--* Adds and sends number {n}.
PROC work.{n} (VAL INT count, CHAN INT in?, out!)
  INITIAL INT sum IS {n}:
  SEQ i = 0 FOR count
    INT x:
    SEQ
      in ? x
      IF
        x > {n}
          sum := sum + (x * {n})
        (x = 3) OR (x = i)
          sum := sum - 1
        TRUE
          SKIP
      out ! sum
:
PROC pair.{n} (CHAN INT in?, out!)
  CHAN INT between:
  PAR
    work.{n} (10, in?, between!)
    work.{n} (10, between?, out!)
:
"""


def text_of(lines):
    count = lines // ROUTINE.count("\n")
    return "".join(ROUTINE.format(n=n) for n in range(count))


def shown(name, times):
    times = sorted(times)
    print(f"{name:12} p50 {1000 * times[len(times) // 2]:6.1f} ms, p95 {1000 * times[len(times) * 95 // 100]:6.1f} ms")


def timed(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def memory(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024


def ask_about(client, uri, text):
    lines = text.split("\n")
    chance = random.Random(1)
    places = []
    while len(places) < 200:
        line = chance.randrange(len(lines))
        names = list(re.finditer(r"[a-z][a-z.0-9]*", lines[line]))
        if names and not lines[line].startswith("--"):
            places.append((line, chance.choice(names).start()))
    for method in ("hover", "definition", "completion"):
        shown(method, [timed(lambda place=place: client.at(method, uri, *place)) for place in places])


def small(occc):
    text = text_of(2000)
    client = Client(occc, capabilities={"workspace": {"codeLens": {"refreshSupport": True}}, "textDocument": {"codeLens": {}}})
    uri = client.open("/tmp/large.occ", text)
    client.published(uri)
    client.about("codeLens", uri)
    line = text.split("\n").index("  INITIAL INT sum IS 40:")
    times = []
    for key in range(200):
        end = {"line": line, "character": 23 + (key + 1) // 2 if key % 2 else 23 + key // 2}
        time.sleep(0.05)

        def press(end=end):
            client.change(uri, {"range": {"start": end, "end": end}, "text": " "})
            client.published(uri)
        times.append(timed(press))
    shown("diagnostics", times)
    ask_about(client, uri, text)
    print(f"memory       {memory(client.server):.1f} MB")
    client.quit()


def large(occc):
    with tempfile.TemporaryDirectory() as folder:
        for number in range(50):
            with open(f"{folder}/part{number}.occ", "w", encoding="ascii") as file:
                file.write(text_of(1000))
        client = Client(occc, folder=folder, timeout=60)
        uri = client.open(f"{folder}/part0.occ", text_of(1000))
        client.published(uri)
        found = client.ask("workspace/symbol", {"query": "pair.3"})
        print(f"50 000 lines: {len(found)} symbols found, {memory(client.server):.1f} MB")
        client.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", default="build/bin/occc")
    arguments = parser.parse_args()
    small(os.path.abspath(arguments.occc))
    large(os.path.abspath(arguments.occc))


main()
