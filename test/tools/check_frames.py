#!/usr/bin/env python3
"""Compare the frame sizes an object states in .occ.stack with what its unwind tables say.

The stack of a process has exactly the bytes that the frames add up to, so a frame that is larger than stated would
write into another process. The unwind table is the judge: the deepest CFA of a function, less its return address, is
its frame. usage: check_frames.py LLVM_BIN OBJECT..."""

import os
import re
import subprocess
import sys
import tempfile

FDE = re.compile(r"FDE cie=.* pc=([0-9a-f]+)\.\.\.([0-9a-f]+)")
CFA = re.compile(r"^\s+0x[0-9a-f]+: CFA=(\S+?)([+-]\d+)?(:|$)")


def tool(folder, name, *words):
    return subprocess.run([os.path.join(folder, name), *words], check=True, capture_output=True, text=True).stdout


def stated_frames(llvm, path):
    """{function: frame bytes} of the section."""
    with tempfile.TemporaryDirectory() as folder:
        section = os.path.join(folder, "stack")
        tool(llvm, "llvm-objcopy", f"--dump-section=.occ.stack={section}", path, os.devnull)
        with open(section, encoding="utf-8") as text:
            lines = text.read().splitlines()
    fields = [line.split(" ", 3) for line in lines if line.startswith("f ")]
    return {name: int(frame) for _, frame, _, name in fields}


def functions_by_address(llvm, path):
    rows = tool(llvm, "llvm-nm", "--defined-only", path).splitlines()
    return {int(address, 16): name for address, kind, name in (row.split(" ", 2) for row in rows) if kind in "tT"}


def real_frames(llvm, path):
    """{function: frame bytes} of .eh_frame, and the functions whose frame the table cannot state."""
    names = functions_by_address(llvm, path)
    frames, odd, current = {}, [], None
    for line in tool(llvm, "llvm-dwarfdump", "--eh-frame", path).splitlines():
        if match := FDE.search(line):
            current = names.get(int(match.group(1), 16))
        elif (match := CFA.match(line)) and current is not None:
            if match.group(1) != "RSP":
                odd.append(current)
            frames[current] = max(frames.get(current, 0), int(match.group(2)) - 8)
    return frames, odd


def complaints(llvm, path):
    stated, (real, odd) = stated_frames(llvm, path), real_frames(llvm, path)
    yield from (f"{path}: the frame of {name} has no constant size" for name in odd)
    for name in sorted(stated.keys() | real.keys()):
        if stated.get(name) != real.get(name):
            yield f"{path}: {name}: stated {stated.get(name)}, real {real.get(name)}"


def main():
    llvm, objects = sys.argv[1], sys.argv[2:]
    found = [complaint for path in objects for complaint in complaints(llvm, path)]
    count = sum(len(stated_frames(llvm, path)) for path in objects)
    print("\n".join(found + [f"{count} functions in {len(objects)} objects, {len(found)} differ"]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
