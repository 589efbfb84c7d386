#!/usr/bin/env python3
"""No call of an unsafe routine anywhere; malloc and its relatives only in the allocator files; no switch of the compiler
that casts its enum away, for then the C compiler does not name the kinds it forgets; no builder of LLVM's in our passes,
which edit.h gives theirs."""

import re
import sys

from source_text import our_files, read, without_comments_and_literals

BANNED = re.compile(r"\b(strcpy|strcat|sprintf|vsprintf|gets|strtok|alloca)\s*\(")
HEAP = re.compile(r"(?<![\w.>])(malloc|calloc|realloc|free)\s*\(")
CAST_AWAY = re.compile(r"\bswitch \(\(int\)")
# What gives an instruction the location of another routine, unless edit.c does it.
BUILDER = re.compile(r"\bLLVM(CreateBuilder|PositionBuilder|InsertIntoBuilder|SetCurrentDebugLocation|InstructionSetDebugLoc|SetInstDebugLocation"
                     r"|AddMetadataToInst|DIBuilderCreateDebugLocation)\w*")
PASSES = ("codegen/proof/", "codegen/loop/", "codegen/unit/giant", "codegen/unit/merge_limit", "codegen/unit/target")
# Files that own memory, or that must hand memory to or take it from a library.
ALLOCATORS = {"frontend/base/arena.c", "runtime/os/posix.c", "runtime/base/heap.c", "runtime/memory/block.c", "runtime/scheduler/ownership.c", "runtime/memory/heap_object.c",
              "runtime/mobile/detached.c", "runtime/memory/mobile.c", "runtime/core/readiness.c", "runtime/core/deadline_slots.c",
              "runtime/placed/message.c", "runtime/world/json.c", "runtime/world/json_form_text.c", "runtime/explore/gate.c", "runtime/explore/choice.c", "runtime/explore/causes.c",
              "runtime/explore/sample.c"}


def complaints():
    for path in our_files(".c", ".h", ".l", ".y"):
        for number, line in enumerate(without_comments_and_literals(read(path)).split("\n"), 1):
            match = BANNED.search(line)
            if match:
                yield f"{path}:{number}: {match[1]} is banned"
            match = HEAP.search(line)
            if match and path not in ALLOCATORS:
                yield f"{path}:{number}: {match[1]} outside the allocator files"
            match = BUILDER.search(line)
            if match and path.startswith(PASSES) and path != "codegen/proof/edit.c":
                yield f"{path}:{number}: {match[0]} in a pass: edit.h says how instructions are put into a routine"
            if CAST_AWAY.search(line) and not path.startswith("runtime/"):
                yield f"{path}:{number}: a switch that casts its enum away: name all kinds, or ask AMONG"


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
