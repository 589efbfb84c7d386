#!/usr/bin/env python3
"""Every folder has a README.md that names each of its files, and none that is gone. A folder without one of its own is
described by the nearest README above it, which names its files as folder/file. Tests are described by rule. The
top of the tree is fixed."""

import os
import re
import subprocess
import sys

BY_RULE = ("test/", "docs/explain/", "docs/book/exercises/", "docs/book/solutions/")
# The top of the tree is fixed: nothing is added to it, least of all what somebody's shell left there.
TOP = {"Makefile", "README.md", "LICENSE", "frontend", "codegen", "runtime", "stdlib", "examples", "test", "docs"}


def files(*which):
    listed = subprocess.run(["git", "ls-files", *which], capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if os.path.exists(name)]


def strays():
    """Files that are in the repository; what a user writes beside them is his."""
    return [path for path in files() if path.split("/")[0] not in TOP and not path.startswith(".")]


def read(path):
    try:
        with open(path, encoding="utf-8") as text:
            return text.read()
    except FileNotFoundError:
        return None


def describing_readme(path):
    """(README path, name of the file as that README must call it)."""
    folder, _, name = path.rpartition("/")
    while folder:
        if os.path.exists(f"{folder}/README.md"):
            break
        folder, _, own = folder.rpartition("/")
        name = f"{own}/{name}"
    return f"{folder}/README.md" if folder else None, name


def gone(readme):
    """Names in the first column of the README's tables that are no files."""
    folder = os.path.dirname(readme)
    for column in re.findall(r"^\|([^|]*)\|", read(readme), re.M):
        for name in re.findall(r"`([^`]+\.[a-z]+)`", column):
            if not os.path.exists(os.path.join(folder, name)) and "<" not in name and "*" not in name:
                yield name


def complaints():
    readmes = set()
    for path in strays():
        yield f"{path}: does not belong at the top of the tree"
    for path in files("-co", "--exclude-standard"):
        if "/" not in path or path.startswith((".",) + BY_RULE):
            continue
        readme, name = describing_readme(path)
        if readme is None:
            yield f"{path}: no README.md in its folder"
            continue
        readmes.add(readme)
        if path != readme and f"`{name}`" not in read(readme):
            yield f"{path}: `{name}` is not in {readme}"
    for readme in sorted(readmes):
        for name in gone(readme):
            yield f"{readme}: names {name}, which is not there"


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
