"""What the compiler says of many programs at once: they are checked as one text, each found again by its lines."""

import bisect
import os
import re
import subprocess
import sys
import tempfile


def errors_of(occc, texts, prelude=(), options=()):
    """For each text, a list of lines, its errors in order: (id, line within the text, words)."""
    lines, starts = list(prelude), []
    for text in texts:
        starts.append(len(lines) + 1)
        lines += text
    starts.append(len(lines) + 1)
    command = [occc, "-fsyntax-only", "-w", "-ferror-limit=0", *options, "-x", "occam", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"the compiler ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found = [[] for _ in texts]
    for line, identity, words in re.findall(r"^[^\n:]*:(\d+):\d+: error\[([a-z0-9-]+)\]: ([^\n]*)", done.stderr, re.M):
        which = bisect.bisect_right(starts, int(line)) - 1
        if which < 0:
            sys.exit(f"what all texts share is refused, line {line}: {words}")
        found[which].append((identity, int(line) - starts[which] + 1, words))
    return found


def fault_of_code(occc, texts, prelude=(), options=()):
    """What goes wrong when programs that are accepted are compiled at these options, or None."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.occ")
        with open(source, "w", encoding="ascii") as file:
            file.write("\n".join([*prelude, *(line for text in texts for line in text)]) + "\n")
        done = subprocess.run([occc, "-c", "-w", *options, "-o", os.path.join(folder, "all.o"), source], capture_output=True, text=True,
                              timeout=300, check=False)
    return None if done.returncode == 0 else f"{' '.join(options)}: status {done.returncode}: {done.stderr[:500]}"
