#!/usr/bin/env python3
"""Random networks of processes that choose among inputs and outputs: every message arrives, once and in order.

Each channel has a number of messages; its writer may close it after the last. A process offers all that is left on all of its
ends, by an ALT or PRI ALT with nested and replicated parts, timeouts and polls; one with a single end may be plain. Such a program
ends whatever is chosen, so it is run with several numbers of workers and seeds, and in virtual time."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import options

LIMIT_SECONDS = 30
RUNS = [(workers, seed, False) for workers in (1, 2, 10) for seed in (1, 2)] + [(1, 1, True), (1, 2, True)]


class Channel:
    def __init__(self, random_, number, processes):
        self.number = number
        self.writer, self.reader = random_.sample(range(processes), 2)
        self.closes = random_.random() < 0.5
        self.quota = random_.randint(1 if self.closes else 0, 12)


class End:
    """One end of a channel, with the lines that a process has for it."""

    def __init__(self, channel, is_output):
        self.channel = channel
        self.is_output = is_output
        self.count = f"n{channel.number}"
        self.name = f"c{channel.number}"
        self.watches = channel.closes and not is_output

    def formal(self):
        return f"CHAN INT {self.name}{'!' if self.is_output else '?'}"

    def actual(self):
        return f"{self.name}{'!' if self.is_output else '?'}"

    def declarations(self):
        yield f"INITIAL INT {self.count} IS 0:"
        if self.watches:
            yield f"INITIAL BOOL open{self.channel.number} IS TRUE:"

    def is_left(self):
        return f"open{self.channel.number}" if self.watches else f"({self.count} < {self.channel.quota})"

    def received(self):
        yield "SEQ"
        yield f"  ASSERT (x = {self.count})"
        yield f"  {self.count}, total := {self.count} + 1, total + (x + 1)"

    def guards(self, random_):
        left = self.is_left()
        if not self.is_output:
            yield f"{left} & {self.name} ? x"
            yield from indented(self.received())
            if self.watches:
                yield f"{left} & CLOSED {self.name}?"
                yield "  SEQ"
                yield f"    ASSERT ({self.count} = {self.channel.quota})"
                yield f"    open{self.channel.number} := FALSE"
            return
        item = random_.choice([self.count, f"({self.count} + 1) - 1"])
        yield f"{left} & {self.name} ! {item}"
        yield "  SEQ"
        yield f"    {self.count} := {self.count} + 1"
        if self.channel.closes:
            yield "    IF"
            yield f"      {self.count} = {self.channel.quota}"
            yield f"        CLOSE {self.name}!"
            yield "      TRUE"
            yield "        SKIP"

    def plain(self, random_):
        quota = self.channel.quota
        if not self.is_output and self.watches:
            yield f"WHILE {self.name} ? x"
            yield from indented(self.received())
            return
        yield f"SEQ i = 0 FOR {quota}"
        yield "  SEQ"
        if random_.random() < 0.4:
            yield "    t ? now"
            yield "    t ? AFTER now PLUS (i \\ 3)"
        if self.is_output:
            yield f"    {self.name} ! i"
        else:
            yield f"    {self.name} ? x"
            yield from indented(self.received(), 2)
        if self.is_output and self.channel.closes:
            yield f"CLOSE {self.name}!"


def indented(lines, levels=1):
    return ("  " * levels + line for line in lines)


def alternatives(random_, ends):
    """The guards of an ALT, some of them in an ALT of their own."""
    for end in random_.sample(ends, len(ends)):
        way = random_.random()
        if way < 0.15:
            yield random_.choice(["ALT", "PRI ALT"])
            yield from indented(end.guards(random_))
        elif way < 0.3:
            yield "ALT i = 0 FOR 1"
            yield "  ALT"
            yield from indented(end.guards(random_), 2)
        else:
            yield from end.guards(random_)
    way = random_.random()
    if way < 0.25:  # not for ever: two that only poll never meet
        yield "(polls < 40) & SKIP"
        yield "  polls := polls + 1"
    elif way < 0.5:
        yield f"t ? AFTER now PLUS {random_.choice([0, 1, 5, 30])}"
        yield "  polls := polls + 1"


def choosing(random_, ends):
    left = ends[0].is_left()
    for end in ends[1:]:
        left = f"({left} OR {end.is_left()})"
    yield f"WHILE {left}"
    yield "  SEQ"
    if random_.random() < 0.2:
        yield "    t ? now"
        yield "    t ? AFTER now PLUS (polls /\\ 3)"
    if random_.random() < 0.3:
        yield "    SEQ i = 0 FOR 300"
        yield "      work := work TIMES 7"
    yield "    t ? now"
    yield "    PRI ALT" if random_.random() < 0.3 else "    ALT"
    yield from indented(alternatives(random_, ends), 3)


def process(random_, number, ends):
    yield f"PROC p{number} ({', '.join([end.formal() for end in ends] + ['INT total'])})"
    yield "  INT x, now, polls, work:"
    yield "  TIMER t:"
    for end in ends:
        yield from indented(end.declarations())
    yield "  SEQ"
    yield "    total, polls, work := 0, 0, 1"
    if len(ends) == 1 and random_.random() < 0.5:
        yield from indented(ends[0].plain(random_), 2)
    elif ends:
        yield from indented(choosing(random_, ends), 2)
    yield ":"


def program(seed):
    random_ = random.Random(seed)
    processes = random_.randint(2, 7)
    channels = [Channel(random_, number, processes) for number in range(random_.randint(1, 10))]
    ends = [
        [End(channel, channel.writer == me) for channel in channels if me in (channel.writer, channel.reader)]
        for me in range(processes)
    ]
    lines = ['#INCLUDE "course.module"']
    for me in range(processes):
        lines += process(random_, me, ends[me])
    total = "t0"
    for me in range(1, processes):
        total = f"({total} + t{me})"
    lines += ["PROC main (CHAN BYTE scr!)", f"  CHAN INT {', '.join(f'c{c.number}' for c in channels)}:"]
    lines += [f"  INT {', '.join(f't{me}' for me in range(processes))}:", "  SEQ", "    PAR"]
    for me in range(processes):
        lines.append(f"      p{me} ({', '.join([end.actual() for end in ends[me]] + [f't{me}'])})")
    sent = sum(channel.quota * (channel.quota + 1) // 2 for channel in channels)
    lines += [f"    ASSERT ({total} = {sent})", '    out.string ("all arrived*n", 0, scr!)', ":", ""]
    return "\n".join(lines)


def failure(occc, text, folder, flags):
    """What is wrong with the program, or None."""
    source, built = os.path.join(folder, "choice.occ"), os.path.join(folder, "choice")
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    done = subprocess.run([occc, "-w", *flags, source, "-o", built], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        return f"{' '.join(flags)}: it does not compile:\n{done.stderr[:1000]}"
    for workers, seed, is_virtual in RUNS:
        environment = dict(os.environ, OCC_WORKERS=str(workers), OCC_SEED=str(seed))
        if is_virtual:
            environment["OCC_TIME"] = "virtual"
        where = f"{' '.join(flags)} OCC_WORKERS={workers} OCC_SEED={seed}{' OCC_TIME=virtual' if is_virtual else ''}"
        try:
            done = subprocess.run([built], capture_output=True, text=True, env=environment, timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"{where}: no end within {LIMIT_SECONDS} s"
        if done.returncode != 0 or done.stdout != "all arrived\n" or "deadlock" in done.stderr:
            return f"{where}: exit status {done.returncode}\n{done.stdout[-300:]}{done.stderr[:1000]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--occc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--save", help="a folder for programs that fail")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text = program(seed)
            wrong = failure(arguments.occc, text, folder, options.draw(f"choice {seed}", stop=True, reals=True))
            if wrong is None:
                continue
            failed += 1
            print(f"seed {seed}: {wrong}")
            if arguments.save:
                os.makedirs(arguments.save, exist_ok=True)
                with open(os.path.join(arguments.save, f"choice-{seed}.occ"), "w", encoding="ascii") as file:
                    file.write(text)
    print(f"{arguments.count} networks, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
