#!/usr/bin/env python3
"""Shared ends over machines: random writers and readers in placements and beside them, on virtual machines with random delays.

Each writer outputs its own numbers, each reader inputs so many: plainly, by an ALT, by one that gives up and tries again, by an extended
input. What is read is reported over an end that is shared too, and added up: the sum is that of all that was written.
usage: turns.py --occc build/bin/occc [--seed N] [--count PROGRAMS] [--seconds S]; turns.py --print N"""

import random
import sys

import over_machines
from over_machines import indent

PATIENT = """CLAIM {end}
  INITIAL BOOL done IS FALSE:
  WHILE NOT done
    TIMER tim:
    INT now:
    SEQ
      tim ? now
      {choice}
        {act}
          done := TRUE
        tim ? AFTER now PLUS {us}
          SKIP"""
OUTPUTS = ["CLAIM {end}\n  {act}", "CLAIM {end}\n  ALT\n    {act}\n      SKIP", PATIENT]
INPUTS = OUTPUTS + ["CLAIM {end}\n  {channel} ?? x\n    SKIP"]


class Program:
    REFUSED = "not supported yet: an extended input, when the PLACED PAR ends"
    SETTINGS = {}

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.channels = self.random.choice([1, 1, 2])
        self.each = self.random.choice([5, 13, 20])
        self.processes, self.expected, self.read = [], 0, 0
        written = [0] * self.channels
        for number in range(self.random.randint(1, 6)):
            channel = self.random.randrange(self.channels)
            written[channel] += self.each
            self.expected += sum(1000 * number + i for i in range(self.each))
            output = self.use(OUTPUTS, f"c{channel}", f"c{channel} ! ({number} * 1000) + i")
            self.processes.append(f"SEQ i = 0 FOR {self.each}\n{indent(output, 2)}")
        for channel, count in enumerate(written):
            self.add_readers(channel, count)
        self.random.shuffle(self.processes)

    def use(self, ways, channel, act):
        end = channel + ("!" if " ! " in act else "?")
        choice = self.random.choice(["ALT", "PRI ALT"])
        return self.random.choice(ways).format(end=end, channel=channel, act=act, choice=choice, us=self.random.choice([0, 1, 50, 300]))

    def add_readers(self, channel, count):
        self.read += count
        cuts = sorted(self.random.randint(0, count) for _ in range(self.random.randint(0, 3)))
        for first, last in zip([0, *cuts], [*cuts, count]):
            both = self.use(INPUTS, f"c{channel}", f"c{channel} ? x") + "\n" + self.use(OUTPUTS, "sums", "sums ! x")
            self.processes.append(f"SEQ i = 0 FOR {last - first}\n  INT x:\n  SEQ\n{indent(both, 4)}")

    def placed(self):
        """The processes in their placements; some beside them."""
        machines, beside, placements = self.random.randint(1, 4), [], {}
        for process in self.processes:
            if self.random.random() < 0.25:
                beside.append(process)
            else:
                placements.setdefault(self.random.randrange(machines), []).append(process)
        lines = ["PLACED PAR"] if placements else []
        for machine, processes in sorted(placements.items()):
            lines.append(f"  PROCESSOR {machine + self.random.choice([0, 0, 5])}\n    PAR")
            lines += [indent(process, 6) for process in processes]
        return "\n".join(lines + beside)

    def text(self):
        channels = ", ".join(f"c{i}" for i in range(self.channels))
        return f"""#USE "course.module"
PROC main (CHAN BYTE screen!)
  SHARED CHAN INT {channels}:
  SHARED! CHAN INT sums:
  PAR
{indent(self.placed(), 4)}
    INITIAL INT total IS 0:
    SEQ
      SEQ i = 0 FOR {self.read}
        INT x:
        SEQ
          sums ? x
          total := total + x
      out.int (total, 0, screen!)
      screen ! '*n'
:
"""


if __name__ == "__main__":
    sys.exit(over_machines.main(__doc__, Program))
