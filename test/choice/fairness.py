#!/usr/bin/env python3
"""How evenly a fair ALT serves its partners, for every mix of them, over many choices.

A server chooses among channels; the partner of each is always there again: plain (p), which just inputs or outputs; alting
(a), which offers the same as a guard of an ALT; with a deadline beside it (t), which it lets pass now and then; or one
that offers two channels of the server at once (b). The server's guards are inputs, outputs, or both in turn.

settled: before each choice every partner has come back. Then all are ready, and the choice is even: chi-square over
         all of them, at 0.01 %; OCC_SEED makes the runs repeat.
busy:    the server chooses at once. Who has come back is ready, and which kind comes back sooner shows: each count must
         be at least half, and at most twice, what an even choice would give.
skip:    several SKIP guards, and one end in several guards: as settled.

--choices says how many choices, --mix which partners, --workers with how many workers (busy only says its counts then)."""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

CRITICAL = {1: 15.14, 2: 18.42, 3: 21.11, 4: 23.51, 5: 25.74, 6: 27.86, 7: 29.88}  # 0.01 %, by degrees of freedom
MIXES = [
    "pp", "pa", "aa", "pt", "at", "bb", "pbb", "ppaa", "paaa", "pppa", "patbb", "pppppppa", "aaaaaaap", "pppppppp", "aaaaaaaa"
]
BUSY_LIMIT = 2


def offer(channel, is_input):
    """What a partner of a server that inputs does; and one of a server that outputs."""
    return f"{channel} ! 0" if is_input else f"{channel} ? x"


def end(channel, is_input):
    return channel + ("!" if is_input else "?")


def partner(kind, number, is_input):
    channel = f"c[{number}]"
    if kind == "p":
        loop = f"""        IF
          CLOSED {end(channel, is_input)}
            going := FALSE
          TRUE
            {offer(channel, is_input)}
"""
    else:
        loop = f"""        ALT
          {offer(channel, is_input)}
            SKIP
          CLOSED {end(channel, is_input)}
            going := FALSE
"""
    if kind == "t":
        loop += """          tim ? AFTER now PLUS 50
            SKIP
"""
        loop = f"        SEQ\n          tim ? now\n" + re.sub("^", "  ", loop, flags=re.M).rstrip(" ")
    return f"""      INT x, now:
      TIMER tim:
      INITIAL BOOL going IS TRUE:
      WHILE going
{loop}"""


def pair(number, directions):
    """One process on two channels."""
    guards = "".join(
        f"""          {offer(f"c[{i}]", directions[i])}
            SKIP
          CLOSED {end(f"c[{i}]", directions[i])}
            going := FALSE
"""
        for i in (number, number + 1)
    )
    return f"""      INT x:
      INITIAL BOOL going IS TRUE:
      WHILE going
        ALT
{guards}"""


def partners(mix, directions):
    text, i = "", 0
    while i < len(mix):
        is_pair = mix[i] == "b"
        text += pair(i, directions) if is_pair else partner(mix[i], i, directions[i])
        i += 2 if is_pair else 1
    return text


def server(guards, count, choices, is_settled):
    settle = "            SEQ r = 0 FOR 4\n              RESCHEDULE ()\n" if is_settled else ""
    return f"""      SEQ
        SEQ k = 0 FOR {choices}
          INT x:
          SEQ
{settle}            ALT
{guards}        SEQ i = 0 FOR {count}
          SEQ
            out.int (got[i], 0, out!)
            out ! ' '
        out ! '*n'
        STOP
"""


def program(mix, direction, choices, is_settled):
    directions = [{"input": True, "output": False}.get(direction, i % 2 == 0) for i in range(len(mix))]
    guards = "".join(
        f"              c[{i}] {'? x' if directions[i] else '! 1'}\n                got[{i}] := got[{i}] + 1\n"
        for i in range(len(mix))
    )
    return head(len(mix)) + partners(mix, directions) + server(guards, len(mix), choices, is_settled) + ":\n"


def head(count):
    return f"""#INCLUDE "course.module"
PROC main (CHAN BYTE out!)
  [{count}]CHAN INT c:
  [{count}]INT got:
  SEQ
    SEQ i = 0 FOR {count}
      got[i] := 0
    PAR
"""


def skip_program(choices):
    guards = "".join(f"              SKIP\n                got[{i}] := got[{i}] + 1\n" for i in range(4))
    return head(4) + "      SKIP\n" + server(guards, 4, choices, False) + ":\n"


def same_end_program(choices):
    guards = "".join(f"              c[0] ? x\n                got[{i}] := got[{i}] + 1\n" for i in range(4))
    return head(4) + partner("p", 0, True) + server(guards, 4, choices, True) + ":\n"


def run(occc, folder, text, workers):
    source = os.path.join(folder, "fair.occ")
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    environment = dict(os.environ, OCC_WORKERS=str(workers), OCC_SEED="1")
    done = subprocess.run([occc, "run", "-w", source], capture_output=True, text=True, env=environment, timeout=300)
    if "STOP" not in done.stderr:
        sys.exit(f"{text}\n{done.stderr}")
    return [int(number) for number in re.findall(r"\d+", done.stdout)]


def chi_square(counts):
    mean = sum(counts) / len(counts)
    return sum((number - mean) ** 2 for number in counts) / mean


def even(name, counts):
    chi = chi_square(counts)
    is_even = chi <= CRITICAL[len(counts) - 1]
    print(f"{name:26} {' '.join(map(str, counts))}   chi-square {chi:.1f}{'' if is_even else ' UNEVEN'}", flush=True)
    return not is_even


def busy(name, mix, counts):
    mean = sum(counts) / len(counts)
    least, most = min(counts) / mean, max(counts) / mean
    kinds = {kind: [number for number, one in zip(counts, mix) if one == kind] for kind in dict.fromkeys(mix)}
    shares = ", ".join(f"{kind} {sum(numbers) / len(numbers) / mean:.2f}" for kind, numbers in kinds.items())
    is_fair = least * BUSY_LIMIT >= 1 and most <= BUSY_LIMIT
    print(f"{name:26} shares {shares}; {least:.2f} to {most:.2f}{'' if is_fair else ' UNFAIR'}", flush=True)
    return not is_fair


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--choices", type=int, default=1000000)
    parser.add_argument("--mix", action="append", help="such as ppaa; default: many")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for mix, direction in itertools.product(arguments.mix or MIXES, ["input", "output", "both"]):
            for is_settled in (True, False) if arguments.workers == 1 else (False,):
                text = program(mix, direction, arguments.choices, is_settled)
                counts = run(arguments.occc, folder, text, arguments.workers)
                name = f"{'settled' if is_settled else 'busy'} {mix} {direction}"
                # a deadline that has just passed leaves its process out of a settled choice
                wrong += even(name, counts) if is_settled and "t" not in mix else busy(name, mix, counts)
        if not arguments.mix:
            wrong += even("skip", run(arguments.occc, folder, skip_program(arguments.choices), 1))
            wrong += even("one end in four guards", run(arguments.occc, folder, same_end_program(arguments.choices), 1))
    print(f"{wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
