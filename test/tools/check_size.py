#!/usr/bin/env python3
"""No source over 480 lines, unless its head comment says why: a line 'Long because: ...'."""

import sys

from source_text import our_files, read

LIMIT_LINES = 480


def complaints():
    for path in our_files(".c", ".h", ".l", ".y", ".S", ".def"):
        text = read(path)
        lines = text.count("\n")
        if lines > LIMIT_LINES and "Long because:" not in text[:3000]:
            yield f"{path}: {lines} lines; split it by concept (limit {LIMIT_LINES})"


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
