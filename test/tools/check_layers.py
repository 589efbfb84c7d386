#!/usr/bin/env python3
"""Who may include whom: docs/architecture.md, section Layers.

A file includes headers of lower layers or of its own, and its own header. The tables below are that drawing; a new
file gets a line here. Patterns are tried in order."""

import fnmatch
import glob
import os
import re
import sys

from source_text import our_files, read

FRONTEND = [
    ("base/*", 0),
    ("diag/* unit/digest unit/object_section unit/interface unit/unit", 1),
    ("token/* explore/*", 2),
    ("tree/*", 3),
    ("parse/*", 4),
    ("types/* index/*", 5),
    ("check/* effects/* clock/* usage/* placed/* flow/* skeleton/* unit/interface_text", 6),
    ("deadlock/* debug/* doc/* driver/* export/* graph/* lsp/* play/* project/* testing/* top/* trace/* main", 7),
]
RUNTIME = [
    ("include/*", 0),
    ("base/*", 1),
    ("arch/* os/*", 2),
    ("core/* memory/*", 3),
    ("report/*", 4),
    ("scheduler/* explore/*", 5),
    ("clock/* mobile/*", 6),
    ("channel/* sync/*", 7),
    ("placed/* world/*", 8),
    ("start/*", 9),
]
# What codegen may see of the frontend.
CODEGEN_SEES = {"ast.h", "types.h", "symbol.h", "source.h", "diag.h", "arena.h", "array.h", "text.h", "constant.h", "evaluation.h", "version.h",
                "interface.h", "file.h", "name_map.h"}
# Folders of codegen from the lowest up; those of one layer know each other. Prototypes stand in emitter/, so this is
# about calls too: a file calls its own layer and those below.
CODEGEN = [
    ("emitter", 0),
    ("link", 1),
    ("debug", 2),
    ("proof", 3),
    ("loop", 4),
    ("scheduling", 5),
    ("routine storage value mobile clock", 6),
    ("channel", 7),
    ("alt", 8),
    ("process", 9),
    ("unit", 10),
]
# Where the language is recursive: a body is a process again, a name may stand before it is used.
CODEGEN_DOORS = {"emit_process", "emit_specification"}
# The only file of the frontend that sees the code generator: it opens it.
SEES_CODEGEN = {"frontend/driver/backend.h"}

# Headers for some files alone: the run queue (the waist, runtime/README.md).
PRIVATE = {"runtime/core/runqueue.h": ("runtime/scheduler/", "runtime/core/deferred.c")}
# What a process waits for is stored here alone (free blocks: block.c).
WAIT_STORES = {"runtime/core/process.h", "runtime/memory/block.c"}
WAIT_STORE = re.compile(r"->wait = |\b(?:me|process|partner|parent)->(?:data|next) = ")

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def layer(table, stem):
    for patterns, number in table:
        if any(fnmatch.fnmatchcase(stem, pattern) for pattern in patterns.split()):
            return number
    return None


def target(path, name, roots):
    """The file an #include means, or None when it is generated."""
    for root in [os.path.dirname(path), *roots]:
        candidate = os.path.normpath(os.path.join(root, name))
        if os.path.exists(candidate):
            return candidate
    return None


def stem(path, folder):
    return os.path.splitext(path[len(folder) + 1 :])[0]


def column_complaints(folder, table, roots):
    for path in our_files(".c", ".h", ".l", ".y", folders=(folder + "/",)):
        own = layer(table, stem(path, folder))
        if own is None:
            yield f"{path}: has no layer; give it one in test/tools/check_layers.py"
            continue
        for name in INCLUDE.findall(read(path)):
            other = target(path, name, roots)
            if other is None or other.endswith(".def"):
                continue
            if not other.startswith(folder + "/"):
                if other.startswith("runtime/include/occ/") and other.endswith(".def"):
                    continue
                if not (path in SEES_CODEGEN and other.startswith("codegen/")):
                    yield f"{path}: includes {other}, which belongs to another part"
                continue
            theirs = layer(table, stem(other, folder))
            if theirs is not None and theirs > own:
                yield f"{path} (layer {own}): includes {other} (layer {theirs})"


def waist_complaints():
    """Only the scheduler touches the run queue; what a process waits for is said through process.h."""
    for path in our_files(".c", ".h", folders=("runtime/",)):
        text = read(path)
        for name in INCLUDE.findall(text):
            for private, users in PRIVATE.items():
                if name == os.path.basename(private) and not path.startswith(users):
                    yield f"{path}: includes {name}, which is private to {', '.join(users)}"
        if path not in WAIT_STORES | set(PRIVATE) and not path.startswith(PRIVATE["runtime/core/runqueue.h"]):
            for found in WAIT_STORE.findall(text):
                yield f"{path}: '{found.strip()}' belongs to core/process.h"


FUNCTION = re.compile(r"^[A-Za-z][\w *]*?\b(\w+)\([^;]*?\) \{$", re.M)


def codegen_layer(path):
    folder = os.path.dirname(path)[len("codegen/") :]
    return next((number for names, number in CODEGEN if folder in names.split()), None)


def call_complaints():
    """Calls upwards among codegen's folders, but for the doors."""
    texts = {path: read(path) for path in our_files(".c", folders=("codegen/",))}
    homes = {}
    for path, text in texts.items():
        for found in FUNCTION.finditer(text):
            if not found.group(0).startswith("static") and found.group(1) not in CODEGEN_DOORS:
                homes[found.group(1)] = path
    for path, text in texts.items():
        own = codegen_layer(path)
        if own is None:
            yield f"{path}: has no layer; give its folder one in test/tools/check_layers.py"
            continue
        for name in sorted(set(re.findall(r"\b([a-z]\w+)\b", text)) & set(homes)):
            home = homes[name]
            if codegen_layer(home) is not None and codegen_layer(home) > own:
                yield f"{path} (layer {own}): uses {name} of {home} (layer {codegen_layer(home)})"


def beside(path, other):
    """May a file of codegen include another one? codegen.h is for all."""
    own, theirs = codegen_layer(path), codegen_layer(other)
    return theirs is None or own is None or theirs <= own


def codegen_complaints():
    for path in our_files(".c", ".h", folders=("codegen/",)):
        for name in INCLUDE.findall(read(path)):
            other = target(path, name, [".", "codegen", *sorted(glob.glob("codegen/*/")), *sorted(glob.glob("frontend/*/"))])
            if other is None or other.endswith(".def"):
                continue
            if other.startswith("codegen/"):
                if not beside(path, other):
                    yield f"{path} (layer {codegen_layer(path)}): includes {other} (layer {codegen_layer(other)})"
                continue
            if other.startswith("frontend/") and os.path.basename(other) in CODEGEN_SEES:
                continue
            yield f"{path}: includes {other}"


def complaints():
    yield from column_complaints("frontend", FRONTEND, sorted(glob.glob("frontend/*/")))
    yield from column_complaints("runtime", RUNTIME, ["runtime/include", *sorted(glob.glob("runtime/*/"))])
    yield from waist_complaints()
    yield from codegen_complaints()
    yield from call_complaints()


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
