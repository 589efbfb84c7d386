#!/usr/bin/env python3
"""examples.py FILE... -- the programs that the page of occc play offers, as a script: their texts without the lines for the tests."""
import json
import os
import re
import sys


def text_of(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not re.match(r"-- (RUN|CHECK|REQUIRES|EXPECT)\b", line)]
    return "".join(lines).strip() + "\n"


names = [(re.sub(r"^\d+-|\.occ$", "", os.path.basename(path)).replace("-", " "), path) for path in sys.argv[1:]]
print("const examples = " + json.dumps([{"name": name, "text": text_of(path)} for name, path in names], indent=1) + ";")
