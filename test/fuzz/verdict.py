"""What the compiler says of many programs at once: they are checked as one text, each found again by its lines."""

import re
import subprocess
import sys


def errors_of(occc, texts, prelude=()):
    """For each text, a list of lines, its errors in order: (id, line within the text, words)."""
    lines, starts = list(prelude), []
    for text in texts:
        starts.append(len(lines) + 1)
        lines += text
    starts.append(len(lines) + 1)
    command = [occc, "-fsyntax-only", "-w", "-ferror-limit=0", "-x", "occam", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1) or "isl" in done.stderr:
        sys.exit(f"the compiler ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found = [[] for _ in texts]
    for line, identity, words in re.findall(r"^[^\n:]*:(\d+):\d+: error\[([a-z0-9-]+)\]: ([^\n]*)", done.stderr, re.M):
        which = next(i for i in range(len(texts)) if starts[i] <= int(line) < starts[i + 1])
        found[which].append((identity, int(line) - starts[which] + 1, words))
    return found
