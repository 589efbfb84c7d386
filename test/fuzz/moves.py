#!/usr/bin/env python3
"""Ends that move between machines: both ends of random bundles go from process to process, round and round, while messages flow.

A bundle has a script of messages in both directions, plain and mobile. Each of its ends makes a tour of stays; at each it does some of the
script: plainly, by an ALT over all its inputs, by one that gives up and tries again, by an extended input. It moves on alone, in a variant, in a record,
or over the end of another bundle, which has been sent there as well. At the end a channel is closed, or an end let go, which the other finds.
usage: moves.py --occc build/bin/occc [--seed N] [--count PROGRAMS] [--seconds S]; moves.py --print N"""

import random
import sys

import over_machines
from over_machines import indent

HEAD = """#USE "course.module"
CHAN TYPE LINE
  MOBILE RECORD
    CHAN INT up?:
    CHAN MOBILE []BYTE text?:
    [2]CHAN INT down!:
:
DATA TYPE S.BOX
  MOBILE RECORD
    LINE? end:
:
DATA TYPE C.BOX
  MOBILE RECORD
    LINE! end:
:
PROTOCOL S.WAYS
  CASE
    alone; INT; LINE?
    boxed; S.BOX
:
PROTOCOL C.WAYS
  CASE
    alone; INT; LINE!
    boxed; C.BOX
:
CHAN TYPE S.LORRY
  MOBILE RECORD
    CHAN S.WAYS load?:
:
CHAN TYPE C.LORRY
  MOBILE RECORD
    CHAN C.WAYS load?:
:
PROC hold (VAL INT x, wanted, INT bad)
  IF
    x <> wanted
      bad := bad + 1
    TRUE
      SKIP
:
"""
CHANNELS = ["up", "text", "down[0]", "down[1]"]
PATIENT = """INITIAL BOOL done IS FALSE:
WHILE NOT done
  TIMER tim:
  INT now:
  SEQ
    tim ? now
    {choice}
{guards}
      tim ? AFTER now PLUS {us}
        SKIP"""


def field(channel):
    name, _, index = channel.partition("[")
    return f"[{name}]" + (f"[{index}" if index else "")


class Program:
    expected, REFUSED, SETTINGS = 0, None, {"OCC_COUNT_MOBILES": "1"}

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.processes, self.channels, self.stays = [], [], 0
        for number in range(self.random.choice([1, 1, 2, 3])):
            self.add_bundle(number)
        self.random.shuffle(self.processes)

    def channel(self, kind):
        name = f"h{len(self.channels)}"
        self.channels.append(f"CHAN {kind} {name}:")
        return name

    # ---- what an end does ----

    def guard(self, end, channel, is_wanted, number):
        """A guard of an ALT that inputs; the one that is wanted has `number`."""
        act = f"hold (x, {number}, bad)" if channel != "text" else f"hold (SIZE m, {number}, bad)"
        into = "x" if channel != "text" else "m"
        then = f"SEQ\n  {act}\n  done := TRUE" if is_wanted else "bad := bad + 1000"
        return f"{end}{field(channel)} ? {into}\n{indent(then, 2)}"

    def output(self, end, channel, number):
        what = f"{number}" if channel != "text" else "m"
        act = f"{end}{field(channel)} ! {what}"
        make = f"m := MOBILE [{number}]BYTE\n" if channel == "text" else ""
        way = self.random.choice(["plain", "plain", "alt", "patient"])
        if way == "plain":
            text = act
        elif way == "alt":
            text = f"ALT\n  {act}\n    SKIP"
        else:
            text = PATIENT.format(choice=self.random.choice(["ALT", "PRI ALT"]), us=self.random.choice([0, 1, 50, 300]),
                                  guards=indent(f"{act}\n  done := TRUE", 6))
        return f"SEQ\n{indent(make + text, 2)}" if make else text

    def input(self, end, channel, number, inputs):
        if channel != "text" and self.random.random() < 0.2:
            return f"{end}{field(channel)} ?? x\n  hold (x, {number}, bad)"
        if self.random.random() < 0.4:
            into, value = ("x", "x") if channel != "text" else ("m", "SIZE m")
            return f"SEQ\n  {end}{field(channel)} ? {into}\n  hold ({value}, {number}, bad)"
        guards = "\n".join(self.guard(end, other, other == channel, number) for other in inputs)
        if self.random.random() < 0.5:
            return f"INITIAL BOOL done IS FALSE:\nALT\n{indent(guards, 2)}"
        return PATIENT.format(choice=self.random.choice(["ALT", "PRI ALT"]), us=self.random.choice([0, 1, 50, 300]), guards=indent(guards, 6))

    def acts(self, role, script):
        end = role.lower()
        inputs = [channel for channel in CHANNELS if channel.startswith("down") == (role == "C")]
        return [self.input(end, channel, number, inputs) if channel in inputs else self.output(end, channel, number) for channel, number in script]

    # ---- its tour ----

    def hop(self, role):
        """How an end goes from one stay to the next: what is done there, what here."""
        mark, end = ("?", "s") if role == "S" else ("!", "c")
        way = self.random.choice(["plain", "plain", "alone", "boxed", "lorry"])
        if way == "plain":
            channel = self.channel(f"LINE{mark}")
            return f"{channel} ! {end}", f"{channel} ? {end}"
        before, after = "", ""
        target = self.channel(f"{role}.WAYS") if way != "lorry" else "away[load]"
        source = target if way != "lorry" else "from[load]"
        if way == "lorry":
            first, second = self.channel(f"{role}.LORRY!"), self.channel(f"{role}.LORRY?")
            maker = f"{role}.LORRY! a:\n{role}.LORRY? b:\nSEQ\n  a, b := MOBILE {role}.LORRY\n  PAR\n    {first} ! a\n    {second} ! b"
            self.processes.append(maker)
            before, after = f"{role}.LORRY! away:\nSEQ\n  {first} ? away\n", f"{role}.LORRY? from:\nSEQ\n  {second} ? from\n"
        boxed = way == "boxed" or (way == "lorry" and self.random.random() < 0.5)
        send = f"{role}.BOX box:\nSEQ\n  box[end] := {end}\n  {target} ! boxed; box" if boxed else f"{target} ! alone; 7; {end}"
        take = f"{source} ? CASE\n  INT seven:\n  alone; seven; {end}\n    hold (seven, 7, bad)\n  {role}.BOX box:\n  boxed; box\n    {end} := box[end]"
        columns = 2 if way == "lorry" else 0
        return before + indent(send, columns), after + indent(take, columns)

    def add_stay(self, role, take, acts, leave):
        mark, end = ("?", "s") if role == "S" else ("!", "c")
        steps = [take, *acts, *([leave] if leave else []), f"result[{self.stays}] ! bad"]
        self.stays += 1
        body = "\n".join(indent(step, 2) for step in steps)
        self.processes.append(f"LINE{mark} {end}:\nINITIAL INT bad IS 0:\nINT x:\nMOBILE []BYTE m:\nSEQ\n{body}")

    def add_tour(self, role, script, closing):
        mark = "?" if role == "S" else "!"
        first = self.channel(f"LINE{mark}")
        end = role.lower()
        cuts = sorted(self.random.randint(0, len(script)) for _ in range(self.random.randint(0, 7)))
        pieces = [script[a:b] for a, b in zip([0, *cuts], [*cuts, len(script)])]
        take = f"{first} ? {end}"
        for index, piece in enumerate(pieces):
            acts = self.acts(role, piece)
            is_last = index == len(pieces) - 1
            leave, take_next = (None, None) if is_last else self.hop(role)
            if is_last:
                acts += closing
            self.add_stay(role, take, acts, leave)
            take = take_next
        return first

    def add_bundle(self, number):
        script = [(self.random.choice(CHANNELS), 100 * number + i) for i in range(self.random.choice([6, 15, 30]))]
        last = "SEQ\n  WHILE s[up] ? x\n    bad := bad + 1\n  ALT\n    CLOSED s[up]?\n      SKIP"
        closes = self.random.choice([["CLOSE c[up]!"], []])
        server, client = self.add_tour("S", script, [last]), self.add_tour("C", script, closes)
        self.processes.append(f"LINE! c:\nLINE? s:\nSEQ\n  c, s := MOBILE LINE\n  PAR\n    {server} ! s\n    {client} ! c")

    # ---- the text ----

    def placed(self):
        """The processes in their placements; some beside them."""
        machines, beside, placements = self.random.randint(1, 5), [], {}
        for process in self.processes:
            if self.random.random() < 0.2:
                beside.append(process)
            else:
                placements.setdefault(self.random.randrange(machines), []).append(process)
        lines = ["PLACED PAR"] if placements else []
        for machine, processes in sorted(placements.items()):
            lines.append(f"  PROCESSOR {machine}\n    PAR")
            lines += [indent(process, 6) for process in processes]
        return "\n".join(lines + beside)

    def text(self):
        channels = "\n".join(f"  {channel}" for channel in self.channels)
        return f"""{HEAD}PROC main (CHAN BYTE screen!)
{channels}
  [{self.stays}]CHAN INT result:
  PAR
{indent(self.placed(), 4)}
    INITIAL INT total IS 0:
    SEQ
      SEQ i = 0 FOR {self.stays}
        ALT k = 0 FOR {self.stays}
          INT x:
          result[k] ? x
            total := total + x
      out.int (total, 0, screen!)
      screen ! '*n'
:
"""


if __name__ == "__main__":
    sys.exit(over_machines.main(__doc__, Program))
