"""The words of a text with their colours, from what `kate-syntax-highlighter --syntax-trace=format` prints: below each line of
the text, names of formats at the columns where they begin. `kate_formats.py OCCAM.XML TEXT`"""

import re
import sys

KATE, SOURCE = sys.argv[1:3]
with open(KATE, encoding="utf-8") as definition:
    NAMES = re.findall(r'itemData name="([^"]*)"', definition.read()) + ["Alert Level 2"]


def formats_of(lines):
    """[(column, name)] of the lines below one of the text; a bar stands above each name until its line comes."""
    return sorted((match.start(), match[0]) for line in lines for match in re.finditer("|".join(NAMES), line))


def show(text, below):
    starts = formats_of(below)
    ends = [column for column, _ in starts[1:]] + [len(text)]
    words = [(name, text[start:end].strip()) for (start, name), end in zip(starts, ends)]
    print("; ".join(f"{name} {word}" for name, word in words if word and name != "Normal"))


def main():
    with open(SOURCE, encoding="utf-8") as source:
        wanted = [line.rstrip("\n") for line in source]
    seen = [line.rstrip() for line in sys.stdin]
    at = 0
    for number, line in enumerate(wanted):
        at = seen.index(line, at) + 1
        last = seen.index(wanted[number + 1], at) if number + 1 < len(wanted) else len(seen)
        show(line, seen[at:last])


main()
